"""The cases that mutants are judged on: their order, their limits, and which are redundant."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import data_digest, digest
from judge.base.units import Seconds
from judge.judging.programs import JudgePrograms
from judge.model import Case, Limits, default_wall
from judge.preparation.cases import ReadyCase
from judge.preparation.store import make_key

_SLOWER = 10  # a mutant may take so many times the time of the solution,
_ALLOWANCE = Seconds(0.1)  # and this much more
_CHEAP = Seconds(0.03)  # mean CPU time of a solution on the cases of a group whose strength alone is measured


class TimedCase(Struct, frozen=True):
    """A case with the key of its content, the limits of mutants, and the CPU time of the solution itself."""

    ready: ReadyCase
    key: str
    limits: Limits
    cpu: Seconds

    @property
    def id(self) -> str:
        """The id of the case."""
        return self.ready.case.id


def mutant_limits(limits: Limits, cpu: Seconds) -> Limits:
    """Return the limits of a mutant on a case that takes the solution itself some CPU time."""
    limit = Seconds(min(limits.cpu, _SLOWER * cpu + _ALLOWANCE))
    return replace(limits, cpu=limit, wall=max(limits.wall, default_wall(limit)))


def order_groups(cases: Sequence[TimedCase]) -> list[list[TimedCase]]:
    """Return the cases by group: samples first, then the groups with the smallest cases; small cases first in each."""
    groups: dict[str, list[TimedCase]] = {}
    for each in cases:
        groups.setdefault(each.ready.case.group, []).append(each)
    sizes = {each.id: input_size(each.ready) for each in cases}
    ordered = [sorted(group, key=lambda each: (sizes[each.id], each.id)) for group in groups.values()]

    def rank(group: list[TimedCase]) -> tuple[bool, int, str]:
        name = group[0].ready.case.group
        return not name.startswith("sample"), max(sizes[each.id] for each in group), name

    return sorted(ordered, key=rank)


def redundant_cases(cases: Sequence[Case], killers: Sequence[Sequence[str]]) -> list[str]:
    """Return cases without which the others kill the same; samples and whatever kills alone are never among them.

    `killers`: for each mutant or wrong solution, the cases that are known to kill it.
    """
    kept = {each.id for each in cases if each.group.startswith("sample")}
    open_sets = [set(each) for each in killers if each and not kept.intersection(each)]
    while open_sets:
        counts: dict[str, int] = {}
        for each in open_sets:
            for case in each:
                counts[case] = counts.get(case, 0) + 1
        best = min(counts, key=lambda case: (-counts[case], case))
        kept.add(best)
        open_sets = [each for each in open_sets if best not in each]
    return [each.id for each in cases if each.id not in kept]


def is_cheap(group: Sequence[TimedCase]) -> bool:
    """Return whether the solution is fast on a group, so that every mutant is judged on it."""
    return sum(each.cpu for each in group) <= _CHEAP * len(group)


def input_size(ready: ReadyCase) -> int:
    """Return the bytes of an input; 0 if its file is gone."""
    try:
        return len(ready.input) if isinstance(ready.input, bytes) else ready.input.stat().st_size
    except OSError:
        return 0


def case_key(ready: ReadyCase, programs: JudgePrograms | None) -> str:
    """Return a hash of everything about a case that decides a verdict."""
    case = ready.case
    given = digest(ready.input)
    answer = "" if ready.answer is None else digest(ready.answer)
    wanted = [case.checker.program, programs.interactor] if programs else []
    identities = [programs.identity(each) for each in wanted if each is not None] if programs else []
    settings = repr((replace(case.checker, program=None), case.limits, case.args))
    return make_key(data_digest(given, answer), settings, repr(identities))[:16]
