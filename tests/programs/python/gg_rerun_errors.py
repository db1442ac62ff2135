from gg import ApiError, programs

calls = [
    lambda: programs.rerun(" \n"),
    lambda: programs.rerun("x" * 2001),
    lambda: programs.rerun("print('the first stands')"),
    lambda: programs.rerun("print('the second is refused')"),
]
for call in calls:
    try:
        call()
        print("answered")
    except ApiError as error:
        print(error)
