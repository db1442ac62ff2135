from gg import ApiError, docs

page = docs.search(module="files", kind="operation", limit=2)
print(page.total, [hit.key for hit in page.hits])
print([hit.key for hit in docs.search("read", offset=1, limit=1).hits], docs.search("qqqq").total)
print([hit.key for hit in docs.search(type="ShellOutput").hits], [hit.key for hit in docs.search("directory", kind="type").hits])
for arguments in ({}, {"query": "read", "limit": 0}, {"query": "read", "limit": 101}):
    try:
        docs.search(**arguments)
    except ApiError as error:
        print(f"{error.code}: {error.message}")
