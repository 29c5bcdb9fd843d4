"""What a package of Polygon has besides what is judged: its validators of inputs, and their tests.

A validator reads an input on standard input and exits with status 0 if it is valid. Polygon calls it with the test set
and the group of the test (testlib.h, `validator.testset()`, `validator.group()`).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.base.errors import Diagnostic
from judge.model import DEFAULT_LIMITS, Case, CheckerConfig, Inline
from judge.problems.icpc.data_settings import Arguments, ValidatorArguments
from judge.problems.icpc.files import PackageFolder, Version
from judge.problems.icpc.package_files import PackageFiles, SelfTest, SelfTestKind, Validator
from judge.problems.polygon.files import Element, PolygonFolder, list_tests, read_pattern, text_file
from judge.problems.polygon.load import find_testset, open_polygon
from judge.problems.polygon.programs import GROUP_OPTION, read_validators
from judge.problems.polygon.test_data import UNGROUPED
from judge.problems.yaml.text import quote

_KINDS = {"valid": SelfTestKind.VALID_INPUT, "invalid": SelfTestKind.INVALID_INPUT}
_TESTSET, _GROUP = "--testset", GROUP_OPTION


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
    validators = list(read_validators(package))
    words = (_TESTSET, testset.get("name")) if testset.get("name") else ()
    files = PackageFiles(
        version=Version.LEGACY,  # of no meaning here
        input_validators=tuple(Validator(path=each.source, program=each) for _, each in validators),
        arguments={case.id: _arguments(case, words) for case in cases},
        self_tests=tuple(test for element, _ in validators for test in _read_tests(package, element, words)),
    )
    return files, [each for each in package.package.found() if each not in known]


def _arguments(case: Case, words: tuple[str, ...]) -> Arguments:
    group = () if case.group == UNGROUPED else (_GROUP, case.group)
    return Arguments(input_validators=ValidatorArguments(words=(*words, *group)))


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
        group = (_GROUP, test.get("group")) if test.get("group") else ()
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
