"""Judge a solution that talks to an interactor: run both, conclude one verdict, record a transcript.

The precedence of verdicts, highest first:
1. the interactor failed (a crash, a limit, an exit status that means nothing): JE;
2. the interactor ended first and rejected: WA or PE, whatever the solution did afterwards;
3. the solution failed by itself: as without an interactor; a deadlock is TLE;
4. what the interactor says.

The formats say what the interactor's exit status means (ICPC 2025-09 and legacy, "Output validator"), and that its
failure is a judge error, but nothing about the order. This is the order of Kattis (problemtools, judge/execute.py) and
of DOMjudge (judgedaemon, `determineVerdict`). A deadlock would exceed the solution's wall-clock limit, which 2025-09
permits ("Submission limits": blocking on I/O), and which is TLE for both.

An interactor that goes on for 10 s after a solution that has failed by itself is stopped, and not blamed: Kattis ends
both at twice the time limit, and takes the solution's verdict then (problemtools, support/interactive).
"""

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.units import Seconds
from judge.judging.judge import Job, conclude, job_command, restore_paths
from judge.judging.program_checker import conclude_checker, may_accept, run_checker
from judge.judging.program_files import FeedbackError, ProgramFiles
from judge.judging.programs import ReadyProgram
from judge.model import CheckResult, Ending, Limits, RunResult, Verdict
from judge.model.programs import Protocol
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.pair import Interaction, Pair, Recorder

_MAX_SLEEP = 10.0  # seconds
_TESTLIB_OUTPUT = "output"  # what an interactor leaves for the checker (testlib.h, `tout`)

# What a side does in a deadlock.
_WAITS = {
    "input": "waits for input",
    "output": "waits for its output to be read",
    "itself": "waits for itself",
    "ended": "has ended",
}


_NOTHING = CheckResult(verdict=Verdict.AC)


class PassResult(Struct, frozen=True, kw_only=True):
    """One pass of a solution.

    Attributes:
        outcome: of the solution.
        has_hit_limit: a limit ended the solution or the interactor.
    """

    checked: CheckResult
    outcome: Outcome
    has_hit_limit: bool = False


def run_interaction(
    job: Job, interactor: ReadyProgram, box: Box, *, files: ProgramFiles, given: Data, record: Recorder | None = None
) -> PassResult:
    """Run a solution with an interactor once.

    The interactor runs in the second box of the worker; `given` is the input of this pass. The feedback folder of
    `files` stays as it is left.

    Raises:
        SandboxError: a run could not be set up or observed.
        OSError: a file cannot be read or written.
    """
    # 2025-09, "Limits": what it waits for the solution does not count as `validation_time`, nor here as wall-clock
    # time. So it needs little more of that than CPU time, unless it sleeps.
    wall = min(interactor.limits.wall, Seconds(interactor.limits.cpu + _MAX_SLEEP))
    limits, own_limits = job.case.limits, replace(interactor.limits, wall=wall)
    ran = Pair(
        (box, job_command(job, b""), limits),
        (box.partner, _interactor_command(job, interactor, files, given), own_limits),
        decides=lambda outcome: not may_accept(interactor.protocol, outcome.result),
        fails=lambda outcome: conclude(outcome.result, limits, lambda: _NOTHING) is not _NOTHING,
        record=record,
    ).run()
    said = conclude_checker(interactor, ran.interactor.outcome, files, role="interactor", limits=own_limits)
    outcome = restore_paths(job.program, ran.solution.outcome)
    checked = conclude_interaction(ran, outcome.result, limits, said)
    if checked.verdict is Verdict.AC and _has_checker(job, interactor):
        said, checked = checked, _check_output(job, box, files, given)
        if checked.verdict is Verdict.AC and checked.raw_score is None and said.raw_score is not None:
            checked = replace(checked, message=said.message, raw_score=said.raw_score)  # the points of the interactor
    if ran.solution.is_stopped:  # by the judge, not by a signal that might have come from anywhere
        outcome = replace(outcome, result=replace(outcome.result, signal=None))
    endings = {outcome.result.ending, ran.interactor.outcome.result.ending}
    has_hit_limit = not endings <= {Ending.EXITED, Ending.SIGNALED}
    return PassResult(checked=checked, outcome=outcome, has_hit_limit=has_hit_limit)


