"""Examine one input: is it valid, what is right, and what does the submission do?

Every program runs in the sandbox. Whatever a validator, a reference or a checker does wrong is a fault of that program;
it says nothing about the submission.
"""

import math
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from zlib import crc32

from msgspec.structs import replace

from judge.base.errors import JudgeError, describe_error, shorten
from judge.base.units import GIB, Bytes, Seconds, format_count
from judge.hack.pool import WarmPool
from judge.hack.values import (
    Counterexample,
    Disagreement,
    Examination,
    ExaminationAnswer,
    ExaminationDelegate,
    Examined,
    JudgingFailure,
    Kind,
    NamedProgram,
    Status,
    Target,
)
from judge.inputs.shrink import measure
from judge.judging.judge import check_output, conclude, extract_excerpt_of, run_submission
from judge.model import CaseResult, CheckResult, Ending, FileNames, Limits, RunResult, Verdict, default_wall
from judge.preparation.validators import VALIDATOR_LIMITS, read_status
from judge.preparation.validators import Status as Answer
from judge.runner.sanitize import add_crash, cause_of, is_fault, lacks_line, relax
from judge.runner.solution import judge_job
from judge.sandbox.box import RUN_INTERRUPTED, Box, Outcome

GOOD = (Verdict.AC, Verdict.NA)
SLOW = (Verdict.TLE, Verdict.MLE, Verdict.OLE)
DISAGREEMENT = Kind(Verdict.JE, "two references disagree")
SAME_COST = Kind(Verdict.TLE, "costs nearly as much as the most expensive input")

_REFERENCE_FACTOR = 5  # how much longer than the submission a reference may take
_USUAL_CPU = Seconds(0.5)  # of a reference where an input that takes longer is not valid; less after some of them:
_LEAST_CPU = Seconds(0.05)
_MAX_REFERENCES = 3  # of which one must be accepted in a dialogue
_MAX_FAULTS = 3  # of one program, after which it is not trusted any more
_EXACT_SHARE = 16  # one input of so many runs the user's own program, even if there is a static one
_VARIED_SHARE = 4  # one of so many inputs that a reference answers runs a variant, too
_LONGEST_VARIED = Seconds(0.5)  # of CPU time of the submission on an input on which a variant runs, too
_MAX_REPEATS = 5  # of a run with a variant
_LONG_CUT = 2  # seconds after which it is reported that the deadline cut a reference
_MIN_WALL = 0.05  # seconds; less says nothing
_DEADLINE_STEP = 0.25  # seconds; runs with the same limits start sooner: what was prepared for one serves the next
_EXCEPTION = re.compile(rb"^([A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit)?)(?::|$)")
_CRASH = b"Traceback (most recent call last)"


class UnusableError(JudgeError):
    """A program other than the submission fails so often that nothing can be found."""


