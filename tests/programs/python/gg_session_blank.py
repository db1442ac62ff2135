from gg import session

session.finish("  ")
