import collections.abc
import concurrent.futures
import email.message
import http.client
import locale
import platform
import pprint
import queue
import secrets
import selectors
import shlex
import sched
import signal
import socket
import subprocess
import threading
import timeit
import traceback
import types
import unicodedata
import weakref

print(unicodedata.name("é"), shlex.split("a 'b c'"), platform.python_implementation(), platform.python_version_tuple()[:2])
pprint.pprint({"b": list(range(25)), "a": {"nested": "x" * 60}})
