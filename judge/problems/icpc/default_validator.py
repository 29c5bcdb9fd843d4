"""The default output validator, and what a package says for runs without its own programs.

"Default output validator specification" of the format.
"""

import os
from collections.abc import Sequence

from msgspec.structs import replace

from judge.model import CheckerConfig, Limits, Problem
from judge.problems.icpc.data_settings import GROUP_FILES, GroupSettings, SettingsReader
from judge.problems.icpc.files import PackageFolder, Version
from judge.problems.icpc.generators_yaml import Plan, PlannedData
from judge.problems.icpc.problem_yaml import read_metadata
from judge.problems.icpc.sections import parse_float
from judge.problems.yaml.text import describe_unknown, quote

VALIDATORS = ("output_validators", "output_validator")  # folders of legacy, of 2025-09


def read_rules(package: PackageFolder, defaults: Limits) -> tuple[Problem, bool]:
    """Return a package for runs whose outputs the default validator compares, and whether it has one of its own.

    It may lack problem.yaml. `defaults` are the limits that it does not set.

    Raises:
        DataError: problem.yaml cannot be read, or its version is unknown.
    """
    metadata = read_metadata(package, defaults=defaults)
    problem = metadata.problem
    reader = SettingsReader(
        package, metadata.version, dict(problem.constants), PlannedData(package, Plan(), package.path, has_answers=True)
    )
    settings = GroupSettings()
    for name in ("", "secret"):
        folder = package.path / "data" / name
        files = [each for each in GROUP_FILES if os.path.lexists(folder / each)]
        settings = reader.read_group(folder, name, files, settings)
    is_custom = metadata.is_custom or any((package.path / name).exists() for name in VALIDATORS)
    checker = CheckerConfig()
    try:
        flags = (*metadata.flags, *settings.arguments.output_validator)
        checker = read_flags(flags, last_counts=metadata.version is not Version.V2025_09)
    except ValueError as error:
        if not is_custom:
            place = settings.arguments.output_validator_place or metadata.flags_place
            package.add(replace(place, message=f"{error}; outputs are compared without flags"))
    return replace(problem, checker=checker), is_custom


_TOLERANCES = ("float_tolerance", "float_absolute_tolerance", "float_relative_tolerance")
_FLAGS = ("case_sensitive", "space_change_sensitive", *_TOLERANCES)


def read_flags(flags: Sequence[str], *, last_counts: bool) -> CheckerConfig:
    """Return the checker that the flags describe.

    `last_counts`: of tolerances that contradict each other, the last one counts. The text of legacy does not say it,
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
        earlier = values.keys() & set(_TOLERANCES) if flag == "float_tolerance" else values.keys() & {flag}
        if not last_counts and flag in _TOLERANCES and earlier:
            other = "float_tolerance" if "float_tolerance" in values else min(earlier)
            twice = f"the flag {quote(flag)} is given twice"
            both = f"the flags {quote(other)} and {quote(flag)} contradict each other"
            raise ValueError(twice if other == flag else both)
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
