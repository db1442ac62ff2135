import sys

sys.stdout.buffer.write(b"valid: \xc3\xa9, invalid: \xff\n")
sys.stdout.write("after\n")
