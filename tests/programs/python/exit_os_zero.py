import os

try:
    os._exit("done")
except TypeError as error:
    print(error)
os._exit(0)
print("never")
