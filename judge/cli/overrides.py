"""Limits and a checker from the command line: what a folder of cases cannot say itself."""

import argparse
import math
import re
from collections.abc import Callable, Sequence

from judge.errors import UsageError
from judge.runner.options import Overrides
from judge.units import Bytes, Seconds, parse_bytes, parse_seconds

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def overrides_of(args: argparse.Namespace) -> Overrides:
    """Return what a command line says; many commands have no such options.

    Raises:
        UsageError: a value is no time, no size or no tolerance.
    """
    time, memory = getattr(args, "time_limit", None), getattr(args, "memory_limit", None)
    tolerance = getattr(args, "float_tolerance", None)
    return Overrides(
        cpu=None if time is None else Seconds(_read("--time-limit", time, "s", "1440 min", parse_seconds)),
        memory=None if memory is None else Bytes(int(_read("--memory-limit", memory, "MiB", "1024 GiB", parse_bytes))),
        checker=getattr(args, "checker", None),
        tolerance=None if tolerance is None else _tolerance(tolerance),
    )


def words_of_overrides(args: argparse.Namespace) -> Sequence[tuple[str, str | None]]:
    """Return the options as they were given."""
    names = ("time_limit", "memory_limit", "checker", "float_tolerance")
    return [("--" + name.replace("_", "-"), getattr(args, name, None)) for name in names]


def _read(option: str, text: str, unit: str, most: str, parse: Callable[[str], float]) -> float:
    """Return a quantity; a bare number is in `unit`."""
    try:
        found = parse(f"{text} {unit}" if _NUMBER.fullmatch(text) else text)
    except ValueError as error:
        raise UsageError(f"{option} {text}: {error}; a bare number is in {unit}") from error
    if found > parse(most):
        raise UsageError(f"{option} {text}: expected at most {most}")
    return found


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise UsageError(f"--float-tolerance {text}: expected a number such as 1e-6")
    return value
