from gg import files, programs

source = """from gg import ApiError, files, programs
number = int(files.read_text_file("number")) + 1
files.write_file("number", str(number))
print("program", number)
try:
    programs.rerun(files.read_text_file("source"))
except ApiError as error:
    print(error)
"""
files.write_file("source", source)
files.write_file("number", "1")
programs.rerun(source)
