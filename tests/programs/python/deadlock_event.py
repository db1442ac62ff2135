import asyncio


async def main():
    event = asyncio.Event()
    try:
        await event.wait()
    finally:
        print("cleaning up")


asyncio.run(main())
