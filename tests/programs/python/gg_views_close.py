from gg import docs, views

print(views.close("note"), views.close("note"), views.close("/work/data/ten.txt"))
views.open_text("new", "never shown")
views.open_text("README.md", "a label that is a path")
views.open_file("README.md", offset=1, limit=1)
print(views.close("new"), [view.selector for view in views.current()])
print(views.close("README.md"), [view.selector for view in views.current()])
print(docs.close("read_file"), docs.close("nothing"), docs.close("docs.search"))
views.open_docs_view("views.open_text")
print(docs.close_all(), docs.close_all())
views.open_text("note", "opened again")
for view in views.current():
    print(view)
