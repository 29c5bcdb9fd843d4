"""The events of a run: the runner yields them, reporters and the history consume them.

This module is the whole interface between the two sides. The order of events:

    RunBegan
        ProblemBegan            for each problem; `Preparing` may come before it
            SolutionBegan       for each solution of the problem; `Compiling` may come after it
                CaseJudged      for each case, in order; or for none, see `RunOptions.skips_cases`
            SolutionJudged
        ProblemJudged
    RunEnded

A `Notice` may come at any time. The names are those of the JSON Lines format (docs/report.md).
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from judge.base.errors import Diagnostic
from judge.base.units import Seconds
from judge.model import CaseResult, Level, Problem, Solution, SolutionResult


class RunBegan(Struct, frozen=True, kw_only=True):
    """A run begins.

    Attributes:
        runs: how many results to expect.
        workers: how many runs are made at the same time.
        flags: what the user's settings add to the compile commands, by the id of the language.
    """

    runs: int
    workers: int
    level: Level
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Preparing(Struct, frozen=True, kw_only=True):
    """The test data of a problem is being prepared: `done` of `total` cases have their input and answer.

    Attributes:
        inputs_left: how many inputs are still to be generated; `done` is 0 until then.
        runs_left: how many runs are still to be made to measure the time limit; `done` is `total` by then.
    """

    problem: Problem
    done: int
    total: int
    inputs_left: int = 0
    runs_left: int = 0


class ProblemBegan(Struct, frozen=True, kw_only=True):
    """The solutions of a problem are judged next, on `cases` selected cases.

    Attributes:
        tools: compilers and interpreters in place of the usual ones; None if they are those of another machine.
    """

    problem: Problem
    solutions: int
    cases: int
    tools: Mapping[str, str] | None = None


class SolutionBegan(Struct, frozen=True, kw_only=True):
    """The cases of a solution are judged next."""

    problem: Problem
    solution: Solution
    cases: int


class Compiling(Struct, frozen=True, kw_only=True):
    """A solution is still being compiled, after `elapsed` seconds; comes every few seconds until it is done.

    Attributes:
        remaining: how many solutions of the problem are still to be compiled, this one included; only those whose cases
            are about to be judged.
    """

    problem: Problem
    solution: Solution
    elapsed: Seconds
    remaining: int = 1


class CaseJudged(Struct, frozen=True, kw_only=True):
    """A solution was judged on one case."""

    problem: Problem
    solution: Solution
    result: CaseResult


class SolutionJudged(Struct, frozen=True, kw_only=True):
    """A solution was judged on all cases."""

    problem: Problem
    result: SolutionResult


class ProblemJudged(Struct, frozen=True, kw_only=True):
    """All solutions of a problem were judged."""

    problem: Problem


class Notice(Struct, frozen=True, kw_only=True):
    """A message to the user that is not a verdict.

    Attributes:
        text: one or more whole lines, with what to do.
        is_error: the judge or the test data failed; the exit status will be 2.
        diagnostics: errors in files, which are the whole text; each names its severity after the file.
        is_summarized: the summary of a report for people says the same.
    """

    text: str
    is_error: bool = False
    diagnostics: Sequence[Diagnostic] = ()
    is_summarized: bool = False


class RunEnded(Struct, frozen=True, kw_only=True):
    """A run ended, possibly because of Ctrl-C.

    Attributes:
        unexpected: how many of them did not get the expected verdicts.
        runs: how many times a program was run on a case.
        as_expected: every solution got the expected verdicts, and there were no errors.
        had_errors: there was a JE or an error notice.
        interrupted: Ctrl-C ended the run early; the results up to then are valid.
    """

    solutions: int
    unexpected: int
    runs: int
    cached: int = 0
    as_expected: bool
    had_errors: bool
    interrupted: bool = False
    wall: Seconds


NOTHING_RUN = RunEnded(solutions=0, unexpected=0, runs=0, as_expected=False, had_errors=False, wall=Seconds(0.0))

Event = (
    RunBegan
    | Preparing
    | ProblemBegan
    | SolutionBegan
    | Compiling
    | CaseJudged
    | SolutionJudged
    | ProblemJudged
    | Notice
    | RunEnded
)
