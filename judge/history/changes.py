"""Compares the records of two runs: verdicts, outputs, cost. Pure functions."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from math import copysign

from msgspec import Struct

from judge.base.units import MIB
from judge.history.records import CaseRecord, SolutionRecord
from judge.model import Verdict

_BEST = (Verdict.AC, Verdict.PE)


class ChangeKind(StrEnum):
    """How a solution changed, the most important kind first."""

    WORSE = "worse"  # no longer as expected, or an accepted case no longer is
    OUTPUT = "output"  # the same verdicts, a different output on an accepted case
    CHANGED = "changed"  # different verdicts, neither better nor worse
    BETTER = "better"
    COST = "cost"  # CPU time or memory
    GONE = "gone"
    NEW = "new"
    SAME = "same"


class Change(Struct, frozen=True, kw_only=True):
    """How one solution changed.

    Attributes:
        verdicts: cases with a different verdict: id, old, new.
        outputs: ids of accepted cases with the same data and verdict and a different output.
        other_data: ids of cases whose input or answer differs, so that outputs cannot be compared.
        cases_new: ids of cases that only the new run judged.
        cases_gone: ids of cases that only the old run judged.
        cpu: old and new total in seconds if the difference is significant, else None.
        memory: old and new peak in bytes if the difference is significant, else None.
        score: old and new score if they differ, else None; higher is better.
        scores: cases with a different score and the same verdict: id, old, new.
    """

    kind: ChangeKind
    old: SolutionRecord | None
    new: SolutionRecord | None
    verdicts: tuple[tuple[str, Verdict, Verdict], ...] = ()
    outputs: tuple[str, ...] = ()
    other_data: tuple[str, ...] = ()
    cases_new: tuple[str, ...] = ()
    cases_gone: tuple[str, ...] = ()
    cpu: tuple[float, float] | None = None
    memory: tuple[int, int] | None = None
    score: tuple[float, float] | None = None
    scores: tuple[tuple[str, float, float], ...] = ()
    source_changed: bool = False

    @property
    def record(self) -> SolutionRecord:
        """The new record, or the old one if the solution is gone."""
        record = self.new or self.old
        assert record is not None
        return record


def changes(old: Iterable[SolutionRecord], new: Iterable[SolutionRecord], *, costs: bool = True) -> Iterator[Change]:
    """Yield a change for every solution, first those of the new run, then those that are gone.

    `costs` compares times and memory, too: both runs used the same machine.
    """
    before = {(record.problem, record.solution): record for record in old}
    for record in new:
        earlier = before.pop((record.problem, record.solution), None)
        if earlier is None:
            yield Change(kind=ChangeKind.NEW, old=None, new=record)
        else:
            yield _change(earlier, record, costs=costs)
    for record in before.values():
        yield Change(kind=ChangeKind.GONE, old=record, new=None)


def _change(old: SolutionRecord, new: SolutionRecord, *, costs: bool) -> Change:
    before, after = _judged_cases(old), _judged_cases(new)
    both = [(name, before[name], case) for name, case in after.items() if name in before]
    verdicts = tuple((name, then.verdict, now.verdict) for name, then, now in both if then.verdict is not now.verdict)
    cost = _cost_changes(both) if costs else {}
    outputs = tuple(  # accepted on the same data; wrong ones may differ in any way
        name
        for name, then, now in both
        if then.verdict is now.verdict
        and now.verdict in _BEST
        and then.data == now.data
        and then.output
        and now.output
        and then.output != now.output
    )
    is_comparable = old.max_score == new.max_score and old.cases.keys() == new.cases.keys()
    score = _score_change(old.score, new.score) if is_comparable else None
    return Change(
        kind=_kind(old, new, verdicts, outputs, cost=cost, score=score),
        old=old,
        new=new,
        verdicts=verdicts,
        outputs=outputs,
        other_data=tuple(name for name, then, now in both if then.data and now.data and then.data != now.data),
        cases_new=tuple(name for name in after if name not in before),
        cases_gone=tuple(name for name in before if name not in after),
        cpu=cost.get("cpu"),
        memory=cost.get("memory"),  # type: ignore[arg-type]  # bytes are integers
        score=score,
        scores=tuple(
            (name, *scores)
            for name, then, now in both
            if then.verdict is now.verdict and (scores := _score_change(then.score, now.score))
        ),
        source_changed=old.source != new.source,
    )


def _judged_cases(record: SolutionRecord) -> Mapping[str, CaseRecord]:
    """Return the cases with a verdict: missing data, a missing tool or answer says nothing about the solution."""
    return {name: case for name, case in record.cases.items() if case.verdict not in (Verdict.SK, Verdict.NA)}


def _kind(
    old: SolutionRecord,
    new: SolutionRecord,
    verdicts: tuple[tuple[str, Verdict, Verdict], ...],
    outputs: tuple[str, ...],
    *,
    cost: Mapping[str, object],
    score: tuple[float, float] | None,
) -> ChangeKind:
    if (old.as_expected, new.as_expected) in ((True, False), (False, True)):
        return ChangeKind.WORSE if old.as_expected else ChangeKind.BETTER
    if score is not None:  # one that should be rejected gets neither better nor worse
        better = ChangeKind.WORSE if score[1] < score[0] else ChangeKind.BETTER
        return better if Verdict.AC in new.expected.split("|") else ChangeKind.CHANGED
    if verdicts:
        lost = any(then in _BEST and now not in _BEST for _, then, now in verdicts)
        won = any(now in _BEST and then not in _BEST for _, then, now in verdicts)
        better = ChangeKind.WORSE if lost else ChangeKind.BETTER if won else ChangeKind.CHANGED
        return better if new.expected == Verdict.AC else ChangeKind.CHANGED
    if outputs:
        return ChangeKind.OUTPUT
    return ChangeKind.COST if cost else ChangeKind.SAME


def _score_change(then: float | None, now: float | None) -> tuple[float, float] | None:
    """Return the scores if they differ by more than rounding."""
    if then is None or now is None or abs(then - now) <= 1e-6 * max(1.0, abs(then)):
        return None
    return then, now


def _cost_changes(both: Iterable[tuple[str, CaseRecord, CaseRecord]]) -> dict[str, tuple[float, float]]:
    """Return CPU time and memory over the cases that were judged on the same data, where they differ significantly.

    Smaller differences are noise or do not matter. A reported difference is a hint; `judge compare --timing` decides.
    On a busy machine (cold caches, two threads on one core) a run of the same program takes up to some 30 ms more CPU
    time, which adds up over many short cases. So the difference of each case counts only beyond that, and the sum of
    that must be a part of the total.
    """
    pairs = [(then, now) for _, then, now in both if then.data == now.data]
    if not pairs:
        return {}
    found: dict[str, tuple[float, float]] = {}
    cpu = (sum(then.cpu for then, _ in pairs), sum(now.cpu for _, now in pairs))
    memory = (max(then.memory for then, _ in pairs), max(now.memory for _, now in pairs))
    differences = [now.cpu - then.cpu for then, now in pairs]
    noticed = sum(copysign(max(0.0, abs(each) - 0.03), each) for each in differences)
    beyond = noticed if cpu[1] > cpu[0] else -noticed
    if max(cpu) >= 1.25 * min(cpu) and beyond >= max(0.05, 0.1 * min(cpu)):
        found["cpu"] = cpu
    if max(memory) >= 1.25 * min(memory) and abs(memory[1] - memory[0]) >= 4 * MIB:
        found["memory"] = memory
    return found
