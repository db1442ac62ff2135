from gg import ApiError, programs, skills

for name in ["one", "two", "three", "four"]:
    print(skills.read_skill(name), end=" ")
try:
    programs.rerun("print(1)")
except ApiError as error:
    print(error)
