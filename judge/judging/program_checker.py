"""Checkers that are programs: run one on an output, and conclude a verdict from how it ends and what it writes.

Two protocols, which the problem declares:

    icpc      PROGRAM INPUT ANSWER FEEDBACK/ [ARGUMENT ...] < OUTPUT
              exit status 42 (AC) or 43 (WA); messages and scores in the feedback folder
              (ICPC 2025-09, "Output validator")
    testlib   PROGRAM INPUT OUTPUT ANSWER [ARGUMENT ...]
              exit status 0 (AC), 1 (WA), 2, 4 or 8 (PE), 3 (failure of the checker), 7 (points), others (partially
              correct); the message on standard error (testlib.h, `resultExitCode` and `InStream::quit`)

Whatever else happens is the program's fault, or that of the test data: JE, never charged to the submission.
"""

import re
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from judge.data import Data
from judge.judging.feedback import Feedback, FeedbackError, cut_message
from judge.judging.program_files import ProgramFiles
from judge.judging.programs import ReadyProgram
from judge.judging.signals import signal_name
from judge.judging.warm_runs import run_program
from judge.model import CheckResult, Ending, Limits, RunResult, Verdict
from judge.programs import Protocol, RawScore
from judge.sandbox.box import Box, Outcome
from judge.units import format_bytes, format_seconds

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

    Args:
        checker: the program.
        args: its further arguments.
        box: the box of the worker.
        given: the input.
        answer: the answer, which may be empty.
        output: all that the submission wrote to standard output.
        files: those of earlier passes, whose feedback folder is kept.

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
    command = replace(
        command,
        readable=(*command.readable, *files.readable),
        writable=files.feedback,
        disk=int(checker.limits.output),
    )
    conclude = partial(conclude_checker, checker, files=files)
    if not is_repeatable:  # it keeps notes for the next pass
        return conclude(partner.run(command, checker.limits))
    return run_program(partner, command, checker.limits, conclude, is_plain=_is_plain, reset=files.clear_feedback)


def _is_plain(result: CheckResult) -> bool:
    return result.verdict in (Verdict.AC, Verdict.WA)


def conclude_checker(
    checker: ReadyProgram, outcome: Outcome, files: ProgramFiles, *, role: str = "checker"
) -> CheckResult:
    """Return the result of a checker that has ended; its feedback folder is read for both protocols.

    Args:
        checker: the program.
        outcome: how it ended.
        files: what it wrote.
        role: what it is, for messages.
    """
    subject = f"the {role} {checker.name}"
    try:
        feedback = files.read_feedback()
    except FeedbackError as error:
        return _failed(subject, str(error), outcome.result.stderr_tail)
    run, stderr = outcome.result, outcome.stderr
    if stderr:
        restore = checker.program.restore_source_path
        run, stderr = replace(run, stderr_tail=restore(run.stderr_tail)), restore(stderr)
    said = Said(run=run, stderr=stderr, feedback=feedback)
    return interpret(subject, checker.protocol, checker.limits, said)


class Said(Struct, frozen=True, kw_only=True):
    """All that a program that judges has said.

    Attributes:
        run: how it ended, and the end of its standard error.
        stderr: the beginning of its standard error.
        feedback: what is in its feedback folder.
    """

    run: RunResult
    stderr: bytes
    feedback: Feedback

    @property
    def error(self) -> bytes:
        """What it says about its own failure: in its feedback folder, or else at the end of standard error."""
        return self.feedback.error.encode() or self.run.stderr_tail


def interpret(subject: str, protocol: Protocol, limits: Limits, said: Said) -> CheckResult:
    """Return what a program says about an output: AC, WA or PE; JE with the reason if it failed.

    Args:
        subject: the program in messages, such as `the checker check.cpp`.
        protocol: what its exit status means.
        limits: of its run.
        said: what it said.
    """
    if failure := describe_failure(said.run, limits):
        return _failed(subject, failure, said.error)
    return _interpret_icpc(subject, said) if protocol is Protocol.ICPC else _interpret_testlib(subject, said)


