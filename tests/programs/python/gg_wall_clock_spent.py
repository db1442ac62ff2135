from gg import ApiError, files, session, views

try:
    files.read_text_file("README.md")
except ApiError as error:
    print(error)
views.open_text("note", "still shown")
session.finish("out of time")
