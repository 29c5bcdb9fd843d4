"""Small programs that the tests run for real, and a few ways to run them."""

import os
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.base.errors import SandboxError
from judge.base.units import MIB, Bytes, Seconds
from judge.model import DEFAULT_LIMITS, Level, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.installations import base_python

PYTHON = base_python()


def limits(*, cpu: float = 5.0, wall: float = 20.0, memory: int = 256 * MIB, output: int = 8 * MIB) -> Limits:
    """Limits for a test; generous unless said otherwise, since the machine may be busy."""
    return replace(DEFAULT_LIMITS, cpu=Seconds(cpu), wall=Seconds(wall), memory=Bytes(memory), output=Bytes(output))


def run_python(
    box: Box, source: str, stdin: bytes | Path = b"", within: Limits | None = None, *, may_fork: bool = False
) -> Outcome:
    """Run some Python text in a box."""
    command = Command(argv=(PYTHON, "-I", "-S", "-c", source), stdin=stdin, may_fork=may_fork)
    return box.run(command, within or limits())


def box_at(level: Level) -> Box:
    """Return a box of a level; skips the test where this machine does not offer it."""
    box = Box(levels=[level])
    try:
        assert box.level is level
    except SandboxError as error:
        pytest.skip(f"level {level.value} does not work here: {error}")
    return box


def processes_with(mark: str) -> list[int]:
    """Return the pids of living processes whose command line has a mark."""
    found, wanted = [], mark.encode()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):  # noqa: PTH208 - hundreds of times as often as tests
        with suppress(OSError):  # it ended meanwhile
            if wanted in Path(f"/proc/{pid}/cmdline").read_bytes() and pid != os.getpid():
                found.append(pid)
    return found