class Faults:
    """What is wrong with the programs other than the submission; may be used from any thread.

    `judging_failure` is the smallest input on which the checker or the interactor failed; a valid one, if there is one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._first: dict[tuple[str, str], str] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self.judging_failure: JudgingFailure | None = None

    def add(self, name: str, what: str, detail: str = "") -> int:
        """Record a fault; return how often this one occurred. What Ctrl-C ends is not one."""
        if detail == RUN_INTERRUPTED:
            return 0
        with self._lock:
            self._counts[name, what] += 1
            self._first.setdefault((name, what), detail)
            return self._counts[name, what]

    def keep(self, failure: JudgingFailure) -> None:
        """Remember an input on which the judging fails, if it is smaller than the known one."""
        with self._lock:
            if self.judging_failure is None or _rank(failure) < _rank(self.judging_failure):
                self.judging_failure = failure

    def first_details(self) -> tuple[tuple[str, str, str], ...]:
        """Return the arguments of `add`, once for each kind of fault."""
        with self._lock:
            return tuple((*key, detail) for key, detail in self._first.items())

    def describe(self) -> list[str]:
        """Return a sentence for each."""
        with self._lock:
            return [
                f"{name} {what} on {format_count(count, 'input')}"
                + (f" ({self._first[name, what]})" if self._first[name, what] else "")
                for (name, what), count in self._counts.items()
            ]


def _rank(failure: JudgingFailure) -> tuple[bool, object]:
    """Return a key that is smaller for what is better to show."""
    return not failure.is_certain, measure(failure.input)


class Examiner:
    """Runs the programs of a target; its methods may be called from any worker, with its box.

    Attributes:
        deadline: by `time.monotonic`; no run takes longer, and one that is cut says nothing.
        runs: of the submission.
    """

    def __init__(self, target: Target, pool: WarmPool) -> None:
        self.target = target
        self.pool = pool
        self.faults = Faults()
        self.deadline = float("inf")
        self.runs = 0
        self._turns = count()
        # By the worker's box: outcomes that `_run` returns, and with which limits they were made.
        self._ahead: dict[int, dict[tuple[tuple[str, ...], bytes], tuple[Limits, Limits, Outcome]]] = {}
        self._unanswered = 0  # inputs for which a reference took too long, where nothing else says what is valid

    @property
    def is_over(self) -> bool:
        """Whether the deadline leaves no time for a run."""
        return self.deadline - time.monotonic() <= _MIN_WALL

    def is_valid(self, data: bytes, box: Box, *, is_final: bool = False, is_cold: bool = False) -> bool | None:
        """Return whether an input is valid; None if a validator fails.

        If it `is_final`, validators are asked even if the grammar decides; if it `is_cold`, they start from the
        beginning.
        """
        asked = Examination(data=data, is_about_validity=True)
        remote = None if is_final else self._examine_remotely(box, asked)
        if remote is not None:
            return None if remote.status is Status.UNKNOWN else remote.status is Status.GOOD
        target = self.target
        if target.format is not None and not target.format.accepts(data):
            return False
        groups = target.validators
        if target.grammar is not None:
            if not target.grammar.accepts(data):
                if len(groups) < 2:
                    return False
                groups = groups[1:]
            elif target.grammar_decides and not is_final:
                return True
        answers: list[bool | None] = []
        for group in groups:
            accepted = (self._validate(each, data, box, is_cold=is_cold) for each in group)
            answers.append(next((each for each in accepted if not each), True))
            if answers[-1]:
                break
        if not answers or answers[-1]:
            return True
        return None if None in answers else False

    def _examine_remotely(self, box: Box, examination: Examination) -> Examined | None:
        """Return what another machine finds out about an input; None if it must be examined here."""
        if not isinstance(box, ExaminationDelegate):
            return None
        seconds = self.deadline - time.monotonic()
        answer = box.examine_remotely(self.target, replace(examination, seconds=seconds))
        if answer is None:
            return None
        self.runs += answer.runs
        for fault in answer.faults:
            self.faults.add(*fault)
        if answer.judging_failure is not None:
            self.faults.keep(answer.judging_failure)
        return replace(answer.examined, data=examination.data)

    def examine(
        self,
        data: bytes,
        box: Box,
        *,
        is_known_valid: bool = False,
        is_trusted: bool = False,
        is_cold: bool = False,
        variant: str | None = "",
    ) -> Examined:
        """Examine an input; the deadline makes it unknown. For the arguments, see `Examination`.

        `variant` is the name of the variant of the submission to run, too; "" for any, None for none.
        """
        if variant == "":
            variant = self._next_variant(len(data), is_trusted=is_trusted)
        asked = Examination(data=data, is_known_valid=is_known_valid, is_trusted=is_trusted, variant=variant)
        return self.answer_question(replace(asked, is_cold=is_cold), box)

    def examine_all(self, inputs: Sequence[bytes], box: Box, *, is_trusted: bool = False) -> Iterator[Examined]:
        """Examine inputs as `examine` does, but run each program on several at once if its runs are short."""
        asked = [
            Examination(data=data, is_trusted=is_trusted, variant=self._next_variant(len(data), is_trusted=is_trusted))
            for data in inputs
        ]
        is_remote = isinstance(box, ExaminationDelegate)
        valid = []
        for each in asked:
            found = self.answer_question(each, box) if is_remote else self._examine_validity(each, box)
            if found is not None:
                yield found
            else:
                valid.append(each)
        while valid:
            count = self._run_ahead(valid, box)
            yield from (self._examine_valid(each, box) for each in valid[:count])
            valid = valid[count:]

    def _run_ahead(self, asked: Sequence[Examination], box: Box) -> int:
        """Run programs on the first of some valid inputs, and keep the outcomes for `_run`; return for how many."""
        target = self.target
        ahead = self._ahead[id(box)] = {}
        if len(asked) == 1 or target.has_dialogue or target.file_names is not None:
            return len(asked)
        answered = {each.data for each in asked}
        for reference in target.references[:1]:
            limits = self._reference_limits(reference, may_fail=self._is_guess(is_trusted=asked[0].is_trusted))
            asked = asked[: self._run_some(reference, [each.data for each in asked], limits, box)]
            answered = {data for (_, data), (*_, outcome) in ahead.items() if outcome.result.exit_code == 0}
        builds = [self._choose_build(each.data, is_exact=each.is_trusted) for each in asked]
        for program in {id(each.program): each for each in builds}.values():
            group = [each.data for each, build in zip(asked, builds, strict=True) if build.program is program.program]
            if len(group := [data for data in group if data in answered]) > 1:
                self._run_some(program, group, target.limits, box)
        return len(asked)

    def answer_question(self, asked: Examination, box: Box) -> Examined:
        """Examine an input as it is asked for."""
        if not asked.is_cold and (remote := self._examine_remotely(box, asked)) is not None:
            return remote
        return self._examine_validity(asked, box) or self._examine_valid(asked, box)

    def _examine_validity(self, asked: Examination, box: Box) -> Examined | None:
        """Return what is found out about an input if that is all that can be, or is asked for."""
        if asked.is_known_valid and not asked.is_about_validity:
            return None
        is_valid = self.is_valid(asked.data, box, is_final=asked.is_cold, is_cold=asked.is_cold)
        if is_valid and not asked.is_about_validity:
            return None
        status = Status.UNKNOWN if is_valid is None else Status.GOOD if is_valid else Status.INVALID
        return Examined(data=asked.data, status=status)

    def _examine_valid(self, asked: Examination, box: Box) -> Examined:
        data, is_cold = asked.data, asked.is_cold
        if self.target.has_dialogue:
            return self._examine_dialogue(asked, box)
        found = self._examine_output(asked, box, self._choose_build(data, is_exact=is_cold or asked.is_trusted))
        if found.failed and self.target.grammar_decides and not (asked.is_known_valid or asked.is_trusted or is_cold):
            is_valid = self.is_valid(data, box, is_final=True)
            if is_valid is False:
                self.faults.add(
                    "the validator", "rejects what the grammar allows", shorten(repr(data.decode(errors="replace")), 60)
                )
                return Examined(data=data, status=Status.INVALID)
        return found

    def _choose_build(self, data: bytes, *, is_exact: bool) -> NamedProgram:
        """Return the program of the user, or the static one: always the same for an input, if it is not `is_exact`."""
        submission = self.target.submission
        if is_exact or submission.static is None or crc32(data) % _EXACT_SHARE == 0:
            return submission
        return replace(submission, program=submission.static)

    def _try_static(self, found: Examined, box: Box) -> None:
        """Stop running the static build if it does not fail as the user's does; the latter does on this input."""
        static = self.target.submission.static
        if static is not None:
            submission = replace(self.target.submission, program=static)
            again = self._examine_output(Examination(data=found.data, is_trusted=found.is_trusted), box, submission)
            if again.kind != found.kind:
                self.leave_static()

    def leave_static(self) -> bool:
        """Run only the program of the user from now on; return whether a static one ran until now.

        They may differ if the program reads memory that it has not written.
        """
        submission = self.target.submission
        self.target = replace(self.target, submission=replace(submission, static=None))
        return submission.static is not None

    def _examine_output(self, asked: Examination, box: Box, submission: NamedProgram) -> Examined:
        """Examine an input by comparing what the submission prints with what a reference prints."""
        data, is_trusted, is_cold = asked.data, asked.is_trusted, asked.is_cold
        expected: bytes | None = None
        if self.target.references:
            is_guess = self._is_guess(is_trusted=is_trusted)
            expected = self.answer(self.target.references[0], data, box, is_cold=is_cold, may_fail=is_guess)
            if is_guess and not self._is_answer(expected, data) and not self.is_over:
                return Examined(data=data, status=Status.INVALID)  # nothing else says what is valid
            if expected is None:
                return Examined(data=data, status=Status.UNKNOWN)
        names = self.target.file_names
        outcome = self._run(submission, data, box, self.target.limits, names=names, is_cold=is_cold)
        if outcome is None:
            return Examined(data=data, status=Status.UNKNOWN)
        self.runs += 1
        checked = conclude(outcome.result, self.target.limits, lambda: self._check(data, expected, outcome.stdout, box))
        if checked.verdict is Verdict.JE:
            self.faults.add("the checker", "fails", checked.reason)
            self._keep_failure(checked.reason, data, outcome.stdout, is_trusted=is_trusted)
            return Examined(data=data, status=Status.UNKNOWN)
        kind = None if checked.verdict in GOOD else _kind(checked.verdict, outcome.result)
        found = Examined(
            data=data,
            status=Status.GOOD if kind is None else Status.FAILED,
            kind=kind,
            expected=expected,
            output=outcome.stdout,
            run=outcome.result,
            is_trusted=is_trusted,
        )
        found = self._vary(found, box, asked.variant)
        if found.failed and expected is not None and not (is_trusted or self.target.decides_validity):
            return self._doubt(data, expected, box, is_cold=is_cold) or found
        return found

    def _next_variant(self, length: int, *, is_trusted: bool) -> str | None:
        """Return the variant, all in turn, that runs on an input of so many bytes if the submission does not fail."""
        target = self.target
        turn, is_spared = divmod(next(self._turns), _VARIED_SHARE if target.references and not is_trusted else 1)
        fitting = [each.name for each in target.variants if length <= (each.largest_input or length)]
        return fitting[turn % len(fitting)] if fitting and not is_spared else None

    def _vary(self, found: Examined, box: Box, wanted: str | None) -> Examined:
        """Return how the variant of a name, if any, fails on an input where the submission itself does not."""
        target, answer = self.target, found.expected
        if answer is None and target.checker.program is None and not target.has_dialogue:
            answer = found.output
        limits = self._cut(relax(target.limits))
        program = next((each for each in target.variants if each.name == wanted), None)
        is_good = not found.failed and found.run is not None and found.run.cpu <= _LONGEST_VARIED
        if program is None or limits is None or not is_good:
            return found
        result, output = self._judge(replace(program, limits=limits), found.data, answer, box)
        if not is_fault(result, may_crash=program.may_crash, may_differ=program.may_differ):
            return found
        reason, detail = f"another output: {result.reason}", ""
        if result.verdict is Verdict.RTE and result.run is not None:
            reason = result.run.crash or result.reason
            detail = cause_of(result.run.crash_line, reason)
        return replace(
            found,
            status=Status.FAILED,
            kind=Kind(result.verdict, detail, program.name),
            output=output,
            mismatch=result.mismatch,
            cause=f"with {program.name}: {reason}",
        )

    def _examine_dialogue(self, asked: Examination, box: Box) -> Examined:
        """Examine an input by the verdict that the programs of the problem give; a reference must be accepted on it.

        The programs get no answer: where no reference is accepted, they may fail for want of it.
        """
        data = asked.data
        if self.is_over:
            return Examined(data=data, status=Status.UNKNOWN)
        result, _ = self._judge(self.target.submission, data, None, box)
        self.runs += 1
        if result.run is None or result.verdict is Verdict.JE:
            self.faults.add("the judging", "fails", result.reason)
            if result.run is not None and any(
                self._is_accepted(each, data, box) for each in self.target.references[:1]
            ):
                self._keep_failure(result.reason, data, None, is_trusted=asked.is_trusted)
            return Examined(data=data, status=Status.UNKNOWN)
        kind = None if result.verdict in GOOD else _kind(result.verdict, result.run)
        found = Examined(data=data, status=Status.GOOD if kind is None else Status.FAILED, kind=kind, run=result.run)
        found = self._vary(found, box, asked.variant)
        references = self.target.references[:_MAX_REFERENCES] if found.failed else ()
        if references and not any(self._is_accepted(each, data, box) for each in references):
            return Examined(data=data, status=Status.UNKNOWN)
        return found

    def _keep_failure(self, reason: str, data: bytes, output: bytes | None, *, is_trusted: bool) -> None:
        is_certain = is_trusted or self.target.decides_validity
        if reason != RUN_INTERRUPTED:
            self.faults.keep(JudgingFailure(reason=reason, input=data, output=output, is_certain=is_certain))

    def _is_accepted(self, reference: NamedProgram, data: bytes, box: Box) -> bool:
        result, _ = self._judge(reference, data, None, box)
        if result.verdict not in GOOD:
            self.faults.add(reference.name, f"is not accepted ({result.verdict})", result.reason)
        return result.verdict in GOOD

    def _doubt(self, data: bytes, expected: bytes, box: Box, *, is_cold: bool) -> Examined | None:
        """Return what an input is that no validator has accepted; None if it is valid: the second reference agrees."""
        for other in self.target.references[1:2]:
            second = self.answer(other, data, box, is_cold=is_cold)
            if second is None:
                return Examined(data=data, status=Status.UNKNOWN)
            if not self._agrees(data, expected, second, box):
                return Examined(data=data, status=Status.INVALID, kind=DISAGREEMENT, expected=expected, output=second)
        return None

    def examine_references(self, data: bytes, box: Box) -> Examined:
        """Examine whether the first two references disagree on an input: then it counts as failed."""
        if not self.is_valid(data, box, is_final=True, is_cold=True):
            return Examined(data=data, status=Status.INVALID)
        first, second = (self.answer(each, data, box) for each in self.target.references[:2])
        if first is None or second is None:
            return Examined(data=data, status=Status.UNKNOWN)
        if self._agrees(data, first, second, box):
            return Examined(data=data, status=Status.GOOD)
        return Examined(data=data, status=Status.FAILED, kind=DISAGREEMENT, expected=first, output=second)

    def confirm(self, found: Examined, box: Box) -> Counterexample | Disagreement | None:
        """Repeat everything cold, and ask the second reference; None if the failure cannot be repeated.

        A run that exceeds a limit takes so long that only one cold run confirms it.
        """
        again = self._repeat(found, box)
        if again is None or again.kind is None:
            return None
        references = () if self.target.has_dialogue else self.target.references
        names: tuple[str, ...] = tuple(each.name for each in references[:1])
        if again.expected is not None:
            first = self.target.references[0]
            is_plain = found.expected is not None and self.target.ready_checker is None
            if is_plain and not self._agrees(found.data, found.expected, again.expected, box):
                self._accuse(first, "is not deterministic", "two runs print different outputs")
                return None
            for other in self.target.references[1:2]:
                second = self.answer(other, found.data, box, is_cold=True)
                if second is None:
                    continue
                if not self._agrees(found.data, again.expected, second, box):
                    return Disagreement(
                        input=found.data,
                        names=(first.name, other.name),
                        outputs=(again.expected, second),
                        is_certain=found.is_trusted or self.target.decides_validity,
                    )
                names = (first.name, other.name)
        result, output = describe_luck(again, self.target), again.output
        if not again.kind.variant:
            result, output = self._judge(self.target.submission, found.data, again.expected, box)
            if result.verdict is not again.kind.verdict:
                return None
            if result.verdict not in SLOW:
                self._try_static(found, box)  # it shrinks the input
            result = self._locate_crash(result, found.data, box)
        return Counterexample(
            input=found.data,
            expected=again.expected,
            output=output,
            result=result,
            kind=again.kind,
            strategy="",
            found=found.data,
            cause=again.cause,
            confirmed_by=names,
        )

    def _locate_crash(self, result: CaseResult, data: bytes, box: Box) -> CaseResult:
        for each in self.target.variants if result.verdict is Verdict.RTE and lacks_line(result) else ():
            varied = replace(each, limits=relax(self.target.limits))
            result = add_crash(result, self._judge(varied, data, None, box)[0])
        return result

    def _repeat(self, found: Examined, box: Box) -> Examined | None:
        """Return what cold runs of all programs show; None if the submission does not fail in the same way.

        Only a variant repeats its output in each run; the submission may depend on the hashes of a run, for example.
        """
        if found.kind is None or found.kind.verdict in SLOW:
            return found
        for _ in range(_MAX_REPEATS if found.variant else 1):
            again = self.examine(found.data, box, is_trusted=found.is_trusted, is_cold=True, variant=found.variant)
            if (
                again.failed
                and again.kind
                and (again.kind.verdict, again.variant) == (found.kind.verdict, found.variant)
            ):
                is_same = not found.variant or again.kind.verdict is Verdict.RTE or again.output == found.output
                return again if is_same else None
        return None

    def confirm_doubt(self, found: Examined, box: Box) -> Disagreement | None:
        """Repeat what makes an input doubtful cold; None if the references agree or print something else then."""
        again = self.examine(found.data, box, is_cold=True)
        if again.kind != DISAGREEMENT or again.expected is None or again.expected != found.expected:
            return None
        first, second = (each.name for each in self.target.references[:2])
        outputs = (again.expected, again.output)
        return Disagreement(input=found.data, names=(first, second), outputs=outputs, is_certain=False)

    def answer(
        self, reference: NamedProgram, data: bytes, box: Box, *, is_cold: bool = False, may_fail: bool = False
    ) -> bytes | None:
        """Return what a reference prints; None if it fails, which is recorded unless it `may_fail`."""
        limits = self._reference_limits(reference, may_fail=may_fail)
        start = time.monotonic()
        outcome = self._run(reference, data, box, limits, names=self.target.file_names, is_cold=is_cold)
        if outcome is None:
            if (seconds := int(time.monotonic() - start)) >= _LONG_CUT:
                self.faults.add(reference.name, f"takes longer than {seconds} s")
            return None
        run = outcome.result
        if run.ending is Ending.EXITED and run.exit_code == 0:
            return outcome.stdout
        if may_fail:
            self._unanswered += run.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT)
            return None
        match run.ending:
            case Ending.EXITED | Ending.SIGNALED:
                ended = f"signal {run.signal}" if run.signal is not None else f"exit status {run.exit_code}"
                last = run.last_error_line
                self._accuse(reference, "crashes", f"{ended}: {last}" if last else ended)
            case Ending.TIME_LIMIT | Ending.WALL_LIMIT:
                self.faults.add(reference.name, f"takes longer than {limits.cpu:g} s")
            case _:
                self.faults.add(reference.name, f"exceeds the {run.ending.value}")
        return None

    def _is_guess(self, *, is_trusted: bool) -> bool:
        """Return whether only the reference says what is valid, so that it may fail."""
        return self.target.format is not None and not is_trusted

    def _reference_limits(self, reference: NamedProgram, *, may_fail: bool) -> Limits:
        cpu = Seconds(_REFERENCE_FACTOR * self.target.limits.cpu)
        memory = Bytes(max(self.target.limits.memory, 2 * GIB))
        limits = reference.limits or replace(self.target.limits, cpu=cpu, wall=default_wall(cpu), memory=memory)
        if not may_fail:
            return limits
        cpu = Seconds(max(_LEAST_CPU, _USUAL_CPU / (1 + self._unanswered)))
        return replace(limits, cpu=cpu, wall=default_wall(cpu))

    def _is_answer(self, answer: bytes | None, data: bytes) -> bool:
        """Return whether a reference that may be given anything prints an answer."""
        words = set() if answer is None else set(answer.split())
        return bool(words) and words & self.target.no_answers <= set(data.split())

    def _judge(self, program: NamedProgram, data: bytes, expected: bytes | None, box: Box) -> tuple[CaseResult, bytes]:
        """Judge a program cold, as `judge run` does; return what it wrote, too: b"" in a dialogue."""
        return judge_job(self.target.job(program.program, data, expected, program.limits), box)

    def _accuse(self, reference: NamedProgram, what: str, detail: str) -> None:
        """Record a fault of a reference. Raises UnusableError if it prints something else again and again."""
        count = self.faults.add(reference.name, what, detail)
        if count >= _MAX_FAULTS and what == "is not deterministic":
            raise UnusableError(
                f"{reference.name} {what}: {detail}; expected the same output for the same input. Correct it, or name "
                "another reference"
            )

    def _check(self, data: bytes, expected: bytes | None, output: bytes, box: Box) -> CheckResult:
        if output == expected:
            return CheckResult(verdict=Verdict.AC)
        return check_output(
            self.target.checker, self.target.ready_checker, box, given=data, answer=expected, output=output
        )

    def _agrees(self, data: bytes, expected: bytes | None, other: bytes, box: Box) -> bool:
        return self._check(data, expected, other, box).verdict is Verdict.AC

    def _validate(self, validator: NamedProgram, data: bytes, box: Box, *, is_cold: bool) -> bool | None:
        outcome = self._run(validator, data, box, validator.limits or VALIDATOR_LIMITS, is_cold=is_cold)
        if outcome is None:
            return None
        ending, said = outcome.result.ending, read_status(outcome.result, validator.protocol)
        if said is Answer.FAILED and ending is not Ending.SIGNALED:  # a signal is often an assertion that rejects
            self.faults.add(f"the validator {validator.name}", f"exceeds the {ending.value}")
            return None
        return said is Answer.ACCEPTED

    def _cut(self, limits: Limits) -> Limits | None:
        """Return limits with which a run ends by the deadline; None if that leaves no time."""
        left = self.deadline - time.monotonic()
        if left <= _MIN_WALL:
            return None
        wall = Seconds(math.ceil(min(left, limits.wall) / _DEADLINE_STEP) * _DEADLINE_STEP)
        return replace(limits, wall=wall, cpu=Seconds(min(limits.cpu, wall))) if wall < limits.wall else limits

    def _run(
        self,
        program: NamedProgram,
        data: bytes,
        box: Box,
        limits: Limits,
        *,
        names: FileNames | None = None,
        is_cold: bool = False,
    ) -> Outcome | None:
        """Run a program; None if the deadline cut the run."""
        command = program.program.command(data, limits, program.args)
        made = None if is_cold else self._ahead.get(id(box), {}).pop((command.argv, data), None)
        used = made[1] if made is not None and made[0] == limits else self._cut(limits)
        if used is None:
            return None
        is_cut = used.wall < limits.wall
        try:
            if made is not None and made[0] == limits:
                outcome = made[2]
            elif is_cold or names is not None:
                outcome = run_submission(command, names, used, box)
            else:
                outcome = self.pool.run(box, command, used, repeats=not is_cut)
        except (JudgeError, OSError) as error:
            if not self.is_over:
                self.faults.add(program.name, "cannot be run", describe_error(error))
            return None
        ending = outcome.result.ending
        if is_cut and (ending is Ending.WALL_LIMIT or (ending is Ending.TIME_LIMIT and used.cpu < limits.cpu)):
            return None
        return outcome

    def _run_some(self, program: NamedProgram, inputs: Sequence[bytes], limits: Limits, box: Box) -> int:
        """Run a program on the first of some inputs, and keep the outcomes; return how many, at least one."""
        used = self._cut(limits)
        if used is None:
            return len(inputs)
        command = program.program.command(b"", limits, program.args)
        try:
            outcomes = self.pool.run_some(box, command, inputs, used, repeats=used.wall >= limits.wall)
        except (JudgeError, OSError):  # another run reports it
            return len(inputs)
        made = {(command.argv, data): (limits, used, outcome) for data, outcome in zip(inputs, outcomes, strict=False)}
        self._ahead[id(box)].update(made)
        return len(outcomes)


