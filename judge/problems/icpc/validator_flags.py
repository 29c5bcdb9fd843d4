"""The flags of the default output validator (2025-09 and legacy, "Default output validator specification")."""

from collections.abc import Sequence

from judge.model import CheckerConfig
from judge.problems.icpc.sections import parse_float
from judge.problems.yaml.text import describe_unknown, quote

_TOLERANCES = ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance")
_FLAGS = ("case_sensitive", "space_change_sensitive", *_TOLERANCES)


def read_flags(flags: Sequence[str], *, last_counts: bool) -> CheckerConfig:
    """Return the checker that the flags describe.

    Args:
        flags: the words.
        last_counts: of tolerances that contradict each other, the last one counts. The text of legacy does not say it,
            but its tools do so: a group of test data overrides the flags of the problem that way.

    Raises:
        ValueError: a flag is unknown, lacks its number, or is given twice.
    """
    words = iter(flags)
    values: dict[str, float] = {}
    for flag in words:
        if flag not in _FLAGS:
            raise ValueError(describe_unknown("flag", flag, _FLAGS, of="the default output validator"))
        value = _tolerance(flag, next(words, None)) if flag in _TOLERANCES else 1
        if not last_counts:
            _check_repetition(flag, values)
        values[flag] = value
        if flag == "float_tolerance":
            values["float_absolute_tolerance"] = values["float_relative_tolerance"] = value
    return CheckerConfig(
        case_sensitive="case_sensitive" in values,
        space_change_sensitive="space_change_sensitive" in values,
        float_absolute_tolerance=values.get("float_absolute_tolerance"),
        float_relative_tolerance=values.get("float_relative_tolerance"),
    )


def _tolerance(flag: str, text: str | None) -> float:
    if text is None:
        raise ValueError(f"the flag {quote(flag)} has no number after it: write a tolerance, such as `1e-6`")
    try:
        value = parse_float(text)
    except ValueError as error:
        raise ValueError(f"the flag {quote(flag)}: {error}") from error
    if value < 0:
        raise ValueError(f"the flag {quote(flag)} has a negative tolerance, {text}")
    return value


def _check_repetition(flag: str, values: dict[str, float]) -> None:
    if flag in _TOLERANCES and flag in values:
        other = "float_tolerance" if "float_tolerance" in values else flag
        twice = f"the flag {quote(flag)} is given twice"
        raise ValueError(
            twice if other == flag else f"the flags {quote(other)} and {quote(flag)} contradict each other"
        )
    if flag == "float_tolerance" and (given := values.keys() & set(_TOLERANCES)):
        raise ValueError(f"the flags {quote(min(given))} and {quote(flag)} contradict each other")
