"""How many snippets that need a newer or an older Python are recognized, and how many false alarms there are.

Compares `ast.parse` with a feature version, vermin alone, and `judge check`, on the corpus of the tests and each
version from 3.5 to 3.13. Recall is the share of the pairs (snippet, version that does not run it) that are reported.
"""

import ast
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import vermin

from judge.base.errors import DataError
from judge.online.lint.check import check_text
from judge.online.lint.judges import JUDGES
from judge.online.lint.requirements import Guards, Names
from judge.online.lint.versions import find_version_requirements
from judge.online.python_source import HOST, Version, parse_source
from tests.online.lint_corpus import NEW, OLD, REMOVED, UNSEEN, Snippet

VERSIONS: list[Version] = [(3, minor) for minor in range(5, 14)]
Detector = Callable[[str, Version], bool]


def feature_version(source: str, version: Version) -> bool:
    """Whether `ast.parse` refuses a source for a version."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(source, feature_version=version)
        except SyntaxError:
            return True
    return False


def vermin_alone(source: str, version: Version) -> bool:
    """Whether vermin finds that a source needs more than a version."""
    try:
        _, least = vermin.detect(source)
    except vermin.InvalidVersionException:
        return True
    return least is not None and tuple(least) > version


def judge_check(source: str, version: Version) -> bool:
    """Whether `judge check` finds that a version does not run a source."""
    try:
        parsed = parse_source(Path("snippet.py"), source.encode())
    except DataError:
        return True
    names = Names(parsed.tree)
    requirements = Guards(parsed.tree, names).apply(find_version_requirements(parsed, names))
    return any(version < each.since or (each.until and version >= each.until) for each in requirements)


def _runs(snippet: Snippet, version: Version) -> bool:
    return snippet.since <= version and (snippet.until is None or version < snippet.until)


def _measure(name: str, detector: Detector) -> None:
    start = time.perf_counter()
    missing = found = false = 0
    snippets = 0
    for snippet in [*NEW, *REMOVED, *UNSEEN, *OLD]:
        reported = {version: detector(snippet.source, version) for version in VERSIONS}
        for version in VERSIONS:
            missing += not _runs(snippet, version)
            found += reported[version] and not _runs(snippet, version)
            false += reported[version] and _runs(snippet, version) and snippet.host <= HOST
        oldest = (3, 13) if snippet.until else (3, 5)
        snippets += reported[oldest] and not _runs(snippet, oldest)
    took = time.perf_counter() - start
    total = len(NEW) + len(REMOVED) + len(UNSEEN)
    print(
        f"{name:<26} {snippets:>3} of {total} snippets, {found:>3} of {missing} pairs ({found / missing:.0%}), "
        f"{false} false, {took:.2f} s"
    )


def main() -> None:
    """Print a line for each detector, and the number of findings in the shipped solutions."""
    print(
        f"on Python {HOST[0]}.{HOST[1]}; {len(NEW)} new, {len(REMOVED)} removed, {len(UNSEEN)} that only a run shows, "
        f"{len(OLD)} that run everywhere"
    )
    _measure("ast.parse(feature_version)", feature_version)
    _measure("vermin alone", vermin_alone)
    _measure("judge check", judge_check)
    solutions = sorted((Path(__file__).parents[1] / "solutions").glob("*/accepted/*.py"))
    false = sum(len(check_text(path, path.read_bytes(), judge)) for path in solutions for judge in JUDGES.values())
    print(f"shipped accepted solutions: {len(solutions)}, checked for {len(JUDGES)} judges: {false} findings")


if __name__ == "__main__":
    main()
