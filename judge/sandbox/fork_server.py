"""Fork servers: compiled programs that wait before their `main`, and fork once for each run.

Theory of operation. Most of what a tiny run of a compiled program costs is its exec, the start of the C library, and
the system call filter. A program that was linked with `judge/languages/fork_server.c` can save that. When it is started
with `FORK_SERVER` in its environment, it is confined as a run is, and then waits for messages on CONTROL_FD, before
any code of its own (`.preinit_array`):

zygote -> server   the filter that each run adds to that of the server, once; the server answers 0
zygote -> server   one run: its arguments, each with a zero byte, and its descriptors 0 to 2
server -> zygote   the pid of the run, or a negative error number; an int

A run is a child of the zygote, not of the server (CLONE_PARENT, clone(2)), so it is supervised, measured and reaped
like any other. If a server does not answer, the program starts in the ordinary way.

A program that is made for it can run code in its server, which may also start processes and send signals. So a server
is stopped (SIGSTOP) except while it is asked, its memory is limited, and what it starts is killed after the run.
"""

import _socket
import os
import select
import sys
import time

from judge.sandbox import proc
from judge.sandbox.protocol import CONTROL_FD, FORK_SERVER, Request

TYPE_CHECKING = False
if TYPE_CHECKING:  # see protocol
    from collections.abc import Callable

_MAX_SERVERS = 8
_MAX_KNOWN = 64  # programs
_MAX_RUNS = 5000  # of one server, which reaches its own limit on CPU time after some 20,000
_IDLE_RUNS = 64  # of other programs, after which a server makes room for another one
_PATIENCE_S = 5.0  # how long a server may take to answer
_TICK_MS = 8  # between two looks at its memory meanwhile
_MEMORY_RUNS = 16  # between two other looks
_MSG_NOSIGNAL = 0x4000
_ANSWER_SIZE = 4
_MAX_ARGUMENTS = 1 << 16  # bytes that a server takes: `fork_server.c`
_PAGE = 4096  # bytes of a list of processes that one call returns (fs/seq_file.c)
_SIGKILL, _SIGCONT, _SIGSTOP = 9, 18, 19


class ForkServers:
    """The fork servers of a zygote, by what their runs have in common.

    Args:
        launch: starts a program in the ordinary way, and returns its pid, also if that failed.
        reap: kills and reaps every process but the servers.
        restriction: the filter that each run adds.

    Attributes:
        pids: the servers that have not been reaped.

    Raises:
        OSError: the kernel does not list the children of a process.
    """

    def __init__(
        self, launch: "Callable[[Request, list[int]], int]", reap: "Callable[[], object]", restriction: bytes
    ) -> None:
        self._launch = launch
        self._reap = reap
        self._restriction = restriction
        self._children = os.open(f"/proc/{os.getpid()}/task/{os.getpid()}/children", os.O_RDONLY | os.O_CLOEXEC)
        self._servers: dict[object, _Server] = {}  # by what their runs have in common; the last one used is the last
        self._known: dict[object, bool] = {}  # the programs that have run, and whether they can be servers
        self._runs = 0
        self.pids: set[int] = set()

    def fork(self, request: Request, fds: "list[int]") -> int:
        """Start a run; return its pid, or 0 if it is to start in the ordinary way, such as the first of its program."""
        key = _key(request)
        arguments = b"".join(os.fsencode(each) + b"\0" for each in (*request.argv[1:], ""))
        server = self._find(key, request) if len(arguments) <= _MAX_ARGUMENTS else None
        if server is None:
            return 0
        self._runs += 1
        server.runs += 1
        server.last_run = self._runs
        pid = server.ask(arguments, fds)
        if pid in self.strays():
            if server.runs >= _MAX_RUNS:
                self._end(key)
            return pid
        self._known[key] = False
        self._end(key)
        self._reap()  # the run may have started
        for fd in fds:
            os.lseek(fd, 0, os.SEEK_SET)
        for fd in fds[1:]:
            os.ftruncate(fd, 0)
        return 0

    def _find(self, key: object, request: Request) -> "_Server | None":
        """Return the server for a run; start it if the program has run before."""
        if key not in self._known:
            if len(self._known) >= _MAX_KNOWN:
                self._known.clear()
            self._known[key] = True
            return None
        if key in self._servers:
            self._servers[key] = self._servers.pop(key)
        elif self._known[key] and self._make_room():
            self._known[key] = self._start(key, request)
        return self._servers.get(key)

    def _make_room(self) -> bool:
        """End the server that was not used for the longest time if there are too many; return whether there is room."""
        if len(self._servers) < _MAX_SERVERS:
            return True
        key, server = next(iter(self._servers.items()))
        if self._runs - server.last_run < _IDLE_RUNS:  # programs that take turns must not end each other's
            self._runs += 1  # this run counts, too: otherwise an idle server would never age
            return False
        self._end(key)
        return True

    def _start(self, key: object, request: Request) -> bool:
        """Start a server; return whether it answers."""
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET | _socket.SOCK_CLOEXEC)
        null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        try:
            values = vars(request) | {"environment": {**request.environment, FORK_SERVER: ""}}
            pid = self._launch(Request(**values), [null, null, null, theirs.fileno()])
        finally:
            theirs.close()
            os.close(null)
        self.pids.add(pid)
        self._servers[key] = _Server(pid, ours, request.memory)
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

    def stop(self) -> None:
        """Stop all servers: a process that one of them started may have woken it."""
        for pid in self.pids:
            os.kill(pid, _SIGSTOP)

    def strays(self) -> "list[int]":
        """Return the processes that are neither servers nor reaped."""
        children = map(int, os.pread(self._children, _PAGE, 0).split())
        return [pid for pid in children if pid not in self.pids]

    def close(self) -> None:
        """End all servers, and reap them."""
        for key in list(self._servers):
            self._end(key)
        for pid in self.pids:
            os.waitpid(pid, 0)
        self.pids.clear()


