"""A package of Polygon to a `Problem`, with everything that is wrong with it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, shorten
from judge.base.units import Bytes, Seconds
from judge.model import DEFAULT_LIMITS, Case, CheckerConfig, FileNames, Inline, Problem, ProblemType, file_names
from judge.problems.icpc.data_settings import Arguments
from judge.problems.icpc.files import PackageFolder, Version
from judge.problems.icpc.package_files import PackageFiles, SelfTest, SelfTestKind, Validator
from judge.problems.polygon.files import (
    FILE,
    Element,
    PolygonFolder,
    list_tests,
    read_document,
    read_pattern,
    text_file,
)
from judge.problems.polygon.programs import (
    GROUP_OPTION,
    find_program,
    find_submission_files,
    read_checker,
    read_checker_tests,
    read_solutions,
)
from judge.problems.polygon.test_data import UNGROUPED, TestReader, make_groups
from judge.problems.yaml.text import quote, quote_all

FORMAT = "polygon"

_TESTS = "tests"  # the set of tests that is judged; Polygon calls others `pretests` and so on
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}")


def load_polygon(folder: Path, *, root_for_display: Path) -> tuple[Problem, list[Diagnostic]]:
    """Read a package; nothing in it is run or changed. The result and the errors are those of `PackageFolder.load`."""
    return PackageFolder.load(folder, root_for_display, _load)


def open_polygon(package: PackageFolder) -> PolygonFolder:
    """Return a package with its document.

    Raises:
        DataError: problem.xml cannot be read.
    """
    path = package.path / FILE
    if package.leads_out(path):
        message = "is a link that leads out of the package"
        raise DataError([Diagnostic(path=package.show(path), message=message)])
    return PolygonFolder(package, read_document(path, package.show(path)))


def _load(package: PackageFolder) -> Problem:
    folder = open_polygon(package)
    file_names = _check_judging(folder)
    testset = find_testset(folder)
    time = _read_number(folder, testset, "time-limit", "milliseconds", 3_600_000)
    memory = _read_number(folder, testset, "memory-limit", "bytes", 2**40)
    limits = DEFAULT_LIMITS.override(
        cpu=None if time is None else Seconds(time / 1000), memory=None if memory is None else Bytes(memory)
    )
    checker = read_checker(folder)
    element = folder.root.first("assets/interactor")
    interactor = find_program(folder, element) if element is not None else None
    is_interactive = element is not None
    if is_interactive and interactor is None:
        raise DataError([folder.diagnostic(folder.root, "nothing is judged: the interactor cannot be used")])
    if is_interactive and file_names is not None:
        folder.warn(folder.root, "has an interactor: its files in place of standard input and output do not count")
        file_names = None
    problem = Problem(
        id=package.path.name, limits=limits, checker=checker, file_names=file_names, interactor=interactor
    )
    reader = TestReader(folder=folder, testset=testset, problem=problem)
    reader.read()
    if not reader.cases:
        folder.error(testset, "has no tests that can be judged")
    groups = make_groups(folder, reader.groups)
    include = find_submission_files(folder)
    solutions = read_solutions(folder, frozenset(group.name for group in reader.groups), include)
    names = {each.get("language"): each.get("value") for each in folder.root.all("names/name") if each.get("value")}
    name = names.get("english") or next(iter(names.values()), folder.root.get("short-name") or folder.path.name)
    statements = sorted(  # in English if there is one; LaTeX before others
        folder.root.all("statements/statement"),
        key=lambda each: (each.get("language") != "english", each.get("type") != "application/x-tex"),
    )
    found = (folder.find(each, each.get("path"), is_optional=True) for each in statements)
    types = {ProblemType.INTERACTIVE: is_interactive, ProblemType.SCORING: groups is not None}
    return replace(
        problem,
        name=shorten(name, 200),
        folder=package.path,
        statement=next((path for path in found if path is not None), None),
        cases=reader.cases,
        solutions=solutions,
        format=FORMAT,
        types=frozenset(each for each, is_so in types.items() if is_so),
        checker_tests=read_checker_tests(folder),
        groups=groups,
        include=include,
    )


def _check_judging(folder: PolygonFolder) -> FileNames | None:
    """Return the files that submissions read and write; None for standard input and output.

    Raises:
        DataError: the package is judged by other rules: a path in place of a file name, or several runs.
    """
    judging = folder.root.first("judging")
    if folder.root.tag != "problem" or judging is None:
        message = f"is no package of Polygon: expected <problem> with <judging>, found <{folder.root.tag}>"
        raise DataError([folder.diagnostic(folder.root, message)])
    errors = []
    names = {}
    for name, standard in (("input-file", "stdin"), ("output-file", "stdout")):
        found = judging.get(name)
        names[name] = "" if found == standard else found
        if names[name] and not _FILE_NAME.fullmatch(found):
            message = f"`{name}` is {quote(found)}; expected the name of a file, such as `sum.in`, or none"
            errors.append(folder.diagnostic(judging, message))
    if (runs := judging.get("run-count")) not in ("", "1"):
        message = f"`run-count` is {quote(runs)}: submissions that run several times are not supported; expected 1"
        errors.append(folder.diagnostic(judging, message))
    if errors:
        raise DataError(errors)
    if names["input-file"] and names["input-file"] == names["output-file"]:
        folder.warn(judging, f"{quote(names['input-file'])} is both the input and the output of submissions")
    return file_names(names["input-file"], names["output-file"])


def find_testset(folder: PolygonFolder) -> Element:
    """Return the set of tests that is judged.

    Raises:
        DataError: there is none.
    """
    testsets = list(folder.root.all("judging/testset"))
    if not testsets:
        raise DataError([folder.diagnostic(folder.root, "has no <testset>, so nothing can be judged")])
    found = next((each for each in testsets if each.get("name") == _TESTS), testsets[0])
    others = [each.get("name") for each in testsets if each is not found]
    if others:
        message = f"only the tests of {quote(found.get('name'))} are judged, not those of {quote_all(others)}"
        folder.warn(found, message, rule="format")
    return found


def _read_number(folder: PolygonFolder, testset: Element, tag: str, unit: str, most: int) -> int | None:
    """Return a limit; None without one.

    Raises:
        DataError: it is wrong.
    """
    element = testset.first(tag)
    if element is None:
        folder.warn(testset, f"has no <{tag}>: the default limit counts")
        return None
    text = element.text
    value = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else 0
    if 0 < value <= most:
        return value
    message = f"<{tag}>: expected a number of {unit} from 1 to {most:,}, found {quote(text)}"
    raise DataError([folder.diagnostic(element, message)])


# ---- what is not judged: validators of inputs, and their tests --------------------------------------------------

_KINDS = {"valid": SelfTestKind.VALID_INPUT, "invalid": SelfTestKind.INVALID_INPUT}
_TESTSET = "--testset"


def read_polygon_files(
    folder: Path, cases: Sequence[Case], *, root_for_display: Path
) -> tuple[PackageFiles, list[Diagnostic]]:
    """Read the validators of a package and their tests; nothing is run or changed.

    Each of its cases is validated as a test of its group. What `load_polygon` finds is not repeated.

    Raises:
        DataError: as there.
    """
    package = open_polygon(PackageFolder.at(folder, root_for_display))
    testset = find_testset(package)
    known = set(package.package.found())
    elements = package.root.all("assets/validators/validator")
    validators = [(each, program) for each in elements if (program := find_program(package, each)) is not None]
    words = (_TESTSET, testset.get("name")) if testset.get("name") else ()
    groups = {case.id: () if case.group == UNGROUPED else (GROUP_OPTION, case.group) for case in cases}
    files = PackageFiles(
        version=Version.LEGACY,  # of no meaning here
        input_validators=tuple(Validator(path=each.source, program=each) for _, each in validators),
        arguments={name: Arguments(input_validators={"": (*words, *group)}) for name, group in groups.items()},
        self_tests=tuple(test for element, _ in validators for test in _read_tests(package, element, words)),
    )
    return files, [each for each in package.package.found() if each not in known]


def _read_tests(folder: PolygonFolder, validator: Element, words: tuple[str, ...]) -> Iterator[SelfTest]:
    testset = validator.first("testset")
    if testset is None:
        return
    default = "files/tests/validator-tests/%02d"
    pattern = read_pattern(folder, testset, "input-path-pattern", default=default)
    if pattern is None:
        return
    for number, test in list_tests(folder, testset, "validator"):
        kind = _KINDS.get(test.get("verdict"))
        if kind is None:
            found = quote(test.get("verdict"))
            folder.warn(test, f"the verdict of a validator test is {found}; expected `valid` or `invalid`: left out")
            continue
        name = pattern % number
        path = folder.find(test, name, is_optional=True)
        if path is None:
            folder.warn(test, f"test {number} of the validator does not run: expected the file {quote(name)}")
            continue
        own = test.get("testset")
        group = (GROUP_OPTION, test.get("group")) if test.get("group") else ()
        testset_words = (_TESTSET, own) if own else words
        case = Case(
            group="validator-tests",
            name=f"{validator.line}-{number:02d}",
            input=text_file(path),
            answer=Inline(b""),
            limits=DEFAULT_LIMITS,
            checker=CheckerConfig(),
            validator_args=(*testset_words, *group),
            origin=path,
        )
        yield SelfTest(kind=kind, case=case)
