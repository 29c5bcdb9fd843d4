"""How much a compiler has written: its workshop, and what it has removed there and still holds open.

RLIMIT_FSIZE limits each file alone, and quotas of file systems need their administrator. So sizes are added up.
"""

import errno
import os

FILES = (
    4  # a compiler keeps an assembly text, an object and a program at once, each as large as the output limit allows
)
_LEAST = 4096  # bytes that an entry counts at least: the emptiest takes an inode


def written(workshop: str, pids: "tuple[int, ...]", enough: int) -> int:
    """Return the size of all that stands in a workshop and of its removed files that processes hold open, in bytes.

    Counting ends soon after `enough`. Where nobody can look (a folder that is locked, or deeper than a path may be
    long) it is exceeded: no honest compiler makes such.
    """
    found, waiting = 0, [workshop]
    while waiting and found <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    found += _size(entry)
                    if found > enough:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except FileNotFoundError:  # it is gone by now
            continue
        except OSError:
            return enough + 1
    return found + _removed(workshop, pids)


def _size(entry: "os.DirEntry[str]") -> int:
    try:
        return max(_LEAST, entry.stat(follow_symlinks=False).st_size)
    except OSError as error:
        if error.errno == errno.ENOENT:
            return 0
        raise


def _removed(workshop: str, pids: "tuple[int, ...]") -> int:
    """Return the size of files on the workshop's device that have no name any more, each counted once."""
    sizes: dict[int, int] = {}
    try:
        device = os.stat(workshop).st_dev
    except OSError:
        return 0
    for pid in pids:
        try:
            held = os.listdir(f"/proc/{pid}/fd")
        except OSError:  # it is gone, or a program that may not be looked into
            continue
        for fd in held:
            try:
                found = os.stat(f"/proc/{pid}/fd/{fd}")
            except OSError:
                continue
            if found.st_nlink == 0 and found.st_dev == device:
                sizes[found.st_ino] = found.st_size
    return sum(sizes.values())
