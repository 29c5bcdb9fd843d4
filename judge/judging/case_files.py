"""The arguments and the files of a case besides its input (ICPC 2025-09, "Input"), and how a submission gets them."""

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from judge.data import Data, digest_files
from judge.errors import SandboxError
from judge.languages.build import Program
from judge.model import Case
from judge.sandbox.box import Command
from judge.sandbox.work_folder import remove
from judge.units import MIB

_MAX_FILES = 1000
_MAX_SIZE = 64 * MIB
_COPIED = re.compile(r"files-[0-9a-f]{24}|\.new-.*")  # the folders that `_copy_files` makes


def case_command(program: Program, case: Case, stdin: Data) -> Command:
    """Return the command that runs a program on a case; its current folder has the files of the case.

    Raises:
        SandboxError: there are too many files.
        OSError: a file cannot be read or copied.
    """
    command = program.command(stdin, case.limits, case.args)
    return command if case.files is None else add_files(command, program, read_files(case.files))


def add_files(command: Command, program: Program, contents: Mapping[str, bytes]) -> Command:
    """Return a command of a program in whose current folder these files are, too.

    The folder keeps what else is in it (2025-09, "Working directory"): the files of the submission, included files, and
    what the compiler made of them. Files of the case replace those of the same name.

    Raises:
        OSError: a file cannot be copied.
    """
    others = program.place if program.is_folder else None
    return replace(command, cwd=_copy_files(contents, program.copy.parent, others))


def describe_arguments(case: Case) -> str:
    """Return a text that changes with the arguments and the files of a case; "" without any.

    Raises:
        SandboxError: there are too many files.
        OSError: a file cannot be read.
    """
    if not case.args and case.files is None:
        return ""
    return repr((case.args, "" if case.files is None else digest_files(read_files(case.files))))


def read_files(folder: Path) -> dict[str, bytes]:
    """Return the contents of all regular files in a folder, by their paths within it; links are left out.

    Raises:
        SandboxError: there are too many.
        OSError: one cannot be read.
    """
    contents: dict[str, bytes] = {}
    size = 0
    for parent, _, names in os.walk(folder):
        for name in sorted(names):
            path = Path(parent, name)
            if path.is_symlink() or not path.is_file():
                continue
            size += path.stat().st_size
            if size > _MAX_SIZE or len(contents) == _MAX_FILES:
                raise SandboxError(f"{folder}: more than {_MAX_FILES} files or {_MAX_SIZE // MIB} MiB for one case")
            contents[str(path.relative_to(folder))] = path.read_bytes()
    return contents


def _copy_files(contents: Mapping[str, bytes], place: Path, others: Path | None) -> Path:
    """Return a folder in `place` with these files and others, which runs can read; it is written once."""
    target = place / f"files-{digest_files(contents)[:24]}"
    if target.exists():
        return target
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=place))
    for name, content in contents.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(0o644)
    if others is not None:
        _link_files(others, new)
    for parent, _, _ in os.walk(new):
        Path(parent).chmod(0o755)  # the sandbox may run programs as another user
    with suppress(OSError):  # another worker was faster
        new.rename(target)
    if new.exists():
        remove(str(new))
    return target


def _link_files(source: Path, target: Path) -> None:
    """Link the files of a folder in another one, or copy them; those that exist there are left alone."""
    for parent, folders, names in os.walk(source):
        folders[:] = [name for name in folders if not _COPIED.fullmatch(name)]
        for name in names:
            path = Path(parent, name)
            link = target / path.relative_to(source)
            with suppress(FileExistsError, NotADirectoryError):  # the case has a file of that name
                link.parent.mkdir(parents=True, exist_ok=True)
                try:
                    os.link(path, link, follow_symlinks=False)
                except FileExistsError:
                    continue
                except OSError:  # the file system has no links, or the file has too many
                    shutil.copy2(path, link, follow_symlinks=False)
