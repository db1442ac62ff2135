from gg import session, views

views.open_text("progress", "half done")
session.finish("all done")
print(1 / 0)
