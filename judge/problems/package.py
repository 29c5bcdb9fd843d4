"""What an ICPC problem package says about limits and the comparison of outputs, for a solution that lies in one.

Only what decides about a run is read, leniently: all versions of the format, `.timelimit` and domjudge-problem.ini.
`judge.problems.icpc` cannot take its place: it reads whole packages, where this often has a part of one, and it has
defaults where here the user's own limits count.
"""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic
from judge.base.links import LinkRoot
from judge.base.units import MIB, Bytes, Seconds
from judge.model import CheckerConfig, Limits, ProblemSource, default_wall
from judge.problems.paths import find_file_error

if TYPE_CHECKING:
    from judge.problems.yaml.parse import AnyNode

_MAX_SIZE = 1 * MIB
_INI_LIMIT = re.compile(r"^\s*timelimit\s*=\s*['\"]?([0-9.]+)", re.MULTILINE)
_GROUP_FILES = ("data/testdata.yaml", "data/test_group.yaml", "data/secret/test_group.yaml")
_VALIDATORS = ("output_validator", "output_validators")
_TOLERANCES = {  # flags with the options of the checker that they set
    "float_tolerance": ("float_absolute_tolerance", "float_relative_tolerance"),
    "float_absolute_tolerance": ("float_absolute_tolerance",),
    "float_relative_tolerance": ("float_relative_tolerance",),
}


class Package(Struct, frozen=True, kw_only=True):
    """What a package says.

    Attributes:
        limits_from: the files that set a limit.
        source: where the problem was published, if problem.yaml has the URL.
        notes: what of it is not supported, to be said.
    """

    limits: Limits
    checker: CheckerConfig
    limits_from: tuple[str, ...] = ()
    source: ProblemSource | None = None
    notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def read_package(folder: Path, *, limits: Limits, checker: CheckerConfig) -> Package:
    """Read the files of a package; the arguments are for what it does not say. A folder without any says nothing."""
    diagnostics: list[Diagnostic] = []
    links = LinkRoot.of(folder)
    values = _read_yaml(folder / "problem.yaml", links, diagnostics)
    found: dict[str, None] = {}
    time = _to_number(values.get("limits.time_limit"))
    if time:
        found["problem.yaml"] = None
    for name, pattern in ((".timelimit", re.compile(r"\s*([0-9.]+)")), ("domjudge-problem.ini", _INI_LIMIT)):
        match = None if time else pattern.search(_read_text(folder / name, links, diagnostics))
        if match and (time := _to_number(match[1])):
            found[name] = None
    if time:
        limits = replace(limits, cpu=Seconds(time), wall=default_wall(Seconds(time)))
    if (memory := _to_number(values.get("limits.memory"))) and memory * MIB >= 1:
        limits = replace(limits, memory=Bytes(int(memory * MIB)))
        found["problem.yaml"] = None
    flags = values.get("validator_flags", "").split()
    for name in _GROUP_FILES:
        group = _read_yaml(folder / name, links, diagnostics)
        flags += (group.get("output_validator_flags", "") + " " + group.get("output_validator_args", "")).split()
    notes = []
    if values.get("validation", "").startswith("custom") or any((folder / each).exists() for each in _VALIDATORS):
        notes.append("its own output validator is not run: outputs are compared by tokens")
    return Package(
        limits=limits,
        checker=_apply_flags(checker, flags),
        limits_from=tuple(found),
        source=_source(values),
        notes=tuple(notes),
        diagnostics=tuple(diagnostics),
    )


def _apply_flags(checker: CheckerConfig, flags: list[str]) -> CheckerConfig:
    """Apply the flags of the default output validator; a flag of a validator of their own is ignored."""
    for at, flag in enumerate(flags):
        value = _to_number(flags[at + 1]) if at + 1 < len(flags) else None
        if flag in ("case_sensitive", "space_change_sensitive"):
            checker = replace(checker, **{flag: True})
        elif flag in _TOLERANCES and value is not None:
            checker = replace(checker, **dict.fromkeys(_TOLERANCES[flag], value))
    return checker


def _source(values: dict[str, str]) -> ProblemSource | None:
    """Return the source, which the format describes in two ways: `source.url`, or `source_url` beside `source`."""
    url = values.get("source.url") or values.get("source_url", "")
    name = values.get("source.name") or values.get("source") or values.get("name", "")
    return ProblemSource(name=name, url=url) if url.startswith(("https://", "http://")) else None


def read_values(path: Path) -> dict[str, str]:
    """Return the values of a YAML file by key, `outer.inner` for a mapping in it; none if it cannot be read."""
    return _read_yaml(path, LinkRoot.of(path.parent), [])


def _read_text(path: Path, links: LinkRoot, diagnostics: list[Diagnostic]) -> str:
    """Return the text of a file; "" if it cannot be read, which is reported of a link that leads elsewhere."""
    if reason := links.find_error(path):
        diagnostics.append(Diagnostic(path=path, message=f"{reason}; it does not count"))
        return ""
    try:
        if find_file_error(path) is None and path.stat().st_size <= _MAX_SIZE:
            return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        pass
    return ""


def _read_yaml(path: Path, links: LinkRoot, diagnostics: list[Diagnostic]) -> dict[str, str]:
    """Return the values of a YAML file by key; those of a mapping within it as `key.inner`, a list as words."""
    text = _read_text(path, links, diagnostics)
    if not text.strip():
        return {}
    from judge.problems.yaml.parse import parse  # takes a while, and few sources need it

    try:
        root, _ = parse(text.encode(), path, merges=True)
    except DataError as error:
        diagnostics += error.diagnostics
        return {}
    return dict(_flatten(root)) if root else {}


def _flatten(root: "AnyNode") -> Iterator[tuple[str, str]]:
    from judge.problems.yaml.parse import Mapping, Scalar, Sequence

    waiting = [("", root)]
    while waiting:
        key, node = waiting.pop()
        match node:
            case Mapping():
                waiting += [(f"{key}.{inner}" if key else inner, value) for inner, value in node.values.items()]
            case Sequence():
                yield key, " ".join(each.text for each in node.items if isinstance(each, Scalar))
            case Scalar():
                yield key, node.text


def _to_number(text: str | None) -> float | None:
    """Return a positive number, or None."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 < value < math.inf else None
