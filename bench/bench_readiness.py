"""How many snippets that need a newer Python, or an older one, are recognised, and how many false alarms there are.

Three ways: `ast.parse` with a feature version, vermin alone, and ours; on the corpus of the tests, held against each
version from 3.5 to 3.13. Recall: of the pairs (snippet, version that does not run it), how many are told.
"""

import ast
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import vermin

from judge.online.lint.judges import JUDGES, Version
from judge.online.lint.parsing import HOST, Parsed, parsed
from judge.online.lint.reading import read_for
from judge.online.lint.versions import needs_of
from tests.online.lint_corpus import GONE, NEW, OLD, Snippet

VERSIONS: list[Version] = [(3, minor) for minor in range(5, 14)]
Way = Callable[[str, Version], bool]


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
    """Whether vermin says that a source needs more than a version."""
    try:
        _, least = vermin.detect(source)
    except vermin.InvalidVersionException:
        return True
    return least is not None and tuple(least) > version


def ours(source: str, version: Version) -> bool:
    """Whether we do."""
    read = parsed(source.encode())
    if not isinstance(read, Parsed):
        return True
    return any(version < need.since or (need.until is not None and version >= need.until) for need in needs_of(read))


def _runs(snippet: Snippet, version: Version) -> bool:
    return snippet.since <= version and (snippet.until is None or version < snippet.until)


def _measure(name: str, way: Way) -> None:
    began = time.perf_counter()
    missing = found = false = 0
    snippets = 0
    for snippet in [*NEW, *GONE, *OLD]:
        told = {version: way(snippet.source, version) for version in VERSIONS}
        for version in VERSIONS:
            missing += not _runs(snippet, version)
            found += told[version] and not _runs(snippet, version)
            false += told[version] and _runs(snippet, version) and snippet.host <= HOST
        oldest = (3, 13) if snippet.until else (3, 5)
        snippets += told[oldest] and not _runs(snippet, oldest)
    took = time.perf_counter() - began
    refused = len(NEW) + len(GONE)
    print(
        f"{name:<26} {snippets:>3} of {refused} snippets, {found:>3} of {missing} pairs ({found / missing:.0%}), "
        f"{false} false, {took:.2f} s"
    )


def main() -> None:
    """Print a line for each way, and what ours says against the shipped solutions."""
    print(f"on Python {HOST[0]}.{HOST[1]}; {len(NEW)} new, {len(GONE)} gone, {len(OLD)} that run everywhere")
    for name, way in (("ast.parse(feature_version)", feature_version), ("vermin alone", vermin_alone), ("ours", ours)):
        _measure(name, way)
    solutions = sorted((Path(__file__).parents[1] / "solutions").glob("*/accepted/*.py"))
    false = sum(len(read_for(path.read_bytes(), ".py", judge)) for path in solutions for judge in JUDGES.values())
    print(f"shipped accepted solutions: {len(solutions)}, read for {len(JUDGES)} judges: {false} findings")


if __name__ == "__main__":
    main()
