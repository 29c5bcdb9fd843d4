"""The file itself: its size, what is not text, and how a Java class has to be called."""

import re
from collections.abc import Iterator

from judge.readiness.judges import OnlineJudge
from judge.readiness.obstacle import Obstacle, Severity
from judge.sources import java_names
from judge.units import format_bytes

_BOM = b"\xef\xbb\xbf"
_PACKAGE = re.compile(rb"^\s*package\s+[\w.]+\s*;", re.MULTILINE)
_MAIN_WANTED = frozenset({"uva", "atcoder"})  # they run the class `Main`; the others find the class with `main`


def source_obstacles(data: bytes, suffix: str, judge: OnlineJudge) -> Iterator[Obstacle]:
    """Yield what is wrong with a source, whatever its language.

    Args:
        data: the file's bytes.
        suffix: of its name, lower case, with the dot.
        judge: where it goes to.
    """
    if not data.strip():
        yield _obstacle(0, "the file is empty", "write the solution")
        return
    limit = judge.source_limit
    if limit is not None and len(data) > limit:
        yield Obstacle(
            check="source",
            severity=Severity.ERROR if judge.is_limit_sure else Severity.WARNING,
            reason=f"the source has {len(data)} bytes; {judge.name} takes {limit} ({format_bytes(limit)})",
            fix="shorten it: tables can be computed, comments left out",
        )
    if b"\0" in data:
        yield _obstacle(data[: data.index(b"\0")].count(b"\n") + 1, "a NUL byte: no compiler takes it", "take it out")
    if data.startswith(_BOM) and suffix != ".py":
        yield _obstacle(1, "the file begins with a byte order mark", "save it as UTF-8 without one")
    if suffix == ".java":
        yield from _java(data, judge)


def _java(data: bytes, judge: OnlineJudge) -> Iterator[Obstacle]:
    if found := _PACKAGE.search(data):
        line = data[: found.end()].count(b"\n") + 1
        yield _obstacle(line, "a package: the judge compiles one file of none", "take the `package` line out")
    main = java_names(data, "Main.java")[1].rpartition(".")[2]
    if judge.id in _MAIN_WANTED and main != "Main":
        line = next((at for at, text in enumerate(data.splitlines(), 1) if f"class {main}".encode() in text), 0)
        yield _obstacle(line, f"the class with `main` is `{main}`; {judge.name} runs `Main`", "call it `Main`")


def _obstacle(line: int, reason: str, fix: str) -> Obstacle:
    return Obstacle(check="source", severity=Severity.ERROR, line=line, reason=reason, fix=fix)
