"""A precompiled `bits/stdc++.h`: parsing that header is most of what compiling a solution in C++ takes.

The first compilation that could use it notes that it is wanted. After the report, a process in the background makes it,
in the sandbox and with the lowest priority. It is kept in the user's cache for each compiler and its options, is safe
to delete at any time, and a folder that cannot be read or written only disables it.

What a compiler makes of a source is the same with it, byte for byte, as long as nothing comes before the include, and
the options are the same. GCC looks for `bits/stdc++.h.gch` in each folder of headers before the header itself, and
ignores one that was made by another compiler or with other options (GCC manual, "Using Precompiled Headers"); Clang
rejects it. Neither compares the headers with those of today, or not all of them, so that is done here. Messages are the
same, too, except that they leave out the source where they list from where a header was included. Then, and wherever
Clang finds an error, the source is compiled again without it.
"""

import errno
import fcntl
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec import json
from msgspec.structs import replace

from judge.base.errors import JudgeError, SandboxError
from judge.base.files import header_folder, write_atomically
from judge.base.units import GIB, MIB, Bytes, Seconds
from judge.languages.tools import tool_fingerprint
from judge.model import Ending, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.work_folder import remove

_MOST = 4  # headers of 120 MB (GCC 12) that are kept
_ROOM = Bytes(GIB)  # that stays free on the disk
_HEADER = "bits/stdc++.h"
_SOURCE, _DEPENDENCIES = "all.h", "all.d"
_HEADERS = "headers"  # the file with the headers that were read, as they were
_WANTED, _FAILED, _NEW, _LOCK = ".wanted", ".failed", ".making-", "lock"
# Making it takes 5 s of CPU time, and in the background as long as others leave it.
_LIMITS = Limits(cpu=Seconds(120.0), wall=Seconds(3600.0), memory=Bytes(2 * GIB), output=Bytes(MIB))

# Nothing but white space and comments before the include.
# Atomic groups: Python 3.11.2, that of Debian 12, matches some possessive quantifiers wrongly.
_BEGINS = rb"(?>(?:\s|//(?>[^\n]*)\n|/\*(?>(?:[^*]|\*(?!/))*)\*/)*)#[ \t]*include[ \t]*<bits/stdc\+\+\.h>"

# Options that concern all of a translation unit alike. With -g, programs name the precompiled header.
_USABLE = re.compile(r"-(?:std=|O|D|U|W(?!p,)|f|m|l|w$|s$|static$|pipe$|pedantic)\S*", re.ASCII)

# The shell ends at once, so that no one has to wait for the process.
_IN_BACKGROUND = '"$@" </dev/null >/dev/null 2>&1 &'
_START = "import sys; sys.path[:] = sys.argv[2:]; from judge.languages.precompiled import main; main(sys.argv[1])"


def can_use_header(text: bytes, flags: Sequence[str]) -> bool:
    """Return whether a source includes `bits/stdc++.h` before anything else, and is compiled with common flags."""
    return re.match(_BEGINS, text) is not None and all(map(_USABLE.fullmatch, flags))


def run_compiler(command: Command, argv: tuple[str, ...], box: Box, limits: Limits) -> Outcome:
    """Compile a source that `can_use_header`, with the header if it exists; otherwise note that it is wanted.

    `command` compiles without it; `argv` are the compiler and those of its options that decide how headers are parsed.
    """
    folder = header_folder()
    if folder is None or not family_of(argv[0]):
        return box.run(command, limits)
    header = PrecompiledHeader(folder, argv)
    if header.is_valid():
        faster = replace(command, argv=(*command.argv, *header.options), readable=(*command.readable, folder))
        outcome = box.run(faster, limits)
        if not header.hides_message(outcome):
            return outcome
        return box.run(command, limits)
    outcome = box.run(command, limits)
    if outcome.result.exit_code == 0:
        header.want()
    return outcome


def family_of(compiler: str) -> str:
    """Return `clang` or `gcc`, by the name of a compiler; "" for any other."""
    name = Path(compiler).resolve().name
    return "clang" if "clang" in name else "gcc" if "g++" in name else ""


