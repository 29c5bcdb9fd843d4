"""Judge a program on a case: run it, and conclude one verdict from the measurements and the checker.

The precedence of verdicts, highest first:
1. the supervisor killed the run at a limit: TLE (CPU or wall-clock), MLE, OLE;
2. the measurements exceed a limit: MLE, then TLE;
3. a signal or a non-zero exit status: RTE;
4. the checker: AC, PE or WA; NA if there is no answer.
A run that could not be set up or observed has no measurements: it is JE.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, data_digest, digest, is_huge, read_chunks, read_data, read_small_file
from judge.base.errors import SandboxError, describe_error
from judge.base.units import format_bytes, format_seconds, signal_name
from judge.judging.checkers import check, check_huge
from judge.judging.diff.chunks import line_count
from judge.languages.build import Program
from judge.model import (
    Case,
    CaseData,
    CaseResult,
    CheckerConfig,
    CheckResult,
    Ending,
    Excerpt,
    FileNames,
    Limits,
    Mismatch,
    RunResult,
    Verdict,
)
from judge.sandbox.box import Box, Command, Outcome

if TYPE_CHECKING:  # few problems have a program as their checker
    from judge.judging.programs import ReadyProgram


class Job(Struct, frozen=True, kw_only=True):
    """A program, and a case whose data is ready.

    Attributes:
        answer: None if there is none; then no output is AC, unless the checker is a program: that gets an empty answer.
        checker: the checker of the case, if that is a program.
        interactor: the interactor of the problem, if it has one.
        passes: how many times the program runs at most.
    """

    program: Program
    case: Case
    input: bytes | Path
    answer: bytes | Path | None
    checker: "ReadyProgram | None" = None
    interactor: "ReadyProgram | None" = None
    passes: int = 1


class JobDelegate(ABC):
    """A box that can have a whole job judged on another machine."""

    @abstractmethod
    def judge_remotely(self, job: Job) -> CaseResult | None:
        """Return the result of a job from another machine; None if it must be judged in this box.

        Raises:
            JudgeError: that place is gone, or the job was interrupted.
        """


_MAX_IN_MEMORY = 1 << 20  # bytes
_NOT_KILLED = (Ending.EXITED, Ending.SIGNALED)
_NO_ANSWER = CheckResult(verdict=Verdict.NA, reason="there is no answer to compare the output with")


def check_data(config: CheckerConfig, answer: Data, output: bytes) -> CheckResult:
    """Compare an output with an answer in memory or in a file of any size.

    Raises:
        OSError: the answer cannot be read.
    """
    if isinstance(answer, Path) and is_huge(answer):
        return check_huge(config, answer, output)
    return check(config, read_data(answer), output)


def check_output(
    config: CheckerConfig, checker: "ReadyProgram | None", box: Box, *, given: Data, answer: Data | None, output: bytes
) -> CheckResult:
    """Check an output with the checker of a case, whichever it is; NA if there is no answer to compare it with.

    If the checker of the config is a program, `checker` is that program, ready to run.

    Raises:
        SandboxError: the checker could not be run.
        OSError: a file cannot be read.
    """
    if config.program is None:
        return _NO_ANSWER if answer is None else check_data(config, answer, output)
    assert checker is not None
    from judge.judging.program_checker import run_all_checkers

    answer = b"" if answer is None else answer
    result = run_all_checkers(checker, config.args, box, given=given, answer=answer, output=output)
    if result.verdict in (Verdict.WA, Verdict.PE):  # what it writes seldom says where
        return replace(result, mismatch=_compare_texts(answer, output))
    return result


def _compare_texts(answer: Data, output: bytes) -> Mismatch | None:
    """Find the first difference for a program that has rejected the output, which no option makes more tolerant."""
    mismatch = check_data(CheckerConfig(), answer, output).mismatch
    if mismatch is None:
        return None
    from judge.judging.diff.mismatch import TOLERANCE_HINT

    return replace(mismatch, hints=tuple(each for each in mismatch.hints if each != TOLERANCE_HINT))


def judge_with_output(job: Job, box: Box, *, keeps_data: bool = False) -> tuple[CaseResult, bytes]:
    """Run a program on a case; return the verdict, and what the program wrote.

    If the judge fails, the verdict is JE with the reason, and the output is empty. The result has the complete data of
    the case if `keeps_data`.
    """
    try:
        if job.checker is not None:
            box.partner.prestart()  # beside the run
        given, expected = Snapshot.take(job.input), None if job.answer is None else Snapshot.take(job.answer)
        command = job_command(job, given.data)
        command = replace(command, keeps_stderr=True) if keeps_data else command
        outcome = run_submission(command, job.case.file_names, job.case.limits, box)
        outcome = restore_paths(job.program, outcome)
        run = outcome.result
        answer = None if expected is None else expected.data
        if answer is not None and not is_huge(answer):
            answer = read_data(answer)
        checked = conclude(
            run,
            job.case.limits,
            lambda: check_output(
                job.case.checker, job.checker, box, given=given.data, answer=answer, output=outcome.stdout
            ),
        )
        is_unchanged = given.is_unchanged() and (expected is None or expected.is_unchanged())
        data = data_digest(given.digest, expected.digest if expected else "") if is_unchanged else ""
    except (SandboxError, OSError) as error:
        return CaseResult(case=job.case, verdict=Verdict.JE, reason=describe_error(error)), b""
    has_failed = checked.verdict not in (Verdict.AC, Verdict.NA)
    is_checked = checked.verdict in (Verdict.WA, Verdict.PE)
    shows_output = checked.verdict is Verdict.NA or (is_checked and checked.mismatch is None)
    result = CaseResult(
        case=job.case,
        verdict=checked.verdict,
        reason=checked.reason,
        leniency=checked.leniency,
        run=run,
        mismatch=checked.mismatch,
        excerpt=extract_excerpt_of(given.data, answer or b"", checked.mismatch) if has_failed else None,
        output=_extract_output(outcome.stdout) if shows_output else None,
        output_digest=output_digest(outcome.stdout) if run.ending in _NOT_KILLED else "",
        data_digest=data,
        data=CaseData(input=job.input, answer=job.answer, output=outcome.stdout, stderr=outcome.stderr)
        if keeps_data
        else None,
        message=checked.message,
        team_message=checked.team_message,
        has_debug_message=checked.has_debug_message,
        raw_score=checked.raw_score,
    )
    return result, outcome.stdout


def job_command(job: Job, stdin: Data) -> Command:
    """Return the command that runs the program of a job.

    Raises:
        SandboxError: the case has too many files.
        OSError: a file of the case cannot be read or copied.
    """
    if not job.case.args and job.case.files is None:
        return job.program.command(stdin, job.case.limits)
    from judge.judging.case_files import case_command  # few cases have arguments or files

    return case_command(job.program, job.case, stdin)


def run_submission(command: Command, names: FileNames | None, limits: Limits, box: Box) -> Outcome:
    """Run a submission, with standard input and output or with the files that take their places.

    Raises:
        SandboxError: the run could not be set up or observed.
        OSError: a file cannot be written or read.
    """
    if names is None:
        return box.run(command, limits)
    from judge.judging.case_files import run_with_files  # few problems have such files

    return run_with_files(command, names, limits, box)


def restore_paths(program: Program, outcome: Outcome) -> Outcome:
    """Return an outcome whose messages have the paths of the user's files, not of copies, and that names a crash."""
    run = outcome.result
    if not run.stderr_tail:
        return outcome
    tail, head = map(program.restore_source_path, (run.stderr_tail, outcome.stderr))
    crash = ""
    if run.exit_code or run.signal is not None:
        from judge.languages.crash_report import find_crash, report_of  # most programs end well

        report = report_of(program.language)
        text = (tail if report.is_last else head).decode(errors="replace")
        crash = find_crash(text, report, program.file_names)
    return replace(outcome, result=replace(run, stderr_tail=tail, crash=crash), stderr=head)


