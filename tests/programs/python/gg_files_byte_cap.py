from gg import files

files.write_file("lines.txt", "0123456789\n" * 200)
window = files.read_file("lines.txt")
print(window.byte_truncated, window.last_line, len(window.contents), window.total_lines)
files.read_text_file("lines.txt")
