from gg import programs, skills

skills.read_skill("Word tools")
programs.rerun("""
from lib import word_tools
from lib.word_tools import count

print(word_tools.count("a b c"), count(""), word_tools.__name__)
""")
