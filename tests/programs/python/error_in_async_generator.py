import asyncio


async def rows():
    for i in range(3):
        await asyncio.sleep(0)
        if i == 2:
            raise OSError("the source went away")
        yield i


async def main():
    async for row in rows():
        print(row)


asyncio.run(main())
