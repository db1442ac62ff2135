def work():
    try:
        return 1 / 0
    finally:
        print("cleaning up")
        {}["missing"]


work()
