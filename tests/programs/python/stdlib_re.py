import re

log = "2024-05-01 ERROR disk full\n2024-05-02 INFO ok\n2024-05-03 ERROR no net\n"
for match in re.finditer(r"^(?P<date>\d{4}-\d{2}-\d{2}) (?P<level>ERROR) (.+)$", log, re.M):
    print(match["date"], match[3])
print(re.sub(r"(\w+)@(\w+)", r"\2 at \1", "ada@example bob@test"))
print(re.findall(r"(?<=\w)é\b", "café thé"), re.split(r"[,;]\s*", "a, b;c"))
