"""The programs of a package that judge: output validators, static validators and graders ("Programs").

Without an output validator, flags configure the default one ("Default output validator specification").
"""

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.languages.table import SCRIPTS, is_source
from judge.model import CheckerConfig
from judge.problems.icpc.files import PackageFolder
from judge.problems.icpc.sections import parse_float
from judge.problems.paths import is_folder
from judge.problems.yaml.text import describe_unknown, quote, quote_all
from judge.programs import JudgeProgram

_MAX_FILES = 1000  # of one program that are looked at


def find_program(
    package: PackageFolder, folder: Path, kind: str, *, allows_several: bool = False
) -> JudgeProgram | None:
    """Return the program in a folder such as `output_validator/`; None if there is none.

    The folder is the program itself, or has it as a file or a folder in it. Several programs are reported, and the
    first one is used, as problemtools does.

    Args:
        package: the package.
        folder: where programs of this kind are.
        kind: what they are, for messages, such as `output validator`.
        allows_several: all of them are used: the first one by name has the `others`.
    """
    if not package.has_folder(folder):
        return None
    files = [entry for entry in package.scan(folder) if not is_folder(entry)]
    programs = list_programs(package, folder)
    sources = [entry for entry in programs if is_source(entry.name) and not is_folder(entry)]
    folders = [entry for entry in programs if is_folder(entry)]
    if any(entry.name in SCRIPTS for entry in files):
        return JudgeProgram(source=folder)
    # A header beside a source belongs to it; Kattis would not see it, DOMjudge and BAPCtools do.
    if sources and not folders and (len(sources) == 1 or _is_package_of_python(sources)):
        return JudgeProgram(source=folder if len(files) > 1 else Path(sources[0].path))
    if sources and not folders and folder.name == "output_validator":
        return JudgeProgram(source=folder)  # 2025-09: the folder is the program
    if not programs:
        if files:
            package.warn(folder, f"has no {kind}: no file in it is a source in a known language")
        return None
    if len(programs) > 1 and not allows_several:
        names = quote_all(entry.name for entry in programs)
        package.warn(folder, f"has {len(programs)} {kind}s, {names}: only {quote(programs[0].name)} is used")
    first, *others = (JudgeProgram(source=Path(each.path)) for each in programs)
    return replace(first, others=tuple(others)) if allows_several else first


def list_programs(package: PackageFolder, folder: Path) -> list[os.DirEntry[str]]:
    """Return the programs in a folder such as `input_validators/`, by name: every file and folder is one."""
    return [entry for entry in package.scan(folder) if _is_program(package, entry)]


def _is_package_of_python(sources: list[os.DirEntry[str]]) -> bool:
    return any(entry.name == "__main__.py" for entry in sources)


def has_source(package: PackageFolder, folder: Path) -> bool:
    """Return whether a folder has a source in it or below."""
    return any(is_source(path.name) for path in package.walk(folder, _MAX_FILES))


def _is_program(package: PackageFolder, entry: os.DirEntry[str]) -> bool:
    if not is_folder(entry):
        return entry.is_file() and (is_source(entry.name) or _is_script(entry.path))
    files = package.walk(Path(entry.path), _MAX_FILES)
    return any(path.name in SCRIPTS or is_source(path.name) for path in files)


def _is_script(path: str) -> bool:
    """Return whether a file is executable, and its first line names its interpreter."""
    if not os.access(path, os.X_OK):
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as everywhere here, entries have plain paths
            return file.read(2) == b"#!"
    except OSError:
        return False


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
