import contextlib
import io


@contextlib.contextmanager
def indented(name):
    print(f"<{name}>")
    yield
    print(f"</{name}>")


with contextlib.ExitStack() as stack:
    for name in ("a", "b"):
        stack.enter_context(indented(name))
    print("inside")
with contextlib.suppress(FileNotFoundError):
    open("missing.txt")
buffer = io.StringIO()
with contextlib.redirect_stdout(buffer):
    print("captured")
print(repr(buffer.getvalue()))
