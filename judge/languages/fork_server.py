"""Builds the fork server into compiled programs: see `judge.sandbox.fork_server`."""

import mmap
from functools import cache
from pathlib import Path

from judge.model import Ending, Limits
from judge.sandbox.box import Box, Command
from judge.sandbox.kernel import IS_X86_64
from judge.sandbox.protocol import FORK_SERVER

# Flags of the user do not concern it, so it is compiled on its own.
_FLAGS = (
    *("-O2", "-std=gnu17", "-fPIE", "-ffreestanding", "-fno-builtin"),
    *("-fno-stack-protector", "-fcf-protection=none", "-fno-tree-loop-distribute-patterns"),
)


@cache
def source() -> str:
    """Return the source of the fork server in C."""
    return Path(__file__).with_suffix(".c").read_text()


def key() -> tuple[str, ...]:
    """Return everything that determines what is built into a program."""
    return (*_FLAGS, source()) if IS_X86_64 else ()


def compile_object(compiler: str, folder: Path, box: Box, limits: Limits) -> tuple[str, ...]:
    """Compile the fork server into a folder; return the options that link a program with it, or none if that fails.

    Raises:
        SandboxError: the compiler could not be run.
        OSError: a file cannot be written.
    """
    if not IS_X86_64:
        return ()
    folder.mkdir(exist_ok=True)
    (folder / "fork_server.c").write_text(source())
    words = ("-x", "c", "-c", str(folder / "fork_server.c"), "-o", str(folder / "fork_server.o"))
    command = Command(argv=(compiler, *_FLAGS, *words), readable=(folder,), writable=folder, may_fork=True)
    result = box.run(command, limits).result
    if result.ending is not Ending.EXITED or result.exit_code != 0:
        return ()
    return words[-1:]


def has_fork_server(program: Path) -> bool:
    """Return whether a compiled program contains the fork server.

    Raises:
        OSError: it cannot be read.
    """
    with program.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(f"{FORK_SERVER}=\0".encode()) >= 0
