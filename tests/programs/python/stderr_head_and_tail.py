import sys

print("first line of many", file=sys.stderr)
for i in range(10_000):
    print("something in between", i, file=sys.stderr)
print("last line of many", file=sys.stderr)
