"""Run checkers, static validators and graders, and read what they say: in how they end, and in what they write.

Two protocols of checkers, which the problem declares:

    icpc      PROGRAM INPUT ANSWER FEEDBACK/ [ARGUMENT ...] < OUTPUT
              exit status 42 (AC) or 43 (WA); messages and scores in the feedback folder
              (ICPC 2025-09, "Output validator")
    testlib   PROGRAM INPUT OUTPUT ANSWER [ARGUMENT ...]
              exit status 0 (AC), 1 (WA), 2, 4 or 8 (PE), 3 (failure of the checker), 7 (points); the message on
              standard error, which alone tells what is partially correct, with any status (testlib.h,
              `resultExitCode` and `InStream::quit`)

Whatever else happens is the program's fault, or that of the test data: JE, never charged to the submission.
"""

import math
import re
import shutil
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import asdict, replace

from judge.base.data import Data
from judge.base.errors import SandboxError, describe_error
from judge.judging.program_files import Feedback, FeedbackError, ProgramFiles, cut_message, read_feedback
from judge.judging.programs import ReadyProgram
from judge.judging.scoring import SubResult
from judge.languages.build import Program
from judge.model import (
    Case,
    CaseResult,
    CheckerConfig,
    CheckResult,
    Ending,
    Inline,
    Limits,
    Problem,
    RunResult,
    Verdict,
)
from judge.model.programs import Protocol, RawScore
from judge.sandbox.box import Box, Outcome
from judge.sandbox.warm_starts import run_program

_ICPC: dict[int | None, Verdict] = {42: Verdict.AC, 43: Verdict.WA}
_TESTLIB: dict[int | None, Verdict] = {0: Verdict.AC, 1: Verdict.WA, 2: Verdict.PE, 4: Verdict.PE, 8: Verdict.PE}
_TESTLIB_FAILURE, _TESTLIB_POINTS = 3, 7
_POINTS = re.compile(r"points\s+(\S+)")
_PARTIALLY = re.compile(r"partially correct \((\d+)\)")
_MAX_REASON = 200  # characters of a message in a line
_EXPECTED = {
    Protocol.ICPC: "expected 42 (accepted) or 43 (wrong answer)",
    Protocol.TESTLIB: "expected 0 (ok), 1 (wrong answer), 2 (wrong format), 3 (failure) or 7 (points)",
}


def run_all_checkers(
    checker: ReadyProgram, args: tuple[str, ...], box: Box, *, given: Data, answer: Data, output: bytes
) -> CheckResult:
    """Run a checker, and those that must accept, too, until one rejects or fails; see `run_checker`.

    ICPC legacy, "Output validators": all output validators are run, and validation fails if any of them fails. The
    message and the score are those of the last one that gives any.
    """
    result = run_checker(checker, args, box, given=given, answer=answer, output=output)
    for each in checker.others:
        if result.verdict is not Verdict.AC:
            break
        before, result = result, run_checker(each, args, box, given=given, answer=answer, output=output)
        if result.verdict is Verdict.AC:
            result = replace(
                result,
                message=result.message or before.message,
                team_message=result.team_message or before.team_message,
                raw_score=result.raw_score or before.raw_score,
            )
    return result


def run_checker(
    checker: ReadyProgram,
    args: tuple[str, ...],
    box: Box,
    *,
    given: Data,
    answer: Data,
    output: bytes,
    files: ProgramFiles | None = None,
) -> CheckResult:
    """Run a checker on an output in the second box of a worker.

    With the `files` of earlier passes, the feedback folder is kept.

    Raises:
        SandboxError: the checker could not be run.
        OSError: the input or the answer cannot be read, or a file cannot be written.
    """
    partner, is_repeatable = box.partner, files is None
    if files is None:
        files = ProgramFiles(partner.work_folder)
        files.clear_feedback()
    paths = [files.write("input", given)]
    if checker.protocol is Protocol.TESTLIB:
        paths.append(files.write("output", output))
    paths.append(files.write("answer", answer))
    words = [str(path) for path in paths]
    if checker.protocol is Protocol.ICPC:
        words.append(files.feedback_argument)
    stdin = output if checker.protocol is Protocol.ICPC else b""
    command = checker.program.command(stdin, checker.limits, (*words, *args))
    command = files.add_to(command, checker.limits)
    conclude = partial(conclude_checker, checker, files=files)
    if not is_repeatable:  # it keeps notes for the next pass
        return conclude(partner.run(command, checker.limits))
    return run_program(
        partner,
        command,
        checker.limits,
        conclude,
        is_plain=lambda result: result.verdict in (Verdict.AC, Verdict.WA),
        reset=files.clear_feedback,
    )


