import argparse

parser = argparse.ArgumentParser(prog="tool")
parser.add_argument("--count", type=int, required=True)
arguments = parser.parse_args(["--count", "many"])
