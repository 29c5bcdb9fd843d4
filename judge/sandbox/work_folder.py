"""Folders that programs write into: how much is in them, and their removal.

Loaded by the zygote: imports only built-in modules.
"""

import errno
import os

_MIN_ENTRY = 4096  # bytes that an entry counts at least: even an empty one takes an inode
_LEAST_ROOM = 65536  # bytes that are left on a full file system: it may not fit what is next
_BLOCK = 512  # bytes in one of stat's `st_blocks`, on every file system (inode(7))


def disk_usage(folder: str, pids: "tuple[int, ...]", limit: int) -> int:
    """Return the size in bytes of everything in a folder, and of removed files that processes still hold open.

    A file counts with its length or with what it occupies, whichever is larger: blocks can be allocated beyond the end
    of a file (fallocate(2)), and whoever copies a sparse file writes all of its length.
    Counting stops soon after `limit`. A folder that cannot be read (locked, or deeper than a path can be long) counts
    as more than the limit: no honest compiler makes one.
    """
    total, pending = 0, [folder]
    while pending and total <= limit:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    total += _entry_size(entry)
                    if total > limit:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except FileNotFoundError:  # removed meanwhile
            continue
        except OSError:
            return limit + 1
    return total + _deleted_size(folder, pids) if pids else total


def _entry_size(entry: "os.DirEntry[str]") -> int:
    try:
        return max(_MIN_ENTRY, _size(entry.stat(follow_symlinks=False)))
    except OSError as error:
        if error.errno == errno.ENOENT:
            return 0
        raise


def _deleted_size(folder: str, pids: "tuple[int, ...]") -> int:
    """Return the size of the open files on the folder's device that have no name any more, each counted once."""
    sizes: dict[int, int] = {}
    try:
        device = os.stat(folder).st_dev
    except OSError:
        return 0
    for pid in pids:
        try:
            fds = os.listdir(f"/proc/{pid}/fd")
        except OSError:  # it has ended, or is not readable
            continue
        for fd in fds:
            try:
                status = os.stat(f"/proc/{pid}/fd/{fd}")
            except OSError:
                continue
            if status.st_nlink == 0 and status.st_dev == device:
                sizes[status.st_ino] = _size(status)
    return sum(sizes.values())


def _size(status: os.stat_result) -> int:
    return max(status.st_size, status.st_blocks * _BLOCK)


def has_no_room(folder: str) -> bool:
    """Return whether nothing more can be written into a folder; False if that is not known."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return False
    return found.f_bavail * found.f_frsize < _LEAST_ROOM or (found.f_files > 0 and not found.f_favail)


def remove(folder: str) -> None:
    """Remove a folder and its contents as far as the system allows; what cannot be removed is not an error.

    Symbolic links are removed, never followed. Permissions that a program took away are restored. Any depth works,
    because a single descriptor walks down and up. No process that could change the folder may still be alive.
    """
    try:
        parent = os.open(os.path.dirname(folder), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        _remove_tree(parent, os.path.basename(folder))
    finally:
        os.close(parent)


def _remove_tree(start: int, name: str) -> None:
    current, path, kept = os.dup(start), [name], set[tuple[str, ...]]()
    while path:
        try:
            below = _open_folder(current, path[-1])
        except OSError:  # cannot be opened: keep it
            kept.add(tuple(path))
        else:
            child = _remove_files(below, path, kept)
            if child is not None:
                os.close(current)
                current = below
                path.append(child)
                continue
            os.close(below)
            try:
                os.rmdir(path[-1], dir_fd=current)
            except OSError:
                kept.add(tuple(path))
        path.pop()
        if path:
            parent = os.open("..", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=current)
            os.close(current)
            current = parent
    os.close(current)


def _open_folder(parent: int, name: str) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        opened = os.open(name, flags, dir_fd=parent)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=parent)
        opened = os.open(name, flags, dir_fd=parent)
    os.fchmod(opened, 0o700)
    return opened


def _remove_files(folder: int, path: "list[str]", kept: "set[tuple[str, ...]]") -> "str | None":
    """Remove files until the first subfolder that is not in `kept`; return its name, or None at the end."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if (*path, entry.name) not in kept:
                    return entry.name
                continue
            try:
                os.unlink(entry.name, dir_fd=folder)
            except OSError:  # it stays, and so does the folder
                continue
    return None
