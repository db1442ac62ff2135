from gg import programs, skills

for name in ["release", "release", "review", "plain"]:
    skills.read_skill(name)
programs.rerun("from gg import skills\nprint(skills.read_skill('release'), end='')")
