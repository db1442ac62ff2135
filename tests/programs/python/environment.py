import os
import sys

print(sorted(os.environ), os.environ["HOME"], os.getcwd(), sys.flags.utf8_mode, sys.stdout.encoding)
print(input("name? "))
