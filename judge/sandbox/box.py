"""One box: a zygote process and the socket to it. It runs one program at a time and returns what happened."""

import contextlib
import fcntl
import marshal
import os
import shutil
import signal
import socket
import stat
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from judge.errors import SandboxError
from judge.interpreter import base_python
from judge.model import Ending, Level, Limits, RunResult
from judge.units import Bytes, Seconds

ZYGOTE = Path(__file__).with_name("zygote.py")
STDERR_TAIL = 8192  # bytes of standard error that are kept
MAX_MESSAGE = 1 << 16
_LOOK_EVERY_S = 1.0  # how often to see whether a silent zygote was stopped
_GRACE_S = 2.0  # how long a zygote may take to end its run and itself

# What a program sees of the environment: nothing of the user's, and UTF-8 everywhere.
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
}

_ENDINGS = {
    "time": Ending.TIME_LIMIT,
    "wall": Ending.WALL_LIMIT,
    "memory": Ending.MEMORY_LIMIT,
    "output": Ending.OUTPUT_LIMIT,
}

# fcntl(2) seals, linux/fcntl.h: nobody can change the input of a run, not even through /proc/self/fd/0
_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run.

    Attributes:
        argv: the program's absolute path and its arguments; never looked up, never given to a shell.
        stdin: the input itself, or the file that holds it.
        environment: added to `ENVIRONMENT`.
        folder: the current folder; None for an empty one that is emptied again after the run.
    """

    argv: tuple[str, ...]
    stdin: bytes | Path = b""
    environment: dict[str, str] = field(default_factory=dict)
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A run's facts and its standard output (whole; b"" when it broke the output limit)."""

    result: RunResult
    stdout: bytes


class Box:
    """Runs one program at a time; a context manager. Not to be shared between threads.

    The zygote starts with the first run. When it dies, the run is repeated once in a new one.

    Raises:
        SandboxError: from `run`, when the run could not be set up or observed. Never the submission's fault.
    """

    level = Level.LIMITS

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._pid = 0
        self._folder: str | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote, whatever runs in it, and the working folder."""
        self._closed = True
        self._stop()
        if self._folder:
            _remove(self._folder)
            self._folder = None

    def interrupt(self) -> None:
        """End the current run from another thread; `run` raises there. The box is of no use afterwards."""
        self._closed = True
        if self._socket is not None:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:  # it is closed already
                return

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program to its end and return what happened."""
        stdin = _open_input(command.stdin)
        try:
            reply = self._ask_twice(command, limits, stdin)
        finally:
            os.close(stdin)
        return reply

    def _ask_twice(self, command: Command, limits: Limits, stdin: int) -> Outcome:
        for attempt in (1, 2):
            stdout, stderr = _memory_file("stdout"), _memory_file("stderr")
            try:
                reply = self._ask(command, limits, (stdin, stdout, stderr))
                if reply is not None:
                    return _outcome(reply, limits, stdout, stderr, self.level)
            finally:
                os.close(stdout)
                os.close(stderr)
            self._stop()
            if self._closed:
                raise SandboxError("the run was interrupted")
            if attempt == 1:
                os.lseek(stdin, 0, os.SEEK_SET)
        raise SandboxError("the process that watches the runs was killed twice; is memory short?")

    def _ask(self, command: Command, limits: Limits, fds: tuple[int, int, int]) -> tuple[object, ...] | None:
        """Send one request and wait for its answer; None when the zygote is dead."""
        if self._closed:
            raise SandboxError("the run was interrupted")
        folder = str(command.folder) if command.folder else self._clean_folder()
        request = (
            command.argv,
            {**ENVIRONMENT, **command.environment},
            folder,
            float(limits.cpu),
            float(limits.wall),
            int(limits.memory),
            int(limits.output),
        )
        connection = self._socket or self._start()
        try:
            socket.send_fds(connection, [marshal.dumps(request)], fds)
            reply = self._receive(connection)
        except OSError:
            return None
        finally:
            if command.folder is None:
                self._clean_folder()
        return marshal.loads(reply) if reply else None

    def _receive(self, connection: socket.socket) -> bytes:
        """Wait for the zygote's answer; b"" when it is dead. A run may have stopped it (SIGSTOP): then it is killed."""
        while True:
            try:
                return connection.recv(MAX_MESSAGE)
            except TimeoutError:
                if os.waitid(os.P_PID, self._pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None:
                    os.kill(self._pid, signal.SIGKILL)

    def _start(self) -> socket.socket:
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError as error:
            raise SandboxError(f"cannot start the sandbox: {error.strerror}") from error
        python = base_python()
        with theirs:
            self._pid = os.posix_spawn(
                python,
                [python, "-I", "-S", str(ZYGOTE)],
                ENVIRONMENT,
                file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), 3)],
                setsigmask=[],
                setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP],
            )
        ours.settimeout(_LOOK_EVERY_S)
        self._socket = ours
        return ours

    def _stop(self) -> None:
        if self._socket is None:
            return
        self._socket.close()  # the zygote sees the end of its socket, kills what runs, and exits
        self._socket = None
        deadline = time.monotonic() + _GRACE_S
        while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:  # stopped by its run: the kernel kills the run with it
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
                return
            time.sleep(0.0005)

    def _clean_folder(self) -> str:
        """Return the box's working folder, empty, whatever the last run did to it."""
        if self._folder is not None and not _is_empty(self._folder):
            _remove(self._folder)
            self._folder = None
        if self._folder is None:
            try:
                self._folder = tempfile.mkdtemp(prefix="judge-")
            except OSError as error:
                raise SandboxError(f"cannot make a working folder in {tempfile.gettempdir()}: {error}") from error
        return self._folder


