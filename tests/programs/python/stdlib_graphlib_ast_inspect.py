import ast
import graphlib
import inspect
import operator

print(list(graphlib.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}}).static_order())[0])
print(ast.literal_eval("{'a': [1, 2.5, None]}"), ast.unparse(ast.parse("x=1+ 2")))


def area(width: float, height: float = 1.0) -> float:
    return width * height


print(inspect.signature(area), inspect.getsource(area).splitlines()[0], operator.itemgetter(1, 2)("abcd"))
