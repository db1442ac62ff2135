from gg import ApiError, context
from gg.context import TurnRange

calls = [
    lambda: context.archive_thread([]),
    lambda: context.archive_thread([TurnRange(2, 1)]),
    lambda: context.archive_thread([TurnRange(0, 1)]),
    lambda: context.archive_thread([TurnRange(1, 4)]),
    lambda: context.search_archive(" ?"),
    lambda: context.evict_file_view("/etc/passwd"),
    lambda: context.compact("summary"),
]
for call in calls:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error)
context.archive_thread([TurnRange(7, 9)])
