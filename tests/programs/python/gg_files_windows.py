from gg import files

for offset, limit in [(1, 1), (9, 5), (10, 1), (11, 1), (None, 2), (8, None)]:
    window = files.read_file("data/ten.txt", offset=offset, limit=limit)
    print(offset, limit, repr(window.contents), window.first_line, window.last_line, window.total_lines)
print(files.read_file("data/empty.txt"))
print(repr(files.read_text_file("data/crlf.txt", offset=2)))
files.read_file("data/ten.txt", offset=0)
