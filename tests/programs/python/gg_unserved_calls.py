from gg import ApiError, board, context, delegation

calls = [
    lambda: board.create_epic("ABC", "title", "description"),
    lambda: board.create_issue("title", "dev"),
    lambda: board.update_issue("I-1", title="new"),
    lambda: board.set_issue_blocked_by("I-1", ["I-2"]),
    lambda: board.remove_epic("E-1"),
    lambda: board.remove_issue("I-1"),
    lambda: board.wait_for_issue("I-1"),
    lambda: context.compact("summary"),
    lambda: delegation.spawn_subagent("dev", prompt="do it"),
    lambda: delegation.wait_for_subagents(),
    lambda: delegation.send_message("a", "hello"),
    lambda: delegation.transition_state("next"),
    lambda: delegation.exec("dev"),
    lambda: delegation.fork("continue"),
]
for call in calls:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error.operation, error.code)
board.create_epic("ABC", "title", "description")
