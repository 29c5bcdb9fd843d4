"""The programs of a package that judge, all by the protocol of testlib, and the tests of its checker."""

from collections.abc import Iterator

from judge.data import read_small_file
from judge.errors import DataError
from judge.model import CheckerConfig, CheckerTest, InFile
from judge.problems.polygon.document import Element
from judge.problems.polygon.files import FILE, PathPattern, PolygonFolder
from judge.problems.polygon.resources import find_program_files
from judge.problems.yaml.text import quote, quote_all
from judge.programs import JudgeProgram, Protocol
from judge.units import MIB

_MAX_TESTS = 10_000
_MAX_SOURCE = MIB
GROUP_OPTION = "--group"
"""Names the group of a test to validators, and to checkers that ask for it (testlib.h)."""

# Checkers of testlib's distribution, for a package that names one without its source.
_STANDARD = {
    "fcmp": CheckerConfig(case_sensitive=True, space_change_sensitive=True),
    "lcmp": CheckerConfig(case_sensitive=True),
    "wcmp": CheckerConfig(case_sensitive=True),
    "hcmp": CheckerConfig(case_sensitive=True),
    "ncmp": CheckerConfig(case_sensitive=True),
    "yesno": CheckerConfig(),
    "nyesno": CheckerConfig(),
    "rcmp4": CheckerConfig(float_absolute_tolerance=1e-4, float_relative_tolerance=1e-4),
    "rcmp6": CheckerConfig(float_absolute_tolerance=1e-6, float_relative_tolerance=1e-6),
    "rcmp9": CheckerConfig(float_absolute_tolerance=1e-9, float_relative_tolerance=1e-9),
}


def read_checker(folder: PolygonFolder) -> CheckerConfig:
    """Return the checker: the package's own, or the one of the judge that does the same as the one that it names.

    Raises:
        DataError: it cannot be used.
    """
    checker = folder.root.first("assets/checker")
    if checker is None:
        folder.warn(folder.root, "has no checker: outputs are compared by tokens")
        return CheckerConfig(case_sensitive=True)
    if (kind := checker.get("type")) not in ("", "testlib"):
        folder.warn(checker, f"the type of the checker is {quote(kind)}; it is run by the protocol of testlib")
    name = checker.get("name")
    standard = _STANDARD.get(name.removeprefix("std::").removesuffix(".cpp")) if name.startswith("std::") else None
    program = _find_program(folder, checker, is_optional=standard is not None)
    if program is not None:
        return CheckerConfig(name="program", program=program)
    if standard is not None:
        folder.warn(checker, f"the source of {name} is missing: a checker of the judge does the same")
        return standard
    raise DataError([folder.diagnostic(checker, "nothing is judged: the checker cannot be used")])


def asks_for_group(checker: CheckerConfig) -> bool:
    """Return whether a checker asks for the group of a test; others may have a testlib.h that rejects `--group`."""
    if checker.program is None:
        return False
    try:
        return b"checker.group" in (read_small_file(checker.program.source, _MAX_SOURCE) or b"")
    except OSError:  # reported where it is compiled
        return False


def read_interactor(folder: PolygonFolder) -> tuple[JudgeProgram | None, bool]:
    """Return the interactor, and whether the problem needs one."""
    element = folder.root.first("assets/interactor")
    return (None, False) if element is None else (_find_program(folder, element), True)


def read_validators(folder: PolygonFolder) -> Iterator[tuple[Element, JudgeProgram]]:
    """Yield the validators of inputs, each with its element; those that cannot be used are reported."""
    for element in folder.root.all("assets/validators/validator"):
        program = _find_program(folder, element)
        if program is not None:
            yield element, program


def _find_program(folder: PolygonFolder, element: Element, *, is_optional: bool = False) -> JudgeProgram | None:
    """Return the program of an element: its <source>, or the <copy> of it at the top of the package."""
    places = [*element.all("source"), *element.all("copy")]
    for at, place in enumerate(places):
        is_last = at == len(places) - 1
        path = folder.find(place, place.get("path"), is_optional=is_optional or not is_last)
        if path is not None:
            include = find_program_files(folder, element.tag)
            return JudgeProgram(source=path, protocol=Protocol.TESTLIB, include=include)
    if not places:
        folder.error(element, f"<{element.tag}> has no <source>")
    return None


def read_checker_tests(folder: PolygonFolder) -> tuple[CheckerTest, ...]:
    """Return the outputs that the checker must accept or reject."""
    testset = folder.root.first("assets/checker/testset")
    if testset is None:
        return ()
    patterns = [
        PathPattern.of(folder, testset, f"{kind}-path-pattern", default=f"files/tests/checker-tests/%02d{suffix}")
        for kind, suffix in (("input", ""), ("output", ".o"), ("answer", ".a"))
    ]
    if None in patterns:
        return ()
    tests = []
    for number, test in enumerate(testset.all("tests/test"), start=1):
        if number > _MAX_TESTS:
            folder.warn(test, f"more than {_MAX_TESTS:,} tests of the checker: the others are left out")
            break
        verdict = test.get("verdict")
        if verdict not in ("ok", "wrong-answer", "presentation-error"):  # such as `crashed`, or points
            folder.warn(test, f"the verdict {quote(verdict)} of a checker test is not supported: it does not run")
            continue
        names = [pattern.name(number) for pattern in patterns if pattern]
        given, output, answer = (folder.find(test, name, is_optional=True) for name in names)
        if given is None or output is None or answer is None:
            folder.warn(test, f"test {number} of the checker does not run: expected the files {quote_all(names)}")
            continue
        tests.append(
            CheckerTest(
                accepts=verdict == "ok",
                input=InFile(given),
                output=InFile(output),
                answer=InFile(answer),
                origin=folder.package.show(folder.path / FILE),
                line=test.line,
            )
        )
    return tuple(tests)
