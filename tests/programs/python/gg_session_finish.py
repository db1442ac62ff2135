from gg import session

session.finish("first")
session.finish("Counted the words: 12.")
