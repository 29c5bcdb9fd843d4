"""The system call filter of a run: calls that are not listed are refused.

Theory of operation. A filter is a program for the kernel's classic BPF machine (Documentation/userspace-api/
seccomp_filter.rst): it loads words of `struct seccomp_data` (number, architecture, arguments) and returns an action. It
is assembled here from instructions with labels: a binary tree over ranges of numbers, whose leaves are actions or
blocks that check the arguments of a call. When a filter is loaded, the kernel evaluates it once for every number
(`seccomp_cache_prepare` in kernel/seccomp.c), so short paths make loading fast.

Refused calls fail with EPERM, so that a program sees a clean error. Calls that libraries try first and can do without,
and numbers newer than this table, fail with ENOSYS as on an older kernel: EPERM would break those libraries, as early
container runtimes found out. A call of another architecture (32-bit calls on x86_64) ends the run with SIGSYS.
"""

import errno
import struct

from judge.sandbox.launcher import STORE, Arena, Step
from judge.sandbox.syscalls import HIGHEST, NUMBERS

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_KILL = 0x80000000
_REFUSE = _ERRNO | errno.EPERM
_SET_MODE_FILTER = 1

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # include/uapi/linux/audit.h

# BPF opcodes: include/uapi/linux/bpf_common.h
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_OFFSET_NUMBER, _OFFSET_ARCHITECTURE, _OFFSET_ARGUMENTS = 0, 4, 16  # little endian: the low word comes first

_OWN_PID = 0x7EADBEEF  # placeholder for the run's pid, which is known only when the run starts

# Reading and computing: harmless with any arguments, since other means restrict files.
_ALWAYS = """
    read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close dup dup2 dup3 pipe pipe2
    sendfile splice copy_file_range open openat stat fstat lstat newfstatat statx access faccessat faccessat2
    readlink readlinkat getdents getdents64 getcwd chdir fchdir umask statfs fstatfs ftruncate fsync fdatasync fadvise64
    readahead
    brk mmap munmap mprotect mremap madvise mincore msync mlock mlock2 munlock mlockall munlockall membarrier rseq
    get_mempolicy pkey_alloc pkey_free pkey_mprotect mseal
    futex set_robust_list get_robust_list set_tid_address gettid getpid getppid exit exit_group sched_yield
    sched_getaffinity sched_getparam sched_getscheduler sched_getattr sched_get_priority_max sched_get_priority_min
    sched_rr_get_interval getcpu arch_prctl restart_syscall
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause alarm
    setitimer getitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create
    timerfd_settime timerfd_gettime signalfd signalfd4
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage sysinfo uname getrandom
    getuid getgid geteuid getegid getresuid getresgid getgroups getpgrp getpgid getsid capget getpriority getrlimit
    setrlimit
    poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd eventfd2
    recvfrom shutdown getsockname getpeername getsockopt
    wait4 waitid execve execveat
"""

# Changing files, for compilers. Landlock restricts where, but does not cover modes and times of files.
_WRITING = """
    creat truncate fallocate rename renameat renameat2 unlink unlinkat rmdir mkdir mkdirat symlink symlinkat link linkat
    chmod fchmod fchmodat fchmodat2 utime utimes futimesat utimensat sync_file_range
"""
_FORKING = "fork vfork setpgid setsid"
_SIGNALLING = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo"
_SERVING = "recvmsg setsid"  # besides the calls with `_argument_rules`
_WAKING = "timer_create"  # a timer could wake a server that is stopped

# Newer calls that the C library tries first and can do without.
_SUBSTITUTED = "clone3"

# Data in pipes and sockets belongs to no process; only the number of descriptors limits it. So all threads must share
# one descriptor table, and socket buffers must keep their size.
_CLONE_THREAD, _CLONE_FILES = 0x00010000, 0x00000400
# The flags of a fork server's processes: CLONE_PARENT, CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID and SIGCHLD.
_SIBLING = 0x00008000 | 0x01000000 | 0x00200000 | 17
_CLOSE_RANGE_UNSHARE = 2  # include/uapi/linux/close_range.h
_CLONE_NEW = 0x7E020080  # all CLONE_NEW* flags: include/uapi/linux/sched.h

# fcntl commands: duplicate, descriptor flags, status flags, reading a pipe's size and a file's seals. No locks, leases,
# owners or signals, and no larger pipes: their content belongs to no process and is limited per user only.
_FCNTL = (0, 1, 2, 3, 1030, 1032, 1034)
_F_SETFL, _O_ASYNC = 4, 0o20000
# ioctl requests: terminal queries, bytes to read, blocking, close on exec. All others fail with ENOTTY, as on a file.
_IOCTL = (0x5401, 0x5413, 0x540F, 0x541B, 0x5421, 0x5450, 0x5451)
# prctl options that name threads and memory or only read; none that changes what the sandbox has set.
_PRCTL = (2, 3, 15, 16, 21, 23, 27, 29, 30, 39, 41, 42, 0x53564D41)
_GET_TID_ADDRESS = 40  # for fork servers only

