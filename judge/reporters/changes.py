"""The changes between two runs, as lines for people and as JSON values (docs/compare.md)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import cast

from judge.base.units import Bytes, Seconds, format_bytes, format_count, format_score, format_seconds
from judge.history.changes import Change, ChangeKind
from judge.history.records import SolutionRecord
from judge.model import Verdict
from judge.reporters import formatting
from judge.reporters.escape import Glyphs, clean, one_line
from judge.reporters.json_report import Record
from judge.reporters.lines import Fit, Line, Span, Style, label_line, label_lines, make_line

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


def change_lines(found: Sequence[Change], glyphs: Glyphs, timings: Timings, *, slower: int) -> Iterator[Line]:
    """Yield a block for each changed solution, grouped by problem, and a summary.

    `found` is sorted by problem; `slower` counts the solutions that are slower according to the timings.
    """
    for problem, changes in groupby(found, key=lambda change: change.record.problem):
        lines = list(_problem_lines(changes, glyphs, timings))
        if lines:
            yield make_line(Span(one_line(problem, glyphs), Style.STRONG))
            yield from lines
    counts = Counter(change.kind for change in found)
    parts = [f"{counts[kind]:,} {_COUNTED[kind]}" for kind in ChangeKind if counts[kind]]
    parts += [f"{slower:,} slower"] if slower else []
    is_good = not (is_regression(found) or slower)
    glyph, style = (glyphs.ok, Style.GOOD) if is_good else (glyphs.bad, Style.BAD)
    text = Span(", ".join(parts) or "nothing to compare", Style.STRONG)
    yield make_line(Span(f"{glyph} ", style), text, fit=Fit.WRAP, head=1)


def is_regression(found: Iterable[Change]) -> bool:
    """Return whether there is a regression: a verdict or an output changed, except for the better.

    A new solution must get its expected verdicts.
    """
    return any(
        change.kind in _REGRESSIONS or (change.old is None and change.new is not None and not change.new.as_expected)
        for change in found
    )


def _problem_lines(changes: Iterable[Change], glyphs: Glyphs, timings: Timings) -> Iterator[Line]:
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
        yield from _block(change, glyphs)
        if timing:
            yield label_line("", one_line(timing, glyphs), Style.STRONG)
    if repeated:
        yield label_line("data", f"{format_count(repeated, 'more solution')}: the same cases")


def _block(change: Change, glyphs: Glyphs) -> Iterator[Line]:
    kind = change.kind
    data_lines = [
        f"{_count_cases(names)} {predicate}: {_name_cases(names, glyphs)}"
        for names, predicate in (
            (change.other_data, "with a different input or answer"),
            (change.cases_new, "not judged before"),
            (change.cases_gone, "not judged now"),
        )
        if names
    ]
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
    yield label_line(label, head, _STYLES.get(kind, Style.TEXT))
    by_verdicts: dict[tuple[str, str], list[str]] = {}
    for case, old, new in change.verdicts:
        by_verdicts.setdefault((old.value, new.value), []).append(case)
    verdict_lines = [
        f"{old_verdict} -> {new_verdict} on {_count_cases(names)}: {_name_cases(names, glyphs)}"
        for (old_verdict, new_verdict), names in by_verdicts.items()
    ]
    yield from label_lines("", [*verdict_lines, *_other_lines(change, glyphs), *data_lines])


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


def _count_cases(names: Sequence[str]) -> str:
    return format_count(len(names), "case")


def _name_cases(names: Sequence[str], glyphs: Glyphs) -> str:
    return formatting.list_some([one_line(name, glyphs) for name in names], 4)


def _verdict(record: SolutionRecord | None) -> str | None:
    return None if record is None or record.verdict is Verdict.SK else record.verdict.value


def change_record(change: Change, timings: Timings) -> Record:
    """Return a change as JSON values."""
    record: Record = {
        "problem": change.record.problem,
        "path": change.record.solution,
        "kind": change.kind.value,
        "source_changed": change.source_changed,
        "old_verdict": _verdict(change.old),
        "verdict": _verdict(change.new),
        "verdicts": [{"case": name, "old": old.value, "new": new.value} for name, old, new in change.verdicts],
        "outputs": list(change.outputs),
        "other_data": list(change.other_data),
        "cases_new": list(change.cases_new),
        "cases_gone": list(change.cases_gone),
        **({"old_score": change.score[0], "score": change.score[1]} if change.score else {}),
        "cpu_s": list(change.cpu) if change.cpu else None,
        "memory_bytes": list(change.memory) if change.memory else None,
        "timing": timings.get((change.record.problem, change.record.solution)),
    }
    return cast("Record", clean(record))