def conclude_checker(
    checker: ReadyProgram, outcome: Outcome, files: ProgramFiles, *, role: str = "checker", limits: Limits | None = None
) -> CheckResult:
    """Return the result of a checker that has ended; its feedback folder is read for both protocols.

    For messages, `role` is what the program is, and `limits` are those that it had if they are not the usual ones.
    """
    subject = f"the {role} {checker.name}"
    try:
        feedback = read_feedback(files.feedback)
    except FeedbackError as error:
        return _failed(subject, str(error), outcome.result.stderr_tail)
    run, stderr = _restore_paths(checker, outcome)
    return interpret(subject, checker.protocol, limits or checker.limits, run, stderr=stderr, feedback=feedback)


def _restore_paths(program: ReadyProgram, outcome: Outcome) -> tuple[RunResult, bytes]:
    """Return how a program ended and its standard error, with the paths of the user's files, not of copies."""
    run, stderr = outcome.result, outcome.stderr
    if stderr:
        restore = program.program.restore_source_path
        run, stderr = replace(run, stderr_tail=restore(run.stderr_tail)), restore(stderr)
    return run, stderr


def interpret(
    subject: str, protocol: Protocol, limits: Limits, run: RunResult, *, stderr: bytes, feedback: Feedback
) -> CheckResult:
    """Return what a program says about an output: AC, WA or PE; JE with the reason if it failed.

    `subject` is the program in messages, such as `the checker check.cpp`; the protocol says what its exit status means.
    `stderr` is the beginning of its standard error.
    """
    if failure := run.describe_stop(limits):
        return _failed(subject, failure, feedback.error.encode() or run.stderr_tail)
    conclude = _interpret_icpc if protocol is Protocol.ICPC else _interpret_testlib
    return conclude(subject, run, stderr, feedback)


def may_accept(protocol: Protocol, run: RunResult) -> bool:
    """Return whether a program has not rejected; it may have failed, or given points."""
    if run.ending is not Ending.EXITED:
        return False
    if protocol is Protocol.ICPC:
        return _ICPC.get(run.exit_code) is Verdict.AC
    return run.exit_code != _TESTLIB_FAILURE and _TESTLIB.get(run.exit_code, Verdict.AC) is Verdict.AC


def _interpret_icpc(subject: str, run: RunResult, stderr: bytes, feedback: Feedback) -> CheckResult:
    status = run.exit_code
    verdict = _ICPC.get(status)
    if verdict is None:
        said = feedback.error.encode() or run.stderr_tail
        return _failed(subject, f"exit status {status}, {_EXPECTED[Protocol.ICPC]}", said)
    if verdict is not Verdict.AC and feedback.has_next_pass:
        return _failed(subject, f"wrote nextpass.in and exited with status {status}, expected 42", run.stderr_tail)
    # standard error is for debugging, and better than nothing
    debug_message = "" if feedback.message or verdict is Verdict.AC else cut_message(stderr)
    message = feedback.message or debug_message
    return CheckResult(
        verdict=verdict,
        reason="" if verdict is Verdict.AC else _reason(subject, message or feedback.team_message, status),
        message=message,
        team_message=feedback.team_message,
        has_debug_message=bool(debug_message),
        raw_score=feedback.raw_score,
    )


def _interpret_testlib(subject: str, run: RunResult, stderr: bytes, feedback: Feedback) -> CheckResult:
    status, text = run.exit_code, cut_message(stderr)
    points = _PARTIALLY.match(text)  # `_pc(3)` exits with status 3 (testlib.h, PC_BASE_EXIT_CODE)
    if points is None and status == _TESTLIB_POINTS:
        points = _POINTS.match(text)
    if points is not None:
        return CheckResult(verdict=Verdict.AC, message=text, raw_score=RawScore(score=points[1]))
    if status == _TESTLIB_FAILURE:
        return _failed(subject, "reports a failure (exit status 3)", run.stderr_tail)
    verdict = _TESTLIB.get(status)
    if verdict is None:
        return _failed(subject, f"exit status {status}, {_EXPECTED[Protocol.TESTLIB]}", run.stderr_tail)
    reason = "" if verdict is Verdict.AC else _reason(subject, text, status)
    return CheckResult(verdict=verdict, reason=reason, message=text, raw_score=feedback.raw_score)


def _reason(subject: str, message: str, status: int | None) -> str:
    first = message.partition("\n")[0].strip()[:_MAX_REASON]
    return first or f"{subject} rejects the output (exit status {status}) without a message"


def _failed(subject: str, reason: str, said: bytes) -> CheckResult:
    """Return the judge error of a program, with the end of what it wrote about it."""
    text = said.decode(errors="replace").strip()
    last = text.rpartition("\n")[2].strip()[:_MAX_REASON]
    return CheckResult(verdict=Verdict.JE, reason=f"{subject}: {reason}{f': {last}' if last else ''}", message=text)


