import re

match = re.search(r"(\d+)", "no digits here")
print(match.group(1))
