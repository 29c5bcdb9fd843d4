"""From a problem, its programs and the data of its cases to a package; and several packages as a contest."""

import re
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from string import ascii_uppercase

import yaml

from judge.base.data import read_data
from judge.base.errors import JudgeError, describe_error
from judge.base.links import LinkRoot
from judge.base.units import format_count
from judge.judging.programs import HEADERS, TESTLIB, find_testlib, needs_testlib
from judge.model import Problem
from judge.model.programs import JudgeProgram, Protocol
from judge.packages.export.adapter import adapt
from judge.packages.export.cases import (
    DataWriter,
    checker_flags,
    keep_ready,
    name_groups,
    report_checkers,
    report_tests,
    rules_of,
)
from judge.packages.export.metadata import add_metadata, add_time_limit, problem_uuid, read_original, read_yaml
from judge.packages.export.package import Package, Target, first_name
from judge.packages.export.statement import add_statement, report_statement
from judge.packages.export.submissions import SubmissionWriter
from judge.preparation.cases import PreparedCase
from judge.problems.contest import CONTEST_FILE
from judge.problems.icpc.package_files import read_package_files
from judge.problems.paths import is_archive, is_leftover
from judge.problems.yaml.text import quote

# Folders of a package that mean the same in every version.
_COPIED = ("input_validators", "attachments")
_TESTS = ("invalid_input", "invalid_output", "valid_output")  # of validators
_OF_STATEMENTS = (".interaction", ".png", ".jpg", ".jpeg", ".svg", ".gif")
_OF_NEW_STATEMENTS = (".statement", ".download")
_NO_GENERATORS = "the generators are left out: the inputs that they make are exported"
_ONLY_NEW = ("static_validator", "input_visualizer", "output_visualizer", "generators", "solution")


def _add_programs(package: Package, problem: Problem, testlib: Path | None) -> None:
    """Add the validators of a problem, and what its submissions are compiled with."""
    if problem.is_package:
        _copy_folders(package, problem)
    elif problem.validator is not None:
        _add_input_validator(package, problem, problem.validator, testlib)
    else:
        what = "the grammar of the input is not in this format" if problem.input_format else "the problem has none"
        package.losses.append(f"an input validator: {what}; the format requires one: add `validator` to problem.yaml")
    program = problem.interactor or problem.checker.program
    others = {case.checker.program for case in problem.cases} - {problem.checker.program, program, None}
    if others:
        package.losses.append(f"{format_count(len(others), 'checker')} of single cases: a package has only one")
    if program is not None and program.others:
        count = format_count(len(program.others), "more output validator")
        package.breaking.append(f"{count}: only the first one is written")
    if program is not None:
        _add_output_validator(package, problem, program, testlib)
    for language, folders in sorted(problem.include.items()):
        for folder in folders:
            package.copy(folder, f"include/{language}", root=problem.folder)
    report_tests(package, problem)
    if problem.constants and package.target.is_legacy:
        package.breaking.append("the constants in sources: the format does not replace `{{name}}`")
    if problem.generators and package.target is Target.ICPC_2025_09:
        package.notes.append(_NO_GENERATORS)


def _add_input_validator(package: Package, problem: Problem, validator: JudgeProgram, testlib: Path | None) -> None:
    name = validator.source.name
    if validator.protocol is not Protocol.TESTLIB:
        package.copy(validator.source, f"input_validators/{name}", root=_native_root(problem))
    elif reason := _add_adapted(package, problem, validator, f"input_validators/{validator.source.stem}", testlib):
        package.losses.append(f"the input validator {quote(name)}: {reason}")


def _add_adapted(package: Package, problem: Problem, program: JudgeProgram, folder: str, testlib: Path | None) -> str:
    """Add a program by the protocol of testlib to a folder, called by that of ICPC; return why not, or ""."""
    source = program.source
    role = "validator" if program is problem.validator else "interactor" if problem.interactor else "checker"
    code = source.read_bytes() if source.is_file() else b""
    text = adapt(source, code, Protocol.ICPC, role) if code else None
    if text is None:
        return "it speaks the protocol of testlib, not that of ICPC, which is possible for one file of C++ or Python"
    package.add(f"{folder}/{source.name}", text)
    for each in sorted(source.parent.iterdir()):
        if each.suffix in HEADERS:
            package.copy(each, f"{folder}/{each.name}", root=_native_root(problem))
    if needs_testlib([(source.name, code)]) and f"{folder}/{TESTLIB}" not in package.files:
        package.add(f"{folder}/{TESTLIB}", find_testlib(source, problem.folder, testlib))
    package.notes.append(f"{folder}/{source.name} is written so that contest systems can call it, and holds the {role}")
    return ""


