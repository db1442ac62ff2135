from gg import tasks
from gg.tasks import TaskStatus

print(tasks.add_task("read", "Read the files"))
print(tasks.add_task("count", "Count the words", description="Each file apart.", blocked_by=["read", "read"]))
tasks.update_task("read", status=TaskStatus.IN_PROGRESS)
tasks.update_task("count", title="Count all words", description=None)
tasks.complete_task("read")
tasks.set_blocked_by("count", [])
tasks.set_blocked_by("read", ["count"])
print(tasks.remove_task("count"))
tasks.set_blocked_by("read", [])
