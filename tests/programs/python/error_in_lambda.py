records = [{"age": 3}, {"name": "b"}]
records.sort(key=lambda record: record["age"])
