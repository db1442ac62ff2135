import json

rows = [{"id": i, "name": f"näme {i}", "tags": ["a", "b"], "score": i / 7} for i in range(16_000)]
text = json.dumps(rows, ensure_ascii=False)
print(len(text.encode()) > 1 << 20, json.loads(text) == rows)
print(json.dumps({"b": [1, 2.5, None, True], "a": "é"}, indent=2, sort_keys=True))