def may_accept(protocol: Protocol, run: RunResult) -> bool:
    """Return whether a program has not rejected; it may have failed, or given points."""
    if run.ending is not Ending.EXITED:
        return False
    if protocol is Protocol.ICPC:
        return _ICPC.get(run.exit_code) is Verdict.AC
    return run.exit_code != _TESTLIB_FAILURE and _TESTLIB.get(run.exit_code, Verdict.AC) is Verdict.AC


def describe_failure(run: RunResult, limits: Limits) -> str:
    """Return why a program that judges ended without saying anything; "" if it exited within its limits."""
    if run.ending is Ending.EXITED and run.memory <= limits.memory and run.cpu <= limits.cpu:
        return ""
    wall, cpu = format_seconds(limits.wall), format_seconds(limits.cpu)
    exceeded = {
        Ending.TIME_LIMIT: f"CPU time limit exceeded: {cpu}",
        Ending.WALL_LIMIT: f"wall-clock limit exceeded: {wall} (CPU {format_seconds(run.cpu)})",
        Ending.OUTPUT_LIMIT: f"output limit exceeded: wrote more than {format_bytes(limits.output)}",
        Ending.MEMORY_LIMIT: f"memory limit exceeded: {format_bytes(limits.memory)}",
        Ending.SIGNALED: f"killed by signal {run.signal} ({signal_name(run.signal or 0)})",
    }
    if run.ending is not Ending.EXITED:
        return exceeded[run.ending]
    if run.memory > limits.memory:
        return f"{exceeded[Ending.MEMORY_LIMIT]} (used {format_bytes(run.memory)})"
    return f"{exceeded[Ending.TIME_LIMIT]} (used {format_seconds(run.cpu)})"


def _interpret_icpc(subject: str, said: Said) -> CheckResult:
    status, feedback = said.run.exit_code, said.feedback
    verdict = _ICPC.get(status)
    if verdict is None:
        return _failed(subject, f"exit status {status}, {_EXPECTED[Protocol.ICPC]}", said.error)
    if verdict is not Verdict.AC and feedback.has_next_pass:
        return _failed(subject, f"wrote nextpass.in and exited with status {status}, expected 42", said.run.stderr_tail)
    # standard error is for debugging, and better than nothing
    message = feedback.message or ("" if verdict is Verdict.AC else cut_message(said.stderr))
    return CheckResult(
        verdict=verdict,
        reason="" if verdict is Verdict.AC else _reason(subject, message or feedback.team_message, status),
        message=message,
        team_message=feedback.team_message,
        raw_score=feedback.raw_score,
    )


def _interpret_testlib(subject: str, said: Said) -> CheckResult:
    status, text, raw_score = said.run.exit_code, cut_message(said.stderr), said.feedback.raw_score
    if status == _TESTLIB_FAILURE:
        return _failed(subject, "reports a failure (exit status 3)", said.run.stderr_tail)
    verdict = _TESTLIB.get(status)
    if verdict is None:
        found = (_POINTS if status == _TESTLIB_POINTS else _PARTIALLY).match(text)
        if found is None:
            return _failed(subject, f"exit status {status}, {_EXPECTED[Protocol.TESTLIB]}", said.run.stderr_tail)
        verdict, raw_score = Verdict.AC, RawScore(score=found[1])
    reason = "" if verdict is Verdict.AC else _reason(subject, text, status)
    return CheckResult(verdict=verdict, reason=reason, message=text, raw_score=raw_score)


def _reason(subject: str, message: str, status: int | None) -> str:
    first = message.partition("\n")[0].strip()[:_MAX_REASON]
    return first or f"{subject} rejects the output (exit status {status}) without a message"


def _failed(subject: str, reason: str, said: bytes) -> CheckResult:
    """Return the judge error of a program, with the end of what it wrote about it."""
    text = said.decode(errors="replace").strip()
    last = text.rpartition("\n")[2].strip()[:_MAX_REASON]
    return CheckResult(verdict=Verdict.JE, reason=f"{subject}: {reason}{f': {last}' if last else ''}", message=text)
