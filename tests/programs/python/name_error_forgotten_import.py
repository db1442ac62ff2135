data = json.loads('{"a": 1}')
print(data["a"])
