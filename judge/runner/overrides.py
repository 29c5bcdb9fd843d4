"""Limits and a checker in place of what the cases say: for judging alone."""

from dataclasses import dataclass, replace

from judge.errors import UsageError
from judge.model import Case, CheckerConfig, Limits, Problem, default_wall
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
