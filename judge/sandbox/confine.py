"""Shutting one run in: the system calls that a child makes before it becomes the program."""

import _signal  # type: ignore[import-not-found]  # `signal` imports enum, which doubles the start-up
import os
import resource
import struct

from judge.sandbox import kernel, landlock, namespaces, seccomp
from judge.sandbox.arena import Arena
from judge.sandbox.launch import Step
from judge.sandbox.request import CONTROL, FULL, LIMITS, Request, Setting

# A backstop for a zygote that is stopped or starved: the kernel's CPU limit is up to a second late and early
# enough to fire wrongly, so it stands well above the real limit.
_CPU_BACKSTOP_FACTOR = 1.25
_CPU_BACKSTOP_EXTRA_S = 2

_MAX_OPEN_FILES = 128
_MAX_TASKS = 1024  # processes and threads; enforced by the kernel only for users other than root
_LARGEST_STACK = 1 << 30
_MASK_BYTES = 128  # for 1024 processors
_ALL_DESCRIPTORS = 0xFFFFFFFF
_NO_LIMIT = (1 << 64) - 1
_LASTING = 1 << 16  # bytes for what all runs need: four filters of some 2 KiB
_PASSING = 1 << 20  # bytes for what one needs: a message's texts (see `request`) and a pointer to each

_COMMON_LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_NOFILE, _MAX_OPEN_FILES),
    (resource.RLIMIT_MEMLOCK, 1 << 23),
    (resource.RLIMIT_SIGPENDING, 1024),
    (resource.RLIMIT_MSGQUEUE, 0),
)

# Python ignores SIGPIPE and SIGXFSZ, and exec would keep that; others may be ignored by who started the judge.
_SIGNALS = range(1, 32)
_UNCATCHABLE = (9, 19)


