values = [3, 1, 2]
return sorted(values)
