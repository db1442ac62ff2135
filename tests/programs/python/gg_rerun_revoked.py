from gg import memories, programs, session, skills, tasks, views

programs.rerun("print('never')")
session.finish("never")
skills.read_skill("release")
tasks.add_task("kept", "Stands")
memories.write_memory("kept", "Stands", "x")
views.open_text("kept", "stands")
raise ValueError("too bad")
