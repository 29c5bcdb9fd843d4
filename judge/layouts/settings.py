"""Limits and the checker, inherited from the problem to a file of cases to a case."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from msgspec import UnsetType

from judge.layouts.fileformat import CheckerEntry, LimitsEntry
from judge.model import DEFAULT_LIMITS, CheckerConfig, Limits, default_wall
from judge.units import format_seconds, parse_bytes, parse_seconds

Complain = Callable[[str, str], None]  # a message, and the key whose value it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What holds for a case unless it says otherwise.

    Attributes:
        wall_given: whether somebody has set the wall limit, so that it no longer follows the time limit.
    """

    limits: Limits
    checker: CheckerConfig
    wall_given: bool = False

    def adjusted(
        self, limits: LimitsEntry | UnsetType, checker: str | CheckerEntry | UnsetType, complain: Complain
    ) -> "Settings":
        """Return the settings with what a mapping says of them; only what it says is replaced.

        Args:
            limits: from the file; what was found to be wrong in it is passed over.
            checker: likewise.
            complain: is told what does not fit together.
        """
        adjusted = self
        if isinstance(limits, LimitsEntry):
            adjusted = adjusted._limited(limits, complain)
        if isinstance(checker, str | CheckerEntry):
            adjusted = replace(adjusted, checker=_config(checker))
        return adjusted

    def _limited(self, entry: LimitsEntry, complain: Complain) -> "Settings":
        old = self.limits
        cpu = parse_seconds(entry.time) if isinstance(entry.time, str) else old.cpu
        wall = old.wall if self.wall_given else default_wall(cpu)
        if isinstance(entry.wall, str):
            wall = parse_seconds(entry.wall)
        if wall < cpu:
            shown = f"`wall` ({format_seconds(wall)}) is shorter than `time` ({format_seconds(cpu)})"
            complain(f"{shown}: make it longer, or leave it out", "limits")
        limits = Limits(
            cpu=cpu,
            wall=wall,
            memory=parse_bytes(entry.memory) if isinstance(entry.memory, str) else old.memory,
            output=parse_bytes(entry.output) if isinstance(entry.output, str) else old.output,
        )
        return replace(self, limits=limits, wall_given=self.wall_given or isinstance(entry.wall, str))


def profile_settings(profile: str) -> Settings:
    """Return what holds where a problem says nothing; `uva` alone compares every byte."""
    return Settings(limits=DEFAULT_LIMITS, checker=CheckerConfig(name="exact" if profile == "uva" else "tokens"))


def _config(entry: str | CheckerEntry) -> CheckerConfig:
    if isinstance(entry, str):
        return CheckerConfig(name=entry)
    both = _number(entry.float_tolerance)
    absolute, relative = _number(entry.float_absolute_tolerance), _number(entry.float_relative_tolerance)
    return CheckerConfig(
        name=entry.name,
        case_sensitive=entry.case_sensitive is True,
        space_change_sensitive=entry.space_change_sensitive is True,
        float_absolute_tolerance=both if absolute is None else absolute,
        float_relative_tolerance=both if relative is None else relative,
    )


def _number(value: float | UnsetType) -> float | None:
    return float(value) if isinstance(value, int | float) else None