def conclude(run: RunResult, limits: Limits, checker: Callable[[], CheckResult]) -> CheckResult:
    """Decide the verdict of a run; the checker is called only if nothing else decides."""
    return _check_ending(run, limits) or _check_usage(run, limits) or _check_exit(run) or checker()


def output_digest(output: bytes) -> str:
    """Return a short hash of an output, in hex, for comparing the outputs of two runs."""
    return hashlib.blake2b(output, digest_size=12).hexdigest()


class Snapshot(Struct, frozen=True):
    """Data and its SHA-256. Small files are kept in memory, so that the judged bytes are the hashed bytes."""

    data: bytes | Path
    digest: str

    @classmethod
    def take(cls, data: bytes | Path) -> "Snapshot":
        """Read and hash data.

        Raises:
            OSError: the file cannot be read.
        """
        if isinstance(data, Path):
            content = read_small_file(data, _MAX_IN_MEMORY)
            data = data if content is None else content
        return cls(data, digest(data))

    def is_unchanged(self) -> bool:
        """Return whether a file that is not kept in memory is still the same."""
        try:
            return isinstance(self.data, bytes) or digest(self.data) == self.digest
        except OSError:
            return False


def _check_ending(run: RunResult, limits: Limits) -> CheckResult | None:
    match run.ending:
        case Ending.EXITED | Ending.SIGNALED:
            return None
        case Ending.TIME_LIMIT:
            return _verdict(Verdict.TLE, f"CPU time limit exceeded: {format_seconds(limits.cpu)}")
        case Ending.WALL_LIMIT:
            wall, cpu = format_seconds(limits.wall), format_seconds(run.cpu)
            return _verdict(Verdict.TLE, f"wall-clock limit exceeded: {wall} (CPU {cpu})")
        case Ending.MEMORY_LIMIT:
            return _verdict(Verdict.MLE, f"memory limit exceeded: {format_bytes(limits.memory)}")
        case Ending.OUTPUT_LIMIT:
            return _verdict(Verdict.OLE, f"output limit exceeded: {format_bytes(limits.output)}")
        case _:
            assert_never(run.ending)


