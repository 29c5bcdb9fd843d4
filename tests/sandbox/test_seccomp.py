"""The system call filter: run by an emulator of the kernel's BPF machine, and compared with golden files."""

import errno
import re
import struct
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judge.sandbox import seccomp
from judge.sandbox.syscalls import HIGHEST, NUMBERS
from tests.golden_files import check_golden

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, UNKNOWN = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
OWN_PID = 0x7EADBEEF

FLAGS = [(False, False, False), (True, False, False), (True, True, False), (True, True, True)]


def program(machine: str, flags: tuple[bool, bool, bool] = (False, False, False)) -> bytes:
    may_fork, may_write, may_signal = flags
    return seccomp.build(machine, may_fork=may_fork, may_write=may_write, may_signal=may_signal)


def number_of(name: str, machine: str) -> int | None:
    return NUMBERS[name][list(MACHINES).index(machine)]


def decide(code: bytes, number: int, architecture: int, arguments: tuple[int, ...] = ()) -> int:
    """Return the action of a filter, evaluated as by the kernel (net/core/filter.c)."""
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    at = accumulator = 0
    while True:
        opcode, then, otherwise, value = struct.unpack_from("=HBBI", code, 8 * at)
        at += 1
        match opcode:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x06:
                return int(value)
            case 0x15:
                at += then if accumulator == value else otherwise
            case 0x35:
                at += then if accumulator >= value else otherwise
            case 0x45:
                at += then if accumulator & value else otherwise
            case _:
                raise AssertionError(f"opcode {opcode:#x}")


# The kernel's own headers for each architecture; Debian's linux-libc-dev has both on x86_64.
HEADERS = {"x86_64": "x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}
_DEFINED = re.compile(r"#define __NR(?:3264)?_(?!syscalls\b)(\w+)\s+(\d+)")  # __NR_syscalls is their number
_OTHER_NAMES = {"newfstatat": "fstatat"}  # of the generic table, before it is fitted to 64 bits


@pytest.mark.parametrize("machine", MACHINES)
def test_the_numbers_are_those_of_the_kernels_headers(machine: str) -> None:
    header = Path("/usr/include") / HEADERS[machine]
    if not header.exists():
        pytest.skip(f"no {header}")
    defined = {name: int(number) for name, number in _DEFINED.findall(header.read_text())}
    column, newest = list(MACHINES).index(machine), max(defined.values())
    for name, numbers in NUMBERS.items():
        number = numbers[column]
        if number is None or number <= newest:  # otherwise the headers are older than the call
            assert defined.get(name, defined.get(_OTHER_NAMES.get(name, ""))) == number, name


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("flags", FLAGS)
def test_the_filter_equals_the_reviewed_one(machine: str, flags: tuple[bool, bool, bool]) -> None:
    code = program(machine, flags)
    lines = [code[at : at + 8].hex(" ") for at in range(0, len(code), 8)]
    name = "-".join(word for word, flag in zip(("fork", "write", "signal"), flags, strict=True) if flag) or "plain"
    check_golden(f"seccomp/{machine}-{name}", ("\n".join(lines) + "\n", ""))


@given(
    st.sampled_from(list(MACHINES)),
    st.sampled_from([*sorted(NUMBERS), None]),
    st.integers(0, HIGHEST + 9),
    st.booleans(),
    st.tuples(
        st.sampled_from([0, 1, 2, 9, 17, OWN_PID, 0x1208011, 40, 0x10400, 0x11411, 2**32, 2**40 + 1]),
        st.sampled_from([0, 1, 4, 6, OWN_PID, 0x541B]),
    ),
)
def test_a_run_of_a_fork_server_may_do_what_every_run_may(
    machine: str, name: str | None, other: int, may_write: bool, arguments: tuple[int, int]
) -> None:
    number = (number_of(name, machine) if name else None) or other
    server = seccomp.build(machine, may_write=may_write, is_fork_server=True)
    assume((number, arguments[0]) != (number_of("prlimit64", machine), OWN_PID))
    assume(number != number_of("timer_create", machine))
    call = number, MACHINES[machine], arguments
    both = min(decide(server, *call), decide(seccomp.build_restriction(machine), *call), key=precedence)
    assert both == decide(seccomp.build(machine, may_write=may_write), *call)


def precedence(action: int) -> int:
    """Return the order in which the kernel chooses between the actions of two filters; seccomp(2)."""
    return (KILL, 0x00050000, ALLOW).index(action & 0xFFFF0000)


@pytest.mark.parametrize("machine", MACHINES)
def test_a_fork_server_may_make_siblings_and_no_other_processes(machine: str) -> None:
    server, clone = seccomp.build(machine, is_fork_server=True), number_of("clone", machine)
    assert clone is not None
    for flags, expected in (
        (0x1208011, ALLOW),
        (0x11, REFUSE),
        (0x8011, REFUSE),
        (0x21208011, REFUSE),
        (0x10F00, ALLOW),
    ):
        assert decide(server, clone, MACHINES[machine], (flags,)) == expected, hex(flags)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["read", "write", "openat", "mmap", "futex", "exit_group", "clock_gettime", "execve"])