def describe_luck(found: Examined, target: Target) -> CaseResult:
    """Return the result of a submission that only a variant shows to be wrong."""
    is_right = found.expected is not None or target.has_dialogue or target.checker.program is not None
    return CaseResult(
        case=target.case(found.data),
        verdict=Verdict.AC if is_right else Verdict.NA,
        reason="the output is right by luck" if is_right else "there is no reference to compare the output with",
        run=found.run,
        mismatch=found.mismatch,
        excerpt=extract_excerpt_of(found.data, b"", found.mismatch),
    )


def _kind(verdict: Verdict, run: RunResult) -> Kind:
    if verdict is not Verdict.RTE:
        return Kind(verdict)
    if run.signal is not None:
        return Kind(verdict, f"signal {run.signal}")
    lines = run.stderr_tail.strip().splitlines()
    if _CRASH in run.stderr_tail and lines and (found := _EXCEPTION.match(lines[-1])):
        return Kind(verdict, found[1].decode(errors="replace"))
    return Kind(verdict, f"exit status {run.exit_code}")


def examine_for_remote(target: Target, examination: Examination, pool: WarmPool, box: Box) -> ExaminationAnswer:
    """Return what an examiner of another machine wants to know."""
    examiner = Examiner(target, pool)
    examiner.deadline = time.monotonic() + examination.seconds
    examined = replace(examiner.answer_question(examination, box), data=b"")
    if examined.kind is None:
        examined = replace(examined, output=b"")  # that of the submission; no one needs it
    return ExaminationAnswer(
        examined=examined,
        runs=examiner.runs,
        faults=examiner.faults.first_details(),
        judging_failure=examiner.faults.judging_failure,
    )
