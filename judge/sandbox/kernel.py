"""Kernel features that Python's library does not offer: system calls by number, and landlock.

Failures are OSErrors whose text names the call. The zygote loads this module: it imports only
built-in modules and ctypes.
"""

import ctypes
import os
import stat
import struct

from judge.sandbox.syscalls import NUMBERS

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long

MACHINE = os.uname().machine
IS_X86_64 = MACHINE == "x86_64" and struct.calcsize("P") == 8
IS_AARCH64 = MACHINE == "aarch64"

# include/uapi/linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38

AT_FDCWD = -100
_F_ADD_SEALS, _ALL_SEALS = 1033, 0b1111  # fcntl(2), linux/fcntl.h: no other seals, no size, no content

# Drops all capabilities: capset(2), version 3 of the header, this process, two words of each set.
CAPABILITY_HEADER = struct.pack("=Ii", 0x20080522, 0)
NO_CAPABILITIES = bytes(24)


def check(result: int, call: str) -> int:
    """Return the result of a call.

    Raises:
        OSError: the result is negative; the text names the call.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{call}: {os.strerror(number)}")
    return result


def syscall_number(name: str) -> int:
    """Return the number of a system call.

    Raises:
        OSError: the architecture is not supported.
    """
    number = NUMBERS[name][IS_AARCH64] if IS_X86_64 or IS_AARCH64 else None
    if number is None:
        raise OSError(38, f"{name}: number unknown on {MACHINE}")
    return number


def syscall(name: str, *arguments: object) -> int:
    """Make a system call.

    Raises:
        OSError: the call failed, or the architecture is not supported.
    """
    return check(LIBC.syscall(syscall_number(name), *arguments), name)


def seal(file: int) -> None:
    """Let no one change a file in memory any more, not even through /proc/self/fd."""
    check(LIBC.fcntl(file, _F_ADD_SEALS, _ALL_SEALS), "fcntl")


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process."""
    check(LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0), f"prctl {option}")


# ---- landlock -------------------------------------------------------------------------------------------------------
#
# Which files a process may access, without any privilege (Documentation/userspace-api/landlock.rst). A ruleset handles
# all rights that the kernel's version knows and then grants some of them below some paths; everything else is refused.
# Version 4 and later also refuse TCP; version 6 and later also signals and abstract sockets to processes outside.

_CREATE_VERSION = 1
_RULE_PATH_BENEATH = 1

# Rights on files: include/uapi/linux/landlock.h
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_VERSION_1 = (1 << 13) - 1  # all rights of version 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

MAY_READ = _READ_FILE | _READ_DIR | _EXECUTE
# no devices, sockets or pipes
MAY_CHANGE = MAY_READ | _VERSION_1 & ~(1 << 6 | 1 << 9 | 1 << 10 | 1 << 11) | _REFER | _TRUNCATE
MAY_USE_DEVICE = _READ_FILE | _WRITE_FILE | _TRUNCATE

LANDLOCK_WITH_SCOPES = 6


def landlock_version() -> int:
    """Return the version of the kernel's landlock, or 0 if there is none."""
    try:
        return syscall("landlock_create_ruleset", None, ctypes.c_size_t(0), _CREATE_VERSION)
    except OSError:
        return 0


def create_ruleset(grants: "list[tuple[str, int]]") -> int:
    """Return the descriptor of a ruleset that grants rights (`MAY_...`) below paths; missing paths are skipped.

    Raises:
        OSError: the kernel has no landlock, or refuses the ruleset.
    """
    version = landlock_version()
    handled = _VERSION_1
    handled |= (
        (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0) | (_IOCTL_DEV if version >= 5 else 0)
    )
    network = 3 if version >= 4 else 0
    scopes = 3 if version >= LANDLOCK_WITH_SCOPES else 0
    attributes = struct.pack("=QQQ", handled, network, scopes)
    size = 24 if scopes else 16 if network else 8
    ruleset = syscall("landlock_create_ruleset", attributes, ctypes.c_size_t(size), 0)
    for path, rights in grants:
        try:
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            allowed = rights & handled
            if not stat.S_ISDIR(os.fstat(target).st_mode):
                allowed &= _ON_FILES
            syscall("landlock_add_rule", ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", allowed, target), 0)
        finally:
            os.close(target)
    return ruleset
