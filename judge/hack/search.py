"""The search: sources propose, workers examine, and what fails is shrunk and confirmed.

Every worker takes the next inputs by itself, so that none waits for another. The thread that called only reports and
waits; Ctrl-C reaches it, and the best failure so far is kept.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import JudgeError, describe_error
from judge.base.units import Seconds, format_count, format_seconds
from judge.hack.attacks import find_lesson
from judge.hack.examine import DISAGREEMENT, SAME_COST, SLOW, Examiner, describe_luck
from judge.hack.pool import WarmPool
from judge.hack.shrink import Simpler, candidates
from judge.hack.sources import MAX_TOGETHER, GeneratorError, Proposal, Scheduler, Source
from judge.hack.values import (
    Counterexample,
    Disagreement,
    Examined,
    Goal,
    Kind,
    MostExpensive,
    Progress,
    Report,
    SearchOptions,
    SearchResult,
    Status,
    Target,
    count_tokens,
)
from judge.inputs.guess import Guess
from judge.inputs.shrink import measure
from judge.inputs.structure import MAX_EXAMPLE, with_plain_white_space
from judge.judging.checkers import check
from judge.judging.judge import extract_excerpt_of
from judge.model import CaseResult, CheckerConfig, Verdict
from judge.runner.executors import Interrupted, LocalExecutor
from judge.runner.sanitize import cause_of
from judge.sandbox.box import Box

Examine = Callable[[bytes, Box], Examined]
R = TypeVar("R")

BATCH = 48  # single tests in one input
_AT_ONCE = 16  # inputs that are examined together
_AT_ONCE_S = 0.1  # seconds after which the rest of them is put back
_NEARLY = 0.8  # of the cost of the most expensive input, that a simpler one has
_REPEATS = 3
_SHRINK_SHARE = 0.1  # of the budget, for confirming and shrinking what is found at the end of the rest
_LONGEST_SHARE = 0.3  # of the budget, of a run that exceeds the time limit and is repeated
_GRACE = Seconds(0.5)  # after the budget, for the last confirmation; then all programs are ended
_TICK = Seconds(0.1)  # how often progress is reported
_MAX_GENERATOR_ERRORS = 3
_MAX_UNCONFIRMED = 5
_MAX_AT_ONCE = 64  # simpler inputs that are tried before the simplest one that fails is taken
_MAX_EXAMPLES = 100  # inputs from which a format is learned
_MIN_EXAMPLES = 20


class Plan(Struct, frozen=True, kw_only=True):
    """What a search uses besides its target.

    Attributes:
        first: sources that are used up first.
        sources: the others.
        simpler: the grammar's own simpler inputs; then nothing else is tried, unless it `is_guess`.
        guess: by which inputs near to the samples are better; None where something else says what is valid.
        learns_format: what inputs look like is learned from the proposed ones; where nothing decides what is valid, a
            shrunk input must look the same.
    """

    first: Sequence[Source] = ()
    sources: Sequence[Source] = ()
    simpler: Simpler | None = None
    guess: Guess | None = None
    is_guess: bool = False
    learns_format: bool = False


class _State(Struct):
    """What workers have found in one round; guarded by the lock of the search.

    `lucky` has the simplest input for each cause that only a variant shows, where there are references: the search goes
    on.
    """

    failures: list[tuple[str, Examined]] = field(default_factory=list)
    lucky: dict[str, tuple[str, Examined]] = field(default_factory=dict)
    expensive: tuple[str, Examined] | None = None
    error: JudgeError | None = None
    is_over: bool = False


class Search:
    """Searches for inputs on which a program fails; calls `report` with the progress, in the calling thread."""

    def __init__(
        self,
        target: Target,
        plan: Plan,
        options: SearchOptions,
        executor: LocalExecutor,
        report: Report = lambda _: None,
    ) -> None:
        self.target = target
        self.plan = plan
        self.options = options
        self._executor = executor
        self._report = report
        self._start = time.monotonic()
        self._scheduler = Scheduler(plan.first, plan.sources)
        self._pool = WarmPool()
        self._examiner = Examiner(target, self._pool)
        self._lock = threading.Lock()
        self._state = _State()
        self._known_causes: set[str] = set()
        self._inputs = self._rejected = self._generator_errors = 0
        self._doubtful: Examined | None = None  # the smallest input on which references disagree, perhaps not valid
        self._strategy = ""
        self._searching = 0.0  # seconds
        self._examples: list[bytes] = []
        self._simpler = plan.simpler
        self._is_free = not plan.learns_format or target.decides_validity  # to shrink the text
        self._first_rejected: bytes | None = None
        self._is_stopped = False  # because the time is over
        self._making = ""  # the source that runs a generator now

    def run(self) -> SearchResult:
        """Search until enough is found, or the time or the inputs are used up.

        Raises:
            UnusableError: a program other than the submission cannot be used.
            GeneratorError: the generator fails again and again.
            SandboxError: nothing can be run.
        """
        found: dict[tuple[bytes, str], Counterexample] = {}
        disagreements: list[Disagreement] = []
        was_interrupted = False
        best: tuple[str, Examined] | None = None
        confirmed: Counterexample | Disagreement | None = None
        unconfirmed = 0
        end = self._start + self.options.budget - self._confirming
        with self._pool, self._time_limit():
            try:
                while len(found) < self.options.findings and unconfirmed < _MAX_UNCONFIRMED:
                    best = confirmed = None
                    best = self._search(end)
                    if best is None:
                        break
                    self._examiner.deadline = float("inf")
                    confirmed = self._confirm(*best)
                    self._known_causes.add(best[1].variant_cause)
                    if isinstance(confirmed, Counterexample):
                        for smaller in self._shrink(best[1], len(found)):
                            best = (best[0], smaller)
                        again = self._confirm(*best) if best[1].data != confirmed.input else None
                        confirmed = again if isinstance(again, Counterexample) else confirmed
                    match confirmed:
                        case Counterexample():  # the simplest input may be the same as before
                            found.setdefault((confirmed.input, best[1].variant_cause), confirmed)
                            self._known_causes.add(cause_of(confirmed.line, confirmed.result.reason))
                        case Disagreement():
                            disagreements.append(confirmed)
                        case _:
                            unconfirmed += not self._examiner.leave_static()
                best, self._state.failures = None, []  # Ctrl-C reports nothing else from now on
                disagreements = list(self._choose_disagreement(disagreements, is_needed=not found))
                self._shrink_most_expensive()
            except Interrupted:
                was_interrupted = not self._is_stopped
                self._require_inputs()
                self._state.is_over = True
                self._pool.interrupt()
                best = best or self._simplest_failure()
                if best is not None and len(found) < self.options.findings:
                    late = _best_so_far(*best, confirmed, self.target, is_over=self._is_stopped)
                    found.setdefault((late.input, best[1].variant_cause), late)
        slowest = None
        if (expensive := self._state.expensive) is not None and (run := expensive[1].run) is not None:
            slowest = MostExpensive(input=expensive[1].data, cpu=run.cpu, memory=run.memory, strategy=expensive[0])
        return SearchResult(
            found=list(map(self._explain, found.values())),
            disagreements=disagreements,
            judging_failure=self._examiner.faults.judging_failure,
            slowest=slowest,
            runs=self._examiner.runs,
            inputs=self._inputs,
            rejected=self._rejected,
            first_rejected=self._first_rejected,
            seconds=Seconds(time.monotonic() - self._start),
            rate=self._inputs / self._searching if self._searching > 0 else 0.0,
            seed=self.options.seed,
            faults=self._describe_faults(unconfirmed),
            was_interrupted=was_interrupted,
        )

    def _require_inputs(self) -> None:
        """Raise GeneratorError if all the time went to one run of a generator."""
        if self._is_stopped and self._making and not self._inputs:
            seconds = format_seconds(self.options.budget)
            raise GeneratorError(f"the generator `{self._making}` does not end within {seconds}")

    @contextmanager
    def _time_limit(self) -> Iterator[None]:
        """Return the context that Interrupted ends, in whatever programs do, soon after the budget is used up."""
        options = self.options
        seconds = options.budget + (options.shrink_budget or 0) * options.findings + _GRACE
        timer = threading.Timer(max(0.0, self._start + seconds - time.monotonic()), self._stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if self._is_stopped:
                self._executor.resume()

    def _stop(self) -> None:
        self._is_stopped = self._state.is_over = True
        self._executor.abandon()
        self._pool.interrupt()

    def _rank(self, data: bytes) -> tuple[object, ...]:
        """Return how simple an input is; those near to the samples first."""
        return measure(data) if self.plan.guess is None else (*self.plan.guess.distance(data), *measure(data))

    def _explain(self, found: Counterexample) -> Counterexample:
        guess, lesson = self.plan.guess, find_lesson(found.strategy, found.kind.verdict)
        not_shown = guess.describe_difference(with_plain_white_space(found.input)) if guess is not None else ()
        return replace(found, not_shown=tuple(not_shown), lesson=lesson)

    def _describe_faults(self, unconfirmed: int) -> list[str]:
        faults = self._examiner.faults.describe()
        if unconfirmed:
            faults.append(f"{format_count(unconfirmed, 'failing input')} did not fail again")
        if len(self._examples) >= _MIN_EXAMPLES and len(set(self._examples)) == 1:
            faults.append("the generator prints the same input for every seed")
        return faults

    # ---- searching ------------------------------------------------------------------------------------------------

    def _search(self, end: float) -> tuple[str, Examined] | None:
        """Let all workers search until one finds a failure; return the smallest, with its source."""
        lucky = {cause: each for cause, each in self._state.lucky.items() if cause not in self._known_causes}
        self._state = _State(expensive=self._state.expensive, lucky=lucky)
        self._examiner.deadline = end
        start = time.monotonic()
        try:
            for _ in self._executor.map(self._work, range(self._executor.workers), patience=_TICK):
                self._tell("searching")
        finally:
            self._searching += time.monotonic() - start
        if self._state.error is not None:
            raise self._state.error
        return self._simplest_failure()

    def _simplest_failure(self) -> tuple[str, Examined] | None:
        failures = self._state.failures or self._state.lucky.values()
        return min(failures, key=lambda each: self._rank(each[1].data), default=None)

    def _work(self, box: Box, _number: int) -> bool:
        """Examine inputs until the round is over. Runs in a worker."""
        most = self.options.max_inputs or math.inf
        tests = BATCH if self.target.joining is not None else 1
        at_once = 1
        while (left := most - self._inputs) > 0 and not self._state.is_over and not self._examiner.is_over:
            start = time.monotonic()
            found = self._scheduler.next(int(min(at_once, left)), int(min(tests, left)))
            if found is None:
                return True
            source, proposals = found
            try:
                made = self._try(source, proposals, box)
            except JudgeError as error:
                self._state.error = self._state.error or error
                self._state.is_over = True
                return True
            self._scheduler.spend(source, start, made=made)
            is_short = time.monotonic() - start < _AT_ONCE_S
            at_once = min(2 * at_once, _AT_ONCE) if is_short else 1
        return True

    def _try(self, source: Source, proposals: Sequence[Proposal], box: Box) -> int:
        """Examine what a source proposes; return how many inputs that makes."""
        inputs = self._make(source, proposals, box)
        with self._lock:
            self._inputs += len(inputs)
            self._strategy = source.name
        left: dict[bytes, None] = {}
        if len(inputs) > 1 and source.joins and self.target.joining is not None:
            for part in self._valid_parts(inputs, source, box):
                self._examine_tests(part, source, box)
        else:
            left = dict.fromkeys(inputs)
            end = time.monotonic() + _AT_ONCE_S
            for found in self._examiner.examine_all(inputs, box, is_trusted=source.is_trusted):
                self._note(source, found)
                left.pop(found.data, None)
                if self._state.is_over or time.monotonic() > end:
                    break
        if left:
            self._scheduler.put_back(source, list(left))
        with self._lock:
            self._inputs -= len(left)
            if self.plan.learns_format and len(self._examples) < _MAX_EXAMPLES:
                self._examples += [each for each in inputs if each not in left and len(each) <= MAX_EXAMPLE]
        return len(inputs) - len(left)

    def _make(self, source: Source, proposals: Sequence[Proposal], box: Box) -> list[bytes]:
        inputs: list[bytes] = []
        end = time.monotonic() + _AT_ONCE_S
        for at, proposal in enumerate(proposals):
            if isinstance(proposal, bytes):
                inputs.append(proposal)
                continue
            is_much = len(inputs) >= len(proposals) or sum(map(len, inputs)) > MAX_TOGETHER
            if at and (is_much or time.monotonic() > end):
                self._scheduler.put_back(source, proposals[at:])
                break
            self._making = source.name
            try:
                inputs += proposal(box, partial(self._pool.run, repeats=False))
                self._making = ""
            except GeneratorError as error:
                is_late = time.monotonic() >= self._examiner.deadline
                if self._inputs if is_late else self._state.is_over:
                    continue
                self._generator_errors += 1
                self._examiner.faults.add(source.name, "fails", describe_error(error))
                if (is_late or self._generator_errors >= _MAX_GENERATOR_ERRORS) and not (self._inputs or inputs):
                    raise
        return inputs

    def _valid_parts(self, tests: Sequence[bytes], source: Source, box: Box) -> Iterator[list[bytes]]:
        """Yield tests that are valid in one input: all are checked together, then halves of what is rejected."""
        stack = [list(tests)]
        while stack:
            part = stack.pop()
            joined = self._join(part)
            is_valid = None if joined is None else self._examiner.is_valid(joined, box)
            if is_valid:
                yield part
            elif len(part) > 1:
                stack += [part[: len(part) // 2], part[len(part) // 2 :]]
            else:
                self._note(
                    source, Examined(data=part[0], status=Status.UNKNOWN if is_valid is None else Status.INVALID)
                )

    def _examine_tests(self, tests: Sequence[bytes], source: Source, box: Box) -> None:
        """Examine tests in one input; if that fails, look for the test, or for some of them, by halving."""

        def examine(part: Sequence[bytes]) -> Examined | None:
            joined = self._join(part)
            return None if joined is None else self._examiner.examine(joined, box, is_known_valid=True)

        found = examine(tests)
        for test in tests if found is not None else ():
            self._scheduler.learn(source, test, is_valid=True, answer=None)
        while found is not None and found.failed and len(tests) > 1:
            halves = tests[: len(tests) // 2], tests[len(tests) // 2 :]
            smaller = ((half, result) for half in halves if (result := examine(half)) is not None and result.failed)
            tests, result = next(smaller, ((), None))
            found = result or found
        if found is not None:
            self._note(source, found, learns=False)

    def _join(self, tests: Sequence[bytes]) -> bytes | None:
        assert self.target.joining is not None
        return tests[0] if len(tests) == 1 else self.target.joining.join(tests)

    def _note(self, source: Source, examined: Examined, *, learns: bool = True) -> None:
        if learns and examined.status is not Status.UNKNOWN:
            is_valid = examined.status is not Status.INVALID
            self._scheduler.learn(source, examined.data, is_valid=is_valid, answer=examined.expected)
        with self._lock:
            if examined.status is Status.INVALID:
                self._rejected += 1
                self._first_rejected = self._first_rejected or examined.data
            if self.options.goal is not Goal.FAILURE:
                if examined.run is not None:
                    latest = (source.name, examined)
                    expensive = self._state.expensive or latest
                    self._state.expensive = max(expensive, latest, key=lambda each: self._cost(each[1]))
            elif examined.failed and (cause := examined.variant_cause) in self._known_causes - {""}:
                return
            elif examined.failed and cause and self.target.references:
                latest = (source.name, examined)
                known = self._state.lucky.get(cause, latest)
                self._state.lucky[cause] = min(known, latest, key=lambda each: self._rank(each[1].data))
            elif examined.failed:
                self._state.failures.append((source.name, examined))
                self._state.is_over = True
            elif examined.kind == DISAGREEMENT:
                self._doubtful = min(self._doubtful or examined, examined, key=lambda each: self._rank(each.data))

    # ---- confirming and shrinking ---------------------------------------------------------------------------------

    def _confirm(self, strategy: str, examined: Examined) -> Counterexample | Disagreement | None:
        result = self._ask(self._examiner.confirm, examined)
        if isinstance(result, Counterexample):
            return replace(result, strategy=strategy)
        return result

    def _ask(self, question: Callable[[Examined, Box], R], examined: Examined) -> R | None:
        for result in self._executor.map(lambda box, each: question(each, box), [examined], patience=_TICK):
            self._tell("confirming", tokens=count_tokens(examined.data))
            if result is not None:
                return result
        return None

    def _choose_disagreement(self, disagreements: Sequence[Disagreement], *, is_needed: bool) -> Iterator[Disagreement]:
        if disagreements:
            yield self._shrink_disagreement(disagreements[0])
        elif self._doubtful is not None and is_needed:
            self._examiner.deadline = float("inf")
            if (result := self._ask(self._examiner.confirm_doubt, self._doubtful)) is not None:
                yield result

    def _shrink(self, failed: Examined, found: int) -> Iterator[Examined]:
        end = self._shrink_end(failed.kind)
        self._examiner.deadline = end
        best = failed
        if self.plan.learns_format:
            for best in self._learn_format(failed):
                yield best
        if self._is_free:
            yield from self._smaller(best, partial(self._examiner.examine, variant=failed.variant), found, end)
        self._examiner.target = replace(self._examiner.target, format=self.target.format)  # of this failure only
        self._simpler, self._is_free = self.plan.simpler, not self.plan.learns_format or self.target.decides_validity
        self._examiner.deadline = float("inf")

    @property
    def _confirming(self) -> float:
        """How many seconds at the end of the budget are for the longest cold run, or for shrinking."""
        budget, slowest = self.options.budget, self.target.limits.cpu
        least = 0 if self.options.shrink_budget is not None else _SHRINK_SHARE * budget
        return max(least, slowest if slowest <= _LONGEST_SHARE * budget else 0)

    def _shrink_end(self, kind: Kind | None = None) -> float:
        """Return when shrinking what fails in some way ends that begins now, by `time.monotonic`."""
        if (shrinking := self.options.shrink_budget) is not None:
            return time.monotonic() + shrinking
        is_slow = kind is not None and kind.verdict in SLOW
        return self._start + self.options.budget - (self._confirming if is_slow else 0)

    def _smaller(self, failed: Examined, examine: Examine, found: int, end: float) -> Iterator[Examined]:
        best = failed
        tried = {hash(failed.data)}

        def is_new(data: bytes) -> bool:
            is_known = hash(data) in tried
            tried.add(hash(data))
            return not is_known

        while time.monotonic() < end:
            proposals = candidates(
                best.data,
                joining=self.target.joining,
                simpler=self._simpler,
                is_guess=self.plan.is_guess,
                rank=self._rank,
                is_over=lambda: time.monotonic() > end,
            )
            smaller = self._first_failing(filter(is_new, proposals), examine, end, found, best)
            if smaller is None:
                break
            best = smaller
            yield best

    def _shrink_disagreement(self, found: Disagreement) -> Disagreement:
        """Return the simplest input on which the same two references disagree, as far as it is known to be valid."""
        if not self.target.decides_validity:
            return found
        self._examiner.deadline = end = self._shrink_end()
        start = Examined(data=found.input, status=Status.FAILED, kind=DISAGREEMENT)
        for each in self._smaller(start, self._examiner.examine_references, 0, end):
            found = replace(found, input=each.data, outputs=(each.expected or b"", each.output))
        self._examiner.deadline = float("inf")
        return found

    def _cost(self, examined: Examined) -> float:
        """Return the CPU time of a run in seconds, or its memory in bytes; 0 if there was none."""
        if examined.run is None:
            return 0.0
        return examined.run.memory if self.options.goal is Goal.LARGEST else examined.run.cpu

    def _shrink_most_expensive(self) -> None:
        """Replace the most expensive input, if there is one, by the simplest one that costs nearly as much."""
        if self._state.expensive is None:
            return
        strategy, found = self._state.expensive
        self._examiner.deadline = end = self._shrink_end()
        again = self._executor.map(lambda box, data: self._examiner.examine(data, box), [found.data] * _REPEATS)
        usual = [self._cost(each) for each in again if each.run is not None]  # the machine was busy, perhaps
        if not usual:
            return  # the deadline has cut all of them
        least = _NEARLY * min(self._cost(found), *usual)

        def examine(data: bytes, box: Box) -> Examined:
            examined = self._examiner.examine(data, box)
            if self._cost(examined) >= least:
                return replace(examined, status=Status.FAILED, kind=SAME_COST)
            return replace(examined, status=Status.GOOD, kind=None) if examined.failed else examined

        start = replace(found, status=Status.FAILED, kind=SAME_COST)
        if self.plan.learns_format:
            for _ in self._learn_format(start):
                pass
        if self._is_free:
            for each in self._smaller(start, examine, 0, end):
                self._state.expensive = (strategy, each)
        self._examiner.deadline = float("inf")

    def _learn_format(self, failed: Examined) -> Iterator[Examined]:
        """Find out what inputs look like; more of them are made, and the smallest that fails is yielded."""
        failing: list[Examined] = []

        def make(box: Box, _: int) -> None:
            while len(self._examples) < _MAX_EXAMPLES and time.monotonic() < self._examiner.deadline:
                found = self._scheduler.next()
                if found is None:
                    return
                for data in self._make(*found, box):
                    self._examples.append(data)
                    if self._rank(data) < self._rank(failed.data):
                        examined = self._examiner.examine(data, box, variant=failed.variant)
                        if examined.failed and examined.kind == failed.kind:
                            failing.append(examined)

        for _ in self._executor.map(make, range(self._executor.workers), patience=_TICK):
            self._tell("shrinking", tokens=count_tokens(failed.data))
        self._adopt_format(failed.data)
        if failing:
            yield min(failing, key=lambda each: self._rank(each.data))

    def _adopt_format(self, data: bytes) -> None:
        """Shrink an input by the format of the examples, if it has that."""
        guess = Guess.of([*self._examples, data]) if len(self._examples) >= _MIN_EXAMPLES else None
        if guess is None:
            return
        if not self.target.decides_validity:
            self._examiner.target = replace(self._examiner.target, format=guess.grammars[0])
        self._simpler, self._is_free = self.plan.simpler or guess.grammars[0].shrinks, True

    def _first_failing(
        self, proposals: Iterator[bytes], examine: Examine, end: float, found: int, best: Examined
    ) -> Examined | None:
        """Return the first of some inputs that fails in the same way; of those examined at once, the simplest."""
        kind, runs = best.kind, self._executor.parallel_runs
        at_once = min(runs if runs == 1 or (kind and kind.verdict in SLOW) else 2 * runs, _MAX_AT_ONCE)
        while time.monotonic() < end and (chunk := list(islice(proposals, at_once))):
            results = list(self._executor.map(lambda box, data: examine(data, box), chunk))
            self._tell("shrinking", found=found, tokens=count_tokens(best.data))
            if failing := [each for each in results if each.failed and each.kind == kind]:
                return min(failing, key=lambda each: self._rank(each.data))
        return None

    def _tell(self, phase: str, *, found: int = 0, tokens: int = 0) -> None:
        seconds = Seconds(time.monotonic() - self._start)
        inputs = self._inputs
        self._report(
            Progress(phase=phase, seconds=seconds, inputs=inputs, strategy=self._strategy, found=found, tokens=tokens)
        )


def _best_so_far(
    strategy: str, examined: Examined, confirmed: Counterexample | Disagreement | None, target: Target, *, is_over: bool
) -> Counterexample:
    """Return the smallest failure of a search that was interrupted; if it has shrunk, only warm runs have shown it.

    If the time `is_over`, an input that cold runs have confirmed is better than a smaller one.
    """
    if isinstance(confirmed, Counterexample) and (is_over or confirmed.input == examined.data):
        return confirmed
    assert examined.kind is not None
    found = confirmed.found if isinstance(confirmed, Counterexample) else examined.data
    if examined.kind.variant:
        result = describe_luck(examined, target)
    else:
        mismatch = None
        if examined.expected is not None and examined.kind.verdict in (Verdict.WA, Verdict.PE):
            checker = target.checker if target.checker.program is None else CheckerConfig()
            mismatch = check(checker, examined.expected, examined.output).mismatch
        result = CaseResult(
            case=target.case(examined.data),
            verdict=examined.kind.verdict,
            reason="not confirmed by cold runs",
            run=examined.run,
            mismatch=mismatch,
            excerpt=extract_excerpt_of(examined.data, examined.expected or b"", mismatch),
        )
    return Counterexample(
        input=examined.data,
        expected=examined.expected,
        output=examined.output,
        result=result,
        kind=examined.kind,
        strategy=strategy,
        found=found,
        cause=examined.cause,
        is_cold=False,
    )
