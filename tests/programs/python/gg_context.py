from gg import context, views
from gg.context import TurnRange

print(context.search_archive("swordfish"))
print(context.archive_thread([TurnRange(1, 1), TurnRange(1, 2)]))
print(context.archive_thread([TurnRange(2, 2)]))
for hit in context.search_archive("Swordfish, password").hits:
    print(hit)
print(context.search_archive("three").hits)
for view in views.current():
    print(view)
print(context.evict_file_view("/work/./README.md"))
print(context.evict_file_view("README.md"))
views.open_file("README.md")
print(context.evict_file_view())
print(context.evict_file_view())
print([view.selector for view in views.current()])
