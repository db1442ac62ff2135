def depth(n):
    try:
        return depth(n + 1)
    except RecursionError:
        return n


print(depth(0) > 900)