# ---- static validators ----------------------------------------------------------------------------------------------

STATIC_NAME = "(static)"  # no file can have this name
_STATIC_FEEDBACK = "(feedback)"  # the folder of the feedback, beside the files of the submission


def static_cases(problem: Problem) -> Iterator[Case]:
    """Yield the static validation case of each group that has one."""
    if problem.static_validator is None or problem.groups is None or problem.folder is None:
        return
    for group in problem.groups.walk():
        if group.has_static_case:
            yield Case(
                group=group.name,
                name=STATIC_NAME,
                why="the static validator accepts the source",
                input=Inline(b""),
                answer=Inline(b""),
                limits=problem.limits,
                checker=CheckerConfig(name="static", program=problem.static_validator, args=group.static_args),
                origin=problem.folder / "data" / group.name,
                is_static=True,
            )


def judge_source(validator: ReadyProgram, case: Case, program: Program, entry_point: str, box: Box) -> CaseResult:
    """Run the static validator on the source of a submission; return the verdict, JE if the validator fails.

    `entry_point` is the file or class that runs; "" for the file that was built.
    """
    partner, files = box.partner, ProgramFiles(box.partner.work_folder)
    feedback = files.feedback / _STATIC_FEEDBACK
    words = (program.language.code, entry_point or program.copy.name, f"{feedback}/", *case.checker.args)
    try:
        files.clear_feedback()
        # Its current folder has the files of the submission and nothing else ("Working directory") but the feedback.
        shutil.copytree(program.place, files.feedback, dirs_exist_ok=True)
        feedback.mkdir()
        command = validator.program.command(b"", validator.limits, words)
        command = replace(command, writable=files.feedback, disk=int(validator.limits.output))
        outcome = partner.run(command, validator.limits)
        found = read_feedback(feedback)
        files.clear_feedback()
    except (SandboxError, OSError, FeedbackError, shutil.Error) as error:
        reason = str(error) if isinstance(error, (FeedbackError, shutil.Error)) else describe_error(error)
        return CaseResult(case=case, verdict=Verdict.JE, reason=f"the static validator {validator.name}: {reason}")
    subject = f"the static validator {validator.name}"
    run, stderr = _restore_paths(validator, outcome)
    checked = interpret(subject, validator.protocol, validator.limits, run, stderr=stderr, feedback=found)
    return CaseResult(**asdict(checked), case=case)


# ---- custom graders of the legacy format ----------------------------------------------------------------------------

_CODES = {  # "Input": a grader need not know other verdicts
    Verdict.PE: Verdict.WA,
    Verdict.OLE: Verdict.RTE,
    Verdict.MLE: Verdict.RTE,
    Verdict.CE: Verdict.RTE,
}
_GRADE = re.compile(rb"\s*(AC|WA|TLE|RTE|MLE|OLE|JE)\s+([+-]?[0-9]*\.?[0-9]+(?:[Ee][+-]?[0-9]+)?)\s*")


def run_grader(grader: ReadyProgram, args: tuple[str, ...], results: Sequence[SubResult], box: Box) -> SubResult | str:
    """Run a grader in the second box of a worker; return its result, or why it failed.

    Raises:
        SandboxError: it could not be run.
    """
    given = "".join(  # at Kattis, `accept_score: 25` is `25`, and graders may expect that
        f"{_CODES.get(verdict, verdict)} {int(score) if float(score).is_integer() else score!r}\n"
        for verdict, score in results
    )
    command = grader.program.command(given.encode(), grader.limits, args)
    outcome = box.partner.run(command, grader.limits)
    subject = f"the grader {grader.name}"
    if failure := outcome.result.describe_stop(grader.limits):
        return f"{subject} {failure}"
    if outcome.result.exit_code:
        last = f": {outcome.result.last_error_line}" if outcome.result.last_error_line else ""
        return f"{subject} ended with exit status {outcome.result.exit_code}, expected 0{last}"
    return parse_result(subject, outcome.stdout)


def parse_result(subject: str, output: bytes) -> SubResult | str:
    """Return what a grader wrote to standard output, such as `AC 42.5`, or what is wrong with it.

    `subject` is the grader in messages.
    """
    found = _GRADE.fullmatch(output)
    if found is None or not math.isfinite(float(found[2])):
        shown = output[:60].decode(errors="replace").strip()
        return f"{subject}: expected a verdict and a score, such as `AC 42.5`, found `{shown}`"
    verdict = Verdict(found[1].decode())
    if verdict is Verdict.JE:
        return f"{subject} says JE: a judge error"
    return verdict, float(found[2])
