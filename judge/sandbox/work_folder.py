"""The folder that runs work in where nothing keeps them from writing files (level `limits`)."""

import os
import stat
import tempfile

from judge.errors import SandboxError, describe_error


def remove(folder: str) -> None:
    """Remove a folder with all that is in it, as far as the system lets us; what stays is not an error.

    Links are removed and never followed; permissions that a run took away are given back; no depth is too deep, since
    one descriptor walks down and up. No process that could change what is looked at may be alive any more.
    """
    try:
        with_parent = os.open(os.path.dirname(folder), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        _empty(with_parent, os.path.basename(folder))
    finally:
        os.close(with_parent)


def _empty(start: int, name: str) -> None:
    at, path, kept = os.dup(start), [name], set[tuple[str, ...]]()
    while path:
        try:
            below = _open_folder(at, path[-1])
        except OSError:  # not to be opened: leave it
            kept.add(tuple(path))
        else:
            child = _first_folder(below, path, kept)
            if child is not None:
                os.close(at)
                at = below
                path.append(child)
                continue
            os.close(below)
            try:
                os.rmdir(path[-1], dir_fd=at)
            except OSError:
                kept.add(tuple(path))
        path.pop()
        if path:
            up = os.open("..", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=at)
            os.close(at)
            at = up
    os.close(at)


def _open_folder(at: int, name: str) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        found = os.open(name, flags, dir_fd=at)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=at)
        found = os.open(name, flags, dir_fd=at)
    os.fchmod(found, 0o700)
    return found


def _first_folder(folder: int, path: list[str], kept: set[tuple[str, ...]]) -> str | None:
    """Remove the files of a folder up to its first folder that can be removed; return that folder's name."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if (*path, entry.name) not in kept:
                    return entry.name
                continue
            try:
                os.unlink(entry.name, dir_fd=folder)
            except OSError:  # stays, and so does the folder
                continue
    return None


_ALL = 0o700


class Scratch:
    """A folder that is empty before every run, whatever the run before did to it.

    It stands in a folder of ours, so that a run that renames its own folder leaves nothing outside ours.
    """

    def __init__(self) -> None:
        self._base: str | None = None

    def fresh(self) -> str:
        """Return the path of an empty folder.

        Raises:
            SandboxError: there is no place for one.
        """
        if self._base is not None and not _holds_one_empty_folder(self._base):
            self.close()
        if self._base is None:
            try:
                self._base = tempfile.mkdtemp(prefix="judge-")
                os.mkdir(os.path.join(self._base, "run"), _ALL)
            except OSError as error:
                raise SandboxError(f"cannot make a working folder: {describe_error(error)}") from error
        return os.path.join(self._base, "run")

    def close(self) -> None:
        """Remove the folder with all that runs left in it."""
        if self._base is not None:
            remove(self._base)
            self._base = None


def _holds_one_empty_folder(base: str) -> bool:
    """Tell whether the folder of the last run is there, alone, empty, ours to use, and a folder."""
    run = os.path.join(base, "run")
    try:
        return (
            os.listdir(base) == ["run"]
            and stat.S_ISDIR(os.lstat(run).st_mode)
            and not os.listdir(run)
            and os.access(run, os.R_OK | os.W_OK | os.X_OK)
        )
    except OSError:
        return False
