import os

os.mkdir("out")
for i in range(1000):
    with open(f"out/{i}.txt", "w") as file:
        file.write(str(i))
