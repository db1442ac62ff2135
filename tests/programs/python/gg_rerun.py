from gg import programs, session, views

source = programs.get().replace("one", "two")
views.open_text("caller", "shown too")
session.finish("said by the caller")
programs.rerun(source)
print("the caller goes on")
