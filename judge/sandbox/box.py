"""A box: a zygote process and the socket to it. It runs one program at a time and returns what happened."""

import marshal
import math
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import accumulate, count
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import SandboxError, describe_error
from judge.base.units import Bytes, Seconds
from judge.model import Ending, Level, Limits, RunResult
from judge.sandbox.installations import base_python, is_below, required_paths
from judge.sandbox.protocol import CONTROL_FD, MAX_MESSAGE, SYSTEM, Request, Settings
from judge.sandbox.run_files import ScratchFolder, is_too_large_to_copy, memory_file, open_file, open_input, read_at
from judge.sandbox.work_folder import remove

B = TypeVar("B", bound="Box")
C = TypeVar("C", bound="Companion")

STDERR_TAIL = 8192  # bytes of the end of standard error that are kept in a result
STDERR_HEAD = 256 * 1024  # bytes of its beginning that an outcome has: a compiler's first error
RUN_INTERRUPTED = "the run was interrupted"  # the message of SandboxError after `interrupt`
_POLL_INTERVAL_S = 1.0  # how often to check whether a silent zygote was stopped
_BASE_MEMORY_MARGIN = 256 * 1024  # bytes by which the memory of starting a run varies
_MAX_INPUTS = MAX_MESSAGE // 2  # bytes of the inputs in one request
_MAX_KNOWN_PATHS = 64  # of different programs, before they are looked at again
_GRACE_S = 2.0  # how long a zygote may take to end its run and itself

ALL_LEVELS = tuple(Level)  # best first

# The environment variables of a program: none of the user's, UTF-8 everywhere, and the sign of online judges, which
# sources look for before they read files or print to debug.
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/dev/null/home",  # no one can create it
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "ONLINE_JUDGE": "1",
}

_SLOW = (Ending.WALL_LIMIT, Ending.TIME_LIMIT)
_ENDINGS = {
    "time": Ending.TIME_LIMIT,
    "wall": Ending.WALL_LIMIT,
    "memory": Ending.MEMORY_LIMIT,
    "output": Ending.OUTPUT_LIMIT,
}

# The zygote is started from this text, not from its file, so that it imports the package without running site code.
PACKAGE = str(Path(__file__).parents[2])
_START = "import sys; sys.path.insert(0, sys.argv[1]); from judge.sandbox.zygote import main; main()"

# If the judge is root, runs get an unused uid from the part of the range that systemd's documentation of users and
# groups ("UIDS-GIDS") leaves unused. Each box has its own, so that limits per user are limits per box.
_FIRST_USER = 1_900_000_000
_USERS = 1 << 20
_user_numbers = count()

_RESETTABLE = tuple(number for number in signal.valid_signals() if number not in (signal.SIGKILL, signal.SIGSTOP))


class Command(Struct, frozen=True, kw_only=True):
    """A program to run.

    Attributes:
        argv: the program's absolute path and its arguments; no PATH lookup, no shell.
        stdin: the input, or the file that contains it.
        readable: absolute paths of files and folders that it needs besides the system's and its own installation.
        writable: its current folder, which it may write; None for a folder where it cannot write, or whose content is
            removed after the run.
        needs_scratch: it writes temporary files: it gets a writable folder, empty before each run, as TMPDIR.
        disk: limit on the size of all files in the writable folder together; 0 for a multiple of the output limit.
        cwd: its current folder, if that is not the writable one; at level `limits`, only permissions protect it.
        environment: added to `ENVIRONMENT`.
        may_fork: it may start processes, not only threads.
        is_compiled: a compiler made the program from a source, which is to blame if the kernel cannot execute it.
        has_fork_server: after its first run, it may be forked before its `main`: see `judge.sandbox.fork_server`.
        keeps_stderr: its complete standard error is wanted.
        base: a Python source that imports the same modules; a warm box starts many such programs from the interpreter
            that it has initialized for this one.
        repeat: returns the command for a repetition, with another writable folder; None if the content of the folder
            must stay as the first run leaves it.
    """

    argv: tuple[str, ...]
    stdin: bytes | Path = b""
    readable: tuple[Path, ...] = ()
    writable: Path | None = None
    needs_scratch: bool = False
    disk: int = 0
    cwd: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    may_fork: bool = False
    is_compiled: bool = False
    has_fork_server: bool = False
    keeps_stderr: bool = False
    base: Path | None = None
    repeat: "Callable[[], Command] | None" = None


