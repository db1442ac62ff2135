import asyncio

asyncio.run(asyncio.sleep(60))
