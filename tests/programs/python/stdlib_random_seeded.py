import random
import uuid

random.seed(42)
print(random.random(), random.randint(1, 100), random.choice("abc"), random.sample(range(10), 3))
items = list(range(6))
random.shuffle(items)
print(items, uuid.uuid5(uuid.NAMESPACE_DNS, "example.com"), uuid.uuid4().version)
