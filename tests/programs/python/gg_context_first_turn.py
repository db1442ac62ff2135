from gg import context
from gg.context import TurnRange

print(context.search_archive("anything"))
context.archive_thread([TurnRange(1, 1)])
