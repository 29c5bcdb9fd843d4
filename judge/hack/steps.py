"""Inputs at which the answer changes: a number of a known input is bisected until its neighbour has another answer.

There, rounding errors, overflows and wrong comparisons show. Random inputs hardly ever are there if numbers are large.
"""

import re
import time
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.hack.sources import Proposal, Run, Source, seeded
from judge.hack.values import NamedProgram
from judge.inputs.observe import Observed
from judge.model import Ending, Limits, default_wall
from judge.sandbox.box import Box

_TOKEN = re.compile(rb"\S+")
_MAX_BASE = 1_000  # bytes of an input whose numbers are changed
_MAX_BASES = 5
_CPU = Seconds(0.3)  # of a run of the reference; a slower one takes too long for a bisection
_LARGE = 0.5  # of the bisections begin with large numbers
_PATIENCE = Seconds(1.0)  # for one bisection


class _Place(Struct, frozen=True):
    """A number in an input: the text before it and after it, and its range."""

    before: bytes
    after: bytes
    low: int
    high: int

    def fill(self, number: int) -> bytes:
        """Return the input with a number here."""
        return b"%s%d%s" % (self.before, number, self.after)


class Steps(Source):
    """Pairs of inputs that differ by one in one number, and have different answers.

    Args:
        observed: what the inputs look like.
        known: some of them.
        numbers: that the problem mentions.
        reference: answers.
        limits: of the reference.
        seed: of all choices.
    """

    name = "steps of the answer"

    def __init__(
        self,
        observed: Observed,
        known: Sequence[bytes],
        numbers: Sequence[int],
        reference: NamedProgram,
        *,
        limits: Limits,
        seed: int,
    ) -> None:
        cpu = Seconds(min(limits.cpu, _CPU))
        self._reference = reference
        self._limits = replace(limits, cpu=cpu, wall=default_wall(cpu))
        self._random = seeded(seed, self.name)
        small = sorted((each for each in known if len(each) <= _MAX_BASE), key=len)[:_MAX_BASES]
        self._places = [place for base in small for place in _find_places(observed, base, numbers)]

    def next(self) -> Proposal | None:
        """Return what bisects between two values of a number; None if there is no number."""
        if not self._places:
            return None
        place = self._random.choice(self._places)
        low, high = self._draw(place)
        return partial(self._bisect, place, low, high)

    def _draw(self, place: _Place) -> tuple[int, int]:
        """Return two numbers: any in the upper half, and the highest; or two of any size."""
        span = place.high - place.low
        if self._random.random() < _LARGE:
            return place.high - self._random.randint(0, span // 2), place.high
        low, high = sorted(int((span + 1) ** self._random.random()) - 1 for _ in range(2))
        return place.low + low, place.low + high

    def _bisect(self, place: _Place, low: int, high: int, box: Box, run: Run) -> list[bytes]:
        """Return the two inputs at a step between two numbers; none if there is no step, or one at each number."""
        end = time.monotonic() + _PATIENCE
        first = self._answer(place.fill(low), box, run)
        if first is None or self._answer(place.fill(high), box, run) in (None, first):
            return []
        if high - low > 1 and self._answer(place.fill(low + 1), box, run) != first:
            return []
        while high - low > 1:
            middle = (low + high) // 2
            answer = self._answer(place.fill(middle), box, run)
            if answer is None or time.monotonic() > end:
                return []
            low, high = (middle, high) if answer == first else (low, middle)
        return [place.fill(low), place.fill(high)]

    def _answer(self, data: bytes, box: Box, run: Run) -> bytes | None:
        """Return what the reference prints; None if it fails."""
        outcome = run(box, self._reference.program.command(data, self._limits, self._reference.args), self._limits)
        is_good = outcome.result.ending is Ending.EXITED and outcome.result.exit_code == 0
        return outcome.stdout if is_good else None


def _find_places(observed: Observed, base: bytes, numbers: Sequence[int]) -> Iterator[_Place]:
    """Yield the numbers of an input that count nothing."""
    for match, token in zip(_TOKEN.finditer(base), observed.structure.read(base) or (), strict=False):
        (start, end), values = match.span(), observed.values.get(token.item)
        if values is not None and values.kind == "integer" and token.item not in observed.counters:
            low = min(values.low, 1) if values.least is None else values.least
            high = max([values.high, *numbers]) if values.most is None else values.most
            yield _Place(base[:start], base[end:], low, high)
