import argparse

parser = argparse.ArgumentParser(description="Counts things")
parser.add_argument("paths", nargs="*")
parser.add_argument("-n", "--number", type=int, default=3)
arguments = parser.parse_args(["-n", "5", "a", "b"])
print(arguments.number, arguments.paths, parser.parse_args().paths)
