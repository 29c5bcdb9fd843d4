"""Runs of programs that read a file and write another one, in place of standard input and output (Polygon).

The files are in a folder of their own, which is the current folder of the run, and removed after it.
"""

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from judge.data import Data, write_data
from judge.files import open_regular
from judge.model import Ending, FileNames, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.work_folder import remove
from judge.units import MIB, Bytes


def run_with_files(command: Command, names: FileNames, limits: Limits, box: Box) -> Outcome:
    """Run a program whose input is in a file; what it writes to its output file is its standard output then.

    An output file that does not exist, or is not a regular file, counts as empty: the checker says what is missing.

    Args:
        command: has the input as standard input.
        names: of the files; standard input or output is used where there is none.
        limits: that of the output is also that of the file.
        box: of the worker.

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
            size = _write(folder / names.input, command.stdin) if names.input else 0
            return replace(
                command,
                stdin=b"" if names.input else command.stdin,
                writable=folder,
                cwd=None,
                disk=size + int(limits.output) + MIB,
                repeat=prepare,
            )

        outcome = box.run(prepare(), limits)
        return _with_output(outcome, folder, names.output, limits) if names.output else outcome


def _write(path: Path, data: Data) -> int:
    with path.open("xb") as file:
        write_data(data, file)
    path.chmod(0o644)
    return path.stat().st_size


def _with_output(outcome: Outcome, folder: Path, name: str, limits: Limits) -> Outcome:
    """Return the outcome with the content of a file as its standard output."""
    content = _read(folder, name, int(limits.output) + 1)
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
