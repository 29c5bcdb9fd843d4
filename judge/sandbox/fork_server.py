"""Fork servers: compiled programs that wait before their `main`, and fork once for each run.

Theory of operation. Most of what a tiny run of a compiled program costs is its exec, the start of the C library, and
the system call filter. A program that was linked with `judge/languages/fork_server.c` can save that. When it is started
with `FORK_SERVER` in its environment, it is confined as every run, and then waits for messages on CONTROL_FD, before
any code of its own (`.preinit_array`):

zygote -> server   the filter that each run adds to that of the server, once; the server answers 0
zygote -> server   one run: its arguments, each with a zero byte, and its descriptors 0 to 2
server -> zygote   the pid of the run, or a negative error number; an int

A run is a child of the zygote, not of the server (CLONE_PARENT, clone(2)), so it is supervised, measured and reaped
like any other. If a server does not answer, the program starts in the ordinary way.

A program that is made for it can run code in its server, and start processes there, which the server may. They can do
no more than a run, except to send signals to other runs of this zygote, and are killed after each run.
"""

import _socket
import os
import sys

from judge.sandbox.protocol import FORK_SERVER, Request

TYPE_CHECKING = False
if TYPE_CHECKING:  # see protocol
    from collections.abc import Callable

_MAX_SERVERS = 8
_MAX_KNOWN = 64  # programs
_PATIENCE = (5).to_bytes(8, sys.byteorder) + bytes(8)  # struct timeval: how long a server may take to answer
_MSG_NOSIGNAL = 0x4000
_ANSWER_SIZE = 4
_MAX_CHILDREN = 1 << 16  # bytes of their list
_SIGKILL = 9


class ForkServers:
    """The fork servers of a zygote, by what their runs have in common.

    Args:
        launch: starts a program in the ordinary way, and returns its pid, and an error message or "".
        reap: kills and reaps every process but the servers.
        restriction: the filter that each run adds.

    Attributes:
        pids: the servers that have not been reaped.

    Raises:
        OSError: the kernel does not list the children of a process.
    """

    def __init__(
        self,
        launch: "Callable[[Request, list[int]], tuple[int, str]]",
        reap: "Callable[[], object]",
        restriction: bytes,
    ) -> None:
        self._launch = launch
        self._reap = reap
        self._restriction = restriction
        self._children = os.open(f"/proc/{os.getpid()}/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)
        self._servers: dict[object, _Server] = {}  # by what their runs have in common
        self._known: dict[object, bool] = {}  # the programs that have run, and whether they can be servers
        self.pids: set[int] = set()

    def fork(self, request: Request, fds: "list[int]") -> int:
        """Start a run; return its pid, or 0 if it is to start in the ordinary way, such as the first of its program."""
        key = _key(request)
        if key not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[key] = True
            return 0
        if key not in self._servers and self._known[key]:
            self._known[key] = self._start(key, request)
        if key not in self._servers:
            return 0
        if pid := self._servers[key].fork(request, fds):
            return pid
        self._end(key)  # for example, it has reached its limit on CPU time
        self._reap()
        os.lseek(fds[0], 0, os.SEEK_SET)
        for fd in fds[1:]:
            os.ftruncate(fd, 0)
        return 0

    def _start(self, key: object, request: Request) -> bool:
        """Start a server; return whether it answers."""
        while len(self._servers) >= _MAX_SERVERS:
            self._end(next(iter(self._servers)))
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET | _socket.SOCK_CLOEXEC)
        null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        try:
            values = vars(request) | {"environment": {**request.environment, FORK_SERVER: ""}}
            pid, _ = self._launch(Request(**values), [null, null, null, theirs.fileno()])
        finally:
            theirs.close()
            os.close(null)
        self.pids.add(pid)
        self._servers[key] = _Server(pid, ours)
        if self._servers[key].ask(self._restriction) == 0:
            return True
        self._end(key)
        return False

    def _end(self, key: object) -> None:
        """End a server; it is reaped later."""
        server = self._servers.pop(key)
        server.socket.close()
        if server.pid in self.pids:
            os.kill(server.pid, _SIGKILL)

    def strays(self) -> "list[int]":
        """Return the processes that are neither servers nor reaped."""
        children = map(int, os.pread(self._children, _MAX_CHILDREN, 0).split())
        return [pid for pid in children if pid not in self.pids]

    def close(self) -> None:
        """End all servers, and reap them."""
        for key in list(self._servers):
            self._end(key)
        for pid in self.pids:
            os.waitpid(pid, 0)
        self.pids.clear()


class _Server:
    def __init__(self, pid: int, socket: "_socket.socket") -> None:
        self.pid = pid
        self.socket = socket
        socket.setsockopt(_socket.SOL_SOCKET, _socket.SO_RCVTIMEO, _PATIENCE)

    def ask(self, message: bytes, fds: "list[int] | None" = None) -> int:
        """Send a message; return the answer, or a negative number if there is none."""
        data = b"".join(fd.to_bytes(4, sys.byteorder) for fd in fds or ())
        try:
            self.socket.sendmsg(
                [message], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, data)] if fds else [], _MSG_NOSIGNAL
            )
            answer = self.socket.recv(_ANSWER_SIZE)
        except OSError:
            return -1
        return int.from_bytes(answer, sys.byteorder, signed=True) if answer else -1

    def fork(self, request: Request, fds: "list[int]") -> int:
        """Start a run; return its pid, or 0 if the server does not answer."""
        arguments = b"".join(os.fsencode(each) + b"\0" for each in (*request.argv[1:], ""))
        return max(0, self.ask(arguments, fds))


def _key(request: Request) -> "tuple[object, ...]":
    """Return what the runs of one server have in common: everything but the text of their arguments."""
    argv, environment = (request.argv[0], len(request.argv)), tuple(request.environment.items())
    return tuple((vars(request) | {"argv": argv, "environment": environment}).values())