class PrecompiledHeader:
    """The precompiled header of one compiler with some options. Its methods may be called from any thread.

    Args:
        folder: of all precompiled headers of the user.
        argv: the compiler and its options.

    Attributes:
        place: the folder with the header, or where it will be.
    """

    def __init__(self, folder: Path, argv: tuple[str, ...]) -> None:
        parts = (tool_fingerprint(argv[0]), *argv)
        self.place = folder / hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:32]
        self._argv = argv
        self._is_gcc = family_of(argv[0]) == "gcc"
        self._name = f"{_HEADER}.gch" if self._is_gcc else f"{_HEADER}.pch"

    @property
    def options(self) -> tuple[str, ...]:
        """The options with which the compiler uses it."""
        return ("-I", str(self.place)) if self._is_gcc else ("-include-pch", str(self.place / self._name))

    def hides_message(self, outcome: Outcome) -> bool:
        """Return whether a compilation with it failed, with messages that may differ from those without."""
        has_failed = outcome.result.ending is Ending.EXITED and outcome.result.exit_code != 0
        return has_failed and (not self._is_gcc or b"In file included from" in outcome.stderr)

    def is_valid(self) -> bool:
        """Return whether it exists, and the headers are as they were when it was made."""
        try:
            known = (self.place / _HEADERS).read_text().splitlines()
        except (OSError, ValueError):
            return False
        if known and known == _describe([line.split(" ", 2)[-1] for line in known]):
            with suppress(OSError):
                os.utime(self.place)
            return True
        shutil.rmtree(self.place, ignore_errors=True)
        return False

    def want(self) -> None:
        """Note that it is worth making, unless that has failed; `start_making` does it."""
        with suppress(OSError):
            if not self.place.with_suffix(_FAILED).exists():
                write_atomically(self.place.with_suffix(_WANTED), json.encode(self._argv))

    def make(self, work: Path) -> None:
        """Make it, in an empty folder beside it.

        Raises:
            JudgeError: it cannot be made.
            OSError: the disk is full, for example.
        """
        self._make_room()
        if shutil.disk_usage(work).free < _ROOM:
            raise OSError(errno.ENOSPC, "no room", str(work))
        new = work / "made"
        target = new / self._name
        target.parent.mkdir(parents=True)
        text = f"#include <{_HEADER}>\n"
        (new / _SOURCE).write_text(text)
        for folder in (work, new):
            folder.chmod(0o755)  # the sandbox may run the compiler as another user
        words = ("-x", "c++-header", "-MD", "-MF", _DEPENDENCIES, "-o", self._name)
        source = _SOURCE if self._is_gcc else "-"  # GCC refuses "-", and Clang a source that is gone later
        with Box(work_folder=work) as box:
            command = Command(
                argv=(*self._argv, *words, source),
                stdin=text.encode(),
                readable=(new,),
                writable=new,
                disk=Bytes(512 * MIB),
                may_fork=True,
            )
            result = box.run(command, _LIMITS).result
        if result.ending is not Ending.EXITED or result.exit_code != 0:
            raise JudgeError("the compiler failed")
        text = (new / _DEPENDENCIES).read_text().partition(":")[2].replace("\\\n", " ")
        headers = [path for path in re.findall(r"(?:[^\s\\]|\\.)+", text) if path != _SOURCE]
        (new / _HEADERS).write_text("\n".join(_describe(headers)))
        for path in (new, target.parent, target):  # they belong to that user
            os.chown(path, os.geteuid(), os.getegid())
            path.chmod(0o644 if path is target else 0o755)
        new.rename(self.place)

    def _make_room(self) -> None:
        """Remove the headers that were not used for the longest time."""
        places = [path for path in self.place.parent.glob("*/") if not path.name.startswith(_NEW)]
        by_age = sorted(places, key=lambda path: path.stat().st_mtime)
        for path in by_age[: max(0, len(by_age) - _MOST + 1)]:
            shutil.rmtree(path, ignore_errors=True)


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


# ---- in the background ----------------------------------------------------------------------------------------------


def start_making(folder: Path) -> None:
    """Start a process that makes the headers that are wanted in a folder, if there are any; does not wait for it.

    Not in CI (`$CI`), whose machines are gone before a second compilation.
    """
    try:
        if os.environ.get("CI") or not any(folder.glob(f"*{_WANTED}")):
            return
        path = [each for each in sys.path if each.startswith("/")]
        argv = ("sh", "-c", _IN_BACKGROUND, "sh", sys.executable, "-I", "-c", _START, str(folder), *path)
        os.waitpid(os.posix_spawn("/bin/sh", argv, os.environ), 0)
    except OSError:  # it is only faster
        return


def main(folder: str) -> None:
    """Make the headers that are wanted in a folder, unless another process does that already."""
    os.closerange(0, 1024)  # a shell may wait until all have closed what it gave the judge
    for _ in range(3):
        os.open(os.devnull, os.O_RDWR)
    with suppress(OSError):
        os.setsid()  # Ctrl-C and the end of the terminal are for the judge
    os.chdir("/")
    _lower_priority()
    make_wanted(Path(folder))


def _lower_priority() -> None:
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with suppress(OSError):  # otherwise, its session gets as much as the others: sched(7), "The autogroup feature"
        Path("/proc/self/autogroup").write_text("19")


def make_wanted(folder: Path) -> None:
    """Make the headers that are wanted in a folder, unless another process does that already.

    Raises:
        OSError: the folder cannot be written.
    """
    lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for path in sorted(folder.glob(f"*{_WANTED}")):
            for left in folder.glob(f"{_NEW}*"):  # by a process that was killed
                remove(str(left))
            work = Path(tempfile.mkdtemp(prefix=_NEW, dir=folder))
            try:
                header = PrecompiledHeader(folder, json.decode(path.read_bytes(), type=tuple[str, ...]))
                if not header.is_valid():
                    header.make(work)
                path.unlink()
            except (OSError, ValueError, SandboxError):  # no room; of another version; or no sandbox
                path.unlink()
            except JudgeError:
                path.replace(path.with_suffix(_FAILED))
            finally:
                remove(str(work))
    except BlockingIOError:
        return
    finally:
        os.close(lock)
