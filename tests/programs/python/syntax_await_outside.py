import asyncio

await asyncio.sleep(0)
