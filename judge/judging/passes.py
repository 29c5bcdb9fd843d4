"""Judge a solution on a case in one pass or several, with or without an interactor.

A problem of type `multi-pass` runs the solution again, with an input that the output validator made, as long as that
accepts and leaves `nextpass.in` in its feedback folder (ICPC 2025-09, "Multi-pass validation"). Limits apply to each
pass; the measurements of a case are the largest of its passes.

The verdict on an interactive problem comes from a run in which nothing is between the solution and the interactor. The
transcript is made by a second run, with the judge between them, which takes longer. If that has another verdict, the
transcript says so. It keeps the beginning and the end of what was written, within a budget of memory.
"""

import time
from collections import deque
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, data_digest
from judge.base.errors import SandboxError, describe_error
from judge.base.units import Seconds
from judge.judging.interactive import PassResult, run_interaction
from judge.judging.judge import Job, Snapshot, conclude, extract_excerpt_of, job_command, restore_paths
from judge.judging.program_checker import run_checker
from judge.judging.program_files import FeedbackError, ProgramFiles
from judge.model import CaseData, CaseResult, CheckResult, RunResult, Verdict
from judge.model.programs import Transcript, TranscriptEntry
from judge.sandbox.box import Box, Outcome
from judge.sandbox.pair import SupervisorDiedError

_HEAD = 48 * 1024  # bytes at the beginning that are kept
_TAIL = 16 * 1024  # bytes at the end that are kept: usually, that is where it went wrong
_PIECE = 16  # bytes that a piece counts besides its data


_Piece = tuple[bool, float, bytes, int]
"""Is it the solution's, when (seconds since the start of the pass), the bytes, the pass; cheaper than an entry."""


class TranscriptRecorder:
    """Keeps the beginning and the end of what is written."""

    def __init__(self) -> None:
        self._pass = 0
        self._start = 0.0
        self._head: list[_Piece] = []
        self._tail: deque[_Piece] = deque()
        self._head_left = _HEAD
        self._tail_left = _TAIL
        self._skipped = 0

    def begin_pass(self) -> None:
        """Note that the next pass, or the first, begins."""
        self._pass += 1
        self._start = time.monotonic()

    def record(self, is_solution: bool, data: bytes) -> None:
        """Add what a side has just written."""
        now = time.monotonic() - self._start
        if data and self._head_left > 0:
            kept = data[: self._head_left]
            self._head.append((is_solution, now, kept, self._pass))
            self._head_left -= len(kept) + _PIECE
            data = data[len(kept) :]
        if data:
            kept = data[-_TAIL:]
            self._skipped += len(data) - len(kept)
            self._tail.append((is_solution, now, kept, self._pass))
            self._tail_left -= len(kept) + _PIECE
        while self._tail_left < 0 and len(self._tail) > 1:
            dropped = self._tail.popleft()[2]
            self._tail_left += len(dropped) + _PIECE
            self._skipped += len(dropped)

    def transcript(self) -> Transcript:
        """Return what was recorded, the pieces of each line joined: some programs write lines in many pieces."""
        head = _join(self._head)
        if not self._skipped:
            return Transcript(entries=_join((*self._head, *self._tail)))
        return Transcript(entries=(*head, *_join(self._tail)), skipped=self._skipped, skipped_at=len(head))


def _join(pieces: Iterable[_Piece]) -> tuple[TranscriptEntry, ...]:
    entries: list[tuple[_Piece, list[bytes]]] = []
    for piece in pieces:
        if entries and _continues(*entries[-1], piece):
            entries[-1][1].append(piece[2])
        else:
            entries.append((piece, [piece[2]]))
    return tuple(
        TranscriptEntry(is_solution=is_solution, time=Seconds(when), data=b"".join(parts), pass_number=number)
        for (is_solution, when, _, number), parts in entries
    )


def _continues(first: _Piece, parts: list[bytes], piece: _Piece) -> bool:
    """Return whether a piece belongs to the same line as the one before it."""
    is_same = (first[0], first[3]) == (piece[0], piece[3])
    return is_same and not parts[-1].endswith(b"\n")


_NEXT_INPUT = "nextpass.in"


class _Played(Struct, frozen=True, kw_only=True):
    """All passes of a case.

    Attributes:
        outcome: of the last pass, but with the largest measurements.
        passes: how many there were.
        transcript: None if nothing was recorded.
        has_hit_limit: a limit ended the last pass: then a transcript explains little, and takes as long to make.
    """

    checked: CheckResult
    outcome: Outcome
    passes: int
    transcript: Transcript | None
    has_hit_limit: bool


