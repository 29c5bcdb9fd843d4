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
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict, replace

from judge.base.data import HUGE, Data, data_digest, digest, is_huge, read_data, read_small_file
from judge.base.errors import SandboxError, describe_error
from judge.judging.checkers import check
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
_NO_ANSWER = CheckResult(verdict=Verdict.NA, reason="there is no answer to compare the output with")


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
        return _NO_ANSWER if answer is None else check(config, answer, output)
    assert checker is not None
    from judge.judging.program_checker import run_all_checkers

    answer = b"" if answer is None else answer
    result = run_all_checkers(checker, config.args, box, given=given, answer=answer, output=output)
    if result.verdict not in (Verdict.WA, Verdict.PE):
        return result
    mismatch = check(CheckerConfig(), answer, output).mismatch  # what it writes seldom says where
    if mismatch is not None:
        from judge.judging.diff.mismatch import TOLERANCE_HINT  # no option makes the program more tolerant

        mismatch = replace(mismatch, hints=tuple(each for each in mismatch.hints if each != TOLERANCE_HINT))
    return replace(result, mismatch=mismatch)


def judge_with_output(job: Job, box: Box, *, keeps_data: bool = False) -> tuple[CaseResult, bytes]:
    """Run a program on a case; return the verdict, and what the program wrote.

    If the judge fails, the verdict is JE with the reason, and the output is empty. The result has the complete data of
    the case if `keeps_data`.
    """
    try:
        if job.checker is not None:
            box.partner.prestart()  # beside the run
        taken = Snapshot.take(job)
        command = job_command(job, taken.input)
        command = replace(command, keeps_stderr=True) if keeps_data else command
        outcome = run_submission(command, job.case.file_names, job.case.limits, box)
        outcome = restore_paths(job.program, outcome)
        run = outcome.result
        answer = taken.answer
        if answer is not None and not is_huge(answer):  # a checker reads that itself
            answer = read_data(answer)
        checked = conclude(
            run,
            job.case.limits,
            lambda: check_output(
                job.case.checker, job.checker, box, given=taken.input, answer=answer, output=outcome.stdout
            ),
        )
        data = taken.digest()
    except (SandboxError, OSError) as error:
        return CaseResult(case=job.case, verdict=Verdict.JE, reason=describe_error(error)), b""
    has_failed = checked.verdict not in (Verdict.AC, Verdict.NA)
    is_checked = checked.verdict in (Verdict.WA, Verdict.PE)
    shows_output = checked.verdict is Verdict.NA or (is_checked and checked.mismatch is None)
    beginning = None
    if shows_output:
        from judge.judging.diff.rows import extract_beginning

        beginning = extract_beginning(outcome.stdout)
    has_ended = run.ending in (Ending.EXITED, Ending.SIGNALED)
    result = CaseResult(
        **asdict(checked),
        case=job.case,
        run=run,
        excerpt=extract_excerpt_of(taken.input, answer or b"", checked.mismatch) if has_failed else None,
        output=beginning,
        output_digest=hashlib.blake2b(outcome.stdout, digest_size=12).hexdigest() if has_ended else "",
        data_digest=data,
        data=CaseData(input=job.input, answer=job.answer, output=outcome.stdout, stderr=outcome.stderr)
        if keeps_data
        else None,
    )
    return result, outcome.stdout


def job_command(job: Job, stdin: Data) -> Command:
    """Return the command that runs the program of a job; its current folder has the files of the case.

    Raises:
        SandboxError: the case has too many files.
        OSError: a file of the case cannot be read or copied.
    """
    case = job.case
    command = job.program.command(stdin, case.limits, case.args)
    if case.files is None:
        return command
    from judge.judging.case_files import add_files, read_files  # few cases have files

    return add_files(command, job.program, read_files(case.files))


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
    if excess := run.find_excess(limits):
        return CheckResult(verdict=excess[0], reason=excess[1])
    if run.signal is not None:
        crash = f": {run.crash}" if run.crash else ""
        return CheckResult(verdict=Verdict.RTE, reason=f"{run.describe_stop(limits)}{crash}")
    if run.exit_code != 0:
        last = f": {run.last_error_line}" if run.last_error_line else ""
        return CheckResult(verdict=Verdict.RTE, reason=f"exit status {run.exit_code}{last}")
    return checker()


class Snapshot(Struct, frozen=True):
    """The data of a job and their SHA-256. Small files are kept in memory: the judged bytes are the hashed bytes."""

    input: Data
    answer: Data | None
    digests: tuple[str, ...]

    @classmethod
    def take(cls, job: Job) -> "Snapshot":
        """Read and hash the data of a job.

        Raises:
            OSError: a file cannot be read.
        """
        data = []
        for each in (job.input, b"" if job.answer is None else job.answer):
            content = read_small_file(each, _MAX_IN_MEMORY) if isinstance(each, Path) else each
            data.append(each if content is None else content)
        given, answer = data
        return cls(given, None if job.answer is None else answer, tuple(map(digest, data)))

    def digest(self) -> str:
        """Return the hash of the case; "" if a file that is not kept in memory has changed, or is gone."""
        files = ((each, known) for each, known in zip((self.input, self.answer), self.digests, strict=True))
        try:
            is_same = all(digest(each) == known for each, known in files if isinstance(each, Path))
        except OSError:
            return ""
        return data_digest(self.digests[0], "" if self.answer is None else self.digests[1]) if is_same else ""


def extract_excerpt_of(source: Data, answer: Data, mismatch: Mismatch | None) -> Excerpt | None:
    """Return the part of the input to show; None if the file is huge or was removed since: the verdict stays."""
    from judge.judging.diff.rows import extract_excerpt  # most outputs are right

    try:
        data = source if isinstance(source, bytes) else read_small_file(source, HUGE)
    except OSError:
        return None
    if data is None:
        return None
    related = mismatch.expected_line if mismatch else None
    lines = line_count(answer) if isinstance(answer, bytes) else None
    return extract_excerpt(data, related_line=related, answer_lines=lines)
