import asyncio


async def fail(n):
    await asyncio.sleep(0)
    raise ValueError(f"task {n}")


async def main():
    async with asyncio.TaskGroup() as group:
        group.create_task(fail(1))
        group.create_task(fail(2))


asyncio.run(main())
