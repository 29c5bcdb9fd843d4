"""Confinement of one run: the system calls that a child makes before it becomes the program."""

import _signal  # type: ignore[import-not-found]  # `signal` imports enum, which doubles the start-up time
import os
import resource
import struct

from judge.sandbox import kernel, namespaces, seccomp
from judge.sandbox.launcher import Arena, Step
from judge.sandbox.protocol import CONTROL_FD, FORK_SERVER, FULL, LIMITS, SYSTEM, Request, Settings

# A backstop in case the zygote is stopped or starved. The kernel's CPU limit can be off by a second in both directions,
# so it is well above the real limit.
_CPU_BACKSTOP_FACTOR = 1.25
_CPU_BACKSTOP_EXTRA_S = 2

_MAX_OPEN_FILES = 192  # R needs at least 167
_MAX_TASKS = 1024  # processes and threads; the kernel enforces this only for users other than root
_MASK_BYTES = 128  # for 1024 processors
_LAST_DESCRIPTOR = 0xFFFFFFFF
_NO_LIMIT = (1 << 64) - 1
_SHARED_ARENA = 1 << 16  # bytes for what all runs need: six filters of some 2 KiB
_RUN_ARENA = 1 << 20  # bytes for what one run needs: the strings of a request and a pointer to each

_COMMON_LIMITS = (
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_NOFILE, _MAX_OPEN_FILES),
    (resource.RLIMIT_MEMLOCK, 1 << 23),
    (resource.RLIMIT_SIGPENDING, 1024),
    (resource.RLIMIT_MSGQUEUE, 0),
)

# Python ignores SIGPIPE and SIGXFSZ, which exec would preserve; whoever started the judge may ignore others.
_SIGNALS = range(1, 32)
_UNCATCHABLE = (9, 19)


