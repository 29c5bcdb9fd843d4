"""One box: a zygote process and the socket to it. It runs one program at a time and returns what happened."""

import fcntl
import io
import marshal
import os
import signal
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from judge.errors import SandboxError
from judge.interpreter import base_python
from judge.model import Ending, Level, Limits, RunResult
from judge.sandbox.namespaces import SYSTEM
from judge.sandbox.paths import home_of, is_below
from judge.sandbox.request import CONTROL, Request, Setting
from judge.sandbox.run_lock import RunLock
from judge.sandbox.work_folder import Scratch
from judge.units import Bytes, Seconds

STDERR_TAIL = 8192  # bytes of standard error that are kept
MAX_MESSAGE = 1 << 16
_LOOK_EVERY_S = 1.0  # how often to see whether a silent zygote was stopped
_FLOOR_MARGIN = 256 * 1024  # bytes: what the start of a run differs by from run to run
_GRACE_S = 2.0  # how long a zygote may take to end its run and itself

ALL_LEVELS = tuple(Level)  # best first

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

# The zygote is started by its text, not by its file, so that it imports the package without running the site's code.
PACKAGE = str(Path(__file__).parents[2])
_START = "import sys; sys.path.insert(0, sys.argv[1]); from judge.sandbox.zygote import main; main()"

# Runs of a judge that is root get a uid that nobody has: from the part of the range that systemd's documentation of
# users and groups ("UIDS-GIDS") leaves unused. Each box has its own, so that limits per user are limits per box.
_FIRST_USER = 1_900_000_000
_USERS = 1 << 20
_user_numbers = count()

