"""A precompiled `bits/stdc++.h`: with that header, parsing it is most of what compiling a solution in C++ takes.

GCC looks for `bits/stdc++.h.gch` in each folder of headers before the header itself, and ignores one that was made by
another compiler or with other options (GCC manual, "Using Precompiled Headers"). What it makes of a source is the same,
byte for byte. Two things it does not notice, so they are checked here: that a header was changed since, and that a
pragma before the include is lost. Only sources that begin with the include, without flags or folders of the user, are
compiled in this way. If that finds an error, they are compiled in the usual way, for the usual messages.

The file has more than 100 MB and takes as long as three compilations. So it is made, in the sandbox, when that many
were seen, and kept in the user's cache for each compiler and standard. Safe to delete at any time.
"""

import hashlib
import os
import re
import shutil
import threading
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from judge.errors import JudgeError
from judge.files import user_cache_folder
from judge.languages.build_cache import tool_fingerprint
from judge.model import Ending, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.units import MIB

_WORTH_IT = 3  # compilations
_RETRY = 50  # compilations after which it is tried again, if it could not be made
_MAX_FOLDERS = 3
_HEADER = "bits/stdc++.h"
_SOURCE, _RESULT, _DEPENDENCIES = "all.h", "all.h.gch", "all.d"
_HEADERS = "headers"  # the file with the headers that were read, as they were
_DISK = 512 * MIB

# Nothing but white space and comments before the include.
# Atomic groups: Python 3.11.2, that of Debian 12, matches some possessive quantifiers wrongly.
_BEGINS = re.compile(rb"(?>(?:\s|//(?>[^\n]*)\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)#[ \t]*include[ \t]*<bits/stdc\+\+\.h>")
_PATH = re.compile(r"(?:[^\s\\]|\\.)+")


def run_compiler(command: Command, words: tuple[str, ...], box: Box, limits: Limits, work_folder: Path) -> Outcome:
    """Compile a source that begins with the include, and make the precompiled header when it is worth it.

    Args:
        command: compiles without it.
        words: the compiler and those of its options that decide how headers are parsed.
        box: where the compiler runs.
        limits: of the compiler.
        work_folder: where the compiler may get a folder.
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
        """Make it; if that fails, everything goes on without it.

        Args:
            box: where the compiler runs.
            work_folder: where the compiler may get a folder.
            limits: of the compiler.
        """
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
        headers = [path for path in _PATH.findall(text) if path != _SOURCE]
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
        self._remove_old()

    def _remove_old(self) -> None:
        """Remove what was not used for the longest time, such as that of a compiler before its upgrade."""
        by_age = sorted(self._folder.parent.glob("*/"), key=lambda path: path.stat().st_mtime)
        for path in by_age[:-_MAX_FOLDERS]:
            shutil.rmtree(path, ignore_errors=True)


def begins_with_header(text: bytes) -> bool:
    """Return whether a source includes `bits/stdc++.h` before anything else."""
    return _BEGINS.match(text) is not None


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
