"""A problem package to a `Problem`, with everything that is wrong with it."""

import shlex
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.model import CheckerConfig, Problem, ProblemType
from judge.model.groups import TestGroup
from judge.model.programs import JudgeProgram
from judge.problems.icpc.data_settings import Arguments, GroupSettings, SettingsReader
from judge.problems.icpc.default_validator import VALIDATORS, read_flags
from judge.problems.icpc.files import PackageFolder, Version, find_program, find_statements
from judge.problems.icpc.grading import make_groups
from judge.problems.icpc.problem_yaml import Metadata, read_metadata
from judge.problems.icpc.submissions import SubmissionReader
from judge.problems.icpc.test_data import DataReader
from judge.problems.paths import is_folder
from judge.problems.yaml.text import quote, quote_all

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
    names = VALIDATORS if metadata.version.is_legacy else tuple(reversed(VALIDATORS))
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
