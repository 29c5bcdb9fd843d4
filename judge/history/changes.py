"""What changed between two times: verdicts, outputs, cost. Pure: sheets in, changes out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import copysign

from judge.history.records import CaseRecord, SolutionRecord
from judge.model import Verdict
from judge.units import MIB

# Below these a difference of cost is noise, or means nothing to anybody. What is said here is a hint, and
# `judge compare --timing` decides: on a busy machine a run takes a few hundredths of a second more for nothing (its
# caches are cold, its processor is a thread of another's), and with many short cases that adds up. So a part of the
# whole must be more than that: what of each case's difference is beyond `_RUN_S`.
_CPU_RATIO = 1.25
_CPU_S = 0.05
_RUN_S = 0.03
_SURE_RATIO = 0.1
_MEMORY_RATIO = 1.25
_MEMORY_BYTES = 4 * MIB

_BEST = (Verdict.AC, Verdict.PE)


class ChangeKind(StrEnum):
    """What became of a solution; in the order of how much it matters."""

    WORSE = "worse"  # it earned what it should, and does no longer; or a case that was accepted is not
    OUTPUT = "output"  # the verdicts are the same; what it writes on an accepted case is not
    CHANGED = "changed"  # other verdicts, neither better nor worse
    BETTER = "better"
    COST = "cost"  # CPU time or memory
    GONE = "gone"
    NEW = "new"
    SAME = "same"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What changed for one solution.

    Attributes:
        verdicts: cases with another verdict: name, then, now.
        outputs: accepted cases with the same input, answer and verdict, and another output.
        other_data: cases whose input or answer is not the one of then; their outputs say nothing.
        cases_new, cases_gone: ids.
        cpu, memory: then and now, where that differs by enough; None elsewhere.
        source_changed: its text differs.
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
    source_changed: bool = False

    @property
    def sheet(self) -> SolutionRecord:
        """The solution as it is now, or as it was when it is gone."""
        sheet = self.new or self.old
        assert sheet is not None
        return sheet


def changes(old: Iterable[SolutionRecord], new: Iterable[SolutionRecord], *, costs: bool = True) -> Iterator[Change]:
    """Yield what became of every solution of either time, in the order of now, then those that are gone.

    Args:
        old: the sheets of then.
        new: the sheets of now.
        costs: both were measured on the same machine.
    """
    before = {(sheet.problem, sheet.solution): sheet for sheet in old}
    for sheet in new:
        then = before.pop((sheet.problem, sheet.solution), None)
        yield Change(kind=ChangeKind.NEW, old=None, new=sheet) if then is None else _change(then, sheet, costs=costs)
    for then in before.values():
        yield Change(kind=ChangeKind.GONE, old=then, new=None)


def _change(old: SolutionRecord, new: SolutionRecord, *, costs: bool) -> Change:
    before, after = _judged(old), _judged(new)
    both = [(name, before[name], mark) for name, mark in after.items() if name in before]
    verdicts = tuple((name, then.verdict, now.verdict) for name, then, now in both if then.verdict is not now.verdict)
    cost = _costs(both, costs=costs)
    outputs = tuple(name for name, then, now in both if _writes_otherwise(then, now))
    return Change(
        kind=_kind(old, new, verdicts, outputs, cost),
        old=old,
        new=new,
        verdicts=verdicts,
        outputs=outputs,
        other_data=tuple(name for name, then, now in both if then.data and now.data and then.data != now.data),
        cases_new=tuple(name for name in after if name not in before),
        cases_gone=tuple(name for name in before if name not in after),
        cpu=cost.get("cpu"),
        memory=cost.get("memory"),  # type: ignore[arg-type]  # bytes are whole
        source_changed=old.source != new.source,
    )


def _judged(sheet: SolutionRecord) -> Mapping[str, CaseRecord]:
    """Return the marks of cases that were not skipped: data or a tool that is not here says nothing of a solution."""
    return {name: mark for name, mark in sheet.marks.items() if mark.verdict is not Verdict.SK}


def _kind(
    old: SolutionRecord,
    new: SolutionRecord,
    verdicts: tuple[tuple[str, Verdict, Verdict], ...],
    outputs: tuple[str, ...],
    cost: Mapping[str, object],
) -> ChangeKind:
    if (old.as_expected, new.as_expected) in ((True, False), (False, True)):
        return ChangeKind.WORSE if old.as_expected else ChangeKind.BETTER
    if verdicts:
        should_pass = new.expected == Verdict.AC
        lost = any(then in _BEST and now not in _BEST for _, then, now in verdicts)
        won = any(now in _BEST and then not in _BEST for _, then, now in verdicts)
        if should_pass and lost:
            return ChangeKind.WORSE
        return ChangeKind.BETTER if should_pass and won else ChangeKind.CHANGED
    if outputs:
        return ChangeKind.OUTPUT
    return ChangeKind.COST if cost else ChangeKind.SAME


def _writes_otherwise(then: CaseRecord, now: CaseRecord) -> bool:
    """Whether the same data was accepted with another output; a wrong one may be wrong in any way."""
    same = then.verdict is now.verdict and then.data == now.data
    return same and now.verdict in _BEST and bool(then.output and now.output) and then.output != now.output


def _costs(both: Iterable[tuple[str, CaseRecord, CaseRecord]], *, costs: bool) -> dict[str, tuple[float, float]]:
    """Return CPU time and memory over the cases that both judged on the same data, where they differ by enough."""
    pairs = [(then, now) for _, then, now in both if then.data == now.data]
    if not costs or not pairs:
        return {}
    found: dict[str, tuple[float, float]] = {}
    cpu = (sum(then.cpu for then, _ in pairs), sum(now.cpu for _, now in pairs))
    memory = (max(then.memory for then, _ in pairs), max(now.memory for _, now in pairs))
    sure = copysign(1.0, cpu[1] - cpu[0]) * sum(_beyond_noise(now.cpu - then.cpu) for then, now in pairs)
    if _differ(cpu, _CPU_RATIO) and sure >= max(_CPU_S, _SURE_RATIO * min(cpu)):
        found["cpu"] = cpu
    if _differ(memory, _MEMORY_RATIO) and abs(memory[1] - memory[0]) >= _MEMORY_BYTES:
        found["memory"] = memory
    return found


def _differ(both: tuple[float, float], ratio: float) -> bool:
    return max(both) >= ratio * min(both)


def _beyond_noise(difference: float) -> float:
    """Return a case's difference in seconds, nearer to 0 by what a run's time differs by for nothing."""
    return copysign(max(0.0, abs(difference) - _RUN_S), difference)
