from dataclasses import dataclass


@dataclass
class Move:
    dx: int
    dy: int


def describe(command):
    match command:
        case {"action": "quit", **rest}:
            return f"quit with {rest}"
        case [first, *_, last]:
            return f"from {first} to {last}"
        case Move(dx=0, dy=dy):
            return f"straight by {dy}"
        case Move():
            return "a move"
        case str() as text if text.isdigit():
            return f"number {text}"
        case "up" | "down":
            return "a direction"
        case _:
            return "nothing known"


for command in ({"action": "quit", "code": 1}, [1, 2, 3], Move(0, 2), Move(1, 2), "42", "up", None):
    print(describe(command))
