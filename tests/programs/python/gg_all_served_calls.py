from gg import docs, files, programs, session, shell, skills, views

files.write_file("a.txt", "one\n")
files.edit_file("a.txt", "one", "two")
print(files.read_file("a.txt").contents, files.read_text_file("a.txt"), sep="", end="")
print(len(files.list_dir("src")), len(files.search("def ")), shell.shell("true").exit_code)
print(docs.search("read").total > 0, skills.read_skill("release"), len(programs.history()), programs.get(), end="")
views.open_file("a.txt")
views.open_text("note", "text")
views.open_docs_view("session.finish")
session.finish("all that is served was called")
