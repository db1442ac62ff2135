from gg import ApiError, board, context, delegation, docs, memories, programs, tasks, views

memory = {"name": "m", "description": "d", "body": "b"}
calls = [
    lambda: board.create_epic("ABC", "title", "description"),
    lambda: board.create_issue("title", "dev"),
    lambda: board.update_issue("I-1", title="new"),
    lambda: board.set_issue_blocked_by("I-1", ["I-2"]),
    lambda: board.remove_epic("E-1"),
    lambda: board.remove_issue("I-1"),
    lambda: board.wait_for_issue("I-1"),
    lambda: tasks.add_task("t", "title"),
    lambda: tasks.update_task("t", status="done"),
    lambda: tasks.set_blocked_by("t", []),
    lambda: tasks.complete_task("t"),
    lambda: tasks.remove_task("t"),
    lambda: memories.write_memory(**memory),
    lambda: memories.update_memory(**memory),
    lambda: memories.create_memory(**memory),
    lambda: memories.read_memory("m"),
    lambda: memories.edit_memory("m", "a", "b"),
    lambda: memories.search_memories(["a"]),
    lambda: memories.delete_memory("m"),
    lambda: docs.close("files.read_file"),
    lambda: docs.close_all(),
    lambda: views.close("a"),
    lambda: views.current(),
    lambda: context.evict_file_view("a"),
    lambda: context.archive_thread([context.TurnRange(1, 2)]),
    lambda: context.search_archive("a"),
    lambda: context.compact("summary"),
    lambda: delegation.spawn_subagent("dev", prompt="do it"),
    lambda: delegation.wait_for_subagents(),
    lambda: delegation.send_message("a", "hello"),
    lambda: delegation.transition_state("next"),
    lambda: delegation.exec("dev"),
    lambda: delegation.fork("continue"),
    lambda: programs.rerun("print(1)"),
]
for call in calls:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error.operation, error.code)
tasks.add_task("t", "title")
