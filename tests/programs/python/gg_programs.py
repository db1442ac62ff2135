from gg import programs

for entry in programs.history():
    print(entry)
print(programs.get(1), programs.get(), sep="", end="")
programs.get(7)
