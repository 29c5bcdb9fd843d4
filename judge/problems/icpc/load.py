"""A problem package to a `Problem`, with everything that is wrong with it."""

import os
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.model import CheckerConfig, Limits, Problem, ProblemType
from judge.model.groups import TestGroup
from judge.model.programs import JudgeProgram
from judge.problems.icpc.data_settings import GROUP_FILES, Arguments, GroupSettings, SettingsReader
from judge.problems.icpc.files import PackageFolder, Version, find_program, find_statements
from judge.problems.icpc.generators_yaml import PlannedData
from judge.problems.icpc.grading import make_groups
from judge.problems.icpc.problem_yaml import Metadata, read_metadata
from judge.problems.icpc.sections import parse_float
from judge.problems.icpc.submissions import SubmissionReader
from judge.problems.icpc.test_data import DataReader
from judge.problems.paths import is_folder
from judge.problems.yaml.text import describe_unknown, quote, quote_all

_VALIDATORS = ("output_validators", "output_validator")  # folders of legacy, of 2025-09
_SUFFIXES = (".md", ".tex", ".pdf")  # of statements, best first
_DATA_SCRIPTS = ("generator.sh", "gen.sh", "generate.sh")  # of testdata_tools, as in Swedish contests


def load_package(folder: Path, *, root_for_display: Path) -> tuple[Problem, list[Diagnostic]]:
    """Read a package; nothing in it is run or changed. Messages show paths relative to a folder around it.

    The result and the errors are those of `PackageFolder.load`.
    """
    return PackageFolder.load(folder, root_for_display, _load)


def _load(package: PackageFolder) -> Problem:
    metadata = read_metadata(package)
    problem, validator = metadata.problem, find_validator(package, metadata)
    reader = DataReader(
        package=package,
        settings=SettingsReader.of(package, metadata.version, problem),
        inherited=GroupSettings(legacy=TestGroup(name="", breaks=True, is_minimized=metadata.is_minimized)),
        limits=problem.limits,
        make_checker=partial(make_checker, package, metadata, validator),
    )
    data = reader.read()
    if not reader.cases:
        message = "has no cases that can be judged: expected data/secret/x.in with x.ans beside it"
        package.error(package.path / "data", message, fix=_find_data_script(package))
    elif not any(each.name == "secret" and each.total for each in data.folders):
        message = "has no cases: verdicts and scores rest on the samples alone"
        package.warn(package.path / "data/secret", message, fix=_find_data_script(package))
    grader = find_program(package, package.path / "graders", "grader")
    static_validator = find_program(package, package.path / "static_validator", "static validator")
    folder = package.path / "include"  # "Included files"
    folders = [each for each in package.scan(folder) if is_folder(each)] if package.has_folder(folder) else []
    include = {entry.name: (Path(entry.path),) for entry in folders}
    submissions = SubmissionReader(package=package, version=metadata.version, problem=problem, include=include)
    solutions = submissions.read()
    is_of_domjudge = metadata.is_of_domjudge or submissions.has_scores
    groups = make_groups(package, data, metadata, (grader, static_validator), is_of_domjudge=is_of_domjudge)
    return replace(
        problem,
        checker=reader.checker(data.settings.arguments) or CheckerConfig(),
        statement=min(find_statements(package).values(), key=lambda path: _SUFFIXES.index(path.suffix), default=None),
        cases=tuple(reader.cases),
        solutions=solutions,
        interactor=validator if ProblemType.INTERACTIVE in problem.types else None,
        static_validator=static_validator,
        groups=groups,
        include=include,
        time_rule=problem.time_rule and replace(problem.time_rule, lower=submissions.lower, upper=submissions.upper),
    )


