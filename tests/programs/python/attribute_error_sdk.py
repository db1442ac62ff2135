from gg import files

files.red_file("README.md")
