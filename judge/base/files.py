"""Writing files atomically, the cache folder, the files of a package, and programs on PATH."""

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG


def user_cache_folder() -> Path:
    """Return the judge's folder in the user's cache (XDG Base Directory Specification 0.8).

    Raises:
        RuntimeError: the user has no home folder.
    """
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if given.startswith("/") else Path.home() / ".cache") / "judge"


def header_folder() -> Path | None:
    """Return where the user's precompiled headers are; None if the user has no home folder."""
    try:
        return user_cache_folder() / "headers"
    except RuntimeError:
        return None


def search_path() -> str:
    """Return PATH without relative folders and empty entries: what the current folder contains is not a command."""
    return os.pathsep.join(filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep)))


def find_program(command: str, path: str | None = None) -> str | None:
    """Return the path of a program on a search path, PATH if it is None; None if there is none.

    A command that contains a `/` is a path itself.
    """
    return shutil.which(command, path=search_path() if path is None else path)


def as_word(path: Path | str) -> str:
    """Return a path as a word of a command line: not one that looks like an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def write_cache(path: Path, data: bytes, folder: Path) -> None:
    """Write a file of the cache `folder`.

    Raises:
        OSError: the folder or the file cannot be written, or a link in the cache, which may come with a repository from
            somewhere else, leads to another folder.
    """
    make_cache(folder)
    for parent in path.relative_to(folder).parents[:-1]:
        if (folder / parent).is_symlink():
            raise OSError(errno.ELOOP, f"{folder / parent} is a link", str(path))
    write_atomically(path, data)


def read_cache(path: Path) -> bytes:
    """Return the content of a cache file, which may come with a repository from somewhere else.

    Raises:
        OSError: the file cannot be read, is huge, or is not a regular file: a link may lead to a device.
    """
    return read_regular(path, follows_link=False)


def read_regular(path: Path, *, follows_link: bool = True) -> bytes:
    """Return the content of a file, to which the path may be a link.

    Raises:
        OSError: the file cannot be read, is huge, or is not a regular file: reading a pipe or a device might never end.
    """
    with os.fdopen(open_regular(path, follows_link=follows_link), "rb") as file:
        if os.fstat(file.fileno()).st_size > 256 << 20:  # one with holes may be larger than the memory
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return file.read()


def open_regular(path: Path | str, *, folder: int | None = None, follows_link: bool = False) -> int:
    """Return a descriptor of a file that is not trusted; the path may be relative to a folder.

    Raises:
        OSError: there is no such file, it is not a regular file, or it is a link that is not to be followed.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | (0 if follows_link else os.O_NOFOLLOW)
    file = os.open(path, flags, dir_fd=folder)
    if not S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "not a regular file", Path(path).name)
    return file


def make_cache(folder: Path) -> None:
    """Create a cache folder that git ignores, unless it exists.

    Raises:
        OSError: it cannot be created.
    """
    if not folder.exists():
        write_atomically(folder / ".gitignore", b"*\n")


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that readers see either the old or the new content, never a part; creates its folder.

    Raises:
        OSError: the folder or the file cannot be written; it names the file.
    """
    new = path.with_name(f".new-{os.getpid()}-{os.urandom(8).hex()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with new.open("xb") as file:
            file.write(data)
        new.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:  # also after Ctrl-C
        new.unlink(missing_ok=True)


def describe_code(package: Path, excluded: frozenset[str] = frozenset()) -> str:
    """Return a text that changes with the Python files in a package's folder: names, sizes and modification times.

    `excluded` are names of modules and sub-packages, directly in the folder, that do not count.
    """
    return "\n".join(sorted(_describe_modules(package, excluded)))


def _describe_modules(folder: Path, excluded: frozenset[str] = frozenset()) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.name in excluded or entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _describe_modules(Path(entry.path))
        elif entry.name.endswith(".py"):
            found = entry.stat()
            yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"
