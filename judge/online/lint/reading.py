"""All that reading a source tells, without running it."""

from collections.abc import Collection, Iterator

from judge.online.lint.access import access_obstacles, import_obstacles
from judge.online.lint.judges import OnlineJudge
from judge.online.lint.names import SymbolTable
from judge.online.lint.parsing import Obstacle, Parsed, Severity, in_order, parsed, source_obstacles
from judge.online.lint.versions import Guards, needs_of, version_obstacles


def read_for(data: bytes, suffix: str, judge: OnlineJudge, neighbours: Collection[str] = ()) -> tuple[Obstacle, ...]:
    """Return what a judge would object to, by place.

    Args:
        data: the source's bytes.
        suffix: of the file's name, lower case, with the dot.
        judge: where it goes to; nothing is objected to where no code is judged.
        neighbours: names of modules and packages that stand beside the file.
    """
    return in_order(_objections(data, suffix, judge, neighbours)) if judge.judges_code else ()


def _objections(data: bytes, suffix: str, judge: OnlineJudge, neighbours: Collection[str]) -> Iterator[Obstacle]:
    yield from source_obstacles(data, suffix, judge)
    if suffix != ".py" or not data.strip():
        return
    source = parsed(data)
    if not isinstance(source, Parsed):
        yield source
        return
    try:
        yield from list(_objections_to(source, judge, neighbours))
    except RecursionError:
        reason = "expressions so deeply nested that they cannot be read; a judge's Python may refuse them, too"
        yield Obstacle(check="source", severity=Severity.WARNING, reason=reason, fix="split them")


def _objections_to(source: Parsed, judge: OnlineJudge, neighbours: Collection[str]) -> Iterator[Obstacle]:
    names = SymbolTable(source.tree)
    yield from version_obstacles(needs_of(source), judge)
    yield from import_obstacles(source.tree, Guards(source.tree, names), judge, neighbours)
    yield from access_obstacles(source.tree, names, judge)
