"""Landlock: which files a run may see, without any privilege (Documentation/userspace-api/landlock.rst).

A ruleset handles all rights of the kernel's version and then grants some of them below some paths; everything else is
refused. From version 4 on it refuses TCP too, from 6 on signals and abstract sockets to processes outside.
"""

import ctypes
import os
import stat
import struct

from judge.sandbox import kernel

_CREATE_VERSION = 1
_RULE_PATH_BENEATH = 1

# Rights on files: include/uapi/linux/landlock.h
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FIRST = (1 << 13) - 1  # the rights of version 1
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

READ = _READ_FILE | _READ_DIR | _EXECUTE
CHANGE = READ | _FIRST & ~(1 << 6 | 1 << 9 | 1 << 10 | 1 << 11) | _REFER | _TRUNCATE  # no devices, sockets or pipes
DEVICE = _READ_FILE | _WRITE_FILE | _TRUNCATE

VERSION_WITH_SCOPES = 6


def version() -> int:
    """Return the version of the kernel's landlock, 0 where there is none."""
    try:
        return kernel.syscall("landlock_create_ruleset", None, ctypes.c_size_t(0), _CREATE_VERSION)
    except OSError:
        return 0


def ruleset(grants: "list[tuple[str, int]]") -> int:
    """Return a descriptor of a ruleset that grants rights (READ, CHANGE, DEVICE) below paths; absent ones are left out.

    Raises:
        OSError: the kernel has no landlock, or refuses.
    """
    at = version()
    files = _FIRST | (_REFER if at >= 2 else 0) | (_TRUNCATE if at >= 3 else 0) | (_IOCTL_DEV if at >= 5 else 0)
    network = 3 if at >= 4 else 0
    scopes = 3 if at >= VERSION_WITH_SCOPES else 0
    attributes = struct.pack("=QQQ", files, network, scopes)
    size = 24 if scopes else 16 if network else 8
    made = kernel.syscall("landlock_create_ruleset", attributes, ctypes.c_size_t(size), 0)
    for path, rights in grants:
        try:
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            allowed = rights & files
            if not stat.S_ISDIR(os.fstat(target).st_mode):
                allowed &= _ON_FILES
            rule = struct.pack("=Qi", allowed, target)
            kernel.syscall("landlock_add_rule", made, _RULE_PATH_BENEATH, rule, 0)
        finally:
            os.close(target)
    return made
