from gg import docs, views

for query in ("replace text in a file", "run a bash command", "list a folder", "grep", "finish the session", "show text to the model", "earlier programs"):
    print(f"{query}: {docs.search(query).hits[0].key}")