_RESETTABLE = tuple(number for number in signal.valid_signals() if number not in (signal.SIGKILL, signal.SIGSTOP))


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run.

    Attributes:
        argv: the program's absolute path and its arguments; never looked up, never given to a shell.
        stdin: the input itself, or the file that holds it.
        readable: files and folders that it needs, besides the system's and its own installation; absolute.
        workshop: its current folder, which it may write, all in all some output limits (see `quota`); None for one
            where it cannot write, or not lastingly.
        folder: its current folder where it has no workshop and the level has none of its own for it; only a program
            that the user trusts has one of the user's.
        environment: added to `ENVIRONMENT`.
        may_fork: it may start processes, not only threads.
    """

    argv: tuple[str, ...]
    stdin: bytes | Path = b""
    readable: tuple[Path, ...] = ()
    workshop: Path | None = None
    folder: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    may_fork: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A run's facts and its standard output (whole; b"" when it broke the output limit)."""

    result: RunResult
    stdout: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A level that does not work on this machine, and why."""

    level: Level
    reason: str


class Box:
    """Runs one program at a time; a context manager. Not to be shared between threads.

    The zygote starts with the first run, when the level is asked for, or in advance (`begin`). When it dies, the run is
    repeated once in a new one.

    Args:
        levels: how well runs may be shut in, best first; the first that works is taken, and from then on no lower one.
        workshops: a folder with programs and workshops of many runs. A command can name other paths, for which the
            zygote is started anew; which run may read and write what is decided for each run.
        belongings: a folder that is to be removed when this process is killed.
        core: the processor that runs are bound to; None for any.
        quiet: shared with other boxes: a run that was disturbed and took too long is repeated, by elapsed time alone.

    Raises:
        SandboxError: from `run`, when the run could not be set up or observed. Never the submission's fault.
    """

    def __init__(
        self,
        *,
        levels: Sequence[Level] = ALL_LEVELS,
        work_folder: Path | None = None,
        cleanup_folder: Path | None = None,
        core: int | None = None,
        quiet: RunLock | None = None,
    ) -> None:
        self.refusals: tuple[Refusal, ...] = ()
        self._levels = tuple(levels)
        self._shown = list(home_of(base_python()))  # most runs need it, and what comes later costs another start
        self._seen: tuple[tuple[str, ...], str] = ((), "")  # what the last run asked for
        self._writable = [] if work_folder is None else [str(work_folder)]
        self._belongings = "" if cleanup_folder is None else str(cleanup_folder)
        self._core = -1 if core is None else core
        self._quiet = quiet
        self._socket: socket.socket | None = None
        self._pid = 0
        self._is_ready = False  # it has told its level
        self._level: Level | None = None
        self._floor = 0
        self._scratch = Scratch()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def level(self) -> Level:
        """How well runs are shut in."""
        if self._level is None:
            self._start()
        assert self._level is not None
        return self._level

    def begin(self) -> None:
        """Start the zygote and do not wait for it: until it is needed, it is as good as there."""
        if self._socket is None and not self._closed:
            self._spawn()

    def accept(self, least: Level) -> None:
        """Never run at a lower level than this; where it does not work (any more), runs raise SandboxError."""
        self._levels = tuple(level for level in self._levels if ALL_LEVELS.index(level) <= ALL_LEVELS.index(least))

    def close(self) -> None:
        """End the zygote, whatever runs in it, and the working folder."""
        self._closed = True
        self._stop()
        self._scratch.close()

    def interrupt(self) -> None:
        """End the current run from another thread; `run` raises there. The box is of no use until `reopen`."""
        self._closed = True
        connection = self._socket
        if connection is not None:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:  # it is closed already
                return

    def reopen(self) -> None:
        """Take runs again after `interrupt`; the one that was interrupted must have ended."""
        self._stop()
        self._closed = False

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program to its end and return what happened."""
        stdin = _open_input(command.stdin)
        try:
            with self._shared():
                outcome, was_disturbed = self._run(command, limits, stdin)
            if was_disturbed and self._quiet and _is_late(outcome.result, limits):
                is_idle = outcome.result.ending is Ending.WALL_LIMIT  # else a core of its own is enough
                os.lseek(stdin, 0, os.SEEK_SET)
                with self._quiet.alone() if is_idle else self._quiet.shared():
                    outcome, _ = self._run(command, limits, stdin)
        finally:
            os.close(stdin)
        return outcome

    def _shared(self) -> AbstractContextManager[None]:
        return self._quiet.shared() if self._quiet else nullcontext()

    def _run(self, command: Command, limits: Limits, stdin: int) -> tuple[Outcome, bool]:
        for attempt in (1, 2):
            with _memory_file("stdout") as stdout, _memory_file("stderr") as stderr:
                reply = self._ask(command, limits, (stdin, stdout, stderr))
                if reply is not None:
                    return self._outcome(reply, limits, stdout, stderr)
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
        readable = (*map(str, command.readable), *home_of(command.argv[0]))
        writable = str(command.workshop) if command.workshop else ""
        connection = self._connection(readable, writable)
        folder = writable or (str(command.folder) if command.folder else "")
        has_scratch = self._level is Level.LIMITS and not folder
        environment = {**ENVIRONMENT, **({"TMPDIR": writable} if writable else {}), **command.environment}
        request = Request(
            argv=command.argv,
            cpu=float(limits.cpu),
            environment=environment,
            folder=self._scratch.fresh() if has_scratch else folder,
            has_scratch=has_scratch,
            may_fork=command.may_fork,
            memory=int(limits.memory),
            output=int(limits.output),
            readable=readable,
            wall=float(limits.wall),
            writable=writable,
        )
        try:
            socket.send_fds(connection, [_fitting(request.packed())], fds)
            reply = self._receive(connection)
        except OSError:
            return None
        return marshal.loads(reply) if reply else None

    def _connection(self, readable: tuple[str, ...], writable: str) -> socket.socket:
        """Return the socket of a zygote that shows these paths; the tree of files is made at its start."""
        if self._socket and self._is_ready and (readable, writable) == self._seen:
            return self._socket
        self._seen = (readable, writable)
        shown = [*SYSTEM, *self._shown, *self._writable]
        unseen = [path for path in dict.fromkeys(readable) if not is_below(path, shown)]  # each is mounted once
        unwritable = [writable] if writable and not is_below(writable, self._writable) else []
        self._shown += unseen
        self._writable += unwritable
        if (unseen or unwritable) and self._level in (None, Level.FULL):
            self._stop()
        return self._socket if self._socket and self._is_ready else self._start()

    def _receive(self, connection: socket.socket) -> bytes:
        """Wait for the zygote's answer; b"" when it is dead. A run may have stopped it (SIGSTOP): then it is killed."""
        while True:
            try:
                return connection.recv(MAX_MESSAGE)
            except TimeoutError:
                if os.waitid(os.P_PID, self._pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None:
                    os.kill(self._pid, signal.SIGKILL)

    def _zygote(self) -> list[str]:
        """Return the command that starts the zygote."""
        return [base_python(), "-I", "-S", "-c", _START, PACKAGE]

    def _start(self) -> socket.socket:
        connection = self._socket or self._spawn()
        self._introduce(connection)
        return connection

    def _spawn(self) -> socket.socket:
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError as error:
            raise SandboxError(f"cannot start the sandbox: {error.strerror}") from error
        argv = self._zygote()
        with theirs:
            try:
                self._pid = os.posix_spawn(
                    argv[0],
                    argv,
                    ENVIRONMENT,
                    file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), CONTROL)],
                    setsigmask=[],
                    setsigdef=_RESETTABLE,
                )
            except OSError as error:
                ours.close()
                raise SandboxError(f"cannot start the sandbox: {error.strerror}") from error
        ours.settimeout(_LOOK_EVERY_S)
        self._socket = ours
        if self._closed:  # `interrupt` came in between and saw no socket
            self._stop()
            raise SandboxError("the run was interrupted")
        setting = Setting(
            cleanup_folder=self._belongings,
            core=self._core,
            levels=tuple(level.value for level in self._levels),
            shown=tuple(self._shown),
            user=_unused_user() if os.getuid() == 0 else 0,
            writable=tuple(self._writable),
        )
        with suppress(OSError):  # it has died: the answer will not come
            ours.send(setting.packed())
        return ours

    def _introduce(self, connection: socket.socket) -> None:
        """Learn the level that the zygote has found."""
        try:
            answer = self._receive(connection)
        except OSError:
            answer = b""
        match marshal.loads(answer) if answer else None:
            case ("ready", str(level), int(floor), list(refusals)):
                self._level, self._floor, self._is_ready = Level(level), floor, True
                self.accept(self._level)
                self.refusals = tuple(Refusal(level=Level(at), reason=reason) for at, reason in refusals)
            case ("failed", str(text)):
                self._stop()
                raise SandboxError(f"no sandbox works here: {text}")
            case _:
                self._stop()
                raise SandboxError("the run was interrupted" if self._closed else "the sandbox ended at its start")

    def _stop(self) -> None:
        if self._socket is None:
            return
        self._is_ready = False
        self._socket.close()  # the zygote sees the end of its socket, kills what runs, and exits
        self._socket = None
        deadline = time.monotonic() + _GRACE_S
        try:
            while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > deadline:  # stopped by its run: the kernel kills the run with it
                    os.kill(self._pid, signal.SIGKILL)
                    os.waitpid(self._pid, 0)
                    return
                time.sleep(0.0005)
        except ChildProcessError:  # whoever started the judge ignores SIGCHLD: the kernel has reaped it
            return

    def _outcome(self, reply: tuple[object, ...], limits: Limits, stdout: int, stderr: int) -> tuple[Outcome, bool]:
        """Return the outcome, and whether others disturbed the run."""
        match reply:
            case ("failed", str(message)):
                raise SandboxError(message)
            case ("ran", broken, code, number, float(cpu), float(wall), int(memory), bool(was_disturbed)):
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
            is_memory_upper_bound=memory <= self._floor + _FLOOR_MARGIN,
            output_bytes=Bytes(size),
            stderr_tail=_read(stderr, max(0, errors - STDERR_TAIL), STDERR_TAIL),
            level=self.level,
        )
        return Outcome(result=result, stdout=_read(stdout, 0, size) if size <= limits.output else b""), was_disturbed


