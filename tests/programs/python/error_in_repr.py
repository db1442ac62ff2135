class Broken:
    def __repr__(self):
        raise ValueError("no repr for you")


print([Broken()])
