"""What changed between two times, as lines for people and as JSON values (docs/regression.md)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.history.changes import Change, ChangeKind
from judge.reporters import formatting as words
from judge.reporters.escape import Glyphs, one_line
from judge.reporters.json_report import Record, text
from judge.reporters.lines import DisplayOptions, Line, Span, Style, facts, labelled, line
from judge.units import Bytes, Seconds, format_bytes, format_seconds

_SHOWN = 4  # cases that are named

_ROLES = {
    ChangeKind.WORSE: Style.BAD,
    ChangeKind.OUTPUT: Style.FAULT,
    ChangeKind.CHANGED: Style.FAULT,
    ChangeKind.BETTER: Style.GOOD,
    ChangeKind.COST: Style.FAULT,
    ChangeKind.GONE: Style.DIM,
    ChangeKind.NEW: Style.DIM,
}
_TO_LOOK_AT = (ChangeKind.WORSE, ChangeKind.OUTPUT, ChangeKind.CHANGED, ChangeKind.GONE)
_COUNTED = {
    ChangeKind.WORSE: "worse",
    ChangeKind.OUTPUT: "with other output",
    ChangeKind.CHANGED: "with other verdicts",
    ChangeKind.BETTER: "better",
    ChangeKind.COST: "with another cost",
    ChangeKind.NEW: "new",
    ChangeKind.GONE: "gone",
    ChangeKind.SAME: "the same",
}


Timings = Mapping[tuple[str, str], str]
"""What the times of a solution say, by its problem and path."""

_NOT_TIMED: Timings = {}


def change_lines(
    found: Sequence[Change], look: DisplayOptions, timings: Timings = _NOT_TIMED, *, slower: int = 0
) -> Iterator[Line]:
    """Yield a block for each solution that changed, under its problem, and the summary; `slower` of them are slower."""
    problem = ""
    for change in found:
        timing = timings.get((change.record.problem, change.record.solution), "")
        if change.kind is ChangeKind.SAME and not (_data_lines(change) or timing):
            continue
        if change.record.problem != problem:
            problem = change.record.problem
            yield line(Span(one_line(problem, look.marks), Style.STRONG))
        yield from _block(change, look)
        if timing:
            yield from labelled("", one_line(timing, look.marks), look, Style.STRONG)
    counts = Counter(change.kind for change in found)
    parts = [f"{counts[kind]:,} {_COUNTED[kind]}" for kind in ChangeKind if counts[kind]]
    parts += [f"{slower:,} slower"] if slower else []
    good = not (is_regression(found) or slower)
    mark = look.marks.ok if good else look.marks.bad
    first, *others = facts([f"{mark} {', '.join(parts) or 'nothing to compare'}"], look)
    yield line(Span(first[: len(mark)], Style.GOOD if good else Style.BAD), Span(first[len(mark) :], Style.STRONG))
    yield from (line(other) for other in others)


def is_regression(found: Iterable[Change]) -> bool:
    """Tell whether anybody should look: a verdict or an output is not what it was, other than for the better.

    A solution that is new must earn what it should.
    """
    return any(change.kind in _TO_LOOK_AT or (change.new and not change.old and _fails(change)) for change in found)


def _fails(change: Change) -> bool:
    return change.new is not None and not change.new.as_expected


def _block(change: Change, look: DisplayOptions) -> Iterator[Line]:
    kind = change.kind
    label = kind.value if kind is not ChangeKind.SAME or not _data_lines(change) else "data"
    name = one_line(change.record.solution, look.marks)
    head = [name + (" (edited)" if change.source_changed else "")]
    if change.old and change.new and change.old.verdict is not change.new.verdict:
        head.append(f"{change.old.verdict} -> {change.new.verdict}")
    if change.new and kind is not ChangeKind.SAME and not change.new.as_expected:
        head += [] if change.old else [change.new.verdict.value]
        head.append(f"expected {change.new.expected}")
    yield from labelled(label, ": ".join([head[0], ", ".join(head[1:])]) if head[1:] else head[0], look, _role(change))
    for part in [*_verdict_lines(change, look.marks), *_other_lines(change, look.marks), *_data_lines(change)]:
        yield from labelled("", part, look)


def _role(change: Change) -> Style:
    return _ROLES.get(change.kind, Style.TEXT)


def _verdict_lines(change: Change, marks: Glyphs) -> Iterator[str]:
    by_kind: dict[tuple[str, str], list[str]] = {}
    for name, then, now in change.verdicts:
        by_kind.setdefault((then, now), []).append(one_line(name, marks))
    for (old, new), names in by_kind.items():
        yield f"{old} -> {new} on {words.count(len(names), 'case')}: {_some(names)}"


def _other_lines(change: Change, marks: Glyphs) -> Iterator[str]:
    if change.outputs:
        names = [one_line(name, marks) for name in change.outputs]
        yield f"other output, same verdict, on {words.count(len(names), 'case')}: {_some(names)}"
    if change.cpu:
        then, now = change.cpu
        hint = "; `judge compare --timing` decides" if change.source_changed else ""
        yield f"CPU {format_seconds(Seconds(then))} -> {format_seconds(Seconds(now))} over all cases{hint}"
    if change.memory:
        least, most = change.memory
        yield f"memory {format_bytes(Bytes(least))} -> {format_bytes(Bytes(most))}"


def _data_lines(change: Change) -> list[str]:
    parts = [
        (change.other_data, "have another input or answer"),
        (change.cases_new, "were not judged then"),
        (change.cases_gone, "are not judged now"),
    ]
    return [f"{words.count(len(names), 'case')} {what}: {_some(list(names))}" for names, what in parts if names]


def _some(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more:,} more" if more > 0 else "")


def change_record(change: Change, timings: Timings = _NOT_TIMED) -> Record:
    """Return a change as JSON values."""
    return {
        "problem": text(change.record.problem),
        "path": text(change.record.solution),
        "kind": change.kind.value,
        "source_changed": change.source_changed,
        "old_verdict": change.old.verdict.value if change.old else None,
        "verdict": change.new.verdict.value if change.new else None,
        "verdicts": [{"case": text(name), "old": old.value, "new": new.value} for name, old, new in change.verdicts],
        "outputs": [text(name) for name in change.outputs],
        "other_data": [text(name) for name in change.other_data],
        "cases_new": [text(name) for name in change.cases_new],
        "cases_gone": [text(name) for name in change.cases_gone],
        "cpu_s": list(change.cpu) if change.cpu else None,
        "memory_bytes": list(change.memory) if change.memory else None,
        "timing": timings.get((change.record.problem, change.record.solution)),
    }
