"""What a person sees of a watch: the interface that its screen and its log share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from judge.events import Event, Notice
from judge.model import Problem, SolutionResult
from judge.reporters import words


@dataclass(frozen=True, slots=True, kw_only=True)
class Outset:
    """Why a round begins, and what it judges.

    Attributes:
        edited, new, gone: names of solutions.
        notices: what is wrong with files, so that something is not judged.
        solutions: how many are judged.
    """

    edited: Sequence[str] = ()
    new: Sequence[str] = ()
    gone: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    solutions: int = 0

    def phrases(self) -> list[str]:
        """Return in words what happened: `saved a.py`, `gone: b.py`."""
        edited = [name for name in self.edited if name not in self.new]
        named = (("saved", edited), ("new:", self.new), ("gone:", self.gone))
        return [f"{verb} {_some(names)}" for verb, names in named if names]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How all that is watched stands.

    Attributes:
        results: the last of every solution.
        as_expected: all of it is judged as its files are now, and earned what it should.
        waiting: how many solutions are still to be judged.
        stale: paths, as shown, of those of them whose result is an old one.
        has_faults: some file is wrong, so that something is not judged.
    """

    results: Sequence[tuple[Problem, SolutionResult]] = ()
    as_expected: bool = False
    waiting: int = 0
    stale: frozenset[str] = frozenset()
    has_faults: bool = False

    @property
    def surprises(self) -> list[tuple[Problem, SolutionResult]]:
        """The results that are not as expected."""
        return [each for each in self.results if not each[1].as_expected]

    def headline(self) -> str:
        """Return the standing in a few words."""
        current = [result for _, result in self.results if result.solution.shown not in self.stale]
        good, total = sum(result.as_expected for result in current), len(current) + self.waiting
        share = f"{good:,} of {words.count(total, 'solution')}"
        if good == total:
            share = words.count(total, "solution")
        rest = [f"{self.waiting:,} to be judged"] if self.waiting else []
        rest += ["something is wrong with the files"] if self.has_faults else []
        return ", ".join([f"{share} as expected", *rest])


class WatchView(Protocol):
    """Shows a watch; closed at its end, however that comes."""

    def begin(self, outset: Outset, before: Standing) -> None:
        """Say that a round begins; its events follow."""

    def early(self, event: Event) -> None:
        """Take an event of the cases that are judged before all others; the round judges them again."""

    def handle(self, event: Event) -> None:
        """Take an event of the round."""

    def end(self, standing: Standing) -> None:
        """Say that the round is over, or was broken off by a change."""

    def remark(self, text: str) -> None:
        """Say something about the watching itself."""

    def redraw(self) -> None:
        """Show the same once more: the window has another size. Called from any thread."""

    def close(self) -> None:
        """Give the terminal back; may be called twice."""


_NAMED = 3


def _some(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
