from itertools import accumulate, batched, chain, combinations, groupby, islice, pairwise, permutations, product

print(list(accumulate([1, 2, 3, 4])), list(combinations("abc", 2)), len(list(permutations(range(5)))))
print([(key, len(list(group))) for key, group in groupby("aabbbc")], list(pairwise([1, 2, 3])))
print(list(batched("abcdefg", 3)), list(islice(chain([1], [2, 3], [4]), 1, 3)), len(list(product("ab", repeat=3))))
