for name in ("_gg_" + "guest", "wit" + "_world"):
    try:
        __import__(name)
        print("imported")
    except ImportError as error:
        print(type(error).__name__)
