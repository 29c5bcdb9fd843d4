"""What the kernel offers and Python's library does not: system calls by number, with errors as OSError.

Imports built-in modules and ctypes only: it is loaded into the zygote, which has to stay small.
"""

import ctypes
import os
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long

MACHINE = os.uname().machine
IS_X86_64 = MACHINE == "x86_64" and struct.calcsize("P") == 8
IS_AARCH64 = MACHINE == "aarch64"

# Numbers of the calls that the sandbox itself makes: (x86_64, aarch64); from 424 on all architectures agree.
_OWN = {
    "munmap": (11, 215),
    "getpid": (39, 172),
    "execve": (59, 221),
    "chdir": (80, 49),
    "getppid": (110, 173),
    "setsid": (112, 157),
    "setgroups": (116, 159),
    "setresuid": (117, 147),
    "setresgid": (119, 149),
    "capset": (126, 91),
    "pivot_root": (155, 41),
    "prctl": (157, 167),
    "sched_setaffinity": (203, 122),
    "clock_gettime": (228, 113),
    "unshare": (272, 97),
    "dup3": (292, 24),
    "prlimit64": (302, 261),
    "seccomp": (317, 277),
    "close_range": (436, 436),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "mount_setattr": (442, 442),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}

# include/uapi/linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

AT_FDCWD = -100


def checked(result: int, what: str) -> int:
    """Return the result of a call; raise OSError with its name when it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def number(name: str) -> int:
    """Return the number of a system call.

    Raises:
        OSError: this architecture is not known.
    """
    if not (IS_X86_64 or IS_AARCH64):
        raise OSError(38, f"{name}: not known on {MACHINE}")
    return _OWN[name][IS_AARCH64]


def syscall(name: str, *arguments: object) -> int:
    """Make a system call.

    Raises:
        OSError: it failed, or this architecture is not known.
    """
    return checked(LIBC.syscall(number(name), *arguments), name)


def prctl(option: int, value: int) -> None:
    """Set a property of this process."""
    checked(LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0), f"prctl {option}")


# Giving up all capabilities: capset(2), version 3 of the header, this process, two words of each set.
CAPABILITY_HEADER = struct.pack("=Ii", 0x20080522, 0)
NO_CAPABILITIES = bytes(24)
