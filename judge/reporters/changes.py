"""The changes between two runs, as lines for people and as JSON values (docs/compare.md)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from judge.base.units import Bytes, Seconds, format_bytes, format_count, format_score, format_seconds
from judge.history.changes import Change, ChangeKind
from judge.history.records import SolutionRecord
from judge.model import Verdict
from judge.reporters import formatting
from judge.reporters.escape import Glyphs, one_line, without_surrogates
from judge.reporters.json_report import Record
from judge.reporters.lines import DisplayOptions, Line, Span, Style, join_facts, label_lines, make_line

_NAMED_CASES = 4

_STYLES = {
    ChangeKind.WORSE: Style.BAD,
    ChangeKind.OUTPUT: Style.FAULT,
    ChangeKind.CHANGED: Style.FAULT,
    ChangeKind.BETTER: Style.GOOD,
    ChangeKind.COST: Style.FAULT,
    ChangeKind.GONE: Style.DIM,
    ChangeKind.NEW: Style.DIM,
}
_REGRESSIONS = (ChangeKind.WORSE, ChangeKind.OUTPUT, ChangeKind.CHANGED, ChangeKind.GONE)
_COUNTED = {
    ChangeKind.WORSE: "worse",
    ChangeKind.OUTPUT: "with different output",
    ChangeKind.CHANGED: "with different verdicts",
    ChangeKind.BETTER: "better",
    ChangeKind.COST: "with different cost",
    ChangeKind.NEW: "new",
    ChangeKind.GONE: "gone",
    ChangeKind.SAME: "unchanged",
}


Timings = Mapping[tuple[str, str], str]
"""The result of timing a solution, by problem and path."""


def change_lines(found: Sequence[Change], display: DisplayOptions, timings: Timings, *, slower: int) -> Iterator[Line]:
    """Yield a block for each changed solution, grouped by problem, and a summary.

    `found` is sorted by problem; `slower` counts the solutions that are slower according to the timings.
    """
    for problem, changes in groupby(found, key=lambda change: change.record.problem):
        lines = list(_problem_lines(changes, display, timings))
        if lines:
            yield make_line(Span(one_line(problem, display.glyphs), Style.STRONG))
            yield from lines
    counts = Counter(change.kind for change in found)
    parts = [f"{counts[kind]:,} {_COUNTED[kind]}" for kind in ChangeKind if counts[kind]]
    parts += [f"{slower:,} slower"] if slower else []
    is_good = not (is_regression(found) or slower)
    glyph, style = (display.glyphs.ok, Style.GOOD) if is_good else (display.glyphs.bad, Style.BAD)
    first, *others = join_facts([f"{glyph} {', '.join(parts) or 'nothing to compare'}"], display)
    yield make_line(Span(first[: len(glyph)], style), Span(first[len(glyph) :], Style.STRONG))
    yield from (make_line(other) for other in others)


def is_regression(found: Iterable[Change]) -> bool:
    """Return whether there is a regression: a verdict or an output changed, except for the better.

    A new solution must get its expected verdicts.
    """
    return any(
        change.kind in _REGRESSIONS or (change.old is None and change.new is not None and not change.new.as_expected)
        for change in found
    )


def _problem_lines(changes: Iterable[Change], display: DisplayOptions, timings: Timings) -> Iterator[Line]:
    """Yield the blocks of a problem. Often all its solutions have the same cases with other data: once is enough."""
    shown: set[tuple[Sequence[str], ...]] = set()
    repeated = 0
    for change in changes:
        timing = timings.get((change.record.problem, change.record.solution), "")
        cases = (change.other_data, change.cases_new, change.cases_gone)
        if change.kind is ChangeKind.SAME and not timing and (not any(cases) or cases in shown):
            repeated += any(cases)
            continue
        shown.add(cases)
        yield from _block(change, display)
        if timing:
            yield from label_lines("", one_line(timing, display.glyphs), display, Style.STRONG)
    if repeated:
        text = f"{format_count(repeated, 'more solution')}: the same cases"
        yield from label_lines("data", text, display)


def _block(change: Change, display: DisplayOptions) -> Iterator[Line]:
    kind, glyphs = change.kind, display.glyphs
    data_lines = list(_data_lines(change, glyphs))
    label = "data" if kind is ChangeKind.SAME and data_lines else kind.value
    name = one_line(change.record.solution, glyphs) + (" (edited)" if change.source_changed else "")
    facts = []
    if change.old and change.new and change.old.verdict is not change.new.verdict:
        facts.append(f"{change.old.verdict} -> {change.new.verdict}")
    if change.score:
        facts.append(f"score {format_score(change.score[0])} -> {format_score(change.score[1])}")
    if change.new and kind is not ChangeKind.SAME and not change.new.as_expected:
        facts += [] if change.old else [change.new.verdict.value]
        facts.append(f"expected {change.new.expected}")
    head = f"{name}: {', '.join(facts)}" if facts else name
    yield from label_lines(label, head, display, _STYLES.get(kind, Style.TEXT))
    for part in [*_verdict_lines(change, glyphs), *_other_lines(change, glyphs), *data_lines]:
        yield from label_lines("", part, display)


def _verdict_lines(change: Change, glyphs: Glyphs) -> Iterator[str]:
    by_verdicts: dict[tuple[str, str], list[str]] = {}
    for name, old, new in change.verdicts:
        by_verdicts.setdefault((old.value, new.value), []).append(name)
    for (old_verdict, new_verdict), names in by_verdicts.items():
        yield f"{old_verdict} -> {new_verdict} on {_count_cases(names)}: {_name_cases(names, glyphs)}"


def _other_lines(change: Change, glyphs: Glyphs) -> Iterator[str]:
    if change.scores:
        name, old, new = change.scores[0]
        more = f" and {format_count(len(change.scores) - 1, 'more case')}" if len(change.scores) > 1 else ""
        yield f"score {format_score(old)} -> {format_score(new)} on {one_line(name, glyphs)}{more}"
    if change.outputs:
        names = _name_cases(change.outputs, glyphs)
        yield f"different output, same verdict, on {_count_cases(change.outputs)}: {names}"
    if change.cpu:
        hint = "; run `judge compare --timing` to confirm it" if change.source_changed else ""
        old_cpu, new_cpu = (format_seconds(Seconds(each)) for each in change.cpu)
        yield f"CPU {old_cpu} -> {new_cpu} over all cases{hint}"
    if change.memory:
        old_memory, new_memory = (format_bytes(Bytes(each)) for each in change.memory)
        yield f"memory {old_memory} -> {new_memory}"


def _data_lines(change: Change, glyphs: Glyphs) -> Iterator[str]:
    for names, predicate in (
        (change.other_data, "with a different input or answer"),
        (change.cases_new, "not judged before"),
        (change.cases_gone, "not judged now"),
    ):
        if names:
            yield f"{_count_cases(names)} {predicate}: {_name_cases(names, glyphs)}"


def _count_cases(names: Sequence[str]) -> str:
    return format_count(len(names), "case")


def _name_cases(names: Sequence[str], glyphs: Glyphs) -> str:
    return formatting.list_some([one_line(name, glyphs) for name in names], _NAMED_CASES)


def _verdict(record: SolutionRecord | None) -> str | None:
    return None if record is None or record.verdict is Verdict.SK else record.verdict.value


def change_record(change: Change, timings: Timings) -> Record:
    """Return a change as JSON values."""
    return {
        "problem": without_surrogates(change.record.problem),
        "path": without_surrogates(change.record.solution),
        "kind": change.kind.value,
        "source_changed": change.source_changed,
        "old_verdict": _verdict(change.old),
        "verdict": _verdict(change.new),
        "verdicts": [
            {"case": without_surrogates(name), "old": old.value, "new": new.value} for name, old, new in change.verdicts
        ],
        "outputs": [without_surrogates(name) for name in change.outputs],
        "other_data": [without_surrogates(name) for name in change.other_data],
        "cases_new": [without_surrogates(name) for name in change.cases_new],
        "cases_gone": [without_surrogates(name) for name in change.cases_gone],
        **({"old_score": change.score[0], "score": change.score[1]} if change.score else {}),
        "cpu_s": list(change.cpu) if change.cpu else None,
        "memory_bytes": list(change.memory) if change.memory else None,
        "timing": timings.get((change.record.problem, change.record.solution)),
    }
