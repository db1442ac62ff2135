first, *middle, last = range(6)
print(first, middle, last, {**{"a": 1}, "b": 2}, [*"ab", *range(2)])
width, value = 12, 3.14159
print(f"[{value:>{width}.2f}] [{'left':<8}] [{'mid':^9}] [{42:08.3f}] {value!r} {width = }")
print("{:>10} {name!r}".format("x", name="y"), "%05d %s %.1e" % (42, "s", 12345.678))
print(f"{'nested ' + f'{1 + 1}'} {{braces}} {1_000_000:e} {True:d} {-0.0:+.1f}")
