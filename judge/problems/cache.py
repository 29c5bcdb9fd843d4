"""Loaded problems, stored as MessagePack: a run in which no file of a problem has changed reads no YAML.

A stored problem is used only while the stats of all its files and folders are those of when it was read, and the judge
and its YAML parser are the same. A file that was changed less than two seconds before is not trusted: a second edit
could leave the same time (as in git, Documentation/technical/racy-git.txt).

The folder may come with a repository from somewhere else, so its content proves nothing. A stored problem begins with
a hash over these stats and the rest of the file. It cannot be written without knowing the inodes and change times that
the files have on this machine.
"""

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG

from msgspec.structs import replace

from judge.base.files import describe_code, read_cache, write_cache
from judge.base.serialization import dump, restore
from judge.model import Problem

_READERS = ("base", "inputs", "languages", "model", "problems", "sandbox")  # what `problems` imports, and these import
_TOP_FOLDERS = ("problems", "testcases", "solutions")
_RECENT_NS = 2 * 10**9


class _NotStorableError(Exception):
    """A link or an unreadable folder: what the problem consists of is not known from its own folders."""


def load_problem(root: Path, problem_id: str, folder: Path) -> Problem:
    """Read a problem as `judge.problems.native.load_problem` does, or take what an earlier read stored in a folder.

    Raises:
        UsageError: there is no such problem.
        DataError: its files are wrong.
    """
    root = Path(os.path.abspath(root))  # noqa: PTH100 - not resolve(): links stay as they are
    path, now = folder / f"{problem_id}.msgpack", time.time_ns()
    before = _fingerprint(root, problem_id, now)
    if before is not None:
        with suppress(OSError):
            checksum, _, body = read_cache(path).partition(b"\n")
            if checksum == _checksum(before, body):  # else it was stored for other files, or is damaged
                problem = restore(body, Problem)
                return replace(problem, cases=tuple(problem.cases))
    from judge.problems import native

    problem = native.load_problem(root, problem_id)
    if before is not None and before == _fingerprint(root, problem_id, now):
        with suppress(OSError, ValueError, OverflowError):  # a full disk, or a parameter above 2^64: it is read again
            body = dump(problem)
            write_cache(path, _checksum(before, body) + b"\n" + body, folder.parent)
    return problem


def _fingerprint(root: Path, problem_id: str, now: int) -> str | None:
    """Return a hash of all that a problem is read from; None if that is not known, or has just been changed."""
    if "/" in problem_id or problem_id.startswith("."):
        return None
    lines = [os.path.realpath(root), str(root), problem_id, f"{os.getuid()} {os.getgroups()}", _reader_stats()]
    try:
        for top in _TOP_FOLDERS:
            lines.append(_describe(f"{root}/{top}", os.lstat(root / top), now))
            lines += _describe_tree(f"{root}/{top}/{problem_id}", now)
    except (_NotStorableError, OSError):
        return None
    return hashlib.sha256("\0".join(lines).encode(errors="surrogateescape")).hexdigest()


def _describe_tree(path: str, now: int) -> Iterator[str]:
    """Yield a line for a file, or for a folder and everything below, sorted; for what does not exist, too."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        yield f"no {path}"
        return
    yield _describe(path, found, now)
    if S_ISDIR(found.st_mode):
        for name in sorted(os.listdir(path)):  # noqa: PTH208 - a Path for each file costs more
            yield from _describe_tree(f"{path}/{name}", now)


def _describe(path: str, found: os.stat_result, now: int) -> str:
    """Return a line that changes with a file, or with who may read a folder."""
    text = f"{path} {found.st_mode} {found.st_uid} {found.st_gid}"
    if S_ISDIR(found.st_mode):  # its entries have lines of their own
        return text
    if S_ISLNK(found.st_mode) or (
        S_ISREG(found.st_mode) and max(found.st_mtime_ns, found.st_ctime_ns) > now - _RECENT_NS
    ):
        raise _NotStorableError
    return f"{text} {found.st_ino} {found.st_dev} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"


@cache
def _reader_stats() -> str:
    """Return a text that changes with the code that reads problems: the judge, PyYAML, and Python's own parser."""
    from importlib.util import find_spec
    from sys import version

    found = find_spec("yaml")
    assert found is not None
    assert found.origin is not None
    parser = Path(found.origin).stat()
    code = "\n".join(describe_code(Path(__file__).parents[1] / name) for name in _READERS)
    return f"{version} {found.origin} {parser.st_size} {parser.st_mtime_ns} {code}"


def _checksum(fingerprint: str, body: bytes) -> bytes:
    return hashlib.sha256(fingerprint.encode() + body).hexdigest().encode()
