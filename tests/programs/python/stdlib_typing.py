from typing import Generic, Literal, NamedTuple, Protocol, TypedDict, TypeVar, get_type_hints

T = TypeVar("T")


class Sized(Protocol):
    def __len__(self) -> int: ...


class Movie(TypedDict, total=False):
    title: str
    year: int


class Row(NamedTuple):
    key: str
    count: int = 0


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value


def first[U](values: list[U]) -> U | None:
    return values[0] if values else None


type Direction = Literal["up", "down"]
print(get_type_hints(Movie), Row("a"), Box(3).value, first([7, 8]), Direction.__value__)
