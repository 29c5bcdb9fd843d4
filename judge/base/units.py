"""Seconds and bytes: types for the code, and text forms (`3 s`, `256 MiB`, `SIGSEGV`) for files and screens."""

import re
from typing import NewType

Seconds = NewType("Seconds", float)
Bytes = NewType("Bytes", int)

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

_SECONDS = {"s": 1.0, "ms": 1e-3, "min": 60.0}
_BYTES = {"B": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB}
_QUANTITY = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*")


def parse_seconds(text: str) -> Seconds:
    """Parse a time such as `3 s`, `800 ms` or `2 min`.

    Raises:
        ValueError: there is no number, no known unit, or the number is zero; the message says what is expected.
    """
    return Seconds(_parse(text, _SECONDS, "a time with its unit, such as `2 s` or `800 ms`"))


def parse_bytes(text: str) -> Bytes:
    """Parse a size such as `256 MiB`, `64 KiB` or `1 GiB`.

    Raises:
        ValueError: as for `parse_seconds`.
    """
    return Bytes(int(_parse(text, _BYTES, "a size with its unit, such as `256 MiB` (B, KiB, MiB, GiB)")))


def _parse(text: str, units: dict[str, float] | dict[str, int], expected: str) -> float:
    found = _QUANTITY.fullmatch(text)
    if not found:
        raise ValueError(f"expected {expected}, found `{text}`")
    number, unit = float(found[1]), found[2]
    if unit not in units:
        raise ValueError(f"expected {expected}, found the unit `{unit}`")
    if number == 0:
        raise ValueError(f"expected {expected}, greater than zero, found `{text}`")
    return number * units[unit]


def format_seconds(seconds: float) -> str:
    """Format a time: `812 ms`, `1.25 s`, `42.0 s`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.2f} s" if seconds < 9.995 else f"{seconds:.1f} s"


def format_bytes(size: int) -> str:
    """Format a size with a binary unit: `912 B`, `9.8 MiB`, `256 MiB`."""
    if size < KIB:
        return f"{size} B"
    for unit, factor in (("KiB", KIB), ("MiB", MIB)):
        if size < 1000 * factor:
            value = size / factor
            return f"{value:.1f} {unit}" if value < 99.95 else f"{value:.0f} {unit}"
    return f"{size / GIB:.2f} GiB"


def format_count(number: int, noun: str) -> str:
    """Write a number of things for people: `1 case`, `2 cases`, `1,000 cases`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def format_score(score: float) -> str:
    """Format a score without noise: `100`, `33.33`, `0.0125`; scores below 1 keep four digits."""
    if abs(score) < 1:
        return f"{score:.4g}" if abs(score) >= 1e-6 else "0"
    text = f"{score:.2f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV."""
    from signal import Signals  # few programs are killed

    try:
        return Signals(number).name
    except ValueError:
        return f"SIG{number}"
