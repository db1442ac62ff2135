import difflib
import string
import textwrap
from string import Template

print(textwrap.fill("The quick brown fox jumps over the lazy dog", width=20))
print(textwrap.dedent("    a\n      b\n"), end="")
print(Template("$name owes ${amount}").substitute(name="Ada", amount=3), string.ascii_lowercase[:5])
print("".join(difflib.unified_diff(["a\n", "b\n"], ["a\n", "c\n"], "old", "new")), end="")
print(difflib.get_close_matches("appel", ["ape", "apple", "peach"]))
