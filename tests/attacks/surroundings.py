# Reaches for what is around a program: environment, processes, sockets, devices, the clock. One line an attempt.
import os
import socket
import sys
import time


def attempt(name, act):
    try:
        found = act()
    except (OSError, ImportError, AttributeError, NotImplementedError, ValueError, RuntimeError) as error:
        print(f"{name}: {type(error).__name__}")
    else:
        print(f"{name}: {'nothing in it' if found in (None, False, [], '', b'') else 'got it'}")


known = {"HOME", "LANG", "TMPDIR", "PWD"}
attempt("variables of the worker", lambda: [name for name in os.environ if name not in known and not name.startswith("PYTHON")])
attempt("a path in the arguments", lambda: [word for word in sys.argv if "/" in word])
attempt("a folder at the root", lambda: os.listdir("/"))
for path in ["/proc", "/sys", "/dev", "/etc", "/home", "/root", "/usr", "/run", "/var", "/tmp/.."]:
    attempt(f"list {path}", lambda: os.listdir(path))
for path in ["/dev/null", "/dev/zero", "/dev/mem", "/dev/kmsg", "/proc/self/mem", "/proc/self/fd/0", "/dev/fd/0"]:
    attempt(f"open {path}", lambda: open(path, "rb"))
for number in range(3, 64):
    attempt(f"read descriptor {number}", lambda: os.read(number, 1))
attempt("read standard input", lambda: sys.stdin.read(1))
for name, family, kind in [("TCP", socket.AF_INET, socket.SOCK_STREAM), ("UDP", socket.AF_INET, socket.SOCK_DGRAM)]:
    attempt(f"connect by {name}", lambda: socket.socket(family, kind).connect(("127.0.0.1", @PORT@)) or True)
    attempt(f"listen by {name}", lambda: socket.socket(family, kind).bind(("127.0.0.1", 0)) or True)
    attempt(f"send by {name}", lambda: socket.socket(family, kind).sendto(b"x", ("127.0.0.1", @PORT@)))
attempt("connect to a path", lambda: socket.socket(socket.AF_UNIX).connect("@OUTSIDE@/socket") or True)
attempt("a name on the network", lambda: socket.getaddrinfo("localhost", 80))
attempt("a name outside", lambda: socket.gethostbyname("example.com"))
attempt("start a process", lambda: os.system("true"))
attempt("fork", lambda: os.fork())
attempt("execute", lambda: os.execv("/bin/true", ["true"]))
attempt("spawn", lambda: os.posix_spawn("/bin/true", ["true"], {}))
attempt("signal the worker", lambda: os.kill(@WORKER@, 9) or True)
attempt("signal everybody", lambda: os.kill(-1, 9) or True)
attempt("its parent", lambda: os.getppid() > 1)
attempt("native code", lambda: __import__("ctypes").CDLL(None))
attempt("a FIFO", lambda: os.mkfifo("fifo") or True)
attempt("a device", lambda: os.mknod("device", 0o20666, 0x103) or True)
attempt("a mode", lambda: os.chmod("/work", 0o777) or False)
attempt("set the clock", lambda: time.clock_settime(time.CLOCK_REALTIME, 0) or True)
attempt("the host's name", lambda: socket.gethostname() not in ("(none)", "localhost"))
