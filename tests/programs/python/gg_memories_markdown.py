from gg import ApiError, memories

print(memories.create_memory("deploy", "How to deploy", "Push, then tag, then push."))
print(memories.edit_memory("deploy", "then tag", "tag"))
print(memories.read_memory("deploy"))
calls = [
    lambda: memories.create_memory("deploy", "Again", "x"),
    lambda: memories.read_memory("deplo"),
    lambda: memories.edit_memory("deploy", "pull", "x"),
    lambda: memories.edit_memory("deploy", "push", "pull"),
    lambda: memories.edit_memory("deploy", ", ", "x"),
    lambda: memories.edit_memory("deploy", "", "x"),
    lambda: memories.edit_memory("nothing", "a", "b"),
    lambda: memories.create_memory("long", "x" * 60, "x"),
    lambda: memories.create_memory("code", "d", "x", code=" "),
    lambda: memories.create_memory("script", "d", "x", on_use=" "),
]
for call in calls:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error)
print(memories.read_memory("deploy"))
print(memories.delete_memory("deploy"))
memories.search_memories(["deploy"])
