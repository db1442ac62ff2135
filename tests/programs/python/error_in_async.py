import asyncio

from gg import files


async def inner():
    await asyncio.sleep(0)
    "äöü€", files.read_text_file("nope.txt")


async def main():
    await inner()


asyncio.run(main())