class _Server:
    def __init__(self, pid: int, socket: "_socket.socket", memory: int) -> None:
        self.pid = pid
        self.socket = socket
        self.runs = 0
        self.last_run = 0  # counted over all servers
        self._memory = memory
        self._poller = select.poll()
        self._poller.register(socket, select.POLLIN)
        self._poller.register(CONTROL_FD, 0)  # is the judge gone?

    def ask(self, message: bytes, fds: "list[int] | None" = None) -> int:
        """Send a message; return the answer, or a negative number if there is none."""
        data = b"".join(fd.to_bytes(4, sys.byteorder) for fd in fds or ())
        ancillary = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, data)] if fds else []
        try:
            os.kill(self.pid, _SIGCONT)
            self.socket.sendmsg([message], ancillary, _MSG_NOSIGNAL)
            answer = self.socket.recv(_ANSWER_SIZE) if self._is_ready() else b""
            os.kill(self.pid, _SIGSTOP)
        except OSError:
            return -1
        return int.from_bytes(answer, sys.byteorder, signed=True) if answer else -1

    def _is_ready(self) -> bool:
        """Wait for an answer; return whether there is one, and the server has not too much memory."""
        deadline = time.monotonic() + _PATIENCE_S
        ready = self._poller.poll(_TICK_MS)
        while not ready and time.monotonic() < deadline and not self._is_too_large():
            ready = self._poller.poll(_TICK_MS)
        if self.runs % _MEMORY_RUNS == 0 and self._is_too_large():
            return False
        return any(fd == self.socket.fileno() for fd, _ in ready)

    def _is_too_large(self) -> bool:
        return proc.resident_memory(self.pid) + proc.unmapped_memory(self.pid) > self._memory


def _key(request: Request) -> "tuple[object, ...]":
    """Return what the runs of one server have in common: everything but the text of their arguments and the wall limit.

    The zygote supervises the latter; near the end of a search, it changes every quarter of a second.
    """
    argv, environment = (request.argv[0], len(request.argv)), tuple(request.environment.items())
    return tuple((vars(request) | {"argv": argv, "environment": environment, "wall": 0.0}).values())