class Outcome(Struct, frozen=True, kw_only=True):
    """What happened in a run.

    Attributes:
        stdout: the complete standard output; b"" if it exceeded the output limit.
        stderr: the beginning of standard error, or all of it if the command asks for that.
    """

    result: RunResult
    stdout: bytes
    stderr: bytes = b""


class RunLock:
    """A lock shared by the boxes of an executor: either many runs at once, or one run alone.

    Args:
        most: how many runs at once; default: any number.
    """

    def __init__(self, most: float = math.inf) -> None:
        self._most = most
        self._changed = threading.Condition()
        self._running = 0
        self._exclusive = 0  # runs that are alone or waiting to be; they take precedence

    def shared(self) -> AbstractContextManager[None]:
        """Run beside others; waits while a run is alone or waiting to be, or there are too many."""
        return self._run_when(lambda: not self._exclusive and self._running < self._most)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Run alone; waits until all other runs have ended."""
        with self._changed:
            self._exclusive += 1  # until the end, so that new runs wait
        try:
            with self._run_when(lambda: not self._running):
                yield
        finally:
            with self._changed:
                self._exclusive -= 1
                self._changed.notify_all()

    @contextmanager
    def _run_when(self, is_possible: Callable[[], bool]) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(is_possible)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()


class Companion(Protocol):
    """What belongs to a box and has boxes of its own: its methods do what those of the same name of a `Box` do."""

    def require(self, level: Level) -> None:
        """Never use a lower level than this."""

    def close(self) -> None:
        """End all of its runs and boxes."""

    def interrupt(self) -> None:
        """End the current run from another thread."""

    def reopen(self) -> None:
        """Allow runs again after `interrupt`."""


class Box:
    """Runs one program at a time; a context manager. Not thread-safe, except for `interrupt`, `level` and `run`.

    Two threads may call `run`, so that the zygote has the next request when a run ends, and does not wait for what the
    judge does between two runs. A request that changes a folder or the zygote waits until the last one is answered.

    The zygote starts with the first run, when `level` is read, or early (`prestart`). If it dies, the run is repeated
    once in a new one.

    Args:
        levels: acceptable sandbox levels, best first. The first that works is used, and never a lower one afterwards.
        work_folder: a folder that contains the programs and writable folders of many runs. Each other path that a
            command names makes the zygote restart. Which run may read or write what is decided per run.
        shown: more paths that commands may name without a restart, as readable.
        cleanup_folder: a folder to remove if this process is killed.
        core: the processor that runs are bound to; None for any.
        run_lock: shared with other boxes. A run that was disturbed and took too long is repeated: alone if it only
            exceeded the wall limit. A run with a writable folder is repeated only if the command says how: that of a
            compiler is not as it was, and the limits of a compiler are well above what it needs.

    Raises:
        SandboxError: from `run`: the run could not be set up or observed. Never the submission's fault.
    """

    _repeats_disturbed = True

    def __init__(
        self,
        *,
        levels: Sequence[Level] = ALL_LEVELS,
        work_folder: Path | None = None,
        shown: Sequence[Path] = (),
        cleanup_folder: Path | None = None,
        core: int | None = None,
        run_lock: RunLock | None = None,
    ) -> None:
        self._levels = tuple(levels)
        self._shown = [*required_paths(base_python()), *map(str, shown)]  # adding it later costs a restart
        self._known_paths: set[tuple[tuple[str, ...], str]] = set()  # readable and writable paths of earlier runs
        self.work_folder = work_folder
        self._writable = [] if work_folder is None else [str(work_folder)]
        self._cleanup_folder = "" if cleanup_folder is None else str(cleanup_folder)
        self.core = core
        self._run_lock = run_lock
        self._companions: dict[type[Any], Companion] = {}
        self._socket: socket.socket | None = None
        self._pid = 0
        self._is_ready = False  # the zygote has reported its level
        self._level: Level | None = None
        self._base_memory = 0
        self._oom_kills = 0
        self._scratch = ScratchFolder()
        self._closed = False
        # Called once when the next run has started; see `judge.runner.executors`.
        self.when_started: Callable[[], object] | None = None
        self._sending = threading.Lock()
        self._answered = threading.Lock()  # held until the last request that was sent has its answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def level(self) -> Level:
        """The sandbox level of the runs; starts the zygote if necessary.

        Raises:
            SandboxError: none of the acceptable levels works here.
        """
        if self._level is None:
            with self._sending:
                if self._level is None:  # still: another thread may have started it
                    self._start()
        assert self._level is not None
        return self._level

    @property
    def partner(self) -> "Partner":
        """The box for programs of the problem that judge; created when it is first needed, and started later.

        It uses the same processor: of two programs that talk to each other, one waits most of the time, and waking a
        program on another processor takes much longer than what they do in between.

        Raises:
            SandboxError: its folder cannot be created.
        """
        return self.companion(Partner)

    def companion(self, kind: type[C]) -> C:
        """Return what belongs to this box as long as it exists; created from the box when it is first needed."""
        if kind not in self._companions:
            self._companions[kind] = kind(self)  # type: ignore[call-arg]
            if self._closed:  # `interrupt` was called meanwhile
                self._companions[kind].interrupt()
        return self._companions[kind]  # type: ignore[return-value]

    def open_beside(self, kind: type[B]) -> B:
        """Return another box of the same worker: at the same level, on the same processor, for the same files.

        The caller closes it, and runs only one of the two at a time.
        """
        box = kind(
            levels=self._levels,
            work_folder=self.work_folder,
            cleanup_folder=Path(self._cleanup_folder) if self._cleanup_folder else None,
            core=self.core,
            run_lock=self._run_lock,
        )
        box._shown, box._writable = list(self._shown), list(self._writable)  # noqa: SLF001 - of the same class
        if self._closed:  # `interrupt` was called meanwhile
            box.interrupt()
        return box

    def prestart(self) -> None:
        """Start the zygote without waiting for it, so that it is ready when it is needed."""
        if self._socket is None and not self._closed:
            self._spawn()

    def require(self, level: Level) -> None:
        """Never use a lower level than this; if it does not work (any more), runs raise SandboxError."""
        self._levels = tuple(each for each in self._levels if ALL_LEVELS.index(each) <= ALL_LEVELS.index(level))
        for each in list(self._companions.values()):
            each.require(level)

    def close(self) -> None:
        """End the zygote and its run, and remove the scratch folder."""
        self._closed = True
        self._stop()
        self._scratch.close()
        for each in list(self._companions.values()):
            each.close()

    def interrupt(self) -> None:
        """End the current run from another thread; `run` raises there. The box cannot be used until `reopen`."""
        self._closed = True
        for each in list(self._companions.values()):
            each.interrupt()
        connection = self._socket
        if connection is not None:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:  # it is closed already
                return

    def reopen(self) -> None:
        """Allow runs again after `interrupt`; the interrupted run must have ended."""
        self._stop()
        self._closed = False
        for each in list(self._companions.values()):
            each.reopen()

    def restart(self) -> None:
        """End the zygote and its run; the next run starts a new one.

        Raises:
            SandboxError: after `interrupt`.
        """
        with self._sending:
            self._restart()

    def _restart(self) -> None:
        self._wait_for_answer()
        self._stop()
        if self._closed:
            raise SandboxError(RUN_INTERRUPTED)

    def kill_if_stopped(self) -> None:
        """Kill the zygote if a signal has stopped it (SIGSTOP); its socket then closes."""
        if os.waitid(os.P_PID, self._pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None:
            os.kill(self._pid, signal.SIGKILL)

    def run(self, command: Command, limits: Limits) -> Outcome:
        """Run a program to its end and return what happened."""
        stdin = self._open_input(command.stdin)
        try:
            with self.beside_others():
                outcome, was_disturbed = self._run(command, limits, stdin)
            is_repeatable = self._repeats_disturbed and (command.writable is None or command.repeat is not None)
            run = outcome.result
            is_too_slow = run.ending in _SLOW or run.cpu > limits.cpu
            if was_disturbed and is_repeatable and self._run_lock and is_too_slow:
                is_idle = run.ending is Ending.WALL_LIMIT  # otherwise its own core is enough
                os.lseek(stdin, 0, os.SEEK_SET)
                command = command.repeat() if command.repeat else command
                with self._run_lock.exclusive() if is_idle else self._run_lock.shared():
                    outcome, _ = self._run(command, limits, stdin)
        finally:
            os.close(stdin)
        return outcome

    def beside_others(self) -> AbstractContextManager[None]:
        """Return the context of a run that may go on beside others; it waits while a run is alone."""
        return self._run_lock.shared() if self._run_lock else nullcontext()

    @contextmanager
    def without_repeats(self) -> Iterator[None]:
        """Return the context of runs that are not repeated, even if they were disturbed."""
        before, self._repeats_disturbed = self._repeats_disturbed, False
        try:
            yield
        finally:
            self._repeats_disturbed = before

    def _open_input(self, source: bytes | Path) -> int:
        """Return a descriptor of an input; see `open_input`."""
        if isinstance(source, Path) and is_too_large_to_copy(source) and self.level is not Level.LIMITS:
            from judge.sandbox.kernel import landlock_version  # few inputs are that large

            if landlock_version():  # the run cannot open its descriptor again for writing
                return open_file(source)
        return open_input(source)

    def _run(self, command: Command, limits: Limits, stdin: int, *, is_repeated: bool = False) -> tuple[Outcome, bool]:
        with memory_file("stdout") as stdout, memory_file("stderr") as stderr:
            answer = self._send_request(command, limits, (stdin, stdout, stderr), is_repeated=is_repeated)
            if answer is not None:
                size = os.fstat(stdout).st_size
                output = read_at(stdout, 0, size) if size <= limits.output else b""
                outcome, was_disturbed = self.outcome(answer, limits, stderr, size, output)
                if command.keeps_stderr:
                    outcome = replace(outcome, stderr=read_at(stderr, 0, limits.output))
                return outcome, was_disturbed
        if is_repeated:
            self.restart()
            raise SandboxError(
                "the process that supervises the runs was killed twice; the machine may be out of memory"
            )
        # With another position in the input: the run of a killed zygote may read on for a moment.
        with open(f"/proc/self/fd/{stdin}", "rb") as again:
            return self._run(command, limits, again.fileno(), is_repeated=True)

    def _send_request(
        self,
        command: Command,
        limits: Limits,
        fds: Sequence[int],
        inputs: Sequence[bytes] = (),
        received: list[int] | None = None,
        *,
        is_repeated: bool = False,
    ) -> Any:
        """Send a request and wait for its answer; None if the zygote is dead. For `received`, see `_receive`.

        One that is repeated is the first of a new zygote: what killed the old one may be the run of the other thread.
        """
        answered = threading.Lock()
        with answered:
            try:
                with self._sending:
                    if is_repeated:
                        self._restart()
                    self._choose(command)
                    connection = self.begin(command, limits, fds, inputs=inputs)
                    earlier, self._answered = self._answered, answered
                with earlier:  # the zygote answers in order
                    answer = self._receive(connection, received)
            except OSError:
                return None
        return marshal.loads(answer) if answer else None

    def _choose(self, command: Command) -> None:
        """End the zygote if it cannot run a command."""

    def _wait_for_answer(self) -> None:
        """Wait until the zygote has no run and no request."""
        with self._answered:
            pass

    def run_some(self, command: Command, inputs: Sequence[bytes], limits: Limits) -> list[Outcome]:
        """Run a program on the first of some inputs, one run after the other; return their outcomes, at least one.

        This takes half as long for tiny runs. The other inputs wait for another call if these took long, or one run
        exceeds a limit or writes much.
        """
        few = [each for each, size in zip(inputs, accumulate(map(len, inputs)), strict=True) if size <= _MAX_INPUTS]
        is_plain = not (command.writable or command.needs_scratch or command.keeps_stderr)
        if len(few) <= 1 or not is_plain or self.level is Level.LIMITS:
            return [self.run(replace(command, stdin=inputs[0]), limits)]
        fds: list[int] = []
        found: list[Outcome] = []
        try:
            with self.beside_others():
                answers = self._send_request(command, limits, (), few, fds) or ()
            for answer, output, errors in answers:
                size = len(output) if output is not None else os.fstat(fds[0]).st_size
                read = b"" if size > limits.output else read_at(fds[0], 0, size) if output is None else output
                outcome, was_disturbed = self.outcome(answer, limits, fds[1] if errors is None else errors, size, read)
                if was_disturbed and (outcome.result.ending in _SLOW or outcome.result.cpu > limits.cpu):
                    break  # it may have to be repeated
                found.append(outcome)
        except SandboxError:
            if not found:
                raise
        finally:
            for fd in fds:
                os.close(fd)
        return found or [self.run(replace(command, stdin=inputs[0]), limits)]

    def begin(
        self,
        command: Command,
        limits: Limits,
        fds: Sequence[int],
        *,
        has_pipes: bool = False,
        inputs: Sequence[bytes] = (),
    ) -> socket.socket:
        """Start a run, and return the socket that its answer will come from.

        The standard input of the command is not used: `fds` are the descriptors 0 to 2 of the run. With `has_pipes`, 0
        and 1 are pipes to another run; see `judge.sandbox.pair`. Without descriptors, the program runs on `inputs`.

        Raises:
            SandboxError: as from `run`.
            OSError: the zygote is dead.
        """
        if self._closed:
            raise SandboxError(RUN_INTERRUPTED)
        readable = (*map(str, command.readable), *required_paths(command.argv[0]))
        writable = str(command.writable) if command.writable else ""
        is_known = (readable, writable) in self._known_paths and self._is_ready
        if writable or command.needs_scratch or self._level is Level.LIMITS or not is_known:
            self._wait_for_answer()
        if command.needs_scratch:
            writable = self._scratch.prepare()
        connection = self._connect(readable, writable)
        cwd = str(command.cwd) if command.cwd else writable
        has_scratch = self._level is Level.LIMITS and not cwd
        environment = {**ENVIRONMENT, **({"TMPDIR": writable} if writable else {}), **command.environment}
        request = Request(
            argv=command.argv,
            cpu=float(limits.cpu),
            cwd=self._scratch.prepare() if has_scratch else cwd,
            disk=command.disk,
            environment=environment,
            has_fork_server=command.has_fork_server,
            has_pipes=has_pipes,
            has_scratch=has_scratch,
            is_compiled=command.is_compiled,
            may_fork=command.may_fork,
            memory=int(limits.memory),
            output=int(limits.output),
            readable=readable,
            wall=float(limits.wall),
            writable=writable,
        )
        message = request.pack() if fds else marshal.dumps((request.pack(), list(inputs)))
        if len(message) > MAX_MESSAGE:
            raise SandboxError(f"the command is too long: {len(message)} bytes; at most {MAX_MESSAGE} are possible")
        if fds:
            socket.send_fds(connection, [message], list(fds))
        else:
            connection.send(message)
        if (call := self.when_started) is not None:
            self.when_started = None
            call()
        return connection

    def _connect(self, readable: tuple[str, ...], writable: str) -> socket.socket:
        """Return the socket of a zygote whose file tree includes these paths; it is created when the zygote starts."""
        paths = (readable, writable)
        if paths not in self._known_paths:  # programs that take turns have the same few again and again
            if len(self._known_paths) >= _MAX_KNOWN_PATHS:
                self._known_paths.clear()
            self._known_paths.add(paths)
            self._show(readable, writable)
        return self._socket if self._socket and self._is_ready else self._start()

    def _show(self, readable: tuple[str, ...], writable: str) -> None:
        """Add paths to the file tree; if they are new, the zygote ends."""
        shown = [*SYSTEM, *self._shown, *self._writable]
        new_readable = [path for path in dict.fromkeys(readable) if not is_below(path, shown)]  # each is mounted once
        new_writable = [writable] if writable and not is_below(writable, self._writable) else []
        self._shown += new_readable
        self._writable += new_writable
        if (new_readable or new_writable) and self._level in (None, Level.FULL):
            self._stop()

    def _receive(self, connection: socket.socket, fds: list[int] | None = None) -> bytes:
        """Wait for the zygote's answer; b"" if it is dead. A zygote that was stopped (SIGSTOP) is killed.

        The descriptors of the message, if it may have some, are appended to `fds`.
        """
        while True:
            try:
                if fds is None:
                    return connection.recv(MAX_MESSAGE)
                message, received, *_ = socket.recv_fds(connection, MAX_MESSAGE, 2, socket.MSG_CMSG_CLOEXEC)
            except TimeoutError:
                self.kill_if_stopped()
            else:
                fds += received
                return message

    def _zygote_command(self) -> list[str]:
        return [base_python(), "-I", "-S", "-c", _START, PACKAGE]

    def _start(self) -> socket.socket:
        """Start the zygote if necessary, and wait until it has reported its level."""
        connection = self._socket or self._spawn()
        try:
            answer = self._receive(connection)
        except OSError:
            answer = b""
        match marshal.loads(answer) if answer else None:
            case ("ready", str(level), int(base_memory)):
                self._level, self._base_memory, self._is_ready = Level(level), base_memory, True
                self.require(self._level)
            case ("failed", str(text)):
                self._stop()
                raise SandboxError(f"no sandbox level works here: {text}")
            case _:
                self._stop()
                raise SandboxError(RUN_INTERRUPTED if self._closed else "the sandbox process died at startup")
        return connection

    def _spawn(self) -> socket.socket:
        try:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        except OSError as error:
            raise SandboxError(f"cannot start the sandbox: {error.strerror}") from error
        argv = self._zygote_command()
        self._oom_kills = count_oom_kills()
        with theirs:
            try:
                self._pid = os.posix_spawn(
                    argv[0],
                    argv,
                    ENVIRONMENT,
                    file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), CONTROL_FD)],
                    setsigmask=[],
                    setsigdef=_RESETTABLE,
                )
            except OSError as error:
                ours.close()
                raise SandboxError(f"cannot start the sandbox: {error.strerror}") from error
        ours.settimeout(_POLL_INTERVAL_S)
        self._socket = ours
        if self._closed:  # `interrupt` was called meanwhile and found no socket
            self._stop()
            raise SandboxError(RUN_INTERRUPTED)
        settings = Settings(
            cleanup_folder=self._cleanup_folder,
            core=-1 if self.core is None else self.core,
            levels=tuple(level.value for level in self._levels),
            shown=tuple(self._shown),
            user=_FIRST_USER + (os.getpid() * 64 + next(_user_numbers)) % _USERS if os.getuid() == 0 else 0,
            writable=tuple(self._writable),
        )
        with suppress(OSError):  # it has died; the missing answer shows that
            ours.send(settings.pack())
        return ours

    def _stop(self) -> None:
        if self._socket is None:
            return
        self._is_ready = False
        self._socket.close()  # the zygote notices, kills its run, and exits
        self._socket = None
        deadline = time.monotonic() + _GRACE_S
        try:
            while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > deadline:  # stopped by its run, which the kernel kills together with it
                    os.kill(self._pid, signal.SIGKILL)
                    os.waitpid(self._pid, 0)
                    return
                time.sleep(0.0005)
        except ChildProcessError:  # whoever started the judge ignores SIGCHLD: the kernel has reaped it
            return

    def outcome(
        self, answer: tuple[object, ...], limits: Limits, stderr: int | bytes, output_bytes: int, output: bytes = b""
    ) -> tuple[Outcome, bool]:
        """Return the outcome, and whether the run was disturbed; `stderr` is a descriptor, or what was written."""
        match answer:
            case ("failed", str(message)):
                raise SandboxError(message)
            case ("ran", broken, code, number, float(cpu), float(wall), int(memory), bool(was_disturbed)):
                pass
            case _:
                raise SandboxError(f"the sandbox sent an invalid answer: {answer!r:.200}")
        if number == signal.SIGKILL and broken is None and memory <= limits.memory and self._has_no_memory():
            raise SandboxError("the kernel ended the run because the machine has no memory left; use a smaller -j")
        errors = len(stderr) if isinstance(stderr, bytes) else os.fstat(stderr).st_size
        cut = max(0, errors - STDERR_TAIL)
        if broken is None and max(output_bytes, errors) > limits.output:
            broken = "output"
        exited = Ending.SIGNALED if number is not None else Ending.EXITED
        result = RunResult(
            ending=_ENDINGS.get(str(broken), exited),  # a run that the judge stopped was killed by a signal
            exit_code=code if isinstance(code, int) else None,
            signal=number if isinstance(number, int) else None,
            cpu=Seconds(cpu),
            wall=Seconds(wall),
            memory=Bytes(memory),
            is_memory_upper_bound=memory <= self._base_memory + _BASE_MEMORY_MARGIN,
            output_bytes=Bytes(output_bytes),
            stderr_tail=stderr if isinstance(stderr, bytes) else read_at(stderr, cut, STDERR_TAIL),
            stderr_cut=cut,
            level=self.level,
        )
        head = result.stderr_tail
        if errors > STDERR_TAIL and not isinstance(stderr, bytes):
            head = read_at(stderr, 0, min(errors, STDERR_HEAD))
        return Outcome(result=result, stdout=output, stderr=head), was_disturbed

    def _has_no_memory(self) -> bool:
        """Return whether the kernel has ended a process for lack of memory since the zygote began, or the last call."""
        before, self._oom_kills = self._oom_kills, count_oom_kills()
        return self._oom_kills > before


class Partner(Box):
    """The second box of a worker, at the same level and on the same processor: for programs that judge.

    Its work folder is its own. Without landlock, all runs of a box can read its file tree, and a submission must not
    read the answers that a checker needs.

    Args:
        box: the first box.

    Raises:
        SandboxError: the work folder cannot be created.
    """

    work_folder: Path

    def __init__(self, box: Box) -> None:
        levels, parent, run_lock = box._levels, box._cleanup_folder, box._run_lock  # noqa: SLF001 - of the same class
        try:
            folder = Path(tempfile.mkdtemp(prefix="judging-", dir=parent or None))
            folder.chmod(0o755)  # the sandbox may run programs as another user
        except OSError as error:
            raise SandboxError(f"cannot create a work folder: {describe_error(error)}") from error
        super().__init__(levels=levels, work_folder=folder, cleanup_folder=folder, core=box.core, run_lock=run_lock)
        self._shown += box._writable  # noqa: SLF001 - where programs are compiled: showing that later costs a restart

    def close(self) -> None:
        """End the zygote and its run, and remove the work folder."""
        super().close()
        remove(str(self.work_folder))


def count_oom_kills() -> int:
    """Return how many processes the kernel has ended for lack of memory, of the machine or of a control group."""
    try:
        words = Path("/proc/vmstat").read_bytes().partition(b"\noom_kill ")[2].split(maxsplit=1)
    except OSError:
        words = []
    return int(words[0]) if words else 0
