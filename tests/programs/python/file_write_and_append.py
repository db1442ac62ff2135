import os

with open("log.txt", "w") as file:
    file.write("one\n")
with open("log.txt", "a") as file:
    file.writelines(["two\n", "three\n"])
with open("log.txt", "r+") as file:
    print(file.readlines(), file.tell(), file.seek(4), file.read(3))
open("gone.txt", "w").close()
os.remove("gone.txt")
print(os.listdir("/work"))
