"""Judge a solution on a case in one pass or several, with or without an interactor.

A problem of type `multi-pass` runs the solution again, with an input that the output validator made, as long as that
accepts and leaves `nextpass.in` in its feedback folder (ICPC 2025-09, "Multi-pass validation"). Limits apply to each
pass; the measurements of a case are the largest of its passes.

The verdict on an interactive problem comes from a run in which nothing is between the solution and the interactor. The
transcript is made by a second run, with the judge between them, which takes longer. If that has another verdict, the
transcript says so. It keeps the beginning and the end of what was written, within a budget of memory.

The precedence of verdicts on a solution that talks to an interactor, highest first:
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

import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import asdict, replace

from judge.base.data import Data
from judge.base.errors import SandboxError, describe_error
from judge.base.units import Seconds
from judge.judging.judge import Job, Snapshot, conclude, extract_excerpt_of, job_command, restore_paths
from judge.judging.program_checker import conclude_checker, may_accept, run_checker
from judge.judging.program_files import FeedbackError, ProgramFiles
from judge.judging.programs import ReadyProgram
from judge.model import CaseData, CaseResult, CheckResult, Ending, Limits, RunResult, Verdict
from judge.model.programs import Protocol, Transcript, TranscriptEntry
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.pair import Interaction, Pair, SupervisorDiedError

_HEAD = 48 * 1024  # bytes at the beginning that are kept
_TAIL = 16 * 1024  # bytes at the end that are kept: usually, that is where it went wrong
_PIECE = 16  # bytes that a piece counts besides its data


class TranscriptRecorder:
    """Keeps the beginning and the end of what is written."""

    def __init__(self) -> None:
        self._pass = 0
        self._start = 0.0
        self._head: list[TranscriptEntry] = []
        self._tail: deque[TranscriptEntry] = deque()
        self._head_left = _HEAD
        self._tail_left = _TAIL
        self._skipped = 0

    def begin_pass(self) -> None:
        """Note that the next pass, or the first, begins."""
        self._pass += 1
        self._start = time.monotonic()

    def record(self, is_solution: bool, data: bytes) -> None:
        """Add what a side has just written."""
        now = Seconds(time.monotonic() - self._start)
        make = partial(TranscriptEntry, is_solution=is_solution, time=now, pass_number=self._pass)
        if data and self._head_left > 0:
            kept = data[: self._head_left]
            self._head.append(make(data=kept))
            self._head_left -= len(kept) + _PIECE
            data = data[len(kept) :]
        if data:
            kept = data[-_TAIL:]
            self._skipped += len(data) - len(kept)
            self._tail.append(make(data=kept))
            self._tail_left -= len(kept) + _PIECE
        while self._tail_left < 0 and len(self._tail) > 1:
            dropped = self._tail.popleft().data
            self._tail_left += len(dropped) + _PIECE
            self._skipped += len(dropped)

    def transcript(self) -> Transcript:
        """Return what was recorded, the pieces of each line joined: some programs write lines in many pieces."""
        head = _join(self._head)
        if not self._skipped:
            return Transcript(entries=_join((*self._head, *self._tail)))
        return Transcript(entries=(*head, *_join(self._tail)), skipped=self._skipped, skipped_at=len(head))


def _join(pieces: Iterable[TranscriptEntry]) -> tuple[TranscriptEntry, ...]:
    entries: list[TranscriptEntry] = []
    for piece in pieces:
        last = entries[-1] if entries else piece
        is_same = (last.is_solution, last.pass_number) == (piece.is_solution, piece.pass_number)
        if last is not piece and is_same and not last.data.endswith(b"\n"):
            entries[-1] = replace(last, data=last.data + piece.data)
        else:
            entries.append(piece)
    return tuple(entries)


_NEXT_INPUT = "nextpass.in"


class _Played(Struct, frozen=True, kw_only=True):
    """What came of one pass of a solution, or of all.

    Attributes:
        outcome: of the last pass, but with the largest measurements.
        has_hit_limit: a limit ended the last pass: then a transcript explains little, and takes as long to make.
        transcript: of all passes; None if nothing was recorded.
    """

    checked: CheckResult
    outcome: Outcome
    has_hit_limit: bool = False
    passes: int = 1
    transcript: Transcript | None = None


def judge_passes(job: Job, box: Box, *, keeps_data: bool = False) -> CaseResult:
    """Run a program on a case with an interactor, or as often as its checker wants.

    If the judge fails, the verdict is JE with the reason. The result has the complete data of the case if `keeps_data`,
    but no output.
    """
    try:
        snapshot = Snapshot.take(job)
        taken = replace(job, input=snapshot.input, answer=snapshot.answer)
        played = _play(taken, box, records=job.interactor is None)
        data = snapshot.digest()
    except (SandboxError, OSError) as error:
        return CaseResult(case=job.case, verdict=Verdict.JE, reason=describe_error(error))
    checked = played.checked
    has_failed = checked.verdict is not Verdict.AC
    transcript = played.transcript
    if transcript is None and (keeps_data or (has_failed and not played.has_hit_limit)):
        transcript = _record(taken, box, checked.verdict)
    return CaseResult(
        **asdict(checked),
        case=job.case,
        run=played.outcome.result,
        excerpt=extract_excerpt_of(taken.input, b"", None) if has_failed else None,
        data_digest=data,
        data=CaseData(input=job.input, answer=job.answer, output=b"", stderr=played.outcome.stderr)
        if keeps_data
        else None,
        passes=played.passes if job.passes > 1 else 0,
        transcript=transcript if has_failed or keeps_data else None,
    )


def _record(job: Job, box: Box, verdict: Verdict) -> Transcript | None:
    """Run everything again for a transcript; None if that fails, which does not affect the verdict."""
    try:
        played = _play(job, box, records=True)
    except (SandboxError, OSError):
        return None
    if played.transcript is None or played.checked.verdict is verdict:
        return played.transcript
    return replace(played.transcript, verdict=played.checked.verdict.value)


def _play(job: Job, box: Box, *, records: bool) -> _Played:
    """Run all passes; again if a supervisor was killed meanwhile."""
    with suppress(SupervisorDiedError):
        return _play_once(job, box, TranscriptRecorder() if records else None)
    return _play_once(job, box, TranscriptRecorder() if records else None)


def _play_once(job: Job, box: Box, recorder: TranscriptRecorder | None) -> _Played:
    program = job.interactor or job.checker
    assert program is not None
    files = ProgramFiles(box.partner.work_folder)
    files.clear_feedback()
    given: Data | None = job.input
    results: list[_Played] = []
    checked = CheckResult(verdict=Verdict.AC)
    while given is not None:
        if len(results) == job.passes:
            reason = f"the output validator asks for more than {job.passes} passes"
            checked = CheckResult(verdict=Verdict.JE, reason=reason, message=checked.message)
            break
        if recorder is not None:
            recorder.begin_pass()
        results.append(_run_pass(job, box, files, given, recorder))
        checked, given = results[-1].checked, None
        if checked.verdict is Verdict.AC and job.passes > 1:
            try:
                given = files.take(_NEXT_INPUT, int(program.limits.output))
            except FeedbackError as error:
                checked = CheckResult(verdict=Verdict.JE, reason=f"the output validator: {error}")
    runs = [each.outcome.result for each in results]
    largest = replace(
        runs[-1],
        cpu=max(run.cpu for run in runs),
        wall=max(run.wall for run in runs),
        memory=max(run.memory for run in runs),
        output_bytes=max(run.output_bytes for run in runs),
    )
    return replace(
        results[-1],
        checked=checked,
        outcome=replace(results[-1].outcome, result=largest),
        passes=len(results),
        transcript=replace(recorder.transcript(), has_interactor=job.interactor is not None) if recorder else None,
    )


def _run_pass(job: Job, box: Box, files: ProgramFiles, given: Data, recorder: TranscriptRecorder | None) -> _Played:
    if job.interactor is not None:
        return _run_interaction(job, box, files, given, recorder)
    outcome = restore_paths(job.program, box.run(job_command(job, given), job.case.limits))
    if recorder is not None:
        if isinstance(given, bytes):
            recorder.record(False, given)
        recorder.record(True, outcome.stdout)

    def check() -> CheckResult:
        checker, answer, args = job.checker, job.answer or b"", job.case.checker.args
        assert checker is not None
        return run_checker(checker, args, box, given=given, answer=answer, output=outcome.stdout, files=files)

    return _Played(checked=conclude(outcome.result, job.case.limits, check), outcome=outcome)


# ---- with an interactor ----------------------------------------------------------------------------------------------

_TESTLIB_OUTPUT = "output"  # what an interactor leaves for the checker (testlib.h, `tout`)

# What a side does in a deadlock.
_WAITS = {
    "input": "waits for input",
    "output": "waits for its output to be read",
    "itself": "waits for itself",
    "ended": "has ended",
}

_NOTHING = CheckResult(verdict=Verdict.AC)


def _run_interaction(
    job: Job, box: Box, files: ProgramFiles, given: Data, recorder: TranscriptRecorder | None
) -> _Played:
    """Run a solution with an interactor once.

    The interactor runs in the second box of the worker; `given` is the input of this pass. The feedback folder of
    `files` stays as it is left.

    Raises:
        SandboxError: a run could not be set up or observed.
        OSError: a file cannot be read or written.
    """
    interactor = job.interactor
    assert interactor is not None
    # 2025-09, "Limits": what it waits for the solution does not count as `validation_time`, nor here as wall-clock
    # time. So it needs little more of that than CPU time, unless it sleeps.
    wall = min(interactor.limits.wall, Seconds(interactor.limits.cpu + 10.0))
    limits, own_limits = job.case.limits, replace(interactor.limits, wall=wall)
    ran = Pair(
        (box, job_command(job, b""), limits),
        (box.partner, _interactor_command(job, interactor, files, given), own_limits),
        decides=lambda outcome: not may_accept(interactor.protocol, outcome.result),
        fails=lambda outcome: conclude(outcome.result, limits, lambda: _NOTHING) is not _NOTHING,
        record=recorder.record if recorder else None,
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
    return _Played(checked=checked, outcome=outcome, has_hit_limit=has_hit_limit)


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
        before = f"the solution had ended before: {by_solution.verdict}, {by_solution.reason}"
        return replace(said, reason=f"{said.reason} ({before}); at the end of its input, an interactor has to reject")
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
