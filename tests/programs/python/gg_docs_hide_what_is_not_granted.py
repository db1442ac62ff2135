from gg import docs

print({hit.module for hit in docs.search("run a shell command in the tree", limit=100).hits} & {"shell", "board", "tasks"})
print([hit.key for hit in docs.search("write a file", kind="operation").hits if "write" in hit.key])
