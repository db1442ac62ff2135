from gg import files, session

open_lines = [line for line in files.read_text_file("notes.txt").splitlines() if line.startswith("[ ]")]
files.write_file("open.txt", "\n".join(open_lines) + "\n")
session.finish(f"{len(open_lines)} things are open.")