def conclude_interaction(ran: Interaction, run: RunResult, limits: Limits, said: CheckResult) -> CheckResult:
    """Decide the verdict of an interaction.

    The measurements and the limits are those of the solution; what the interactor said is JE if it failed.
    """
    by_solution = _conclude_solution(ran, run, limits)
    if ran.is_abandoned and by_solution is not None:
        return by_solution
    if said.verdict is Verdict.JE:
        return _blame_interactor(ran, said, by_solution)
    if said.verdict is not Verdict.AC and ran.is_interactor_first:
        return said
    if by_solution is None:
        return said
    return replace(
        by_solution, message=said.message, team_message=said.team_message, has_debug_message=said.has_debug_message
    )


def _conclude_solution(ran: Interaction, run: RunResult, limits: Limits) -> CheckResult | None:
    """Return the verdict that the solution alone decides; None if it did nothing wrong, or was stopped."""
    if ran.deadlock:
        return CheckResult(verdict=Verdict.TLE, reason=_describe_deadlock(*ran.deadlock))
    if ran.solution.is_stopped:
        return None
    found = conclude(run, limits, lambda: _NOTHING)
    if found is _NOTHING:
        return None
    if run.ending is Ending.WALL_LIMIT and ran.solution.waits_for:
        return replace(found, reason=f"{found.reason}; at the end, it {_WAITS[ran.solution.waits_for]}{_HINT}")
    return found


_HINT = ": is a flush missing?"


def _describe_deadlock(solution: str, interactor: str) -> str:
    if solution == interactor == "input":
        return f"both processes wait for input{_HINT}"
    if solution == interactor == "output":
        return "both processes wait for their output to be read, and neither reads"
    return f"neither process can continue: the solution {_WAITS[solution]}, the interactor {_WAITS[interactor]}"


def _blame_interactor(ran: Interaction, said: CheckResult, by_solution: CheckResult | None) -> CheckResult:
    """Return the judge error of an interactor, unless it only waited for a solution that waited for it.

    Some interpreters' threads never rest, so that no deadlock is seen before a limit ends one of the two.
    """
    interactor, solution = ran.interactor, ran.solution
    if interactor.outcome.result.ending is Ending.WALL_LIMIT and interactor.waits_for == solution.waits_for == "input":
        return CheckResult(verdict=Verdict.TLE, reason=_describe_deadlock("input", "input"))
    if interactor.is_stopped:
        return replace(said, reason="the interactor waits for ever, although the solution has ended")
    if by_solution is not None and not ran.is_interactor_first:
        before = f"{by_solution.verdict}, {by_solution.reason}"
        return replace(said, reason=f"{said.reason} (the solution had ended before: {before})")
    return said


def _interactor_command(job: Job, interactor: ReadyProgram, files: ProgramFiles, given: Data) -> Command:
    paths = [str(files.write("input", given)), str(files.write("answer", job.answer or b""))]
    if interactor.protocol is Protocol.ICPC:
        words = [*paths, files.feedback_argument]
    else:
        words = [paths[0], str(files.feedback / _TESTLIB_OUTPUT), paths[1]]
    args = () if _has_checker(job, interactor) else job.case.checker.args
    return files.add_to(interactor.program.command(b"", interactor.limits, (*words, *args)), interactor.limits)


def _has_checker(job: Job, interactor: ReadyProgram) -> bool:
    """Return whether a checker judges what the interactor leaves, as on Codeforces; in ICPC packages, both are one."""
    return interactor.protocol is Protocol.TESTLIB and job.checker is not None and job.checker is not interactor


def _check_output(job: Job, box: Box, files: ProgramFiles, given: Data) -> CheckResult:
    """Run the checker on what the interactor wrote for it."""
    assert job.checker is not None
    try:
        output = files.take(_TESTLIB_OUTPUT, int(job.checker.limits.output))
    except FeedbackError as error:
        return CheckResult(verdict=Verdict.JE, reason=f"the interactor: {error}")
    args, answer = job.case.checker.args, job.answer or b""
    return run_checker(job.checker, args, box, given=given, answer=answer, output=output or b"")
