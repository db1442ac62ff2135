from gg import skills

print(skills.read_skill("release"), end="")
skills.read_skill("relese")