def _check_usage(run: RunResult, limits: Limits) -> CheckResult | None:
    if run.memory > limits.memory:
        used, allowed = format_bytes(run.memory), format_bytes(limits.memory)
        return _verdict(Verdict.MLE, f"memory limit exceeded: used {used} of {allowed}")
    if run.cpu > limits.cpu:
        used, allowed = format_seconds(run.cpu), format_seconds(limits.cpu)
        return _verdict(Verdict.TLE, f"CPU time limit exceeded: used {used} of {allowed}")
    return None


def _check_exit(run: RunResult) -> CheckResult | None:
    if run.signal is not None:
        crash = f": {run.crash}" if run.crash else ""
        return _verdict(Verdict.RTE, f"killed by signal {run.signal} ({signal_name(run.signal)}){crash}")
    if run.exit_code != 0:
        last = f": {run.last_error_line}" if run.last_error_line else ""
        return _verdict(Verdict.RTE, f"exit status {run.exit_code}{last}")
    return None


def _verdict(verdict: Verdict, reason: str) -> CheckResult:
    return CheckResult(verdict=verdict, reason=reason)


def extract_excerpt_of(source: Data, answer: Data, mismatch: Mismatch | None) -> Excerpt | None:
    """Return the part of the input to show; None if the file was removed since, which does not affect the verdict."""
    from judge.judging.diff.rows import extract_excerpt

    try:
        if isinstance(source, Path) and is_huge(source):
            return _extract_first_lines(source)
        data = read_data(source)
    except OSError:
        return None
    related = mismatch.expected_line if mismatch else None
    lines = line_count(answer) if isinstance(answer, bytes) else None
    return extract_excerpt(data, related_line=related, answer_lines=lines)


def _extract_first_lines(source: Path) -> Excerpt:
    """Return the first lines of an input that is not read as a whole."""
    from judge.judging.diff.rows import extract_excerpt

    head, last, newlines = b"", b"", 0
    for chunk in read_chunks(source):
        head, last = head or chunk, chunk
        newlines += chunk.count(b"\n")
    return replace(extract_excerpt(head), total_lines=newlines + (not last.endswith(b"\n")))


def _extract_output(output: bytes) -> Excerpt:
    """Return the beginning of an output that is not compared with anything."""
    from judge.judging.diff.rows import extract_beginning

    return extract_beginning(output)
