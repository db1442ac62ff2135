import os

print(os.listdir("/tmp"))
os.listdir("/work")
