from gg import ApiError, context, docs, files, memories, programs, session, skills, tasks, views
from gg.context import TurnRange

refused = [
    lambda: files.read_text_file("README.md"),
    lambda: views.open_file("README.md"),
    lambda: tasks.add_task("t", "title"),
    lambda: memories.write_memory("m", "d", "b"),
    lambda: context.evict_file_view(),
    lambda: context.archive_thread([TurnRange(1, 1)]),
    lambda: context.search_archive("a"),
    lambda: skills.read_skill("s"),
]
for call in refused:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error.operation, error.code)
try:
    files.read_text_file("README.md")
except ApiError as error:
    print(error)
views.open_text("note", "still shown")
print(views.current(), views.close("nothing"), docs.close("nothing"), docs.close_all(), programs.history())
programs.rerun("from gg import views\nviews.open_text('rerun', 'served as well')")
session.finish("out of time")
