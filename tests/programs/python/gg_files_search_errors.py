from gg import ApiError, files

for query, path in [("", None), ("a{2,1}", None), ("(?=x)", None), ("é[", None), ("x", "scr"), ("a\\nb", None), ("x", "..")]:
    try:
        print(files.search(query, path=path))
    except ApiError as error:
        print(f"{error.code}: {error.message}")
