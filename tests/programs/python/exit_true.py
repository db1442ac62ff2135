exit(True)
