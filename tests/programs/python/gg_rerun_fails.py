from gg import programs, session

session.finish("revoked with the program that runs in its place")
programs.rerun("""from gg import session, views
views.open_text("second", "shown")
session.finish("revoked")
raise KeyError("second")
""")