def find_validator(package: PackageFolder, metadata: Metadata) -> JudgeProgram | None:
    """Return the output validator; None for the default one.

    Raises:
        DataError: the problem needs one of its own, and there is none.
    """
    names = _VALIDATORS if metadata.version.is_legacy else tuple(reversed(_VALIDATORS))
    found = [name for name in names if (package.path / name).is_dir()]
    # Interactors and multi-pass validators keep state in one run, which several cannot share.
    keeps_state = bool(metadata.problem.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})
    several = metadata.version.is_legacy and not keeps_state
    kind = "output validator"
    program = next(
        (each for name in found if (each := find_program(package, package.path / name, kind, allows_several=several))),
        None,
    )
    if program is None:
        if metadata.is_custom:
            message = "the problem needs an output validator of its own, and there is none"
            raise DataError([Diagnostic(path=package.show(package.path / names[0]), message=message)])
        return None
    folder = package.path / found[0]
    if found[0] != names[0]:
        package.warn(folder, f"in version {metadata.version} the name of this folder is {names[0]}", rule="format")
    if metadata.version.is_legacy and metadata.is_custom is not True:
        if metadata.is_custom is False:
            package.warn(folder, "is not used, since problem.yaml says `validation: default`")
            return None
        package.warn(folder, "is used, but problem.yaml does not say `validation: custom`", fix="add it")
    return program


def make_checker(
    package: PackageFolder, metadata: Metadata, validator: JudgeProgram | None, arguments: Arguments
) -> CheckerConfig | None:
    """Return the checker for cases with these arguments; None if they are wrong, which is reported."""
    flags = (*metadata.flags, *arguments.output_validator)
    if metadata.is_of_domjudge and arguments.output_validator:
        flags = arguments.output_validator  # DOMjudge: those of a group replace those of the problem
    if validator is not None:
        wanted, place = arguments.validator_name, arguments.output_validator_place
        if wanted and validator.others:  # all of them, unless the test data names one (legacy, "Test data groups")
            several = (replace(validator, others=()), *validator.others)
            chosen = next((each for each in several if wanted in (each.source.name, each.source.stem)), None)
            if chosen is None and place is not None:
                names = quote_all(each.source.name for each in several)
                message = f"there is no output validator {quote(wanted)}, only {names}: all of them are run"
                package.add(replace(place, severity=Severity.WARNING, message=message))
            validator = chosen or validator
        return CheckerConfig(name="program", program=validator, args=flags)
    try:
        return read_flags(flags, last_counts=metadata.version is not Version.V2025_09)
    except ValueError as error:
        place = arguments.output_validator_place or metadata.flags_place
        message = f"{error}; cases with these flags are not judged"
        package.diagnostics.append(replace(place, message=message))
        return None


def _find_data_script(package: PackageFolder) -> str:
    """Return how to make the cases with a script of the package; "" if it has none."""
    folder = package.path / "data"
    script = next((name for name in _DATA_SCRIPTS if (folder / name).is_file()), None)
    return f"make them with {script}: (cd {shlex.quote(str(package.show(folder)))} && bash {script})" if script else ""


# ---- the default output validator ("Default output validator specification") --------------------------------------

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


def read_rules(package: PackageFolder, defaults: Limits) -> tuple[Problem, bool]:
    """Return a package for runs whose outputs the default validator compares, and whether it has one of its own.

    It may lack problem.yaml. `defaults` are the limits that it does not set.

    Raises:
        DataError: problem.yaml cannot be read, or its version is unknown.
    """
    metadata = read_metadata(package, defaults=defaults)
    problem = metadata.problem
    reader = SettingsReader(package, metadata.version, dict(problem.constants), PlannedData(package, package.path))
    settings = GroupSettings()
    for name in ("", "secret"):
        folder = package.path / "data" / name
        files = [each for each in GROUP_FILES if os.path.lexists(folder / each)]
        settings = reader.read_group(folder, name, files, settings)
    is_custom = metadata.is_custom or any((package.path / name).exists() for name in _VALIDATORS)
    checker = CheckerConfig()
    try:
        flags = (*metadata.flags, *settings.arguments.output_validator)
        checker = read_flags(flags, last_counts=metadata.version is not Version.V2025_09)
    except ValueError as error:
        if not is_custom:
            place = settings.arguments.output_validator_place or metadata.flags_place
            package.add(replace(place, message=f"{error}; outputs are compared without flags"))
    return replace(problem, checker=checker), is_custom
