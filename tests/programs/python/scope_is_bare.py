print([name for name in dir() if not name.startswith("__")], __name__)
import sys

print(sys.argv, sys.stdin.read() == "", sys.version_info[:2], sys.platform, sys.maxsize > 2**31 - 2)
