from gg import files, shell

files.write_file("script.sh", "echo \"hello $1\"\n")
print(shell.shell("bash script.sh world | tr a-z A-Z").output, end="")
open("by_python.txt", "w").write("x\n")
print(shell.shell("cat by_python.txt").output, end="")
shell.shell("")
