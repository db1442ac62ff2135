with open("/etc/passwd") as file:
    print(file.read())
