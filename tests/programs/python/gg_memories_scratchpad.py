from gg import ApiError, memories

print(memories.write_memory("style", "How to write", "Short sentences."))
print(memories.update_memory("style", "How to write", "Shorter."))
print(memories.write_memory("other", "Something else", ""))
calls = [
    lambda: memories.write_memory("style", "Again", "x"),
    lambda: memories.update_memory("stile", "Near", "x"),
    lambda: memories.write_memory(" ", "Blank", "x"),
    lambda: memories.write_memory("n", "two\nlines", "x"),
    lambda: memories.write_memory("n" * 101, "Long", "x"),
    lambda: memories.write_memory("third", "Too many", "x"),
    lambda: memories.update_memory("style", "Too long", "x" * 21),
    lambda: memories.update_memory("style", "Code", "x", code="x = 1"),
    lambda: memories.update_memory("style", "Script", "x", on_use="print(1)"),
    lambda: memories.delete_memory("nothing"),
]
for call in calls:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error)
print(memories.delete_memory("other"))
memories.read_memory("style")