_AF_UNIX = 1


class _Assembler:
    """A list of BPF instructions. A jump's target is a label; None means the next instruction."""

    def __init__(self) -> None:
        self._code: list[tuple[int, int, str | None, str | None]] = []
        self._labels: dict[str, int] = {}

    def label(self, name: str) -> None:
        self._labels[name] = len(self._code)

    def new_label(self, side: str = "") -> str:
        return f"label {len(self._labels)} {len(self._code)}{side}"

    def load(self, offset: int) -> None:
        self._code.append((_LOAD, offset, None, None))

    def jump(self, test: int, value: int, *, then: str | None = None, otherwise: str | None = None) -> None:
        self._code.append((test, value, then, otherwise))

    def ret(self, action: int) -> None:
        self._code.append((_RETURN, action, None, None))

    def assemble(self) -> bytes:
        """Return the program.

        Raises:
            ValueError: a jump is longer than 255 instructions.
        """
        parts = []
        for position, (code, value, then, otherwise) in enumerate(self._code):
            jumps = [0 if label is None else self._labels[label] - position - 1 for label in (then, otherwise)]
            if not all(0 <= jump <= 255 for jump in jumps):
                raise ValueError(f"jump too long: {max(jumps)} instructions; at most 255 are possible")
            parts.append(struct.pack("=HBBI", code, *jumps, value))
        return b"".join(parts)


# A condition on one 32-bit word of an argument: (argument, low or high word, opcode, value, expected result)
_LOW, _HIGH = 0, 4
_Condition = tuple[int, int, int, int, bool]
# Conditions that must all hold, and the action if they do.
_Alternative = tuple[list[_Condition], int]
# By the name of a call: alternatives, and the action if none fits.
_Rules = dict[str, tuple[list[_Alternative], int]]


def build(
    machine: str,
    *,
    may_fork: bool = False,
    may_write: bool = False,
    may_signal: bool = False,
    is_fork_server: bool = False,
) -> bytes:
    """Return the filter's instructions, 8 bytes each, with a placeholder for the run's pid.

    Args:
        machine: `x86_64` or `aarch64`.
        may_fork: allow creating processes, not only threads.
        may_write: allow creating, changing and removing files.
        may_signal: allow signals to any process; otherwise only to the process itself.
        is_fork_server: also allow what a fork server needs, and everything that its processes need: they add the filter
            of `build_restriction`.
    """
    may_signal |= is_fork_server
    groups = ((_WRITING, may_write), (_FORKING, may_fork), (_SIGNALLING, may_signal), (_SERVING, is_fork_server))
    allowed = (_ALWAYS, *(names for names, is_allowed in groups if is_allowed))
    actions = dict.fromkeys(range(HIGHEST + 1), "refuse") | dict.fromkeys(_numbers(machine, *allowed), "allow")
    actions |= dict.fromkeys(_numbers(machine, _SUBSTITUTED), "unknown")
    if is_fork_server:
        actions |= dict.fromkeys(_numbers(machine, _WAKING), "refuse")
    rules = _argument_rules(may_fork=may_fork, may_signal=may_signal, is_fork_server=is_fork_server)
    return _assemble(machine, actions, rules)


def build_restriction(machine: str) -> bytes:
    """Return the filter that a process of a fork server adds to that of the server.

    Together they are a run's, except that limits are changed as those of process 0 only, not of the run's pid, and that
    there is no `timer_create`.
    """
    actions = dict.fromkeys(range(HIGHEST + 1), "allow")
    actions |= dict.fromkeys(_numbers(machine, _SERVING, "seccomp", "tkill"), "refuse")
    rules = _signal_rules() | {
        "clone": ([([(0, _LOW, _EQUAL, _SIBLING, False)], _ALLOW)], _REFUSE),
        "prctl": ([([(0, _LOW, _EQUAL, _GET_TID_ADDRESS, False)], _ALLOW)], _REFUSE),
    }
    return _assemble(machine, actions, rules)


def _numbers(machine: str, *names: str) -> "list[int]":
    column = ("x86_64", "aarch64").index(machine)
    return [found for name in " ".join(names).split() if (found := NUMBERS[name][column]) is not None]


def _assemble(machine: str, actions: "dict[int, str]", rules: "_Rules") -> bytes:
    """Return a filter.

    Args:
        machine: as for `build`.
        actions: `allow`, `refuse` or `unknown` for each number.
        rules: for calls that depend on their arguments.
    """
    rules_by_number = {number: rule for name, rule in rules.items() for number in _numbers(machine, name)}
    actions |= {number: _call_label(number) for number in rules_by_number}
    code = _Assembler()
    code.load(_OFFSET_ARCHITECTURE)
    code.jump(_EQUAL, _ARCHITECTURES[machine], then="known")
    code.ret(_KILL)
    code.label("known")
    code.load(_OFFSET_NUMBER)
    # the first number of each range with the same action
    segments = [(number, label) for number, label in sorted(actions.items()) if actions.get(number - 1) != label]
    _add_search_tree(code, [*segments, (HIGHEST + 1, "unknown")])
    for label, action in (("allow", _ALLOW), ("refuse", _REFUSE), ("unknown", _ERRNO | errno.ENOSYS)):
        code.label(label)
        code.ret(action)
    for number, (alternatives, otherwise) in rules_by_number.items():
        code.label(_call_label(number))
        _add_argument_checks(code, alternatives, otherwise)
    return code.assemble()