class Confinement:
    """The means of one level, prepared once and used for every run.

    Everything that all runs have in common and that does not harm the zygote is set once, in the zygote, and
    inherited: every call that a child need not make saves time in every run.

    Attributes:
        shared_arena: the memory of what all runs have in common, to which `steps` points, too.
        arena: the memory of what one run needs.

    Raises:
        OSError: the machine does not support the level; the text names what is missing.
    """

    def __init__(self, level: str, settings: Settings) -> None:
        self.level = level
        self.user = settings.user if level == FULL else 0
        self.core = settings.core
        self.shared_arena = Arena(_SHARED_ARENA)
        self.arena = Arena(_RUN_ARENA)
        self._filters: dict[tuple[bool, bool, bool], seccomp.Filter] = {}
        self._rulesets: dict[tuple[tuple[str, ...], str], int] = {}
        self._has_landlock = level != LIMITS and kernel.landlock_version() > 0
        if not os.path.exists(f"/proc/{os.getpid()}/statm"):
            raise OSError(2, "/proc is hidden: memory and child processes of runs cannot be observed")
        if level != LIMITS:
            if not (kernel.IS_X86_64 or kernel.IS_AARCH64):
                raise OSError(38, f"no system call table for {kernel.MACHINE}")
            if level != FULL and not self._has_landlock:
                raise OSError(38, "landlock: not supported by the kernel, or disabled")
        kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)  # at all levels: a set-user-id program could not be killed
        os.chdir(namespaces.BOX if level == FULL else "/")
        for number in _SIGNALS:
            if number not in _UNCATCHABLE:
                _signal.signal(number, _signal.SIG_DFL)
        for which, value in _COMMON_LIMITS + (((resource.RLIMIT_NPROC, _MAX_TASKS),) if level == FULL else ()):
            hard = resource.getrlimit(which)[1]
            allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(which, (allowed, allowed))

    def prepare(self, request: Request) -> int:
        """Create what such a request needs, once, in the zygote; return its landlock ruleset, or -1."""
        if self.level == LIMITS:
            return -1
        self._filter(request)
        return self._ruleset(request)

    def steps(self, request: Request, fds: "list[int]", parent: int, status: int = -1) -> "Steps":
        """Return the system calls by which a child confines itself for good.

        Afterwards only `fds` are open, as 0 and up, and CONTROL_FD if there is a `status` pipe, which exec closes.
        The steps point into `arena`, so those that were returned before are invalid until that is restored.
        """
        steps = Steps(self.arena)
        is_background = os.sched_getscheduler(0) == os.SCHED_IDLE  # that would not count for a session of its own
        if (request.has_pipes or is_background) and self.level != LIMITS:  # a run could open the session's terminal
            steps.add("setpgid", 0, 0)  # no session of its own: see `zygote.main`
        else:  # the zygote then gets half of a processor, however many threads the run has there (sched(7))
            steps.add("setsid")
        if not (self._has_landlock or self.level == LIMITS or request.writable):
            steps.calls += namespaces.read_only_steps(self.arena)  # before the user changes: needs capabilities
        self._change_user(steps)
        if self.level != FULL:  # at `full`, the end of process 1 ends all others
            steps.add("prctl", kernel.PR_SET_PDEATHSIG, 9)  # after the ids: changing them clears it
            steps.add("getppid", expected=parent)  # otherwise the zygote died before the line above
        if request.cwd:
            steps.add("chdir", steps.put_text(request.cwd))
        if self.core >= 0 and not request.may_fork:
            mask = (1 << self.core).to_bytes(_MASK_BYTES, "little")
            steps.add("sched_setaffinity", 0, _MASK_BYTES, steps.put(mask))
        self._set_limits(steps, request)
        self._drop_rights(steps, request)
        for target, fd in enumerate(fds):
            steps.add("dup3", fd, target, 0)
        if status >= 0:
            steps.add("dup3", status, CONTROL_FD, os.O_CLOEXEC)
        steps.add("close_range", len(fds) + (status >= 0), _LAST_DESCRIPTOR, 0)
        if self.level != LIMITS:  # last: the filter does not allow the steps above
            steps.calls += self._filter(request).steps()
        return steps

    def _change_user(self, steps: "Steps") -> None:
        if self.user:
            steps.add("setgroups", 0, 0)
            steps.add("setresgid", self.user, self.user, self.user)
            steps.add("setresuid", self.user, self.user, self.user)  # also drops all capabilities

    def _set_limits(self, steps: "Steps", request: Request) -> None:
        # one byte more, to distinguish an output of exactly the limit from a truncated one
        steps.add_limit(resource.RLIMIT_FSIZE, max(request.output, request.disk) + 1)
        steps.add_limit(resource.RLIMIT_CPU, int(request.cpu * _CPU_BACKSTOP_FACTOR + _CPU_BACKSTOP_EXTRA_S))
        # Only memory limits deep recursion, as on online judges; programs may change their stack limit. The C library
        # takes a finite limit as the size of each thread's stack, and 2 MiB for none (pthread_create(3)).
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        steps.add_limit(resource.RLIMIT_STACK, resource.RLIM_INFINITY, hard)

    def _drop_rights(self, steps: "Steps", request: Request) -> None:
        if self.level == LIMITS:
            return
        if not self.user:
            steps.add("capset", steps.put(kernel.CAPABILITY_HEADER), steps.put(kernel.NO_CAPABILITIES))
        if self._has_landlock:
            steps.add("landlock_restrict_self", self._ruleset(request), 0)

    def _filter(self, request: Request) -> seccomp.Filter:
        is_fork_server = FORK_SERVER in request.environment
        key = may_fork, may_write, _ = (request.may_fork, bool(request.writable), is_fork_server)
        if key not in self._filters:
            # compilers end their children by signals, and cannot know their pids in advance
            is_contained = self.level == FULL or kernel.landlock_version() >= kernel.LANDLOCK_WITH_SCOPES
            program = seccomp.build(
                kernel.MACHINE,
                may_fork=may_fork,
                may_write=may_write,
                may_signal=may_fork and is_contained,
                is_fork_server=is_fork_server,
            )
            self._filters[key] = seccomp.Filter(program, self.shared_arena)
        return self._filters[key]

    def _ruleset(self, request: Request) -> int:
        if not self._has_landlock:
            return -1
        key = (request.readable, request.writable)
        if key not in self._rulesets:
            if len(self._rulesets) >= _MAX_OPEN_FILES // 2:
                os.close(self._rulesets.pop(next(iter(self._rulesets))))
            grants = [(path, kernel.MAY_READ) for path in (*SYSTEM, *request.readable)]
            grants += [(path, kernel.MAY_USE_DEVICE) for path in namespaces.DEVICES]
            if self.level == FULL:
                grants += [("/proc", kernel.MAY_READ), (namespaces.BOX, kernel.MAY_READ)]
            if request.writable:
                grants.append((request.writable, kernel.MAY_CHANGE))
            self._rulesets[key] = kernel.create_ruleset(grants)
        return self._rulesets[key]


class Steps:
    """A sequence of system calls whose arguments point into an arena, which is cleared first."""

    def __init__(self, arena: Arena) -> None:
        self.calls: list[Step] = []
        self._arena = arena
        arena.clear()

    def add(self, name: str, *arguments: int, expected: int = 0) -> None:
        """Add a call."""
        self.calls.append((name, arguments, expected))

    def add_limit(self, which: int, soft: int, hard: int | None = None) -> None:
        """Add a resource limit, capped by the limit of this process. `hard` defaults to `soft`."""
        cap = resource.getrlimit(which)[1] & _NO_LIMIT
        soft = min(soft & _NO_LIMIT, cap)
        values = struct.pack("=QQ", soft, soft if hard is None else hard & _NO_LIMIT)
        self.add("prlimit64", 0, which, self.put(values), 0)

    def add_exec(self, argv: "tuple[str, ...]", environment: "dict[str, str]") -> None:
        """Add the exec of a program."""
        variables = [f"{name}={value}" for name, value in environment.items()]
        self.add("execve", self.put_text(argv[0]), self._put_texts(list(argv)), self._put_texts(variables))

    def put(self, data: bytes) -> int:
        """Return the address of a copy of some bytes."""
        return self._arena.put(data)

    def put_text(self, text: str) -> int:
        """Return the address of a zero-terminated copy of a text."""
        return self.put(os.fsencode(text))

    def _put_texts(self, texts: "list[str]") -> int:
        pointers = [self.put_text(text) for text in texts]
        return self.put(struct.pack(f"={len(pointers) + 1}Q", *pointers, 0))
