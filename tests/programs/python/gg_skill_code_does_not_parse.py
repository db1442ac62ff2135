from gg import programs, skills

skills.read_skill("Word tools")
programs.rerun("from lib import word_tools\n")
