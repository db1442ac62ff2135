import asyncio


async def bad():
    raise KeyError("lost")


async def main():
    task = asyncio.create_task(bad())
    await asyncio.sleep(0.001)


asyncio.run(main())
