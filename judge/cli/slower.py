"""`judge compare --timing`: old and new sources of what was edited, run in turn on the case that tells most."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.errors import JudgeError, describe_error
from judge.executors import LocalExecutor
from judge.history.changes import Change
from judge.history.records import SolutionRecord
from judge.languages.table import Program, build
from judge.model import Problem, Verdict
from judge.preparation.cases import DataStore, Ready
from judge.preparation.lock import read_lock
from judge.preparation.prepare import prepare
from judge.sandbox.box import Box
from judge.timing.comparison import Comparison, ComparisonKind, Work, inconclusive
from judge.timing.counting import counting_python, work
from judge.timing.measure import BUDGET, TimedCase, compare, most_telling
from judge.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What the times of one solution say.

    Attributes:
        case: on which case; "" where there was none.
    """

    case: str
    comparison: Comparison
    work: Work = Work.UNKNOWN

    def __str__(self) -> str:
        sentence = self.comparison.words(self.work)
        if not self.case:
            return sentence
        if (
            self.comparison.kind is ComparisonKind.INCONCLUSIVE
        ):  # its reason may be long, and speak of a machine or a file
            return f"{self.case}: {sentence}"
        return f"{sentence} on {self.case}"


Key = tuple[str, str]  # problem and solution


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where texts of the past are found.

    Attributes:
        old: by the solution's key; None where nobody has it.
        root: of the repository; new texts are read there.
    """

    old: Mapping[Key, bytes | None]
    root: Path


def timings(
    found: Sequence[Change], sources: Sources, problems: Sequence[Problem], executor: LocalExecutor, store: DataStore
) -> Iterator[tuple[Key, Timing]]:
    """Time every solution whose source changed, one at a time; yield what that says.

    Raises:
        Interrupted: somebody asked to stop.
    """
    by_id = {problem.id: problem for problem in problems}
    trials: dict[str, list[TimedCase]] = {}
    for change in found:
        if not (change.old and change.new and change.source_changed):
            continue
        key = (change.new.problem, change.new.solution)
        problem = by_id[change.new.problem]
        if problem.id not in trials:
            trials[problem.id] = list(_trials(problem, executor, store))
        one = _Two(change.old, change.new, trials[problem.id], sources, store)
        print(f"timing {change.new.solution} ...", file=sys.stderr, flush=True)
        yield from ((key, timing) for timing in executor.map(_timed, [one]))


@dataclass(frozen=True, slots=True)
class _Two:
    """A solution of two times, and what it can be timed on."""

    old: SolutionRecord
    new: SolutionRecord
    trials: Sequence[TimedCase]
    sources: Sources
    store: DataStore


def _timed(box: Box, two: _Two) -> Timing:
    """Time one solution; runs in a worker."""
    trial = _trial(two)
    if trial is None:
        return Timing(case="", comparison=inconclusive("there is no case that both passed on the same data"))
    try:
        programs = _programs(two, box)
        if isinstance(programs, str):
            return Timing(case="", comparison=inconclusive(programs))
        old, new = programs
        comparison = compare(old, new, trial, box, folder=two.store.build)
        counted = Work.UNKNOWN
        if comparison.kind is not ComparisonKind.INCONCLUSIVE:
            counted = work(old, new, trial, box, counting_python(box))
        return Timing(case=trial.case, comparison=comparison, work=counted)
    except (JudgeError, OSError) as error:
        return Timing(case=trial.case, comparison=inconclusive(describe_error(error)))


def _programs(two: _Two, box: Box) -> tuple[Program, Program] | str:
    """Build both; a text says why that cannot be."""
    path = two.sources.root / two.new.solution
    before = two.sources.old.get((two.old.problem, two.old.solution))
    if before is None:
        return "the old source is not kept: neither the history nor a commit has it"
    programs = []
    for which, text in (("old", before), ("new", path.read_bytes())):
        folder = two.store.build / which
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)  # the sandbox may run programs as another user
        built = build(path, folder, box, cache=two.store.programs, text=text)
        if not isinstance(built, Program):
            return f"the {which} source is no program: {built.message}"
        programs.append(built)
    return programs[0], programs[1]


def _trial(two: _Two) -> TimedCase | None:
    """Return the case that tells most, of those that both passed on the same data."""
    both = []
    for trial in two.trials:
        then, now = two.old.marks.get(trial.case), two.new.marks.get(trial.case)
        if then and now and then.verdict is now.verdict is Verdict.AC and then.data == now.data:
            cpu = Seconds(max(then.cpu, now.cpu))
            both.append(TimedCase(case=trial.case, input=trial.input, limits=trial.limits, cpu=cpu))
    return most_telling(both, BUDGET) if both else None


def _trials(problem: Problem, executor: LocalExecutor, store: DataStore) -> Iterator[TimedCase]:
    for each in prepare(problem, problem.cases, store, read_lock(problem.lock), executor.map, workers=executor.workers):
        if isinstance(each, Ready):
            yield TimedCase(case=each.case.id, input=each.input, limits=each.case.limits)
