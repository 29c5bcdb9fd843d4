"""What compilers made in earlier runs: programs, keyed by source, command and compiler, and a precompiled header.

All of it is safe to delete at any time. A folder that cannot be read or written only disables the cache.

With `bits/stdc++.h`, parsing that header is most of what compiling a solution in C++ takes. GCC looks for
`bits/stdc++.h.gch` in each folder of headers before the header itself, and ignores one that was made by another
compiler or with other options (GCC manual, "Using Precompiled Headers"). What it makes of a source is the same, byte
for byte. Two things it does not notice, so they are checked here: that a header was changed since, and that a pragma
before the include is lost. Only sources that begin with the include, without flags or folders of the user, are compiled
in this way. If that finds an error, they are compiled in the usual way, for the usual messages.

The file has more than 100 MB and takes as long as three compilations. So it is made, in the sandbox, when that many
were seen, and kept in the user's cache for each compiler and standard.
"""

import errno
import hashlib
import os
import re
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from msgspec.structs import replace

from judge.base.errors import JudgeError
from judge.base.files import user_cache_folder
from judge.base.units import MIB
from judge.languages.tools import tool_fingerprint
from judge.model import Ending, Limits
from judge.sandbox.box import Box, Command, Outcome

_MAX_PROGRAMS = 500  # the least recently used are removed first
_MAX_SIZE = 64 * MIB  # of one program; larger ones are compiled again
_MAX_FILES = 1000  # likewise
# Nothing else is removed: the folder may be a link that came with a repository.
_ENTRY = re.compile(r"[0-9a-f]{64}|\.(new|old)-.*")


