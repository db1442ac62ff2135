with open("docs/outside") as file:
    print(file.read())
