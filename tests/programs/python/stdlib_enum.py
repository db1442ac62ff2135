import enum


class Color(enum.Enum):
    RED = 1
    GREEN = enum.auto()


class Mode(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


class Level(enum.StrEnum):
    LOW = enum.auto()


print(Color.RED, Color(2).name, list(Color), Mode.READ | Mode.WRITE, Level.LOW == "low")
Color("purple")
