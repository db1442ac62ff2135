from gg import files

for match in files.search(r"TODO|def \w+"):
    print(f"{match.path}:{match.line}: {match.text}")
print(files.search("zzz"), files.search("^one$", path="data"), len(files.search(".", limit=3)))
print(files.search("TODO", path="build/out.txt")[0].text)
files.search("(unclosed")
