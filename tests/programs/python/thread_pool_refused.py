from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor() as pool:
    print(list(pool.map(str, range(3))))