class BuildCache:
    """Compiled programs in a folder; without a folder, nothing is stored."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def key(self, parts: Iterable[str | bytes], tools: Iterable[str]) -> str:
        """Return the key of a program: a hash of everything that determines the compiler's output."""
        digest = hashlib.sha256()
        for part in (*parts, *map(tool_fingerprint, tools)):
            data = part if isinstance(part, bytes) else part.encode(errors="surrogateescape")
            digest.update(b"%d:" % len(data) + data)
        return digest.hexdigest()

    def restore(self, key: str, target: Path) -> bool:
        """Copy a program's files into a folder; return False if it is not in the cache."""
        if self._folder is None:
            return False
        entry = self._folder / key
        try:
            paths = sorted(_walk(entry))
            if not all(path.stat().st_size for path in paths):  # truncated by a power failure
                return False
            for path in paths:
                _restore_file(path, target, path.relative_to(entry))
            os.utime(entry)
        except OSError:
            return False
        return True

    def store(self, key: str, folder: Path, sources: Mapping[str, bytes]) -> None:
        """Store all files of a folder except its sources, unless they have changed.

        Does nothing if they are large or not all regular files.
        """
        if self._folder is None:
            return
        new = self._folder / f".new-{os.getpid()}-{threading.get_ident()}"
        try:
            if self._folder.is_symlink():  # it may have come with a repository
                return
            paths = []
            for path in _walk(folder):
                content = sources.get(path.relative_to(folder).as_posix())  # scripts may change sources
                if content is None or path.stat().st_size != len(content) or path.read_bytes() != content:
                    paths.append(path)
            if sum(path.stat().st_size for path in paths) > _MAX_SIZE or len(paths) > _MAX_FILES:
                return
            new.mkdir(parents=True)
            for path in paths:
                copy = new / path.relative_to(folder)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)
            new.rename(self._folder / key)
            self._prune(self._folder)
        except OSError:  # disk full, no permission, or another judge has stored the same program
            shutil.rmtree(new, ignore_errors=True)

    def _prune(self, folder: Path) -> None:
        entries = [path for path in folder.iterdir() if _ENTRY.fullmatch(path.name)]
        if len(entries) > _MAX_PROGRAMS:
            by_age = sorted(entries, key=lambda path: path.stat().st_mtime)
            for path in by_age[: len(entries) - _MAX_PROGRAMS * 4 // 5]:
                # rename first: a judge that is killed here leaves no incomplete program under its key
                shutil.rmtree(path.rename(folder / f".old-{os.getpid()}-{path.name}"), ignore_errors=True)


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders.

    Raises:
        OSError: a folder cannot be read, or something is neither a folder nor a regular file.
    """
    for path in folder.iterdir():
        mode = path.lstat().st_mode
        if S_ISDIR(mode):
            yield from _walk(path)
        elif S_ISREG(mode):
            yield path
        else:
            raise OSError(errno.EINVAL, "not a regular file", str(path))


def _restore_file(path: Path, target: Path, name: Path) -> None:
    """Copy a file into a folder, where a compiler may have left links.

    Raises:
        OSError: it cannot be written, or one of its folders is a link.
    """
    copy = target / name
    for parent in reversed(name.parents[:-1]):
        folder = target / parent
        if folder.is_symlink():
            raise OSError(errno.ELOOP, "is a link", str(folder))
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the sandbox may run programs as another user, whatever the umask
    copy.unlink(missing_ok=True)
    shutil.copy(path, copy)


# ---- a precompiled `bits/stdc++.h` ----------------------------------------------------------------------------------


_WORTH_IT = 3  # compilations
_RETRY = 50  # compilations after which it is tried again, if it could not be made
_MAX_FOLDERS = 3
_HEADER = "bits/stdc++.h"
_SOURCE, _RESULT, _DEPENDENCIES = "all.h", "all.h.gch", "all.d"
_HEADERS = "headers"  # the file with the headers that were read, as they were
_DISK = 512 * MIB

# Nothing but white space and comments before the include.
# Atomic groups: Python 3.11.2, that of Debian 12, matches some possessive quantifiers wrongly.
_BEGINS = rb"(?>(?:\s|//(?>[^\n]*)\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)#[ \t]*include[ \t]*<bits/stdc\+\+\.h>"


def run_compiler(command: Command, words: tuple[str, ...], box: Box, limits: Limits, work_folder: Path) -> Outcome:
    """Compile a source that begins with the include, and make the precompiled header when it is worth it.

    `command` compiles without it; `words` are the compiler and those of its options that decide how headers are parsed.
    """
    folder = user_folder()
    if folder is None or not is_gcc(words[0]):
        return box.run(command, limits)
    headers = PrecompiledHeaders(folder, words)
    place = headers.find()
    if place is not None:
        faster = replace(command, argv=(*command.argv, "-I", str(place)), readable=(*command.readable, place))
        outcome = box.run(faster, limits)
        if outcome.result.ending is not Ending.EXITED or outcome.result.exit_code == 0:
            return outcome
    outcome = box.run(command, limits)
    if place is None and outcome.result.exit_code == 0 and headers.is_worth_it():
        headers.make(box, work_folder, limits)
    return outcome


class PrecompiledHeaders:
    """The precompiled headers of one compiler with some options. Its methods may be called from any thread.

    Args:
        folder: of all precompiled headers of the user.
        argv: the compiler and its options.
    """

    def __init__(self, folder: Path, argv: tuple[str, ...]) -> None:
        parts = (tool_fingerprint(argv[0]), *argv)
        self._argv = argv
        self._folder = folder / hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:32]
        self._counter = self._folder.with_suffix(".wanted")

    def find(self) -> Path | None:
        """Return the folder to search for headers first; None if it does not exist or a header has changed."""
        try:
            known = (self._folder / _HEADERS).read_text().splitlines()
        except (OSError, ValueError):
            return None
        if known and known == _describe([line.split(" ", 2)[-1] for line in known]):
            with suppress(OSError):
                os.utime(self._folder)
            return self._folder
        shutil.rmtree(self._folder, ignore_errors=True)
        self._counter.unlink(missing_ok=True)
        return None

    def is_worth_it(self) -> bool:
        """Count a compilation that would have used it; return whether it is time to make it, or to try again."""
        try:
            self._counter.parent.mkdir(parents=True, exist_ok=True)
            with self._counter.open("ab") as file:
                file.write(b".")
                return file.tell() % _RETRY == _WORTH_IT
        except OSError:
            return False

    def make(self, box: Box, work_folder: Path, limits: Limits) -> None:
        """Make it in a subfolder of `work_folder`; if that fails, everything goes on without it."""
        place = work_folder / f"headers-{self._folder.name}-{threading.get_ident()}"
        try:
            self._make(box, place, limits)
        except (JudgeError, OSError):  # a full disk, for example: it is only faster
            return
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _make(self, box: Box, place: Path, limits: Limits) -> None:
        place.mkdir()
        place.chmod(0o755)
        (place / _SOURCE).write_text(f"#include <{_HEADER}>\n")
        (place / _SOURCE).chmod(0o644)
        words = ("-x", "c++-header", "-MD", "-MF", _DEPENDENCIES, "-o", _RESULT, _SOURCE)
        command = Command(argv=(*self._argv, *words), readable=(place,), writable=place, disk=_DISK, may_fork=True)
        result = box.run(command, limits).result
        if result.ending is not Ending.EXITED or result.exit_code != 0:
            return
        text = (place / _DEPENDENCIES).read_text().partition(":")[2].replace("\\\n", " ")
        headers = [path for path in re.findall(r"(?:[^\s\\]|\\.)+", text) if path != _SOURCE]
        new = self._folder.with_suffix(f".new-{os.getpid()}-{threading.get_ident()}")
        try:
            self._store(place, headers, new)
        except OSError:
            shutil.rmtree(new, ignore_errors=True)
            raise

    def _store(self, place: Path, headers: list[str], new: Path) -> None:
        target = new / f"{_HEADER}.gch"
        target.parent.mkdir(parents=True)
        for folder in (new, target.parent):
            folder.chmod(0o755)  # the sandbox may run the compiler as another user
        shutil.copyfile(place / _RESULT, target)
        target.chmod(0o644)
        (new / _HEADERS).write_text("\n".join(_describe(headers)))
        new.rename(self._folder)
        # what was not used for the longest time goes, such as that of a compiler before its upgrade
        by_age = sorted(self._folder.parent.glob("*/"), key=lambda path: path.stat().st_mtime)
        for path in by_age[:-_MAX_FOLDERS]:
            shutil.rmtree(path, ignore_errors=True)


def begins_with_header(text: bytes) -> bool:
    """Return whether a source includes `bits/stdc++.h` before anything else."""
    return re.match(_BEGINS, text) is not None


def user_folder() -> Path | None:
    """Return where the user's precompiled headers are; None without a home."""
    try:
        return user_cache_folder() / "headers"
    except RuntimeError:
        return None


def is_gcc(compiler: str) -> bool:
    """Return whether a compiler is GCC's, by its name; others use precompiled headers differently."""
    name = Path(compiler).resolve().name
    return "g++" in name and "clang" not in name


def _describe(headers: list[str]) -> list[str]:
    """Return a line for each header that changes with its content; an empty one for a file that is gone."""
    lines = []
    for path in headers:
        line = ""
        with suppress(OSError):
            status = os.stat(path)  # noqa: PTH116 - hundreds of files
            line = f"{status.st_size} {status.st_mtime_ns} {path}"
        lines.append(line)
    return lines
