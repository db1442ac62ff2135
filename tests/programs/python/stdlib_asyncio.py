import asyncio
import time


async def work(n):
    await asyncio.sleep(n / 100)
    return n * n


async def main():
    start = time.monotonic()
    print(await asyncio.gather(*(work(n) for n in range(4))))
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(10)
    except TimeoutError:
        print("timed out")
    queue = asyncio.Queue()
    await queue.put("item")
    print(await queue.get(), time.monotonic() - start < 5)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work(2))
    print(task.result(), [n async for n in ticker(3)])


async def ticker(count):
    for n in range(count):
        await asyncio.sleep(0)
        yield n


asyncio.run(main())
