import sys

if "--input" not in sys.argv:
    sys.exit("usage: program.py --input FILE")
