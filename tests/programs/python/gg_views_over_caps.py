from gg import ApiError, views

for label, body in [("x" * 201, ""), ("", "body"), (" ", "body"), ("big", "x" * 65_537)]:
    try:
        views.open_text(label, body)
    except ApiError as error:
        print(f"{error.code}: {error.message}")
views.open_text("é" * 100, "label at its cap")
views.open_text("big", "x" * 65_537)
