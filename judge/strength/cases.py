"""The cases that mutants are judged on: their order, their limits, and which are redundant."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, digest
from judge.base.units import Seconds
from judge.judging.programs import JudgePrograms
from judge.model import Limits, default_wall
from judge.preparation.cases import ReadyCase
from judge.preparation.store import make_key
from judge.runner.cache import case_identity

_NUMBER = re.compile(rb"(?<!\S)-?\d{1,300}(?:\.\d+)?(?!\S)")

CaseSize = tuple[float, float, float, float]
"""The bytes of an input, its first number, its greatest one, and that of the answer; 0 where there is none."""


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
    limit = Seconds(min(limits.cpu, 10 * cpu + 0.1))
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


def redundant_cases(cases: Sequence[str], samples: Iterable[str], killers: Iterable[Sequence[str]]) -> list[str]:
    """Return cases without which the others kill the same; samples and whatever kills alone are never among them.

    `killers`: for each mutant, wrong solution or limit, the cases that are known to kill it.
    """
    kept = set(samples)
    open_sets = [set(each) for each in killers if each and not kept.intersection(each)]
    while open_sets:
        counts: dict[str, int] = {}
        for each in open_sets:
            for case in each:
                counts[case] = counts.get(case, 0) + 1
        best = min(counts, key=lambda case: (-counts[case], case))
        kept.add(best)
        open_sets = [each for each in open_sets if best not in each]
    return [each for each in cases if each not in kept]


def case_size(ready: ReadyCase) -> CaseSize:
    """Return how large a case is, in several ways; signs of greatest numbers do not count."""
    numbers, answer = _numbers(ready.input), _numbers(ready.answer or b"")
    greatest = [max(map(abs, each), default=0.0) for each in (numbers, answer)]
    return float(input_size(ready)), numbers[0] if numbers else 0.0, greatest[0], greatest[1]


def limits_passed(sizes: Mapping[str, CaseSize], some: Collection[str]) -> float:
    """Return which part of the limits some cases exceed, of those between the sizes of all cases.

    That is the part of the programs they reject that are right only up to a limit.
    """
    shares = []
    for values in zip(*sizes.values(), strict=True):
        if limits := set(values) - {max(values)}:
            greatest = max(value for case, value in zip(sizes, values, strict=True) if case in some)
            shares.append(sum(each < greatest for each in limits) / len(limits))
    return fmean(shares) if shares else 1.0


def largest_cases(sizes: Mapping[str, CaseSize]) -> list[list[str]]:
    """Return the cases that reject a program which is wrong only on the largest ones, for each kind of size."""
    every = [
        [case for case, value in zip(sizes, values, strict=True) if value == max(values)]
        for values in zip(*sizes.values(), strict=True)
    ]
    return [each for each in every if len(each) < len(sizes)]


def _numbers(data: Data) -> list[float]:
    """Return the numbers at the beginning of an input or answer; none if its file is gone."""
    most = 1 << 16  # bytes
    with suppress(OSError):
        if not isinstance(data, bytes):
            with data.open("rb") as file:
                data = file.read(most)
        return [float(each) for each in _NUMBER.findall(data[:most])]
    return []


def is_cheap(cpu: float, cases: int) -> bool:
    """Return whether the solution is fast on a group (30 ms a case), so that every mutant is judged on it."""
    return cpu <= 0.03 * cases


def input_size(ready: ReadyCase) -> int:
    """Return the bytes of an input; 0 if its file is gone."""
    try:
        return len(ready.input) if isinstance(ready.input, bytes) else ready.input.stat().st_size
    except OSError:
        return 0


def case_key(ready: ReadyCase, programs: JudgePrograms | None) -> str:
    """Return a hash of everything about a case that decides a verdict."""
    answer = "" if ready.answer is None else digest(ready.answer)
    return make_key(digest(ready.input), answer, *(case_identity(ready.case, programs) or ()))[:16]
