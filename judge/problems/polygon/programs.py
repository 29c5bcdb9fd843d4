"""The programs of a package: those that judge, all by the protocol of testlib, and its solutions.

A resource is a file that they are compiled with, or for statements if it has no type. One with <assets> is for these:
`solution` stands for submissions in the languages of `for-types`. One without is for the checker, the interactor and
the validators.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from judge.base.data import read_small_file
from judge.base.errors import DataError
from judge.base.units import MIB
from judge.languages.table import SUFFIXES
from judge.model import CheckerConfig, CheckerTest, Expectation, Requirement, Solution, expect
from judge.model.programs import JudgeProgram, Protocol
from judge.problems.polygon.files import FILE, Element, PolygonFolder, list_tests, read_pattern, text_file
from judge.problems.yaml.text import quote, quote_all

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
    program = find_program(folder, checker, is_optional=standard is not None)
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


def find_program(folder: PolygonFolder, element: Element, *, is_optional: bool = False) -> JudgeProgram | None:
    """Return the program of an element: its <source>, or the <copy> of it at the top; None if that is reported."""
    places = [*element.all("source"), *element.all("copy")]
    for at, place in enumerate(places):
        is_last = at == len(places) - 1
        path = folder.find(place, place.get("path"), is_optional=is_optional or not is_last)
        if path is not None:
            include = dict.fromkeys(file for file, _ in _find_files(folder, element.tag))
            return JudgeProgram(source=path, protocol=Protocol.TESTLIB, include=tuple(include))
    if not places:
        folder.error(element, f"<{element.tag}> has no <source>")
    return None


def read_checker_tests(folder: PolygonFolder) -> tuple[CheckerTest, ...]:
    """Return the outputs that the checker must accept or reject."""
    testset = folder.root.first("assets/checker/testset")
    if testset is None:
        return ()
    patterns = [
        read_pattern(folder, testset, f"{kind}-path-pattern", default=f"files/tests/checker-tests/%02d{suffix}")
        for kind, suffix in (("input", ""), ("output", ".o"), ("answer", ".a"))
    ]
    if None in patterns:
        return ()
    tests = []
    for number, test in list_tests(folder, testset, "checker"):
        verdict = test.get("verdict")
        if verdict not in ("ok", "wrong-answer", "presentation-error"):  # such as `crashed`, or points
            folder.warn(test, f"the verdict {quote(verdict)} of a checker test is not supported: it does not run")
            continue
        names = [pattern % number for pattern in patterns if pattern]
        given, output, answer = (folder.find(test, name, is_optional=True) for name in names)
        if given is None or output is None or answer is None:
            folder.warn(test, f"test {number} of the checker does not run: expected the files {quote_all(names)}")
            continue
        tests.append(
            CheckerTest(
                accepts=verdict == "ok",
                input=text_file(given),
                output=text_file(output),
                answer=text_file(answer),
                origin=folder.package.show(folder.path / FILE),
                line=test.line,
            )
        )
    return tuple(tests)


# ---- resources -----------------------------------------------------------------------------------------------------

_SOLUTION = "solution"
_HEADERS = (".h", ".hpp", ".hh", ".hxx")
_SEPARATOR = re.compile(r"[;:,\s]+")  # Polygon API, `forTypes`: "Colon or semicolon separated list"


def find_submission_files(folder: PolygonFolder) -> dict[str, tuple[Path, ...]]:
    """Return the files that submissions are compiled with, such as graders, by the id of their language.

    `default` stands for the languages that problem.xml cannot name.
    """
    found: dict[str, dict[Path, None]] = {}
    for path, element in _find_files(folder, _SOLUTION):
        for language in _list_languages(element.get("for-types") or "*"):
            found.setdefault(language, {})[path] = None
    return {language: tuple(paths) for language, paths in found.items()}


def _find_files(folder: PolygonFolder, asset: str) -> Iterator[tuple[Path, Element]]:
    """Yield the resources of an asset, the name of an element; one may be listed several times, for other types."""
    for element in folder.root.all("files/resources/file"):
        name = element.get("path")
        assets = [each.get("name") for each in element.all("assets/asset")]
        is_wanted = asset in assets if element.first("assets") else asset != _SOLUTION
        if is_wanted and (element.get("type") or name.endswith(_HEADERS)):
            path = folder.find(element, name, is_optional=asset != _SOLUTION)
            if path is not None:
                yield path, element


def _list_languages(for_types: str) -> Iterator[str]:
    """Yield the ids of the languages that types such as `cpp.*;java11` stand for."""
    for mask in filter(None, _SEPARATOR.split(for_types.lower())):
        stem, star, _ = mask.partition("*")
        fitting = [language for prefix, language in LANGUAGES if stem.startswith(prefix)]
        if star:
            fitting += [language for prefix, language in LANGUAGES if prefix.startswith(stem)]
        else:
            fitting = fitting[:1]
        if "pypy3" in fitting:
            fitting.append("python3")  # one language for included files, as in ICPC packages
        yield from fitting if stem else (*fitting, "default")


# ---- solutions -----------------------------------------------------------------------------------------------------

MAIN = "main"
_NOT_RUN = "do-not-run"
_ANY = "AC WA PE TLE MLE OLE RTE CE"
_REJECTED = "WA PE TLE MLE OLE RTE CE"
_NOTHING = expect("", _ANY, _ANY, "any")
# A failed allocation is a run-time error on Linux, so MLE includes it; many checkers say PE where others say WA.
TAGS = {
    MAIN: expect("accepted", "AC", "AC"),
    "accepted": expect("accepted", "AC", "AC"),
    "rejected": expect("rejected", _ANY, _REJECTED),
    "failed": expect("rejected", _ANY, _REJECTED),
    "wrong-answer": expect("wrong_answer", "AC WA PE", "WA PE", "WA"),
    "presentation-error": expect("presentation_error", "AC WA PE", "PE"),
    "time-limit-exceeded": expect("time_limit_exceeded", "AC TLE", "TLE"),
    "time-limit-exceeded-or-accepted": expect("time_limit_exceeded", "AC TLE", "AC TLE"),
    "memory-limit-exceeded": expect("memory_limit_exceeded", "AC MLE RTE", "MLE RTE", "MLE"),
    "time-limit-exceeded-or-memory-limit-exceeded": expect("brute_force", "AC TLE MLE RTE", "TLE MLE RTE", "TLE|MLE"),
    "runtime-error": expect("run_time_error", "AC RTE", "RTE"),
}

# What a type begins with, and the type that is written. The first that fits counts; versions do not matter.
_TYPES = (
    ("cpp.", "cpp", "cpp.g++20"),
    ("c.", "c", "c.gcc"),
    ("csharp", "csharp", "csharp.mono"),
    ("javascript", "javascript", ""),
    ("java", "java", "java21"),
    ("kotlin", "kotlin", "kotlin"),
    ("python.pypy3", "pypy3", "python.pypy3"),
    ("python.pypy2", "python2", ""),
    ("python.2", "python2", "python.2"),
    ("python", "python3", "python.3"),
    ("pas.fpc", "pascal", "pas.fpc"),
    ("pas.dpr", "pascal", ""),
    ("rust", "rust", "rust"),
    ("ruby", "ruby", "ruby"),
    ("perl", "perl", "perl"),
    ("php", "php", "php"),
    ("haskell", "haskell", "haskell.ghc"),
    ("ocaml", "ocaml", "ocaml"),
    ("scala", "scala", "scala"),
    ("v8.nodejs", "javascript", "v8.nodejs"),
    ("go", "go", "go"),
)
LANGUAGES = tuple((prefix, language) for prefix, language, _ in _TYPES)
TYPES: Mapping[str, str] = {language: name for _, language, name in _TYPES if name} | {"d": "d"}
"""What Polygon calls the languages, by their ids."""


def find_language(source: Element, path: Path) -> str | None:
    """Return the id of the language of a source, "" to decide by its suffix; None if the judge does not know it."""
    kind = source.get("type").lower()
    if kind == "d":
        return "d"
    found = next((language for prefix, language in LANGUAGES if kind.startswith(prefix)), None)
    return found or ("" if path.suffix.lower() in SUFFIXES or path.suffix in SUFFIXES else None)


def find_main(folder: PolygonFolder) -> Path | None:
    """Return the solution that makes the answers; None if there is none that can be run."""
    for solution in folder.root.all("assets/solutions/solution"):
        source = solution.first("source")
        if solution.get("tag") == MAIN and source is not None:
            path = folder.find(source, source.get("path"))
            return path if path is not None and find_language(source, path) is not None else None
    return None


def read_solutions(
    folder: PolygonFolder, groups: Collection[str], include: Mapping[str, tuple[Path, ...]]
) -> tuple[Solution, ...]:
    """Return the solutions, in the order of problem.xml; those that are not judged are reported.

    `groups` are the names of the groups of tests; `include` has the files to compile with, by the id of the language.
    """
    solutions: dict[Path, Solution] = {}
    for element in folder.root.all("assets/solutions/solution"):
        source = element.first("source")
        if source is None:
            folder.error(element, "the solution has no <source>, so it is not judged")
            continue
        tag = element.get("tag")
        if tag == _NOT_RUN:
            folder.warn(element, f"{source.get('path')} is not judged: its tag is `{_NOT_RUN}`", rule="format")
            continue
        path = folder.find(source, source.get("path"))
        if path is None:
            continue
        language = find_language(source, path)
        if language is None:
            message = f"{source.get('path')} is not judged: the judge does not know the language"
            folder.warn(source, f"{message} {quote(source.get('type') or path.suffix)}")
            continue
        if path in solutions:
            folder.warn(source, f"{source.get('path')} is listed twice: only the first entry counts")
            continue
        solutions[path] = Solution(
            path=path,
            display_path=str(folder.package.show(path)),
            expectation=_with_extra_tags(folder, element, _find_tag(folder, element, tag), groups),
            language=language,
            include=include,
            is_for_windows=True,
        )
    return tuple(solutions.values())


def _find_tag(folder: PolygonFolder, element: Element, tag: str) -> Expectation:
    if tag not in TAGS:
        folder.warn(element, f"unknown tag {quote(tag)}: nothing is expected of the solution")
    return TAGS.get(tag, _NOTHING)


def _with_extra_tags(
    folder: PolygonFolder, element: Element, expectation: Expectation, groups: Collection[str]
) -> Expectation:
    """Return the expectation with those for groups, which come before that for all tests."""
    more = []
    permitted = expectation.permitted
    for extra in element.all("extra-tags/extra-tag"):
        group = extra.get("group")
        if group and group not in groups:
            folder.warn(extra, f"there is no group {quote(group)}, so this tag does not count")
        elif group and extra.get("tag") != _NOT_RUN:  # without a group, it is about another set of tests
            wanted = _find_tag(folder, extra, extra.get("tag"))
            permitted |= wanted.permitted
            more.append(Requirement(cases=(group,), permitted=wanted.permitted, required=wanted.required))
    return replace(expectation, permitted=permitted, more=tuple(more)) if more else expectation
