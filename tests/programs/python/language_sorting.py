people = [("Bob", 30), ("ada", 25), ("Cyd", 30), ("Łukasz", 25)]
print(sorted(people, key=lambda person: (-person[1], person[0].casefold())))
print(sorted("banana", reverse=True), sorted({3: "c", 1: "a"}), max(people, key=lambda p: len(p[0])))
sorted([3, "a", None])