def test_calls_that_every_program_needs_are_allowed(machine: str, name: str) -> None:
    number = number_of(name, machine)
    assert number is not None
    assert decide(program(machine), number, MACHINES[machine]) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_unlisted_calls_are_refused_and_newer_ones_unknown(machine: str) -> None:
    code, architecture = program(machine), MACHINES[machine]
    listed = {number_of(name, machine) for name in NUMBERS}
    for number in range(HIGHEST + 50):
        if number not in listed:
            assert decide(code, number, architecture) == (REFUSE if number <= HIGHEST else UNKNOWN)
    for number in (0x40000000, 0x40000000 + 59, 0xFFFFFFFF):  # x32 calls among them
        assert decide(code, number, architecture) == UNKNOWN


@given(st.sampled_from(list(MACHINES)), st.sampled_from(FLAGS), st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_a_call_of_another_architecture_ends_the_run(
    machine: str, flags: tuple[bool, bool, bool], number: int, architecture: int
) -> None:
    if architecture != MACHINES[machine]:
        assert decide(program(machine, flags), number, architecture) == KILL


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "action"),
    [
        ("clone", (0x00010400,), ALLOW),
        ("clone", (0x00010000,), REFUSE),  # a thread with its own descriptors
        ("clone", (0x003D0F00,), ALLOW),  # glibc's threads
        ("clone", (17,), REFUSE),  # fork
        ("clone", (0x00010400 | 0x10000000,), REFUSE),  # a thread with a user namespace
        ("close_range", (3, 0xFFFFFFFF, 0), ALLOW),
        ("close_range", (3, 0xFFFFFFFF, 4), ALLOW),  # on exec
        ("close_range", (3, 0xFFFFFFFF, 2), REFUSE),  # in the thread's own table
        ("setsockopt", (0, 1, 7), REFUSE),  # SO_SNDBUF
        ("kill", (OWN_PID, 9), ALLOW),
        ("kill", (0, 9), ALLOW),
        ("kill", (1, 9), REFUSE),
        ("kill", (0xFFFFFFFF, 9), REFUSE),
        ("tgkill", (OWN_PID, 5, 6), ALLOW),
        ("tgkill", (1, 1, 9), REFUSE),
        ("fcntl", (0, 2), ALLOW),
        ("fcntl", (0, 4, 0o4000), ALLOW),  # O_NONBLOCK
        ("fcntl", (0, 4, 0o20000), REFUSE),  # O_ASYNC
        ("fcntl", (0, 8), REFUSE),  # F_SETOWN
        ("fcntl", (0, 10), REFUSE),  # F_SETSIG
        ("fcntl", (0, 1024), REFUSE),  # F_SETLEASE
        ("fcntl", (0, 6), REFUSE),  # F_SETLK
        ("ioctl", (0, 0x5401), ALLOW),
        ("ioctl", (0, 0x5412), 0x00050000 | errno.ENOTTY),  # TIOCSTI
        ("prctl", (15,), ALLOW),
        ("prctl", (1,), REFUSE),  # PR_SET_PDEATHSIG
        ("prctl", (22,), REFUSE),  # PR_SET_SECCOMP
        ("prlimit64", (0,), ALLOW),
        ("prlimit64", (1,), REFUSE),
        ("socketpair", (1,), ALLOW),
        ("socketpair", (2,), REFUSE),
        ("socket", (1,), REFUSE),
        ("sendto", (0, 0, 0, 0, 0), ALLOW),
        ("sendto", (0, 0, 0, 0, 0x7F0000001000), REFUSE),
        ("sendto", (0, 0, 0, 0, 0x7F0000000000 & ~0xFFFFFFFF), REFUSE),  # only the high word is set
        ("ppoll", (1, 20), ALLOW),
        ("pselect6", (1024,), ALLOW),
        ("clone3", (), UNKNOWN),
    ],
)
def test_some_calls_are_allowed_with_certain_arguments_only(
    machine: str, name: str, arguments: tuple[int, ...], action: int
) -> None:
    number = number_of(name, machine)
    assert number is not None
    assert decide(program(machine), number, MACHINES[machine], arguments) == action


@pytest.mark.parametrize("machine", MACHINES)
def test_each_flag_allows_more(machine: str) -> None:
    architecture = MACHINES[machine]
    for name, least in (("clone", 1), ("unlinkat", 2), ("fchmodat", 2), ("kill", 3)):
        number = number_of(name, machine)
        assert number is not None
        for at, flags in enumerate(FLAGS):
            action = decide(program(machine, flags), number, architecture, (17 if name == "clone" else 1,))
            assert (action == ALLOW) == (at >= least)


@given(st.sampled_from(list(MACHINES)), st.integers(0, HIGHEST + 20), st.tuples(*[st.integers(0, 2**64 - 1)] * 6))
def test_a_looser_filter_never_refuses_calls_that_a_stricter_one_allows(
    machine: str, number: int, arguments: tuple[int, ...]
) -> None:
    actions = [decide(program(machine, flags), number, MACHINES[machine], arguments) for flags in FLAGS]
    for stricter, looser in pairwise(actions):
        assert stricter != ALLOW or looser == ALLOW
