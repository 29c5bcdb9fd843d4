"""What is timed: one case's input, and which of many cases tells most."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.model import CaseResult, Limits
from judge.timing.intervals import FLOOR_RUNS
from judge.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """An input that both programs are to be timed on.

    Attributes:
        case: the case's name, for messages.
        limits: both programs must keep them; a run that does not is no measurement.
        cpu: the CPU time that the slower program takes, as far as it is known.
    """

    case: str
    input: bytes | Path
    limits: Limits
    cpu: Seconds | None = None


def taken(*results: CaseResult) -> Seconds | None:
    """Return the largest CPU time of some results of the same case; None when nothing ran."""
    return max((result.run.cpu for result in results if result.run is not None), default=None)


def most_telling(trials: Sequence[Trial], budget: Seconds) -> Trial:
    """Return the trial that takes longest while the fewest pairs that tell fit into the budget; else the shortest.

    In a long run the program's own work outweighs the start and the clock; a change of how the time grows shows there
    first. One whose time is not known comes last.
    """
    known = [(trial.cpu, number) for number, trial in enumerate(trials) if trial.cpu is not None]
    fitting = [each for each in known if 2 * FLOOR_RUNS * each[0] <= budget]
    number = max(fitting)[1] if fitting else min(known)[1] if known else 0
    return trials[number]