def judge_passes(job: Job, box: Box, *, keeps_data: bool = False) -> CaseResult:
    """Run a program on a case with an interactor, or as often as its checker wants.

    If the judge fails, the verdict is JE with the reason. The result has the complete data of the case if `keeps_data`,
    but no output.
    """
    try:
        given, expected = Snapshot.take(job.input), None if job.answer is None else Snapshot.take(job.answer)
        taken = replace(job, input=given.data, answer=None if expected is None else expected.data)
        played = _play(taken, box, records=job.interactor is None)
        is_unchanged = given.is_unchanged() and (expected is None or expected.is_unchanged())
    except (SandboxError, OSError) as error:
        return CaseResult(case=job.case, verdict=Verdict.JE, reason=describe_error(error))
    checked, run = played.checked, played.outcome.result
    has_failed = checked.verdict is not Verdict.AC
    transcript = played.transcript
    if transcript is None and (keeps_data or (has_failed and not played.has_hit_limit)):
        transcript = _record(taken, box, checked.verdict)
    empty = b""
    return CaseResult(
        case=job.case,
        verdict=checked.verdict,
        reason=checked.reason,
        run=run,
        mismatch=checked.mismatch,
        excerpt=extract_excerpt_of(taken.input, empty, None) if has_failed else None,
        data_digest=data_digest(given.digest, expected.digest if expected else "") if is_unchanged else "",
        data=CaseData(input=job.input, answer=job.answer, output=empty, stderr=played.outcome.stderr)
        if keeps_data
        else None,
        message=checked.message,
        team_message=checked.team_message,
        has_debug_message=checked.has_debug_message,
        raw_score=checked.raw_score,
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
    try:
        return _play_once(job, box, TranscriptRecorder() if records else None)
    except SupervisorDiedError:
        return _play_once(job, box, TranscriptRecorder() if records else None)


def _play_once(job: Job, box: Box, recorder: TranscriptRecorder | None) -> _Played:
    files = ProgramFiles(box.partner.work_folder)
    files.clear_feedback()
    given: Data | None = job.input
    results: list[PassResult] = []
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
                given = files.take(_NEXT_INPUT, _next_pass_limit(job))
            except FeedbackError as error:
                checked = CheckResult(verdict=Verdict.JE, reason=f"the output validator: {error}")
    return _Played(
        checked=checked,
        outcome=_merge([each.outcome for each in results]),
        passes=len(results),
        transcript=replace(recorder.transcript(), has_interactor=job.interactor is not None) if recorder else None,
        has_hit_limit=results[-1].has_hit_limit,
    )


def _next_pass_limit(job: Job) -> int:
    program = job.interactor or job.checker
    assert program is not None
    return int(program.limits.output)


def _run_pass(job: Job, box: Box, files: ProgramFiles, given: Data, recorder: TranscriptRecorder | None) -> PassResult:
    if job.interactor is not None:
        return run_interaction(
            job, job.interactor, box, files=files, given=given, record=recorder.record if recorder else None
        )
    outcome = box.run(job_command(job, given), job.case.limits)
    outcome = restore_paths(job.program, outcome)
    if recorder is not None:
        if isinstance(given, bytes):
            recorder.record(False, given)
        recorder.record(True, outcome.stdout)
    limits = job.case.limits
    checked = conclude(outcome.result, limits, lambda: _check(job, box, files, given, outcome.stdout))
    return PassResult(checked=checked, outcome=outcome)


def _check(job: Job, box: Box, files: ProgramFiles, given: Data, output: bytes) -> CheckResult:
    assert job.checker is not None
    answer = b"" if job.answer is None else job.answer
    args = job.case.checker.args
    return run_checker(job.checker, args, box, given=given, answer=answer, output=output, files=files)


def _merge(outcomes: list[Outcome]) -> Outcome:
    """Return the last outcome with the largest measurements of all."""
    runs: list[RunResult] = [each.result for each in outcomes]
    merged = replace(
        runs[-1],
        cpu=max(run.cpu for run in runs),
        wall=max(run.wall for run in runs),
        memory=max(run.memory for run in runs),
        output_bytes=max(run.output_bytes for run in runs),
    )
    return replace(outcomes[-1], result=merged)
