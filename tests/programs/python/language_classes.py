class Base:
    registry = []

    def __init_subclass__(cls, /, kind, **kwargs):
        super().__init_subclass__(**kwargs)
        Base.registry.append((cls.__name__, kind))


class Vector(Base, kind="math"):
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __repr__(self):
        return f"Vector({self.x}, {self.y})"

    def __iter__(self):
        yield from (self.x, self.y)

    @classmethod
    def zero(cls):
        return cls(0, 0)


x, y = Vector(1, 2) + Vector(3, 4)
print(x, y, Vector.zero(), Base.registry)
Vector(1, 2).z = 3
