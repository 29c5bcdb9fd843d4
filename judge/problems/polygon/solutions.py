"""The solutions of a package: what their tags say about verdicts, and which language they are in."""

from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec.structs import replace

from judge.languages.table import SUFFIXES
from judge.model import Expectation, Requirement, Solution, expect
from judge.problems.polygon.document import Element
from judge.problems.polygon.files import PolygonFolder
from judge.problems.yaml.text import quote

MAIN = "main"
_NOT_RUN = "do-not-run"


_ANY = "AC WA PE TLE MLE OLE RTE CE"
_REJECTED = "WA PE TLE MLE OLE RTE CE"
_NOTHING = expect("", _ANY, _ANY, "any")
# A failed allocation is a run-time error on Linux, so MLE includes it; many checkers say PE where others say WA.
_TAGS = {
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

# What a type begins with; the first that fits counts. Versions of compilers do not matter.
LANGUAGES = (
    ("cpp.", "cpp"),
    ("c.", "c"),
    ("csharp", "csharp"),
    ("javascript", "javascript"),
    ("java", "java"),
    ("kotlin", "kotlin"),
    ("python.pypy3", "pypy3"),
    ("python.pypy2", "python2"),
    ("python.2", "python2"),
    ("python", "python3"),
    ("pas.fpc", "pascal"),
    ("pas.dpr", "pascal"),
    ("rust", "rust"),
    ("ruby", "ruby"),
    ("perl", "perl"),
    ("php", "php"),
    ("haskell", "haskell"),
    ("ocaml", "ocaml"),
    ("scala", "scala"),
    ("v8.nodejs", "javascript"),
    ("go", "go"),
)


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

    Args:
        folder: the package.
        groups: the names of the groups of tests.
        include: the files that every solution is compiled with, by the id of its language.
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
    if tag not in _TAGS:
        folder.warn(element, f"unknown tag {quote(tag)}: nothing is expected of the solution")
    return _TAGS.get(tag, _NOTHING)


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
