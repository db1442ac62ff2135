import asyncio


async def producer(queue):
    await queue.put(1)


async def consumer(queue):
    while True:
        print("got", await queue.get())


async def main():
    queue = asyncio.Queue()
    await asyncio.gather(producer(queue), consumer(queue))


asyncio.run(main())
