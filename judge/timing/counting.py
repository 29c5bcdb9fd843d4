"""Whether the work itself changed: exact counts of what a Python program does, by sys.monitoring (Python 3.12+).

A flag, not a size: what happens inside one call of C, such as a sort, counts as one, and an event says nothing of its
cost. But two runs of the same code on the same input count the same, whatever the machine does meanwhile.
"""

import json
import secrets
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from judge.errors import SandboxError
from judge.languages.interpreters import find_newer_interpreters
from judge.languages.table import Program
from judge.model import Ending, Limits
from judge.sandbox.box import Box, Command
from judge.sandbox.installations import base_python
from judge.timing.comparison import Work
from judge.timing.measure import TimedCase, seeded
from judge.units import Bytes, Seconds

OLDEST = (3, 12)  # the first Python that counts
_COUNTER = Path(__file__).with_name("counter.py")
_HASH_SEED = 1

# Counting takes time, 1.6 to 6 times what the program takes, and some memory of its own.
_SLOWDOWN = 20
_MEMORY = Bytes(64 << 20)

_PROBE = "import sys; print(*sys.version_info[:2], hasattr(sys, 'monitoring'))"


def work(old: Program, new: Program, trial: TimedCase, box: Box, python: str | None) -> Work:
    """Return whether the new program does more than the old one on the same input.

    What is not Python is not counted, and nothing is without an interpreter that can (see `counting_python`).

    Raises:
        SandboxError: a run could not be set up or observed.
    """
    if python is None:
        return Work.UNKNOWN
    before, after = (events(program, trial, box, python) for program in (old, new))
    if before is None or after is None:
        return Work.UNKNOWN
    more = sum(after.values()) - sum(before.values())
    return Work.MORE if more > 0 else Work.LESS if more < 0 else Work.SAME


def events(program: Program, trial: TimedCase, box: Box, python: str) -> Mapping[str, int] | None:
    """Return how often what happened in a program's own code; None when it cannot be counted.

    It cannot when the program is not Python, or does not end with status 0 within a multiple of its limits.
    """
    if program.language.id != "python3":
        return None
    mark = f"judge-counts-{secrets.token_hex(16)} "  # nobody writes this by accident
    command = Command(
        argv=(python, "-I", str(_COUNTER), mark, str(program.copy)),
        stdin=trial.input,
        readable=(program.copy.parent, _COUNTER),
    )
    cpu, wall = Seconds(trial.limits.cpu * _SLOWDOWN), Seconds(trial.limits.wall * _SLOWDOWN)
    limits = replace(trial.limits, cpu=cpu, wall=wall, memory=Bytes(trial.limits.memory + _MEMORY))
    result = box.run(seeded(command, _HASH_SEED), limits).result
    if result.ending is not Ending.EXITED or result.exit_code != 0:
        return None
    return _reported(result.stderr_tail, mark)


def _reported(stderr: bytes, mark: str) -> Mapping[str, int] | None:
    """Return the counts on the marked line; None where there is none: the program ended in a way of its own."""
    marked = [line for line in stderr.decode(errors="replace").splitlines() if line.startswith(mark)]
    if not marked:
        return None
    return {str(name): int(number) for name, number in json.loads(marked[-1].removeprefix(mark)).items()}


def counting_python(box: Box) -> str | None:
    """Return an interpreter that can count: the judge's own or the newest on this machine; None if there is none."""
    if sys.version_info >= OLDEST:
        return base_python()
    paths = (interpreter.path for interpreter in find_newer_interpreters(OLDEST))
    return next((path for path in paths if _can_count(path, box)), None)


def _can_count(python: str, box: Box) -> bool:
    """Return whether an interpreter starts in the box and can count."""
    limits = Limits(cpu=Seconds(10.0), wall=Seconds(21.0), memory=Bytes(1 << 30), output=Bytes(1 << 20))
    try:
        ran = box.run(Command(argv=(python, "-I", "-S", "-c", _PROBE)), limits)
    except SandboxError:
        return False
    return ran.result.exit_code == 0 and ran.stdout.split()[-1:] == [b"True"]
