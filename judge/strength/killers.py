"""Searches inputs that kill survivors: more inputs of the problem's generators, and its cases with lines recombined.

Every input goes through the preparation of test data: the validator accepts it, and the accepted solutions agree on its
answer. The data is kept apart from that of the cases. Only a wrong answer or a crash counts; a mutant that is merely
slow does not.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from judge.data import read_data
from judge.judging.judge import Job
from judge.languages.build import CompileError
from judge.model import Case, Generated, Inline, Limits, Problem, Produced, Verdict, default_wall
from judge.preparation.cases import ReadyCase
from judge.preparation.prepare import prepare, without_progress
from judge.preparation.store import FactCache, ObjectStore
from judge.runner.solution import judge_job
from judge.sandbox.box import Box
from judge.strength.mutants import MutatedSolution
from judge.strength.results import Killer, MutantResult
from judge.units import Seconds
from judge.workspace.session import Session

if TYPE_CHECKING:
    from judge.judging.programs import JudgePrograms

_SEED = 1_000_000  # generators get the seeds after this one, which cases hardly have
_LARGEST = 1 << 15  # bytes of an input that is changed or tried
_MIXED = 16  # recombined inputs of one round
_CPU = Seconds(1.0)  # of a mutant on an input
_MOST_STEPS = 40  # of shrinking one input
_KILLS = frozenset({Verdict.WA, Verdict.PE, Verdict.RTE})

Found = dict[str, Killer]
"""Inputs that kill survivors, by the hash of the mutant."""


@dataclass(frozen=True, slots=True)
class Survivor:
    """A survivor and the solution that it is a mutant of."""

    mutated: MutatedSolution
    result: MutantResult


class KillerSearch:
    """Searches killers for the survivors of one problem.

    Args:
        problem: its validator, generators and reference make the inputs valid and answered.
        cases: what is known already.
        folder: temporary, for data that is thrown away.
    """

    def __init__(
        self,
        session: Session,
        problem: Problem,
        cases: Sequence[ReadyCase],
        programs: "JudgePrograms | None",
        folder: Path,
    ) -> None:
        self._session = session
        self._problem = problem
        self._cases = [each for each in cases if _size(each) <= _LARGEST]
        self._programs = programs
        self._store = replace(
            session.store, objects=ObjectStore(folder / "objects"), facts=FactCache(folder / "facts.json")
        )
        self._number = 0

    def search(self, survivors: Sequence[Survivor], rounds: int, report: Callable[[str, int, int], None]) -> Found:
        """Return an input for each survivor that one of some rounds of inputs kills."""
        found: Found = {}
        template = self._cases[0].case if self._cases else None
        if template is None or self._problem.interactor is not None:
            return found
        for number in range(rounds):
            report(f"searching inputs that kill {len(survivors) - len(found)} survivors", number, rounds)
            proposals = [*self._generated(number), *self._recombined(number, template)]
            for origin, ready in self.prepare(proposals):
                left = [each for each in survivors if each.result.digest not in found]
                for each, verdict in zip(left, self._judge(left, ready), strict=True):
                    if verdict in _KILLS:
                        found[each.result.digest] = self._shrink(each, ready, origin, verdict)
            if len(found) == len(survivors):
                break
        return found

    def prepare(self, proposals: Sequence[tuple[str, Case]]) -> Iterator[tuple[str, ReadyCase]]:
        """Yield the inputs that are valid and have a confirmed answer."""
        origins = {case.id: origin for origin, case in proposals}
        cases = [case for _, case in proposals]
        executor = self._session.executor
        steps = prepare(self._problem, cases, self._store, {}, executor.map, workers=executor.workers)
        for each in without_progress(steps):
            if isinstance(each, ReadyCase) and each.answer is not None:
                yield origins[each.case.id], each

    def _generated(self, number: int) -> Iterator[tuple[str, Case]]:
        """Yield the cases that generators make, with other seeds."""
        for ready in self._cases:
            case, seed = ready.case, _SEED + number
            match case.input:
                case Generated(function=name) as given:
                    yield f"{name}, seed {seed}", self._case(case, replace(given, seed=seed))
                case Produced(sources=sources) as given:
                    yield f"{sources[0].name}, seed {seed}", self._case(case, replace(given, seed=seed))

    def _recombined(self, number: int, template: Case) -> Iterator[tuple[str, Case]]:
        """Yield inputs whose lines and words come from several cases; most formats refuse most of them."""
        random = Random(f"{self._problem.id} {number}")
        inputs = [read_data(each.input) for each in self._cases if each.case.validator_args == template.validator_args]
        lines = [line for data in inputs for line in data.splitlines(keepends=True)]
        if not lines:
            return
        for _ in range(_MIXED):
            data = _recombine(random, random.choice(inputs), lines)
            yield "lines of several cases", self._case(template, Inline(data))

    def _case(self, case: Case, given: Inline | Generated | Produced) -> Case:
        self._number += 1
        return replace(case, group="search", name=str(self._number), input=given, answer=None, origin=case.origin)

    def _judge(self, survivors: Sequence[Survivor], ready: ReadyCase) -> list[Verdict]:
        def run(box: Box, survivor: Survivor) -> Verdict:
            return self._run(survivor, ready, box)

        return list(self._session.executor.map(run, survivors))

    def _run(self, survivor: Survivor, ready: ReadyCase, box: Box) -> Verdict:
        mutated = survivor.mutated
        program = mutated.program(survivor.result.mutant.apply(mutated.text), box)
        if isinstance(program, CompileError):
            return Verdict.CE
        programs, case = self._programs, ready.case
        job = Job(
            program=program,
            case=replace(case, limits=_limits(case.limits)),
            input=ready.input,
            answer=ready.answer,
            checker=programs.require(case.checker.program, box) if programs else None,
            passes=programs.passes if programs else 1,
        )
        return judge_job(job, box, needs_output=False)[0].verdict

    def _shrink(self, survivor: Survivor, ready: ReadyCase, origin: str, verdict: Verdict) -> Killer:
        """Leave out lines as long as the mutant is killed in the same way."""
        best, steps = ready, 0
        size = len(read_data(ready.input).splitlines(keepends=True)) // 2
        while size >= 1 and steps < _MOST_STEPS:
            smaller = None
            data = read_data(best.input).splitlines(keepends=True)
            for start in range(0, len(data), size):
                rest = b"".join(data[:start] + data[start + size :])
                steps += 1
                tried = list(self.prepare([(origin, self._case(ready.case, Inline(rest)))])) if rest else []
                if tried and self._judge([survivor], tried[0][1]) == [verdict]:
                    smaller = tried[0][1]
                    break
                if steps >= _MOST_STEPS:
                    break
            if smaller is None:
                size //= 2
            else:
                best = smaller
                size = min(size, len(read_data(best.input).splitlines()) // 2)
        assert best.answer is not None
        return Killer(input=read_data(best.input), answer=read_data(best.answer), origin=origin, verdict=verdict)


def _recombine(random: Random, data: bytes, lines: Sequence[bytes]) -> bytes:
    """Change an input: exchange, leave out or repeat a line, or exchange words."""
    changed = data.splitlines(keepends=True) or [b""]
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(changed))
        match random.randrange(5):
            case 0:
                changed[at] = random.choice(lines)
            case 1 if len(changed) > 1:
                del changed[at]
            case 2:
                changed.insert(at, random.choice(lines))
            case _:
                changed[at] = _exchange_words(random, changed[at], random.choice(lines))
    return b"".join(changed)


def _exchange_words(random: Random, line: bytes, other: bytes) -> bytes:
    """Exchange two words of a line, or one for a word of another line."""
    text = line.rstrip(b"\r\n")
    words, end = text.split(b" "), line[len(text) :]
    first, second = (random.randrange(len(words)) for _ in range(2))
    if first != second and random.random() < 0.5:
        words[first], words[second] = words[second], words[first]
    else:
        words[first] = random.choice(other.rstrip(b"\r\n").split(b" "))
    return b" ".join(words) + end


def _limits(limits: Limits) -> Limits:
    cpu = Seconds(min(limits.cpu, _CPU))
    return replace(limits, cpu=cpu, wall=default_wall(cpu))


def _size(ready: ReadyCase) -> int:
    return len(ready.input) if isinstance(ready.input, bytes) else ready.input.stat().st_size
