from gg import files, docs, session

attempts = [
    lambda: files.read_file(3),
    lambda: files.read_file("a", offset="1"),
    lambda: files.read_file("a", offset=-1),
    lambda: files.read_file("a", limit=True),
    lambda: files.write_file("a", b"bytes"),
    lambda: files.write_file("a", "\udc80"),
    lambda: docs.search(kind="nope"),
    lambda: session.request_changes("abc"),
    lambda: files.read_file("a", 3),
    lambda: files.read_file("a", ofset=3),
]
for attempt in attempts:
    try:
        attempt()
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
files.write_file("a.txt", contents=None)
