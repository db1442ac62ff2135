from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

print(Counter("mississippi").most_common(2))
groups = defaultdict(list)
for word in ["apple", "avocado", "banana"]:
    groups[word[0]].append(word)
print(dict(groups))
window = deque(maxlen=3)
window.extend(range(5))
Point = namedtuple("Point", "x y")
print(window, Point(1, 2)._replace(y=5), ChainMap({"a": 1}, {"a": 2, "b": 3})["b"], OrderedDict(a=1))
