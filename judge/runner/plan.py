"""What the runner is asked for: which solutions on which cases, and how."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judge.errors import Finding
from judge.model import Problem
from judge.runner.overrides import NO_OVERRIDES, Overrides
from judge.store.results import Results
from judge.testdata.prepared import Shelf


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
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
class Options:
    """How it is to be judged.

    Attributes:
        fail_fast: stop at the first verdict that is not expected.
        results: what earlier runs found out; None remembers nothing.
        fresh: run everything again, whatever is known.
        tools: compilers and interpreters to use instead of the usual ones, such as `{"python": "pypy3"}`.
        findings: what is wrong with files that are not judged; said at the start.
        words: of the command line, that judging a part again needs too.
    """

    shelf: Shelf
    fail_fast: bool = False
    results: Results | None = None
    fresh: bool = False
    tools: Mapping[str, str] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    words: tuple[str, ...] = ()
