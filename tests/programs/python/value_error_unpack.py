pairs = ["a=1", "b=2", "c"]
for pair in pairs:
    key, value = pair.split("=")
    print(key, value)
