import copy
import pickle

nested = {"a": [1, {"b": 2}]}
deep = copy.deepcopy(nested)
deep["a"][1]["b"] = 3
print(nested, deep, pickle.loads(pickle.dumps(nested)) == nested)
pickle.dumps(lambda x: x)
