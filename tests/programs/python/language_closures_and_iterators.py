def counter():
    count = 0

    def step(by=1):
        nonlocal count
        count += by
        return count

    return step


step = counter()
step()
print(step(5), [f() for f in [lambda i=i: i * i for i in range(4)]])


class Countdown:
    def __init__(self, start):
        self.current = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.current <= 0:
            raise StopIteration
        self.current -= 1
        return self.current


def averager():
    total, count, average = 0, 0, None
    while True:
        value = yield average
        total, count = total + value, count + 1
        average = total / count


running = averager()
next(running)
print(list(Countdown(3)), running.send(10), running.send(20))