def _is_late(result: RunResult, limits: Limits) -> bool:
    """Whether a run took more time than it may, or all that it may."""
    return result.ending in (Ending.WALL_LIMIT, Ending.TIME_LIMIT) or result.cpu > limits.cpu


def _unused_user() -> int:
    """Return a uid that nobody has, another one at each call."""
    return _FIRST_USER + (os.getpid() * 64 + next(_user_numbers)) % _USERS


def _fitting(message: bytes) -> bytes:
    """Return a message that the socket takes in one piece."""
    if len(message) > MAX_MESSAGE:
        raise SandboxError(f"the command is too long: {len(message)} bytes; {MAX_MESSAGE} are possible")
    return message


@contextmanager
def _memory_file(name: str) -> Iterator[int]:
    """Give a new file that exists in memory only: no disk to fill, no name to find, gone at the end."""
    try:
        made = os.memfd_create(name)
    except OSError as error:
        raise SandboxError(f"cannot make a file for {name}: {error.strerror}") from error
    try:
        yield made
    finally:
        os.close(made)


def _open_input(source: bytes | Path) -> int:
    """Return a descriptor that reads an input from its beginning; nobody can write it any more.

    A file is copied as well: a run could open its descriptor again for writing, through /proc/self/fd/0.
    """
    made = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        if isinstance(source, Path):
            _copy_file(source, made)
        else:
            rest = memoryview(source)
            while rest:
                rest = rest[os.write(made, rest) :]
        fcntl.fcntl(made, fcntl.F_ADD_SEALS, _SEALS)
        os.lseek(made, 0, os.SEEK_SET)
    except BaseException:
        os.close(made)
        raise
    return made


def _copy_file(source: Path, writable: int) -> None:
    try:
        with io.FileIO(source) as file:  # cheaper than Path.open
            while os.sendfile(writable, file.fileno(), None, 1 << 30):
                pass
    except OSError as error:
        raise SandboxError(f"cannot read the input {source}: {error.strerror}") from error


def _read(fd: int, start: int, size: int) -> bytes:
    """Read `size` bytes from `start`, in as few calls as the kernel allows (at most 2 GiB in one)."""
    parts = []
    while size > 0 and (part := os.pread(fd, size, start)):
        parts.append(part)
        start, size = start + len(part), size - len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
