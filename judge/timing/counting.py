"""Does a Python program do more work than before? Exact counts of its events, by sys.monitoring (Python 3.12+).

The counts answer yes or no and are not a measure: a call of C code such as a sort counts as one, and events differ in
cost. But two runs of the same code on the same input have the same counts, however busy the machine is.
"""

import json
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from judge.errors import SandboxError
from judge.judging.judge import run_submission
from judge.languages.build import Program
from judge.languages.interpreters import PROBE_LIMITS, find_newer_interpreters
from judge.model import Ending, Limits
from judge.sandbox.box import Box, Command
from judge.sandbox.installations import base_python
from judge.timing.comparison import Work
from judge.timing.measure import TimedCase, with_hash_seed
from judge.units import Bytes, Seconds

OLDEST = (3, 12)  # the first Python with sys.monitoring
_COUNTER = Path(__file__).with_name("counter.py")
_HASH_SEED = 1

# Counting makes a program 1.6 to 6 times slower and takes some memory.
_MAX_SLOWDOWN = 20
_EXTRA_MEMORY = Bytes(64 << 20)

_PROBE = "import sys; print(*sys.version_info[:2], hasattr(sys, 'monitoring'))"


def compare_work(old: Program, new: Program, case: TimedCase, box: Box, python: str | None) -> Work:
    """Return whether the new program does more work than the old one on the same input.

    Args:
        old: the program to compare with.
        new: the program that may do more.
        case: the input and the limits.
        box: runs the programs.
        python: an interpreter that can count (see `counting_python`), or None.

    Raises:
        SandboxError: a run could not be set up or observed.
    """
    if python is None:
        return Work.UNKNOWN
    before, after = (count_events(program, case, box, python) for program in (old, new))
    if before is None or after is None:
        return Work.UNKNOWN
    more = sum(after.values()) - sum(before.values())
    return Work.MORE if more > 0 else Work.LESS if more < 0 else Work.SAME


def count_events(program: Program, case: TimedCase, box: Box, python: str) -> Mapping[str, int] | None:
    """Return the number of events of each kind in a program's own code.

    None if the program is not one Python file, or does not exit with status 0 within a multiple of its limits.
    """
    if program.language.id != "python3" or program.is_folder:
        return None
    marker = f"judge-counts-{secrets.token_hex(16)} "  # a program cannot guess it
    command = Command(
        argv=(python, "-I", str(_COUNTER), marker, str(program.copy)),
        stdin=case.input,
        readable=(program.place, _COUNTER),
    )
    command = with_hash_seed(command, _HASH_SEED)
    result = run_submission(command, case.file_names, _widen(case.limits), box).result
    if result.ending is not Ending.EXITED or result.exit_code != 0:
        return None
    return _parse_counts(result.stderr_tail, marker)


def _widen(limits: Limits) -> Limits:
    return replace(
        limits,
        cpu=Seconds(limits.cpu * _MAX_SLOWDOWN),
        wall=Seconds(limits.wall * _MAX_SLOWDOWN),
        memory=Bytes(limits.memory + _EXTRA_MEMORY),
    )


def _parse_counts(stderr: bytes, marker: str) -> Mapping[str, int] | None:
    """Return the counts on the marked line; None if there is none, as after `os._exit`."""
    marked = [line for line in stderr.decode(errors="replace").splitlines() if line.startswith(marker)]
    if not marked:
        return None
    return {str(name): int(number) for name, number in json.loads(marked[-1].removeprefix(marker)).items()}


def counting_python(box: Box) -> str | None:
    """Return an interpreter that can count: the judge's own or the newest on this machine; None if there is none."""
    if sys.version_info >= OLDEST:
        return base_python()
    paths = (interpreter.path for interpreter in find_newer_interpreters(OLDEST))
    return next((path for path in paths if _can_count(path, box)), None)


def _can_count(python: str, box: Box) -> bool:
    """Return whether an interpreter starts in the box and can count."""
    try:
        ran = box.run(Command(argv=(python, "-I", "-S", "-c", _PROBE)), PROBE_LIMITS)
    except SandboxError:
        return False
    return ran.result.exit_code == 0 and ran.stdout.split()[-1:] == [b"True"]
