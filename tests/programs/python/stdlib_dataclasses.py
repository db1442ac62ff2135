from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace


@dataclass(order=True, frozen=True)
class Item:
    price: float
    name: str = field(compare=False)
    tags: tuple = ()


items = [Item(2.5, "pear"), Item(1.0, "apple", ("red",))]
print(min(items), asdict(items[1]), replace(items[0], price=3))
try:
    items[0].price = 1
except FrozenInstanceError as error:
    print(error)
Item()
