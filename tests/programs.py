"""Small programs that the tests run for real, and a few ways to run them."""

import os
from dataclasses import replace
from pathlib import Path

from judge.interpreter import base_python
from judge.model import DEFAULT_LIMITS, Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.units import MIB, Bytes, Seconds

PYTHON = base_python()


def limits(*, cpu: float = 5.0, wall: float = 20.0, memory: int = 256 * MIB, output: int = 8 * MIB) -> Limits:
    """Limits for a test; generous unless said otherwise, since the machine may be busy."""
    return replace(DEFAULT_LIMITS, cpu=Seconds(cpu), wall=Seconds(wall), memory=Bytes(memory), output=Bytes(output))


def run_python(box: Box, source: str, stdin: bytes | Path = b"", within: Limits | None = None) -> Outcome:
    """Run some Python text in a box."""
    return box.run(Command(argv=(PYTHON, "-I", "-c", source), stdin=stdin), within or limits())


def processes_with(mark: str) -> list[int]:
    """Return the pids of living processes whose command line has a mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if mark.encode() in (entry / "cmdline").read_bytes() and int(entry.name) != os.getpid():
                    found.append(int(entry.name))
            except OSError:  # it ended meanwhile
                continue
    return found
