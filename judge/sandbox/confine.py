"""Shutting one run in: what the forked child does to itself before it becomes the program."""

import _signal  # type: ignore[import-not-found]  # `signal` imports enum, which doubles the start-up
import os
import resource

from judge.sandbox import kernel, landlock, namespaces, seccomp
from judge.sandbox.request import CONTROL, FULL, LIMITS, Request, Setting

# A backstop for a zygote that is stopped or starved: the kernel's CPU limit is up to a second late and early
# enough to fire wrongly, so it stands well above the real limit.
_CPU_BACKSTOP_FACTOR = 1.25
_CPU_BACKSTOP_EXTRA_S = 2

_MAX_OPEN_FILES = 128
_MAX_TASKS = 1024  # processes and threads; enforced by the kernel only for users other than root
_LARGEST_STACK = 1 << 30

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
    """The means of one level, made once; `apply` uses them in a child.

    What all runs have in common and the zygote can bear is set once, in the zygote, and inherited: each call that a
    child need not make is one that a run does not pay for.

    Raises:
        OSError: this machine does not offer the level's means; the text names what is missing.
    """

    def __init__(self, level: str, setting: Setting) -> None:
        self.level = level
        self.user = setting.user if level == FULL else 0
        self.core = setting.core
        self._filters: dict[tuple[bool, bool], seccomp.Filter] = {}
        self._rulesets: dict[tuple[tuple[str, ...], str], int] = {}
        self._landlock = level != LIMITS and landlock.version() > 0
        if level != LIMITS:
            if not (kernel.IS_X86_64 or kernel.IS_AARCH64):
                raise OSError(38, f"no table of system calls for {kernel.MACHINE}")
            if level != FULL and not self._landlock:
                raise OSError(38, "landlock: the kernel has none, or it is switched off")
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
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

    def apply(self, request: Request, fds: "list[int]", status: int, parent: int) -> None:
        """Shut this process in, for ever. Afterwards only descriptors 0 to 2 and CONTROL (the status pipe) are open.

        Raises:
            OSError, ValueError: a step failed.
        """
        os.setsid()
        if self.user:
            os.setgroups([])
            os.setresgid(self.user, self.user, self.user)
            os.setresuid(self.user, self.user, self.user)  # takes all capabilities away, too
        if self.level != FULL:  # else the end of process 1 ends all
            kernel.prctl(kernel.PR_SET_PDEATHSIG, 9)
            if os.getppid() != parent:
                os._exit(1)  # the zygote died before the line above
        if request.folder:
            os.chdir(request.folder)
        if self.core >= 0 and not request.may_fork:
            self._bind()
        # one more, so that an output of exactly the limit can be told from one that was cut
        _limit(resource.RLIMIT_FSIZE, request.output + 1)
        _limit(resource.RLIMIT_CPU, int(request.cpu * _CPU_BACKSTOP_FACTOR + _CPU_BACKSTOP_EXTRA_S))
        # Deep recursion is limited by memory alone, as on online judges; programs may ask for more or less.
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        stack = min(request.memory, _LARGEST_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (stack if hard < 0 else min(stack, hard), hard))
        if self.level != LIMITS:
            self._shut(request)
        for target, fd in enumerate(fds):
            os.dup2(fd, target)
        os.dup2(status, CONTROL, False)
        os.closerange(CONTROL + 1, 1 << 30)
        if self.level != LIMITS:  # last: the steps above are not among what it allows
            self._filter(request).load(os.getpid())

    def _shut(self, request: Request) -> None:
        if self.level == FULL and not self._landlock and not request.writable:
            namespaces.seal_files()
        if not self.user:
            kernel.drop_capabilities()
        if self._landlock:
            landlock.restrict(self._ruleset(request))

    def _filter(self, request: Request) -> seccomp.Filter:
        key = may_fork, may_write = (request.may_fork, bool(request.writable))
        if key not in self._filters:
            # compilers end their children by signals, and cannot know their pids beforehand
            reach = self.level == FULL or landlock.version() >= landlock.VERSION_WITH_SCOPES
            program = seccomp.build(
                kernel.MACHINE, may_fork=may_fork, may_write=may_write, may_signal=may_fork and reach
            )
            self._filters[key] = seccomp.Filter(program)
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

    def _bind(self) -> None:
        try:
            os.sched_setaffinity(0, (self.core,))
        except OSError:  # the set of processors was changed meanwhile: the run is as right without
            return


def _limit(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (allowed, allowed))
