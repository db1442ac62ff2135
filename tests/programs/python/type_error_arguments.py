def connect(host, port, *, timeout):
    return host, port, timeout


connect("localhost", 80, 5)
