words = ["alpha", None, "gamma"]
lengths = [len(word) for word in words]
print(lengths)
