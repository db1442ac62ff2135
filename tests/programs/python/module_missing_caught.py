for name in ("bz2", "curses", "tkinter", "readline", "resource", "fcntl", "mmap", "lzma"):
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        print(error)
