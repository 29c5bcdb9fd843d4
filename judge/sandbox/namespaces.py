"""Namespaces for the runs of one box, created once: namespaces(7), mount_setattr(2), pivot_root(2).

They isolate processes, network (no interface, not even loopback), System V and POSIX message queues, host name, users
(unless the judge is root) and files: a small read-only tree holds only what a program needs, at the usual paths.
"""

import ctypes
import os
import stat
import struct

from judge.sandbox import kernel
from judge.sandbox.launcher import Arena, Step
from judge.sandbox.protocol import SYSTEM

_NEW_MOUNTS, _NEW_HOST, _NEW_IPC = 0x00020000, 0x04000000, 0x08000000
_NEW_USERS, _NEW_PIDS, _NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000

_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 0x4000, 0x40000
_MNT_DETACH = 2

_OPEN_TREE_CLONE, _OPEN_TREE_CLOEXEC, _AT_RECURSIVE = 1, 0o2000000, 0x8000
_AT_EMPTY_PATH, _MOVE_FROM_EMPTY_PATH = 0x1000, 0x4
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4

BOX = "/box"  # the empty current folder of runs

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}


def unshare(*, users: bool) -> None:
    """Leave the machine's namespaces; the next child becomes process 1 of the new ones.

    With `users`, a user namespace is created, which allows the others without root.

    Raises:
        OSError: the kernel or a security policy forbids it; the text names the step.
    """
    user, group = os.getuid(), os.getgid()
    flags = _NEW_MOUNTS | _NEW_HOST | _NEW_IPC | _NEW_PIDS | _NEW_NETWORK | (_NEW_USERS if users else 0)
    kernel.check(kernel.LIBC.unshare(flags), "unshare")
    if users:
        for file, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{file}", "w") as opened:
                opened.write(text)


def enter_file_tree(shown: "tuple[str, ...]", writable: "tuple[str, ...]") -> None:
    """Create the file tree that runs see, and make it this process's root.

    Besides SYSTEM, it includes the paths `shown` read-only, and the paths `writable`.

    Raises:
        OSError: a step failed; the text names it.
    """
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    clones, links = [], dict(_LINKS)
    for path in (*SYSTEM, *DEVICES, *shown, *writable):
        if path in shown and any(path.startswith(f"{other}/") for other in (*SYSTEM, *shown)):
            continue
        if path in SYSTEM and os.path.islink(path):
            links[path] = os.readlink(path)
        elif os.path.exists(path):
            clones.append((path, _clone_mounts(path, read_only=path not in writable, devices=path in DEVICES)))
    base = "/tmp" if os.path.isdir("/tmp") else "/usr"  # noqa: S108 - the new tree covers it, in this namespace only
    _mount("tmpfs", base, "tmpfs", _MS_NOSUID | _MS_NODEV, "size=1m,mode=755")
    for path, descriptor in sorted(clones):  # parents first
        target = base + path
        _create_mount_point(target, is_folder=stat.S_ISDIR(os.fstat(descriptor).st_mode))
        arguments = (descriptor, b"", kernel.AT_FDCWD, os.fsencode(target), _MOVE_FROM_EMPTY_PATH)
        kernel.syscall("move_mount", *arguments)
        os.close(descriptor)
    for path, target in links.items():
        os.makedirs(os.path.dirname(base + path), exist_ok=True)
        if not os.path.lexists(base + path):
            os.symlink(target, base + path)
    os.makedirs(base + BOX, exist_ok=True)
    os.makedirs(base + "/proc", exist_ok=True)
    _mount("proc", base + "/proc", "proc", _MS_NOSUID | _MS_NODEV | _MS_NOEXEC)
    os.chdir(base)
    kernel.syscall("pivot_root", b".", b".")
    kernel.check(kernel.LIBC.umount2(b".", _MNT_DETACH), "umount of the old root")
    os.chdir("/")
    _set_attributes(kernel.AT_FDCWD, b"/", 0, _ATTR_RDONLY)


def read_only_steps(arena: Arena) -> "list[Step]":
    """Return the calls that give a process its own mounts, all read-only: for kernels without landlock."""
    attributes = struct.pack("=QQQQ", _ATTR_RDONLY, 0, 0, 0)
    here = kernel.AT_FDCWD & 0xFFFFFFFF
    arguments = (here, arena.put(b"/"), _AT_RECURSIVE, arena.put(attributes), len(attributes))
    return [("unshare", (_NEW_MOUNTS,), 0), ("mount_setattr", arguments, 0)]


def _mount(source: "str | None", target: str, kind: "str | None", flags: int, options: str = "") -> None:
    names = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    result = kernel.LIBC.mount(*names, ctypes.c_ulong(flags), os.fsencode(options) or None)
    kernel.check(result, f"mount {kind or 'private'} on {target}")


def _clone_mounts(path: str, *, read_only: bool, devices: bool) -> int:
    """Return a descriptor of a copy of the mounts at and below a path."""
    flags = _OPEN_TREE_CLONE | _OPEN_TREE_CLOEXEC | _AT_RECURSIVE
    clone = kernel.syscall("open_tree", kernel.AT_FDCWD, os.fsencode(path), flags)
    attributes = _ATTR_NOSUID | (_ATTR_RDONLY if read_only else 0) | (0 if devices else _ATTR_NODEV)
    _set_attributes(clone, b"", _AT_RECURSIVE | _AT_EMPTY_PATH, attributes)
    return clone


def _set_attributes(folder: int, path: bytes, flags: int, attributes: int) -> None:
    # struct mount_attr: set, clear, propagation, userns_fd
    value = struct.pack("=QQQQ", attributes, 0, 0, 0)
    kernel.syscall("mount_setattr", folder, path, flags, value, ctypes.c_size_t(len(value)))


def _create_mount_point(path: str, *, is_folder: bool) -> None:
    os.makedirs(path if is_folder else os.path.dirname(path), exist_ok=True)
    if not is_folder:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
