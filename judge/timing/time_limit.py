"""What the submissions of a problem say about its time limit: their slowest times, and the margins on both sides."""

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.model import DEFAULT_LIMITS, CaseResult, Problem, Solution, TimeRule, Verdict
from judge.model.events import CaseJudged, Event
from judge.model.groups import matches
from judge.problems.yaml.document import read_document
from judge.problems.yaml.types import Anything
from judge.runner.options import Overrides
from judge.workspace.select import Selection

MAX_LIMIT = Seconds(60.0)  # for measuring; what takes longer is reported as such


class SlowestRun(Struct, frozen=True, kw_only=True):
    """The slowest run of a solution.

    Attributes:
        seconds: CPU time; None if nothing ran.
        case: the id of the case.
        is_cut: the run was ended at the limit for measuring, so it takes longer than that.
        trouble: why its times say nothing: a verdict that is not expected, or it waits; else "".
    """

    solution: Solution
    seconds: Seconds | None
    case: str = ""
    is_cut: bool = False
    trouble: str = ""


class Margins(Struct, frozen=True, kw_only=True):
    """The times on both sides of a limit.

    Attributes:
        in_time: the submissions that must be in time, slowest last.
        too_slow: those that must be too slow, slowest last.
        proposed: the limit by the rule of the format; None without a submission that must be in time.
    """

    problem: Problem
    rule: TimeRule
    in_time: Sequence[SlowestRun]
    too_slow: Sequence[SlowestRun]
    proposed: Seconds | None

    @property
    def slowest(self) -> Seconds | None:
        """The slowest time of a submission that must be in time."""
        return max((each.seconds for each in self.in_time if each.seconds is not None), default=None)

    @property
    def fastest(self) -> Seconds | None:
        """The fastest time of a submission that must be too slow, each on its slowest case."""
        return min((each.seconds for each in self.too_slow if each.seconds is not None), default=None)

    @property
    def limit(self) -> Seconds | None:
        """The limit that is given, else the proposed one."""
        return self.rule.given or self.proposed

    @property
    def problems(self) -> Sequence[str]:
        """What is wrong with the limit."""
        if self.limit is None:
            return ()
        return self.rule.find_problems(self.limit, slowest=self.slowest, fastest=self.fastest)


def time_rule_of(problem: Problem) -> TimeRule:
    """Return the rule of a problem; a native one has that of ICPC 2025-09."""
    if problem.time_rule is not None:
        return problem.time_rule
    tle = frozenset({Verdict.TLE})
    return TimeRule(
        given=problem.limits.cpu,
        origin=_find_origin(problem),
        lower={each.path: () for each in problem.solutions if each.expectation.name == "accepted"},
        upper={each.path: () for each in problem.solutions if each.expectation.required == tle},
    )


def _find_origin(problem: Problem) -> str:
    """Return what sets the time limit of a problem without a rule."""
    if problem.format == "polygon":
        return "problem.xml"
    is_default = problem.limits.cpu == DEFAULT_LIMITS.cpu
    if problem.folder is None:
        return "the default" if is_default else "set beside the file"
    value = read_document(problem.folder / "problem.yaml", Path(), Anything()).value
    limits = value.get("limits") if isinstance(value, dict) else None
    has_time = isinstance(limits, dict) and "time" in limits
    return "problem.yaml" if has_time or not is_default else "the default"


class MarginsCollector:
    """Collects the slowest runs of the submissions that bound the time limit of a problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rule = time_rule_of(problem)
        bounding = {*self.rule.lower, *self.rule.upper}
        self._solutions = tuple(each for each in problem.solutions if each.path in bounding)
        slowest = {each.path: SlowestRun(solution=each, seconds=None) for each in self._solutions}
        self._in_time = {path: run for path, run in slowest.items() if path in self.rule.lower}
        self._too_slow = {path: run for path, run in slowest.items() if path in self.rule.upper}

    def select(self, selection: Selection) -> Selection:
        """Return the part of a selection to judge, with a limit that shows by how far a submission exceeds it."""
        part = next(each for each in selection.problems if each.problem.id == self.problem.id)
        limit = MAX_LIMIT
        if self.rule.given is not None:
            wanted = self.problem.limits.cpu * self.rule.time_limit_to_tle**2 + 1
            limit = Seconds(min(max(wanted, 2.0), max(MAX_LIMIT, self.problem.limits.cpu)))
        overrides = Overrides(cpu=limit)
        problem = replace(self.problem, solutions=self._solutions)
        return replace(selection, problems=[replace(part, problem=problem, overrides=overrides, whole=None)])

    def handle(self, event: Event) -> None:
        """Take in an event of judging the selection."""
        if isinstance(event, CaseJudged):
            path, result = event.solution.path, event.result
            if path in self._in_time and matches(self.rule.lower[path], result.case.id):
                self._in_time[path] = _slower(self._in_time[path], result, must_be_in_time=True)
            if path in self._too_slow and matches(self.rule.upper[path], result.case.id):
                self._too_slow[path] = _slower(self._too_slow[path], result, must_be_in_time=False)

    def result(self) -> Margins:
        """Return the times on both sides of the limit."""
        in_time, too_slow = (
            sorted(each.values(), key=lambda run: run.seconds or 0.0) for each in (self._in_time, self._too_slow)
        )
        times = [each.seconds for each in in_time if each.seconds is not None]
        can_propose = times and not any(each.is_cut for each in in_time)
        return Margins(
            problem=self.problem,
            rule=self.rule,
            in_time=in_time,
            too_slow=too_slow,
            proposed=self.rule.infer(max(times)) if can_propose else None,
        )


def _slower(known: SlowestRun, result: CaseResult, *, must_be_in_time: bool) -> SlowestRun:
    trouble = known.trouble
    has_verdict = result.verdict not in (Verdict.AC, Verdict.TLE, Verdict.SK, Verdict.NA)
    if not trouble and has_verdict and must_be_in_time and result.verdict not in known.solution.expectation.permitted:
        trouble = f"{result.verdict} on {result.case.id}"
    cpu = result.limits.cpu if result.run is None else result.run.cpu
    waits = result.verdict is Verdict.TLE and cpu < result.limits.cpu
    if waits and not must_be_in_time:  # in a dialogue, for example
        return replace(known, trouble=f"waits on {result.case.id} instead of computing")
    if result.run is None or (known.seconds is not None and result.run.cpu <= known.seconds):
        return replace(known, trouble=trouble)
    is_cut = result.verdict is Verdict.TLE
    return replace(known, seconds=result.run.cpu, case=result.case.id, is_cut=is_cut, trouble=trouble)
