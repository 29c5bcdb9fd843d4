"""What a view of `judge watch` is given: why a batch is judged, and the status of everything that is watched."""

from collections.abc import Sequence

from msgspec import Struct

from judge.base.units import format_count
from judge.model import Problem, SolutionResult
from judge.model.events import Event, Notice
from judge.runner.options import ProblemSelection


class Batch(Struct, frozen=True, kw_only=True):
    """What is judged at once, and why.

    Attributes:
        selections: what failed last, then what was edited, then the rest.
        failures: the failing cases of the last results, to be judged before everything else.
        edited, new, gone: names of solutions.
        notices: errors in files, which prevent something from being judged.
    """

    selections: Sequence[ProblemSelection] = ()
    failures: Sequence[ProblemSelection] = ()
    edited: Sequence[str] = ()
    new: Sequence[str] = ()
    gone: Sequence[str] = ()
    notices: Sequence[Notice] = ()
    solutions: int = 0


class Status(Struct, frozen=True, kw_only=True):
    """The status of everything that is watched.

    Attributes:
        results: the last result of each solution.
        as_expected: everything was judged in its current state, with the expected verdicts.
        waiting: how many solutions are still to be judged.
        stale: display paths of those of them that have an older result.
        has_faults: there are errors in files, which prevent something from being judged.
    """

    results: Sequence[tuple[Problem, SolutionResult]] = ()
    as_expected: bool = False
    waiting: int = 0
    stale: frozenset[str] = frozenset()
    has_faults: bool = False

    @property
    def unexpected(self) -> list[tuple[Problem, SolutionResult]]:
        """The results that are not as expected."""
        return [each for each in self.results if not each[1].as_expected]

    def headline(self) -> str:
        """Return the status in one line."""
        current = [result for _, result in self.results if result.solution.display_path not in self.stale]
        good, total = sum(result.as_expected for result in current), len(current) + self.waiting
        share = format_count(total, "solution")
        parts = [f"{share if good == total else f'{good:,} of {share}'} as expected"]
        parts += [f"{self.waiting:,} pending"] if self.waiting else []
        parts += ["errors in files"] if self.has_faults else []
        return ", ".join(parts)


class WatchView:
    """Shows a watch; what it does not define shows nothing. Must be closed at its end, also after an exception."""

    def start_batch(self, batch: Batch, status: Status) -> None:
        """Show that a batch is judged next; its events follow."""

    def handle_early(self, event: Event) -> None:
        """Take in an event of the cases that failed last, which are judged first, and again within the batch."""

    def handle(self, event: Event) -> None:
        """Take in an event of the batch."""

    def end_batch(self, status: Status) -> None:
        """Show that the batch is done, or was interrupted by a change."""

    def show_message(self, text: str) -> None:
        """Show a message about the watch itself."""

    def redraw(self) -> None:
        """Draw the same again because the window was resized. May be called from any thread."""

    def close(self) -> None:
        """Restore the terminal. May be called twice."""
