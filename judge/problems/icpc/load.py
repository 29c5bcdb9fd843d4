"""A problem package to a `Problem`, with everything that is wrong with it."""

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.model import CheckerConfig, Problem, ProblemType
from judge.model.programs import JudgeProgram
from judge.problems.icpc.data_settings import Arguments, GroupSettings, SettingsReader
from judge.problems.icpc.default_validator import VALIDATORS, read_flags
from judge.problems.icpc.files import PackageFolder, Version, find_program
from judge.problems.icpc.grading import make_groups
from judge.problems.icpc.planned_cases import PlannedData
from judge.problems.icpc.problem_yaml import Metadata, read_metadata
from judge.problems.icpc.submissions import SubmissionReader
from judge.problems.icpc.test_data import DataReader
from judge.problems.paths import is_folder
from judge.problems.yaml.text import quote, quote_all

_DATA_SCRIPTS = ("generator.sh", "gen.sh", "generate.sh")  # of testdata_tools, as in Swedish contests
_STATEMENTS = ("statement", "problem_statement", "")


def load_package(folder: Path, *, root_for_display: Path) -> tuple[Problem, list[Diagnostic]]:
    """Read a package; nothing in it is run or changed. Messages show paths relative to a folder around it.

    Returns:
        The problem, and what is wrong. Errors are about parts that are not judged, such as a case without an answer;
        warnings are about what is unusual, with the rule `format` if it makes no difference to judging.

    Raises:
        DataError: nothing of the package can be judged; carries all diagnostics.
    """
    package = PackageFolder.at(folder, root_for_display)
    try:
        problem = _load(package)
    except DataError as error:
        raise DataError([*package.found(), *error.diagnostics]) from error
    return problem, package.found()


def _load(package: PackageFolder) -> Problem:
    metadata = read_metadata(package)
    version, problem = metadata.version, metadata.problem
    is_scoring = ProblemType.SCORING in problem.types
    validator = _find_validator(package, metadata)
    settings = SettingsReader(package, version, dict(problem.constants), PlannedData.of(package, problem))
    reader = DataReader(
        package=package,
        settings=settings,
        inherited=GroupSettings(legacy=metadata.grading),
        limits=problem.limits,
        make_checker=partial(_make_checker, package, metadata, validator),
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
    include = _find_include(package)
    submissions = SubmissionReader(
        package=package,
        version=version,
        is_scoring=is_scoring,
        include=include,
        constants=problem.constants,
    )
    solutions = submissions.read()
    groups = make_groups(
        package,
        data,
        version,
        is_scoring=is_scoring,
        is_of_domjudge=metadata.is_of_domjudge or submissions.has_scores,
        grader=grader,
        static_validator=static_validator,
    )
    return replace(
        problem,
        checker=reader.checker(data.settings.arguments) or CheckerConfig(),
        statement=_find_statement(package),
        cases=tuple(reader.cases),
        solutions=solutions,
        interactor=validator if ProblemType.INTERACTIVE in problem.types else None,
        static_validator=static_validator,
        groups=groups,
        include=include,
        time_rule=problem.time_rule and replace(problem.time_rule, lower=submissions.lower, upper=submissions.upper),
    )


def checker_maker(package: PackageFolder, metadata: Metadata) -> Callable[[Arguments], CheckerConfig | None]:
    """Return what makes the checker for the arguments of a case, or reports what is wrong with them.

    Raises:
        DataError: the problem needs an output validator of its own, and there is none.
    """
    return partial(_make_checker, package, metadata, _find_validator(package, metadata))


def _find_validator(package: PackageFolder, metadata: Metadata) -> JudgeProgram | None:
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


def _make_checker(
    package: PackageFolder, metadata: Metadata, validator: JudgeProgram | None, arguments: Arguments
) -> CheckerConfig | None:
    """Return the checker for cases with these arguments; None if they are wrong, which is reported."""
    flags = (*metadata.flags, *arguments.output_validator)
    if metadata.is_of_domjudge and arguments.output_validator:
        flags = arguments.output_validator  # DOMjudge: those of a group replace those of the problem
    if validator is not None:
        return CheckerConfig(name="program", program=_choose(package, validator, arguments), args=flags)
    try:
        return read_flags(flags, last_counts=metadata.version is not Version.V2025_09)
    except ValueError as error:
        place = arguments.output_validator_place or metadata.flags_place
        message = f"{error}; cases with these flags are not judged"
        package.diagnostics.append(replace(place, message=message))
        return None


def _choose(package: PackageFolder, validator: JudgeProgram, arguments: Arguments) -> JudgeProgram:
    """Return the validators of a case: all of them, unless its test data names one (legacy, "Test data groups")."""
    wanted = arguments.validator_name
    if not wanted or not validator.others:
        return validator
    several = (replace(validator, others=()), *validator.others)
    found = next((each for each in several if wanted in (each.source.name, each.source.stem)), None)
    if found is None and arguments.output_validator_place is not None:
        names = quote_all(each.source.name for each in several)
        message = f"there is no output validator {quote(wanted)}, only {names}: all of them are run"
        place = replace(arguments.output_validator_place, severity=Severity.WARNING, message=message)
        if place not in package.diagnostics:
            package.diagnostics.append(place)
    return found or validator


def _find_data_script(package: PackageFolder) -> str:
    """Return how to make the cases with a script of the package; "" if it has none."""
    folder = package.path / "data"
    script = next((name for name in _DATA_SCRIPTS if (folder / name).is_file()), None)
    return f"make them with {script}: (cd {shlex.quote(str(package.show(folder)))} && bash {script})" if script else ""


def _find_statement(package: PackageFolder) -> Path | None:
    """Return the statement, in English if there is one; Markdown before LaTeX before PDF."""
    for folder in (package.path / name for name in _STATEMENTS):
        names = [path.name for path in folder.glob("problem.*")]
        for suffix in (".md", ".tex", ".pdf"):
            found = [name for name in names if name.endswith(suffix) and not package.leads_out(folder / name)]
            if found:
                english = (f"problem.en{suffix}", f"problem{suffix}")
                return folder / min(found, key=lambda name: (name not in english, name))
    return None


def _find_include(package: PackageFolder) -> dict[str, tuple[Path, ...]]:
    """Return the folders with files for submissions, by language ("Included files")."""
    folder = package.path / "include"
    if not package.has_folder(folder):
        return {}
    return {entry.name: (Path(entry.path),) for entry in package.scan(folder) if is_folder(entry)}
