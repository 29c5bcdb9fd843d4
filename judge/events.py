"""Everything that a run tells the world: the runner yields these values, reporters show them.

This file is the whole contract between the two: a reporter never asks the runner for anything.
Order: RunBegan, then for each problem ProblemBegan, for each of its solutions SolutionBegan, its CaseJudged in the
cases' order, SolutionJudged; then ProblemJudged; at last RunEnded. A Notice may stand anywhere.
"""

from dataclasses import dataclass

from judge.model import CaseResult, Level, Problem, Solution, SolutionResult
from judge.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBegan:
    """The plan is known: how many results there will be, from how many workers, and how well runs are shut in."""

    runs: int
    workers: int
    level: Level


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparing:
    """Test data is being made: `done` of `total` cases of a problem have their input and answer.

    Attributes:
        inputs_left: how many inputs generators have still to make; none is done before that.
    """

    problem: Problem
    done: int
    total: int
    inputs_left: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemBegan:
    """A problem's solutions are judged from here on; `cases` of its cases were selected."""

    problem: Problem
    solutions: int
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionBegan:
    """A solution's cases follow."""

    problem: Problem
    solution: Solution
    cases: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseJudged:
    """One case of one solution has its verdict."""

    problem: Problem
    solution: Solution
    result: CaseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionJudged:
    """All cases of one solution have their verdicts."""

    problem: Problem
    result: SolutionResult


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemJudged:
    """All solutions of one problem are judged."""

    problem: Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that a person should know and that is no verdict.

    Attributes:
        text: one or more whole lines; says what to do.
        is_error: our or the test data's fault; the exit status will be 2.
    """

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """The end, also after Ctrl-C.

    Attributes:
        runs: how many programs were run on a case.
        cached: how many results were known from earlier runs.
        as_expected: every solution earned what it should and nothing was wrong with the test data.
        had_errors: there was a JE or an error notice.
        interrupted: Ctrl-C ended the run early; what was judged before is true.
        wall: elapsed time of the whole run.
    """

    solutions: int
    surprises: int
    runs: int
    cached: int = 0
    as_expected: bool
    had_errors: bool
    interrupted: bool = False
    wall: Seconds


Event = (
    RunBegan
    | Preparing
    | ProblemBegan
    | SolutionBegan
    | CaseJudged
    | SolutionJudged
    | ProblemJudged
    | Notice
    | RunEnded
)
