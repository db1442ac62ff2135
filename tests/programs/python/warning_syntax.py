import re

print(re.findall("\d+", "12 and 34"))
