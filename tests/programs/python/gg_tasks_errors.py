from gg import ApiError, tasks

tasks.add_task("a", "First")
tasks.add_task("b", "Second", blocked_by=["a"])
tasks.add_task("c", "Third", blocked_by=["b"])
calls = [
    lambda: tasks.add_task("a", "Again"),
    lambda: tasks.add_task("d", "Fourth"),
    lambda: tasks.add_task(" ", "Blank"),
    lambda: tasks.add_task("e", " "),
    lambda: tasks.add_task("e", "two\nlines"),
    lambda: tasks.add_task("e", "x" * 501),
    lambda: tasks.update_task("b", description="x" * 8193),
    lambda: tasks.update_task("bb", title="x"),
    lambda: tasks.set_blocked_by("a", ["c"]),
    lambda: tasks.set_blocked_by("a", ["a"]),
    lambda: tasks.set_blocked_by("a", ["nobody"]),
    lambda: tasks.set_blocked_by("nobody", []),
    lambda: tasks.complete_task("nobody"),
    lambda: tasks.remove_task("nobody"),
]
for call in calls:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error)
tasks.remove_task("a")
print(tasks.add_task("d", "Fourth"))
tasks.complete_task("a")
