"""Folders of the user's own headers and modules (`--include`), copied so that compilers and runs can read them.

A run reads the copy: an edit changes nothing while it lasts, and the sandbox need not show the user's folder, which may
be private or hold answers beside the code.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from judge.data import digest_files
from judge.errors import UsageError
from judge.units import MIB

_MAX_FILES = 10_000
_MAX_SIZE = 64 * MIB
_DATA_SUFFIXES = (".in", ".out", ".ans")  # of test cases: a solution must not read the answers
_IGNORED = ("__pycache__", "node_modules")


class IncludedFolder(Struct, frozen=True, kw_only=True):
    """A folder that solutions may use.

    Attributes:
        path: the user's folder; absolute.
        copy: what compilers and runs read.
        digest: a hash of the names and contents of all files.
    """

    path: Path
    copy: Path
    digest: str


def copy_folder(path: Path, target: Path) -> IncludedFolder:
    """Copy the files of a folder into a subfolder of `target`; does nothing if the same content is there already.

    Hidden files, caches and data of test cases are left out, and links to folders are not followed.

    Raises:
        UsageError: it is no folder, or larger than any library.
        OSError: a file cannot be read or written.
    """
    if not path.is_dir():
        raise UsageError(f"--include {path}: no such folder")
    files: dict[str, bytes] = {}
    size = 0
    for name, file in _walk(path, ""):
        with open(file, "rb") as stream:  # noqa: PTH123 - called for every file; a Path costs more
            files[name] = stream.read(_MAX_SIZE - size + 1)
        size += len(files[name])
        if len(files) > _MAX_FILES or size > _MAX_SIZE:
            raise UsageError(
                f"--include {path}: more than {_MAX_FILES} files or {_MAX_SIZE // MIB} MiB; "
                "name the folder that holds only your library"
            )
    return _store(files, path, target)


def copy_file(path: Path, target: Path) -> IncludedFolder:
    """Copy one file into a subfolder of `target`, alone.

    Raises:
        OSError: it cannot be read or written.
    """
    return _store({path.name: path.read_bytes()}, path.parent, target)


def _store(files: dict[str, bytes], path: Path, target: Path) -> IncludedFolder:
    digest = digest_files(files)
    copy = target / f"include-{digest[:16]}"
    _write(files, copy)
    return IncludedFolder(path=path, copy=copy, digest=digest)


def _walk(folder: Path | str, prefix: str) -> Iterator[tuple[str, str]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if entry.name.startswith(".") or entry.name in _IGNORED or entry.name.endswith(_DATA_SUFFIXES):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _walk(entry.path, f"{prefix}{entry.name}/")
            elif entry.is_file():
                yield f"{prefix}{entry.name}", entry.path


def _write(files: dict[str, bytes], copy: Path) -> None:
    """Write all files; every user can read them, because the sandbox may run programs as another one."""
    if copy.exists():
        return
    new = copy.with_name(f".new-{copy.name}")
    new.mkdir(exist_ok=True)
    for name, data in files.items():
        target = new / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    for parent, folders, names in os.walk(new):
        for name in folders:
            (Path(parent) / name).chmod(0o755)
        for name in names:
            (Path(parent) / name).chmod(0o644)
    new.chmod(0o755)
    new.rename(copy)
