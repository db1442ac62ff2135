import time

start = time.monotonic()
time.sleep(0.05)
elapsed = time.monotonic() - start
print(0.05 <= elapsed < 5)
