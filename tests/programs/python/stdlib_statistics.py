import statistics

values = [2, 4, 4, 4, 5, 5, 7, 9]
print(statistics.mean(values), statistics.median(values), statistics.mode(values), statistics.pstdev(values))
print(statistics.quantiles(values, n=4), round(statistics.correlation([1, 2, 3], [2, 4, 7]), 4))
