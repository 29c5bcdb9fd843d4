"""The files that a submission gets, besides standard input and output, and its arguments.

A case may have arguments and files besides its input (ICPC 2025-09, "Input"). A problem of Polygon may name files that
take the places of standard input and output. These are in a folder of their own, which is the current folder of the
run, and removed after it.
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from msgspec.structs import replace

from judge.base.data import digest_files, write_data
from judge.base.errors import SandboxError
from judge.base.files import open_regular
from judge.base.units import MIB, Bytes
from judge.languages.build import Program
from judge.languages.source import write_files
from judge.model import Case, Ending, FileNames, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.work_folder import remove

_MAX_FILES = 1000
_MAX_SIZE = 64 * MIB


def add_files(command: Command, program: Program, contents: Mapping[str, bytes]) -> Command:
    """Return a command of a program in whose current folder these files are, too.

    The folder has what else is there (2025-09, "Working directory"): the files of the submission, included files, and
    what the compiler made of them. Files of the case replace those of the same name.

    Raises:
        OSError: a file cannot be copied.
    """
    folder = program.place.with_name(f"{program.place.name}-{digest_files(contents)[:24]}")
    if not folder.exists():
        new = Path(tempfile.mkdtemp(prefix=".new-", dir=folder.parent))
        try:
            write_files(contents, new)
            if program.is_folder:
                _copy_others(program.place, new)
            with suppress(OSError):  # another worker was faster
                new.rename(folder)
        finally:
            remove(str(new))
    return replace(command, cwd=folder, readable=(*command.readable, folder))


def _copy_others(source: Path, target: Path) -> None:
    """Copy files and links to where the files of a case are, except those in whose place the case has something."""
    for parent, folders, names in os.walk(source):
        below = target / Path(parent).relative_to(source)
        if below.exists() and not below.is_dir():
            folders.clear()
            continue
        below.mkdir(exist_ok=True)
        below.chmod(0o755)  # the sandbox may run programs as another user
        for name in (*folders, *names):
            path = Path(parent, name)  # also a pipe that the compiler made
            if (path.is_symlink() or path.is_file()) and not os.path.lexists(below / name):
                shutil.copy2(path, below / name, follow_symlinks=False)


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


# ---- named files in place of standard input and output (Polygon) ----------------------------------------------------


def run_with_files(command: Command, names: FileNames, limits: Limits, box: Box) -> Outcome:
    """Run a program whose input is in a file; what it writes to its output file is its standard output then.

    An output file that does not exist, or is not a regular file, counts as empty: the checker says what is missing.

    The command has the input as standard input. Where a file has no name, standard input or output is used. The limit
    of the output is also that of the file.

    Raises:
        SandboxError: the run could not be set up or observed.
        OSError: a file cannot be written or read.
    """
    with ExitStack() as folders:
        folder = Path()

        def prepare() -> Command:
            """Return the command with a new folder, in which its input is."""
            nonlocal folder
            folder = Path(tempfile.mkdtemp(prefix="files-", dir=box.work_folder))
            folders.callback(remove, str(folder))
            folder.chmod(0o755)  # the sandbox may run programs as another user
            size = 0
            if names.input:
                with (folder / names.input).open("xb") as file:
                    write_data(command.stdin, file)
                    size = file.tell()
                (folder / names.input).chmod(0o644)
            return replace(
                command,
                stdin=b"" if names.input else command.stdin,
                writable=folder,
                cwd=None,
                disk=size + int(limits.output) + MIB,
                repeat=prepare,
            )

        outcome = box.run(prepare(), limits)
        if not names.output:
            return outcome
        content = _read(folder, names.output, int(limits.output) + 1)
        result = replace(outcome.result, output_bytes=Bytes(len(content)))
        if len(content) > limits.output:
            return replace(outcome, stdout=b"", result=replace(result, ending=Ending.OUTPUT_LIMIT))
        return replace(outcome, stdout=content, result=result)


def _read(folder: Path, name: str, limit: int) -> bytes:
    """Return the beginning of a regular file; b"" for anything else, such as a link or a pipe that a program made."""
    try:
        parent = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # the program has locked its folder
        return b""
    try:
        file = open_regular(name, folder=parent)
    except OSError:
        return b""
    finally:
        os.close(parent)
    with os.fdopen(file, "rb") as opened:
        return opened.read(limit)
