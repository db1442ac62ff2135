import bisect
import heapq

queue = []
for priority, task in [(3, "c"), (1, "a"), (2, "b")]:
    heapq.heappush(queue, (priority, task))
print([heapq.heappop(queue)[1] for _ in range(3)], heapq.nlargest(2, [5, 1, 9]))
grades = [60, 70, 80, 90]
print(["FDCBA"[bisect.bisect(grades, score)] for score in (33, 99, 77, 70)])
print(list(heapq.merge([1, 4], [2, 3])))