def _argument_rules(*, may_fork: bool, may_signal: bool, is_fork_server: bool) -> "_Rules":
    threads_only: list[_Condition] = [
        (0, _LOW, _ANY_BIT, _CLONE_NEW, False),
        *([] if may_fork else [(0, _LOW, _ANY_BIT, flag, True) for flag in (_CLONE_THREAD, _CLONE_FILES)]),
    ]
    not_asynchronous: list[_Condition] = [(1, _LOW, _EQUAL, _F_SETFL, True), (2, _LOW, _ANY_BIT, _O_ASYNC, False)]
    no_address: list[_Condition] = [(4, _LOW, _EQUAL, 0, True), (4, _HIGH, _EQUAL, 0, True)]
    rules: _Rules = {
        "clone": ([(threads_only, _ALLOW)], _REFUSE),
        "close_range": ([([(2, _LOW, _ANY_BIT, _CLOSE_RANGE_UNSHARE, False)], _ALLOW)], _REFUSE),
        "ioctl": (_one_of(1, _IOCTL), _ERRNO | errno.ENOTTY),
        "prctl": (_one_of(0, _PRCTL), _REFUSE),
        "prlimit64": (_one_of(0, (0, _OWN_PID)), _REFUSE),
        "socketpair": (_one_of(0, (_AF_UNIX,)), _REFUSE),
        "fcntl": ([*_one_of(1, _FCNTL), (not_asynchronous, _ALLOW)], _REFUSE),
        "sendto": ([(no_address, _ALLOW)], _REFUSE),
    }
    if is_fork_server:
        restriction: list[_Condition] = [(0, _LOW, _EQUAL, _SET_MODE_FILTER, True), (1, _LOW, _EQUAL, 0, True)]
        rules["clone"][0].extend(_one_of(0, (_SIBLING,)))
        rules["prctl"][0].extend(_one_of(0, (_GET_TID_ADDRESS,)))
        rules["prlimit64"] = (_one_of(0, (0,)), _REFUSE)
        rules["seccomp"] = ([(restriction, _ALLOW)], _REFUSE)
    return rules if may_signal else rules | _signal_rules()


def _signal_rules() -> "_Rules":
    """Return the rules by which a run can send signals to itself only."""
    names = "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"
    # 0: the run's process group, which contains only the run
    return {"kill": (_one_of(0, (_OWN_PID, 0)), _REFUSE)} | dict.fromkeys(names, (_one_of(0, (_OWN_PID,)), _REFUSE))


def _one_of(argument: int, values: "tuple[int, ...]") -> "list[_Alternative]":
    return [([(argument, _LOW, _EQUAL, value, True)], _ALLOW) for value in values]


def _call_label(number: int) -> str:
    return f"call {number}"


def _add_argument_checks(code: _Assembler, alternatives: "list[_Alternative]", otherwise: int) -> None:
    for conditions, action in alternatives:
        skip = code.new_label()
        for argument, word, test, value, expected in conditions:
            code.load(_OFFSET_ARGUMENTS + 8 * argument + word)
            code.jump(test, value, then=None if expected else skip, otherwise=skip if expected else None)
        code.ret(action)
        code.label(skip)
    code.ret(otherwise)


def _add_search_tree(code: _Assembler, segments: list[tuple[int, str]]) -> None:
    """Add a binary search for the number among at least two segments."""
    middle = len(segments) // 2
    halves = segments[:middle], segments[middle:]
    below, above = (
        code.new_label(side) if len(half) > 1 else half[0][1] for half, side in zip(halves, "lr", strict=True)
    )
    code.jump(_AT_LEAST, segments[middle][0], then=above, otherwise=below)
    for half, label in zip(halves, (below, above), strict=True):
        if len(half) > 1:
            code.label(label)
            _add_search_tree(code, half)


class Filter:
    """A filter that is built once and installed by many runs."""

    def __init__(self, program: bytes, arena: Arena) -> None:
        start = arena.put(program)
        placeholder = struct.pack("=I", _OWN_PID)
        self._pids = [start + at for at in range(4, len(program), 8) if program[at : at + 4] == placeholder]
        # struct sock_fprog: number of instructions, pointer to them
        self._header = arena.put(struct.pack("@HP", len(program) // 8, start))

    def steps(self) -> "list[Step]":
        """Return the calls that install the filter for good. The process must have set PR_SET_NO_NEW_PRIVS."""
        store = [(STORE, (address,), 0) for address in self._pids]
        return [("getpid", (), 0), *store, ("seccomp", (_SET_MODE_FILTER, 0, self._header), 0)]