def _native_root(problem: Problem) -> Path | None:
    return problem.folder.parent.parent if problem.folder is not None else None


def _copy_folders(package: Package, problem: Problem) -> None:
    folder = problem.folder
    assert folder is not None
    names = {name: name for name in _COPIED} | {"input_format_validators": "input_validators"}
    for source, name in names.items():
        if (folder / source).is_dir():
            package.copy(folder / source, name, root=folder)
    for name in _ONLY_NEW:
        if (folder / name).is_dir():
            if package.target.is_legacy:
                lost = package.breaking if name == "static_validator" else package.losses
                lost.append(f"the folder {quote(name)}: not in this format")
            elif name == "generators":
                package.notes.append(_NO_GENERATORS)
            else:
                package.copy(folder / name, name, root=folder)
    _copy_tests(package, folder)
    _copy_statement_files(package, folder)
    if (folder / "graders").is_dir():
        if package.target.is_legacy:
            package.copy(folder / "graders", "graders", root=folder)
        elif problem.groups is not None and any(group.grader for group in problem.groups.walk()):
            package.losses.append("the grader: not in this format")


def _copy_statement_files(package: Package, folder: Path) -> None:
    for part in ("sample", "secret"):
        for path in sorted((folder / "data" / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            is_new = path.suffix in _OF_NEW_STATEMENTS
            if is_new and package.target.is_legacy:
                package.losses.append(f"{quote(name)}: not in this format")
            elif is_new or path.suffix in _OF_STATEMENTS:
                package.copy(path, name, root=folder)


def _copy_tests(package: Package, folder: Path) -> None:
    """Add the tests of validators; report what is lost of these and of their arguments."""
    for name in _TESTS:
        if not (folder / "data" / name).is_dir():
            continue
        if package.target.is_legacy:
            package.losses.append(f"the folder `data/{name}`: not in this format")
        else:
            package.copy(folder / "data" / name, f"data/{name}", root=folder)
    if (folder / "answer_validators").is_dir():
        package.losses.append("the folder `answer_validators`: only BAPCtools reads it")
    files, _ = read_package_files(folder, root_for_display=folder)
    if any(each.input_validators.keys() - {""} for each in files.arguments.values()):
        package.losses.append("arguments of single input validators: only those of all are written")


def _add_output_validator(package: Package, problem: Problem, program: JudgeProgram, testlib: Path | None) -> None:
    root = problem.folder if problem.is_package else _native_root(problem)
    name = "output_validators/validator" if package.target.is_legacy else "output_validator"
    if program.protocol is Protocol.TESTLIB:
        reason = "a checker judges what it leaves, and the format has one program"
        if problem.interactor is None or problem.checker.program in (None, program):
            reason = _add_adapted(package, problem, program, name, testlib)
        if reason:
            what = f"the {'interactor' if problem.interactor else 'checker'} {quote(program.source.name)}: {reason}"
            package.breaking.append(f"{what}; the package is judged by the default output validator until you add one")
        return
    if program.source.is_dir():
        package.copy(program.source, name, root=root)
    else:
        package.copy(program.source, f"{name}/{program.source.name}", root=root)
    for extra in program.include:
        package.copy(extra, f"{name}/{extra.name}" if extra.is_file() else name, root=root)


_NOT_SHORT = re.compile(r"[^a-z0-9]")


def export(problem: Problem, prepared: Iterable[PreparedCase], target: Target, testlib: Path | None = None) -> Package:
    """Return a problem, whose cases have their data, as a package of a format.

    `testlib` is the user's `testlib.h`, for programs that have none.

    Raises:
        DataError: some test data is wrong.
        JudgeError: a file of the problem cannot be read.
    """
    package = Package(target=target, name=short_name(problem.id))
    try:
        if target is Target.POLYGON:
            from judge.packages.export.polygon import write_polygon

            write_polygon(package, problem, prepared)
        else:
            _write_icpc(package, problem, prepared, testlib)
    except OSError as error:
        raise JudgeError(describe_error(error)) from error
    return package


def _copy_package(package: Package, problem: Problem, prepared: Iterable[PreparedCase]) -> None:
    folder = problem.folder
    assert folder is not None
    for path in sorted(folder.iterdir()):
        if path.name == "generators":
            package.notes.append(_NO_GENERATORS)
        elif not is_leftover(path.name) and not is_archive(path):  # perhaps an earlier export
            package.copy(path, path.name, root=folder)
    for case, given, answer in keep_ready(package, problem, prepared):
        name = f"data/{case.id}" if case.is_sample or case.id.startswith("secret/") else f"data/secret/{case.id}"
        for suffix, data in ((".in", given), (".ans", answer)):
            if f"{name}{suffix}" not in package.files:
                package.add(f"{name}{suffix}", data)
        package.cases += 1
    package.submissions = len(problem.solutions)
    if package.target is Target.KATTIS and "uuid" not in read_original(problem, "problem.yaml"):
        text = read_data(package.files["problem.yaml"])
        package.files["problem.yaml"] = text.rstrip(b"\n") + f"\nuuid: {problem_uuid(problem.id)}\n".encode()
    if package.target.is_legacy:
        add_time_limit(package, problem)
    if package.target is Target.DOMJUDGE:
        report_statement(package, problem)


def _write_icpc(package: Package, problem: Problem, prepared: Iterable[PreparedCase], testlib: Path | None) -> None:
    if package.name != problem.id and package.target.has_top_folder:
        package.notes.append(f"the folder is {quote(package.name)}: the format allows lower-case letters and digits")
    is_same = problem.format == package.target.value
    if problem.format == "icpc-legacy" and package.target.is_legacy:
        is_same = not problem.has_scores or problem.groups is None or problem.groups.rules is rules_of(package.target)
    if is_same:
        _copy_package(package, problem, prepared)
        return
    found = {checker_flags(case.checker) for case in problem.cases} or {checker_flags(problem.checker)}
    flags = next(iter(found)) if len(found) == 1 else None  # if they are the same for all cases
    add_statement(package, problem)  # their languages are those of names
    add_metadata(package, problem, flags=flags or ())
    _add_programs(package, problem, testlib)
    report_checkers(package, [problem.checker, *(case.checker for case in problem.cases)])
    DataWriter(package=package, problem=problem, flags=flags, groups=name_groups(problem)).write(prepared)
    SubmissionWriter(package, problem).write()


def short_name(problem_id: str) -> str:
    """Return the name of a package's folder ("Problem package": lower-case letters and digits)."""
    return _NOT_SHORT.sub("", problem_id.lower()) or "problem"


# ---- several packages as a contest ---------------------------------------------------------------------------------

# One zip file with a folder for each package, and the files that DOMjudge reads beside them (its manual, "Importing
# contest metadata" and "Importing problem metadata"; its misc-tools/import-contest expects a folder for each problem).
# BAPCtools reads the same files. Kattis reads only the packages.
_METADATA = "contest.yaml"
_LABELS = [*ascii_uppercase, *map("".join, product(ascii_uppercase, repeat=2))]


def describe_contest(problems: Sequence[Problem], packages: Sequence[Package]) -> dict[str, bytes]:
    """Return the files beside the packages of a contest, whose names are made unique; say what is missing.

    Labels and colours, and `contest.yaml`, are those of the folder that the packages come from.
    """
    for package in packages:
        others = {each.name for each in packages if each is not package}
        package.name = first_name(package.name, lambda name, others=others: name not in others)  # type: ignore[misc]
    if packages[0].target is Target.KATTIS:
        return {}
    folders = {problem.folder.parent for problem in problems if problem.folder and problem.is_package}
    folder = folders.pop() if len(folders) == 1 else None
    listed = read_yaml(folder / CONTEST_FILE) if folder else None
    given = (
        {str(each.get("id")): each for each in listed or () if isinstance(each, dict)}
        if isinstance(listed, list)
        else {}
    )
    entries = []
    for label, problem, package in zip(_LABELS, problems, packages, strict=False):
        known = given.get(problem.folder.name if problem.folder else "", {})
        entries.append({"id": "", "label": label, "name": problem.name, **known} | {"id": package.name})
    files = {CONTEST_FILE: yaml.safe_dump(entries, sort_keys=False, allow_unicode=True).encode()}
    metadata = folder / _METADATA if folder else None
    if metadata is not None and metadata.is_file() and LinkRoot.of(metadata.parent).find_error(metadata) is None:
        files[_METADATA] = metadata.read_bytes()
    else:
        packages[0].notes.append(
            f"there is no {_METADATA} beside the packages, with `name`, `id`, `start_time` and `duration`: create the "
            "contest by hand"
        )
    return files
