config = {
    "name": "demo",
    "values": [1, 2, 3,
}
print(config)
