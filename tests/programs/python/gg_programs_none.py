from gg import programs

print(programs.history())
programs.get()
