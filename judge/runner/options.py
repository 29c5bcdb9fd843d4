"""What the runner is asked for: which solutions on which cases, and how."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.data import Data
from judge.errors import Diagnostic, UsageError
from judge.history.results import ResultStore
from judge.model import Case, CaseResult, CheckerConfig, Limits, Problem, default_wall
from judge.preparation.cases import DataStore
from judge.units import Bytes, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What is put in the place of what cases say of limits and the checker; None leaves it as it is.

    Raises:
        UsageError: from `config`: the checker knows no tolerance.
    """

    cpu: Seconds | None = None
    memory: Bytes | None = None
    checker: str | None = None
    tolerance: float | None = None

    def limits(self, own: Limits) -> Limits:
        """Return what holds in place of these limits; elapsed time follows the time limit again."""
        if self.cpu is not None:
            own = replace(own, cpu=self.cpu, wall=default_wall(self.cpu))
        return own if self.memory is None else replace(own, memory=self.memory)

    def config(self, own: CheckerConfig) -> CheckerConfig:
        """Return what holds in place of this checker."""
        if self.checker is not None and self.checker != own.name:
            own = CheckerConfig(name=self.checker)
        if self.tolerance is None:
            return own
        if own.name != "tokens":
            raise UsageError(f"a float tolerance is for the checker tokens, not for {own.name}: add `--checker tokens`")
        return replace(own, float_absolute_tolerance=self.tolerance, float_relative_tolerance=self.tolerance)

    def problem(self, own: Problem) -> Problem:
        """Return a problem whose cases are still to come with these limits and this checker."""
        return replace(own, limits=self.limits(own.limits), checker=self.config(own.checker))

    def shown(self, own: Problem) -> Problem:
        """Return a problem as a report names it; its checker may be that of no case, and then not fit."""
        fits = self.tolerance is None or (self.checker or own.checker.name) == "tokens"
        return replace(own, limits=self.limits(own.limits), checker=self.config(own.checker) if fits else own.checker)

    def case(self, own: Case) -> Case:
        """Return a case as it is judged."""
        return replace(own, limits=self.limits(own.limits), checker=self.config(own.checker))


NO_OVERRIDES = Overrides()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSelection:
    """What is to be judged of one problem.

    Attributes:
        problem: with the selected cases and solutions only.
        complete: all cases of the problem are selected, so that a required verdict must show.
        named: paths of solutions that the user named: one that cannot be judged here is an error, not skipped.
        overrides: put in the place of the cases' limits and checkers, once the test data are proved.
    """

    problem: Problem
    complete: bool = True
    named: frozenset[Path] = frozenset()
    overrides: Overrides = NO_OVERRIDES


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How it is to be judged.

    Attributes:
        fail_fast: stop at the first verdict that is not expected.
        results: what earlier runs found out; None remembers nothing.
        fresh: run everything again, whatever is known.
        tools: compilers and interpreters to use instead of the usual ones, such as `{"python": "pypy3"}`.
        findings: what is wrong with files that are not judged; said at the start.
        words: of the command line, that judging a part again needs too.
        on_output: called in a worker after each run, with the result, the output and the answer; not for a result
            that is known from an earlier run.
    """

    store: DataStore
    fail_fast: bool = False
    results: ResultStore | None = None
    fresh: bool = False
    tools: Mapping[str, str] = field(default_factory=dict)
    diagnostics: Sequence[Diagnostic] = ()
    words: tuple[str, ...] = ()
    on_output: Callable[[CaseResult, bytes, Data], object] | None = None
