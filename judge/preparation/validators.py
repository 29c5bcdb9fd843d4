"""Runs one validator on one file, and concludes what it says of it."""

import re
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import shorten
from judge.base.units import GIB, Bytes, Seconds
from judge.judging.case_files import add_files
from judge.judging.program_files import ProgramFiles
from judge.judging.programs import ReadyProgram
from judge.model import Ending, Limits, RunResult
from judge.model.programs import Protocol
from judge.sandbox.box import Box, Outcome
from judge.sandbox.warm_starts import run_program

VALIDATOR_LIMITS = Limits(cpu=Seconds(20.0), wall=Seconds(60.0), memory=Bytes(2 * GIB), output=Bytes(GIB))

# Exit statuses for a valid and an invalid file: ICPC package format, "Input Validators"; testlib.h (_ok, _fail).
STATUSES = {Protocol.ICPC: (42, 43), Protocol.TESTLIB: (0, 3)}

# How a crash of Python or Java looks like on standard error; the exit status is 1, as after `sys.exit("line 3: ...")`.
_CRASH = re.compile(
    rb'^(Traceback \(most recent call last\):|  File "|Exception in thread |\s+at [\w.$]+\()', re.MULTILINE
)


class Status(StrEnum):
    """What came out of running a validator."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    FAILED = "failed"  # it was stopped at a limit or by a signal, or the machine failed
    UNUSABLE = "unusable"  # it does not compile, its compiler is missing, or it fails too slowly


class Answered(Struct, frozen=True, kw_only=True):
    """What a validator says.

    Attributes:
        message: on one line.
        failure: how it failed, such as `times out`.
        has_score: an output validator wrote score.txt.
    """

    status: Status
    message: str = ""
    failure: str = ""
    has_score: bool = False

    @property
    def detail(self) -> str:
        """How it failed, in parentheses."""
        return f" ({self.message})" if self.message else ""


def run_validator(
    ready: ReadyProgram,
    data: Data,
    args: tuple[str, ...],
    box: Box,
    *,
    is_strict: bool = False,
    files: Mapping[str, bytes] | None = None,
    given: Data | None = None,
) -> Answered:
    """Run a validator with a file on standard input.

    For `is_strict`, see `_conclude`. `files` are in its current folder. A validator of answers gets the path of the
    input, `given`, as its first argument.
    """
    if given is None:
        command = ready.program.command(data, ready.limits, args)
        if files is not None:
            command = add_files(command, ready.program, files)
    else:
        box = box.partner
        folder = ProgramFiles(box.work_folder)
        command = ready.program.command(data, ready.limits, (str(folder.write("input", given)), *args))
        command = replace(command, readable=(*command.readable, *folder.readable))
    return run_program(
        box,
        command,
        ready.limits,
        lambda ran: _conclude(ran, ready, is_strict=is_strict),
        is_plain=lambda answered: answered.status in (Status.ACCEPTED, Status.REJECTED),
    )


def _conclude(ran: Outcome, ready: ReadyProgram, *, is_strict: bool) -> Answered:
    """Return what a validator says by its exit status.

    Any other status than that for a valid file rejects it. `is_strict`: unless it is 0, or without a reason, or after a
    traceback: then the validator itself is wrong.
    """
    result = ran.result
    code = result.exit_code if result.ending is Ending.EXITED else None
    accepted, rejected = STATUSES[ready.protocol]
    if read_status(result, ready.protocol) is Status.ACCEPTED:
        return Answered(status=Status.ACCEPTED)
    text = ready.program.restore_source_path(result.stderr_tail or ran.stdout[-1000:])
    message = one_line(text)
    is_crash = _CRASH.search(text) or (code not in (0, rejected) and not message)
    if code is None or (is_strict and code != 0 and is_crash):
        failure = "times out" if result.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT) else "crashes"
        reason = describe_failure(result, text, ready.limits)
        return Answered(status=Status.FAILED, failure=failure, message=reason)
    if code == 0 and is_strict:
        return Answered(status=Status.FAILED, failure="exits with status 0")
    if code == 0:  # a frequent mistake
        message = f"exit status 0, expected {accepted} or {rejected}" + (f": {message}" if message else "")
    return Answered(status=Status.REJECTED, message=message or f"exit status {code} without a message")


def read_status(result: RunResult, protocol: Protocol) -> Status:
    """Return what a validator says: any exit status but that for a valid file rejects it; all else is a failure."""
    if result.ending is not Ending.EXITED:
        return Status.FAILED
    return Status.ACCEPTED if result.exit_code == STATUSES[protocol][0] else Status.REJECTED


def describe_failure(result: RunResult, text: bytes, limits: Limits) -> str:
    """Return how a run ended, with a line of what the program wrote."""
    ending = result.describe_stop(limits) or f"exit status {result.exit_code}"
    line = one_line(text)
    return f"{ending}: {line}" if line else ending


def one_line(text: bytes) -> str:
    """Return the last line of a message, which has the reason of a traceback; the first one if that only points up."""
    lines = text.decode(errors="replace").strip().splitlines() or [""]
    return shorten(lines[-1].strip() if lines[-1].strip(" ^~") else lines[0], 300)
