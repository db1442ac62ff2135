import atexit
import sys

atexit.register(print, "at exit")
sys.exit(3)
