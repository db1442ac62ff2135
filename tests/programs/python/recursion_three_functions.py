def visit(depth):
    if depth == 0:
        raise ValueError("the leaf is empty")
    enter(depth)


def enter(depth):
    step(depth - 1)


def step(depth):
    visit(depth)


visit(40)
