from gg import programs, skills

skills.read_skill("a")
skills.read_skill("b")
programs.rerun("from lib import a\nprint(a.value)\nfrom lib import b\n")
