inventory = {"apples": 3, "pears": 5}
print(inventory["plums"])
