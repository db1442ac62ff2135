import os

print("buffered")
os._exit(7)
