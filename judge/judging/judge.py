"""Judging: one run's facts and a checker's word become one verdict, in one total function.

Precedence, first match wins:
1. a limit that the supervisor ended the run for: TLE (CPU or wall), MLE, OLE;
2. a limit that the facts show broken afterwards: MLE, then TLE;
3. a signal or a non-zero exit status: RTE;
4. the checker: AC, PE or WA (JE when the checker itself failed).
A run that could not be set up or observed has no facts: it is JE before this function is asked.
"""

import hashlib
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import assert_never

from judge.data import digest, read_data, read_small_file
from judge.errors import SandboxError, describe_error
from judge.judging.checkers import check
from judge.judging.diff import excerpt, line_count
from judge.languages.table import Program
from judge.model import Case, CaseResult, CheckResult, Ending, Excerpt, Limits, Mismatch, RunResult, Verdict
from judge.sandbox.box import Box
from judge.units import format_bytes, format_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One run to be judged: a program on a case whose data is ready."""

    program: Program
    case: Case
    input: bytes | Path
    answer: bytes | Path


_HELD = 1 << 20  # bytes
_ENDED_ITSELF = (Ending.EXITED, Ending.SIGNALED)


def judge(job: Job, box: Box) -> CaseResult:
    """Run a program on a case and conclude. Every failure of ours is JE, with its reason."""
    return judge_with_output(job, box)[0]


def judge_with_output(job: Job, box: Box) -> tuple[CaseResult, bytes]:
    """Do what `judge` does; also return what the program wrote, b"" after a failure of ours."""
    try:
        given, expected = _Snapshot.of(job.input), _Snapshot.of(job.answer)
        outcome = box.run(job.program.command(given.data, job.case.limits), job.case.limits)
        run = replace(outcome.result, stderr_tail=job.program.restore_source_path(outcome.result.stderr_tail))
        answer = read_data(expected.data)
        data = data_digest(given.digest, expected.digest) if given.is_unchanged() and expected.is_unchanged() else ""
    except (SandboxError, OSError) as error:
        return CaseResult(case=job.case, verdict=Verdict.JE, reason=describe_error(error)), b""
    concluded = conclude(run, job.case.limits, lambda: check(job.case.checker, answer, outcome.stdout))
    if concluded.verdict is Verdict.AC:
        written = output_digest(outcome.stdout)
        accepted = CaseResult(case=job.case, verdict=Verdict.AC, run=run, output_digest=written, data_digest=data)
        return accepted, outcome.stdout
    mismatch = concluded.mismatch
    failed = CaseResult(
        case=job.case,
        verdict=concluded.verdict,
        reason=concluded.reason,
        run=run,
        mismatch=mismatch,
        excerpt=_excerpt(given.data, answer, mismatch),
        output_digest=output_digest(outcome.stdout) if run.ending in _ENDED_ITSELF else "",
        data_digest=data,
    )
    return failed, outcome.stdout


def conclude(run: RunResult, limits: Limits, checker: Callable[[], CheckResult]) -> CheckResult:
    """Decide the verdict of a run; the checker is asked only when nothing else decides."""
    return _ended_by_limit(run, limits) or _over_limit(run, limits) or _crashed(run) or checker()


def output_digest(output: bytes) -> str:
    """Return a short hash of an output, in hex: enough to tell whether two runs wrote the same."""
    return hashlib.blake2b(output, digest_size=12).hexdigest()


def data_digest(given: str, answer: str) -> str:
    """Return a short hash of the SHA-256 of an input and of its answer, in hex: is a case still the same?"""
    return hashlib.blake2b(f"{given} {answer}".encode(), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Data with their SHA-256. What is small is held, so that what is hashed is what is judged."""

    data: bytes | Path
    digest: str

    @classmethod
    def of(cls, data: bytes | Path) -> "_Snapshot":
        """Take data.

        Raises:
            OSError: the file cannot be read.
        """
        if isinstance(data, Path):
            held = read_small_file(data, _HELD)
            data = data if held is None else held
        return cls(data, digest(data))

    def is_unchanged(self) -> bool:
        """Whether a file that was too large to be held is still what it was."""
        try:
            return isinstance(self.data, bytes) or digest(self.data) == self.digest
        except OSError:
            return False


def _ended_by_limit(run: RunResult, limits: Limits) -> CheckResult | None:
    match run.ending:
        case Ending.EXITED | Ending.SIGNALED:
            return None
        case Ending.TIME_LIMIT:
            return _verdict(Verdict.TLE, f"needed more than {format_seconds(limits.cpu)} of CPU time")
        case Ending.WALL_LIMIT:
            idle = f"still there after {format_seconds(limits.wall)}, with {format_seconds(run.cpu)} of CPU time"
            return _verdict(Verdict.TLE, idle)
        case Ending.MEMORY_LIMIT:
            return _verdict(Verdict.MLE, f"needed more than {format_bytes(limits.memory)} of memory")
        case Ending.OUTPUT_LIMIT:
            return _verdict(Verdict.OLE, f"wrote more than {format_bytes(limits.output)}")
        case _:
            assert_never(run.ending)


def _over_limit(run: RunResult, limits: Limits) -> CheckResult | None:
    if run.memory > limits.memory:
        used, allowed = format_bytes(run.memory), format_bytes(limits.memory)
        return _verdict(Verdict.MLE, f"needed {used} of memory, {allowed} are allowed")
    if run.cpu > limits.cpu:
        used, allowed = format_seconds(run.cpu), format_seconds(limits.cpu)
        return _verdict(Verdict.TLE, f"needed {used} of CPU time, {allowed} are allowed")
    return None


def _crashed(run: RunResult) -> CheckResult | None:
    if run.signal is not None:
        return _verdict(Verdict.RTE, f"ended by signal {run.signal} ({signal_name(run.signal)})")
    if run.exit_code != 0:
        return _verdict(Verdict.RTE, _exit_reason(run))
    return None


def signal_name(number: int) -> str:
    """Return a signal's name, such as SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _verdict(verdict: Verdict, reason: str) -> CheckResult:
    return CheckResult(verdict=verdict, reason=reason)


def _exit_reason(run: RunResult) -> str:
    """Return the exit status with the last line on standard error, where an exception's name stands."""
    lines = run.stderr_tail.decode(errors="replace").strip().splitlines()
    return f"exit status {run.exit_code}" + (f": {lines[-1][:200]}" if lines else "")


def _excerpt(source: bytes | Path, answer: bytes, mismatch: Mismatch | None) -> Excerpt | None:
    """Return the part of the input that goes with a failure; None when the file is gone since: the verdict is true."""
    try:
        data = read_data(source)
    except OSError:
        return None
    related = mismatch.expected_line if mismatch else None
    return excerpt(data, related_line=related, answer_lines=line_count(answer))