class Confinement:
    """The means of one level, made once; `steps` uses them for each run.

    What all runs have in common and the zygote can bear is set once, in the zygote, and inherited: each call that a
    child need not make is one that a run does not pay for.

    Raises:
        OSError: this machine does not offer the level's means; the text names what is missing.
    """

    def __init__(self, level: str, setting: Setting) -> None:
        self.level = level
        self.user = setting.user if level == FULL else 0
        self.core = setting.core
        self.rooms = [Arena(_LASTING), Arena(_PASSING)]
        self._filters: dict[tuple[bool, bool], seccomp.Filter] = {}
        self._rulesets: dict[tuple[tuple[str, ...], str], int] = {}
        self._landlock = level != LIMITS and landlock.version() > 0
        if not os.path.exists(f"/proc/{os.getpid()}/statm"):
            raise OSError(2, "/proc is hidden: memory and children of runs cannot be watched")
        if level != LIMITS:
            if not (kernel.IS_X86_64 or kernel.IS_AARCH64):
                raise OSError(38, f"no table of system calls for {kernel.MACHINE}")
            if level != FULL and not self._landlock:
                raise OSError(38, "landlock: the kernel has none, or it is switched off")
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)  # at all levels: a set-user-id program could not be killed
        os.chdir(namespaces.BOX if level == FULL else "/")
        for number in _SIGNALS:
            if number not in _UNCATCHABLE:
                _signal.signal(number, _signal.SIG_DFL)
        for which, value in _COMMON_LIMITS + (((resource.RLIMIT_NPROC, _MAX_TASKS),) if level == FULL else ()):
            _limit(which, value)

    def prepare(self, request: Request) -> None:
        """Make in the zygote, once, what such a request needs."""
        if self.level != LIMITS:
            self._filter(request)
            self._ruleset(request)

    def steps(self, request: Request, fds: "list[int]", parent: int, status: int = -1) -> "Steps":
        """Return the system calls by which a child shuts itself in, for ever.

        Afterwards only descriptors 0 to 2 are open, and CONTROL if there is a `status` pipe, which closes at an exec.
        What was returned before is of no use any more.
        """
        made = Steps(self.rooms[1])
        made.add("setsid")
        if not (self._landlock or self.level == LIMITS or request.writable):
            made.calls += namespaces.sealing_steps(self.rooms[1])  # before the user changes: it needs capabilities
        self._change_user(made)
        if self.level != FULL:  # else the end of process 1 ends all
            made.add("prctl", kernel.PR_SET_PDEATHSIG, 9)  # after the ids: a change of them clears it
            made.add("getppid", expected=parent)  # else the zygote died before the line above
        if request.folder:
            made.add("chdir", made.text(request.folder))
        if self.core >= 0 and not request.may_fork:
            mask = (1 << self.core).to_bytes(_MASK_BYTES, "little")
            made.add("sched_setaffinity", 0, _MASK_BYTES, made.data(mask))
        self._limit(made, request)
        self._shut(made, request)
        for target, fd in enumerate(fds):
            made.add("dup3", fd, target, 0)
        if status >= 0:
            made.add("dup3", status, CONTROL, os.O_CLOEXEC)
        made.add("close_range", CONTROL + (status >= 0), _ALL_DESCRIPTORS, 0)
        if self.level != LIMITS:  # last: the steps above are not among what it allows
            made.calls += self._filter(request).steps()
        return made

    def _change_user(self, made: "Steps") -> None:
        if self.user:
            made.add("setgroups", 0, 0)
            made.add("setresgid", self.user, self.user, self.user)
            made.add("setresuid", self.user, self.user, self.user)  # takes all capabilities away, too

    def _limit(self, made: "Steps", request: Request) -> None:
        # one more, so that an output of exactly the limit can be told from one that was cut
        made.limit(resource.RLIMIT_FSIZE, request.output + 1)
        made.limit(resource.RLIMIT_CPU, int(request.cpu * _CPU_BACKSTOP_FACTOR + _CPU_BACKSTOP_EXTRA_S))
        # Deep recursion is limited by memory alone, as on online judges; programs may ask for more or less.
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        made.limit(resource.RLIMIT_STACK, min(request.memory, _LARGEST_STACK), hard)

    def _shut(self, made: "Steps", request: Request) -> None:
        if self.level == LIMITS:
            return
        if not self.user:
            made.add("capset", made.data(kernel.CAPABILITY_HEADER), made.data(kernel.NO_CAPABILITIES))
        if self._landlock:
            made.add("landlock_restrict_self", self._ruleset(request), 0)

    def _filter(self, request: Request) -> seccomp.Filter:
        key = may_fork, may_write = (request.may_fork, bool(request.writable))
        if key not in self._filters:
            # compilers end their children by signals, and cannot know their pids beforehand
            reach = self.level == FULL or landlock.version() >= landlock.VERSION_WITH_SCOPES
            program = seccomp.build(
                kernel.MACHINE, may_fork=may_fork, may_write=may_write, may_signal=may_fork and reach
            )
            self._filters[key] = seccomp.Filter(program, self.rooms[0])
        return self._filters[key]

    def _ruleset(self, request: Request) -> int:
        if not self._landlock:
            return -1
        key = (request.readable, request.writable)
        if key not in self._rulesets:
            if len(self._rulesets) >= _MAX_OPEN_FILES // 2:
                os.close(self._rulesets.pop(next(iter(self._rulesets))))
            grants = [(path, landlock.READ) for path in (*namespaces.SYSTEM, *request.readable)]
            grants += [(path, landlock.DEVICE) for path in namespaces.DEVICES]
            if self.level == FULL:
                grants += [("/proc", landlock.READ), (namespaces.BOX, landlock.READ)]
            if request.writable:
                grants.append((request.writable, landlock.CHANGE))
            self._rulesets[key] = landlock.ruleset(grants)
        return self._rulesets[key]


def _limit(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (allowed, allowed))


class Steps:
    """System calls to be made in a row; their arguments point into a room, which is cleared for them.

    Attributes:
        calls: the list.
    """

    def __init__(self, room: Arena) -> None:
        self.calls: list[Step] = []
        self._room = room
        room.clear()

    def add(self, name: str, *arguments: int, expected: int = 0) -> None:
        """Add a call."""
        self.calls.append((name, arguments, expected))

    def limit(self, which: int, soft: int, hard: int | None = None) -> None:
        """Add the setting of a resource limit; not above what this process may have. `hard` is `soft` unless given."""
        most = resource.getrlimit(which)[1]
        soft = soft if most == resource.RLIM_INFINITY else min(soft, most)
        values = struct.pack("=QQ", soft, (soft if hard is None else hard) & _NO_LIMIT)
        self.add("prlimit64", 0, which, self.data(values), 0)

    def execute(self, argv: "tuple[str, ...]", environment: "dict[str, str]") -> None:
        """Add the exec of a program."""
        words = [f"{name}={value}" for name, value in environment.items()]
        self.add("execve", self.text(argv[0]), self._strings(list(argv)), self._strings(words))

    def data(self, data: bytes) -> int:
        """Return the address of a copy of some bytes."""
        return self._room.put(data)

    def text(self, text: str) -> int:
        """Return the address of a text, as the kernel wants names."""
        return self.data(os.fsencode(text))

    def _strings(self, texts: "list[str]") -> int:
        pointers = [self.text(text) for text in texts]
        return self.data(struct.pack(f"={len(pointers) + 1}Q", *pointers, 0))