def _is_empty(folder: str) -> bool:
    """Tell whether a folder is there, is no link, is ours to use, and is empty."""
    try:
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            return False
        with os.scandir(folder) as entries:
            return next(entries, None) is None and os.access(folder, os.R_OK | os.W_OK | os.X_OK)
    except OSError:
        return False


def _remove(folder: str) -> None:
    """Remove a folder and all that a run made in it, also what it took away our permissions from.

    A run may have put a link in the folder's place: a link is removed and never followed. No process of the run is
    alive any more that could change what was looked at.
    """
    waiting = [folder]
    while waiting:
        with contextlib.suppress(OSError):
            at = waiting.pop()
            if not stat.S_ISDIR(os.lstat(at).st_mode):
                os.unlink(at)
                continue
            os.chmod(at, 0o700)
            with os.scandir(at) as entries:
                waiting.extend(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    shutil.rmtree(folder, ignore_errors=True)


def _memory_file(name: str) -> int:
    """Return a new file that exists in memory only: no disk to fill, no name to find, gone when closed."""
    try:
        return os.memfd_create(name)
    except OSError as error:
        raise SandboxError(f"cannot make a file for {name}: {error.strerror}") from error


def _open_input(source: bytes | Path) -> int:
    """Return a descriptor that reads an input from its beginning and cannot write it.

    A file is copied as well: a run could open its descriptor again for writing, through /proc/self/fd/0.
    """
    writable = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        if isinstance(source, Path):
            _copy_file(source, writable)
        else:
            with open(writable, "wb", buffering=0, closefd=False) as file:
                rest = memoryview(source)
                while rest:
                    rest = rest[file.write(rest) :]
        fcntl.fcntl(writable, fcntl.F_ADD_SEALS, _SEALS)
        return os.open(f"/proc/self/fd/{writable}", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(writable)


def _copy_file(source: Path, writable: int) -> None:
    try:
        with source.open("rb", buffering=0) as file:
            while os.sendfile(writable, file.fileno(), None, 1 << 30):
                pass
    except OSError as error:
        raise SandboxError(f"cannot read the input {source}: {error.strerror}") from error


def _outcome(reply: tuple[object, ...], limits: Limits, stdout: int, stderr: int, level: Level) -> Outcome:
    match reply:
        case ("failed", str(message)):
            raise SandboxError(message)
        case ("ran", broken, code, number, float(cpu), float(wall), int(memory)):
            pass
        case _:
            raise SandboxError(f"the sandbox sent an answer that makes no sense: {reply!r:.200}")
    size = os.fstat(stdout).st_size
    errors = os.fstat(stderr).st_size
    if broken is None and max(size, errors) > limits.output:
        broken = "output"
    exited = Ending.SIGNALED if number is not None else Ending.EXITED
    result = RunResult(
        ending=_ENDINGS[str(broken)] if broken else exited,
        exit_code=code if isinstance(code, int) else None,
        signal=number if isinstance(number, int) else None,
        cpu=Seconds(cpu),
        wall=Seconds(wall),
        memory=Bytes(memory),
        output_bytes=Bytes(size),
        stderr_tail=_read(stderr, max(0, errors - STDERR_TAIL), STDERR_TAIL),
        level=level,
    )
    return Outcome(result=result, stdout=_read(stdout, 0, size) if size <= limits.output else b"")


def _read(fd: int, start: int, size: int) -> bytes:
    """Read `size` bytes from `start`, in as few calls as the kernel allows (at most 2 GiB in one)."""
    parts = []
    while size > 0 and (part := os.pread(fd, size, start)):
        parts.append(part)
        start, size = start + len(part), size - len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
