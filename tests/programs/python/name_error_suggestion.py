import math

values = [1.0, 4.0, 9.0]
for value in values:
    print(math.sqrt(vlaue))
