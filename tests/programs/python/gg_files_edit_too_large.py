from gg import files

files.write_file("long.txt", "x" * 5000)
files.edit_file("long.txt", "x", "y")
