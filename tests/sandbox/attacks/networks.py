"""Attacks through sockets: no communication is allowed."""

from tests.sandbox.attacks import Attack, stopped


def _socket(name: str, family: int, kind: str, protocol: int = 0) -> Attack:
    return stopped(f"a socket: {name}", f"attempt(lambda: socket.socket({family}, socket.SOCK_{kind}, {protocol}))")


ATTACKS = (
    _socket("TCP", 2, "STREAM"),
    _socket("TCP, IPv6", 10, "STREAM"),
    _socket("UDP", 2, "DGRAM"),
    _socket("raw", 2, "RAW", 1),
    _socket("packets", 17, "RAW", 768),
    _socket("unix", 1, "STREAM"),
    _socket("netlink", 16, "RAW", 0),
    _socket("audit", 16, "RAW", 9),
    _socket("vsock", 40, "STREAM"),
    _socket("ciphers", 38, "SEQPACKET"),
    _socket("bluetooth", 31, "RAW", 1),
    stopped(
        "the system's log", "attempt(lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).connect('/dev/log'))"
    ),
    stopped(
        "an abstract socket",
        "attempt(lambda: socket.socket(socket.AF_UNIX).bind('\\0' + MARK))",
    ),
    stopped("pairs of other families", "attempt(*[lambda f=f: socket.socketpair(f) for f in (2, 10, 16, 30, 40)])"),
    stopped(
        "a pair that connects, binds, listens or is sent elsewhere",
        "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        "attempt(\n"
        "    lambda: a.connect('/dev/log'),\n"
        "    lambda: a.bind('\\0' + MARK),\n"
        "    lambda: a.listen(),\n"
        "    lambda: a.sendto(b'x', '/dev/log'),\n"
        "    lambda: a.sendto(b'x', '\\0' + MARK),\n"
        "    lambda: a.sendmsg([b'x'], [], 0, '/dev/log'),\n"
        ")",
    ),
    stopped("the name of the machine", "attempt(lambda: socket.sethostname('x'))"),
)
