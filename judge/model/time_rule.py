"""The rule by which a time limit follows from submissions (ICPC 2025-09, "Problem timing"; legacy, "Limits")."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from judge.base.units import Seconds

if TYPE_CHECKING:  # it takes a millisecond to import, and few problems have a rule
    from fractions import Fraction

_ONE_SECOND = Seconds(1.0)


class TimeRule(Struct, frozen=True, kw_only=True):
    """How the time limit of a problem relates to its submissions.

    Attributes:
        given: the time limit that the package gives; None if it follows from the submissions.
        origin: the file that gives it.
        ac_to_time_limit: the limit is at least this many times the slowest time of a submission that must be in time.
        time_limit_to_tle: a submission that must be too slow takes at least this many times the limit.
        resolution: the limit is a multiple of this.
        lower: the submissions that must be in time, by their absolute paths, each with the glob patterns of the cases
            and groups on which it must; without patterns, on all cases.
        upper: those that must be too slow on some case, or on some of those that the patterns match.
    """

    given: Seconds | None = None
    origin: str = ""
    ac_to_time_limit: float = 2.0
    time_limit_to_tle: float = 1.5
    resolution: Seconds = _ONE_SECOND
    lower: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)
    upper: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)

    def infer(self, slowest: Seconds) -> Seconds:
        """Return the smallest time limit that leaves the margin above the slowest time of an accepted submission."""
        resolution = _exact(self.resolution)
        steps = math.ceil(_exact(slowest) * _exact(self.ac_to_time_limit) / resolution)
        return Seconds(float(max(steps, 1) * resolution))

    def find_problems(self, limit: Seconds, *, slowest: Seconds | None, fastest: Seconds | None) -> Sequence[str]:
        """Return what is wrong with a time limit, a phrase each.

        Args:
            limit: the time limit.
            slowest: the slowest time of a submission that must be in time; None if there is none.
            fastest: the fastest time of a submission that must be too slow, likewise.
        """
        found = []
        if slowest is not None and slowest * self.ac_to_time_limit > limit:
            found.append(
                f"the slowest accepted submission takes {slowest:.2f} s, more than 1/{self.ac_to_time_limit:g} of the "
                f"limit of {limit:g} s"
            )
        if fastest is not None and limit * self.time_limit_to_tle > fastest:
            found.append(
                f"a submission that must be too slow takes {fastest:.2f} s, less than {self.time_limit_to_tle:g} times "
                f"the limit of {limit:g} s"
            )
        if _exact(limit) % _exact(self.resolution):
            found.append(f"the limit of {limit:g} s is not a multiple of {self.resolution:g} s")
        return found


def _exact(number: float) -> "Fraction":
    """Return the number that a float is written as: 0.1 is one tenth."""
    from fractions import Fraction

    return Fraction(repr(float(number)))
