"""The values that a token may have, once all bounds are numbers.

Every domain has:

    read(text)      the value that a token is; None if it is none of them
    describe()      what a token must be, for messages
    count           how many values there are, or a number that is too high to matter
    nth(index)      a value by its number
    draw(rng)       a random value
    boundaries()    the values at which programs tend to fail
    has(value)      whether this is one of the values
    nearest(value)  the value that is nearest to another one; None if there is no such value
    scaled(size)    the values up to a size: at 0 only the simplest, at 1 all
    simpler(value)  simpler values, the simplest first (not of `Choices`)
"""

import random
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import islice
from typing import Any, assert_never

from msgspec import Struct

from judge.inputs.forms import Integer, Member, Real, Scalar, Word
from judge.inputs.patterns import Pattern

MAX_DIGITS = 1000
MAX_LISTED = 5_000  # values that are looked at one by one

_INTEGER = re.compile(rf"(?:0|-?[1-9][0-9]{{0,{MAX_DIGITS - 1}}})")
_REAL = re.compile(r"-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,100})?")


class Integers(Struct, frozen=True):
    """Integers of some ranges; both ends belong to them. To choose one, none must be empty."""

    ranges: tuple[tuple[int, int], ...]

    def read(self, text: str) -> int | None:
        value = int(text) if _INTEGER.fullmatch(text) else None
        return value if self.has(value) else None

    def describe(self) -> str:
        parts = []
        for low, high in self.ranges:
            empty = " (earlier values leave none)" if low > high else ""
            parts.append(f"{low}" if low == high else f"from {low} to {high}{empty}")
        return f"an integer {' or '.join(parts)}" if "from" in parts[0] else " or ".join(parts)

    @property
    def count(self) -> int:
        """How many there are; ranges may overlap, which does not matter where this is used."""
        return sum(high - low + 1 for low, high in self.ranges)

    def nth(self, index: int) -> int:
        """Return a value by its number: those near zero first."""
        if len(self.ranges) == 1:
            low, high = self.ranges[0]
            if low >= 0 or high <= 0:
                return low + index if low >= 0 else high - index
            near = min(-low, high)
            if index <= 2 * near:
                return (index + 1) // 2 * (1 if index % 2 else -1)
            return (index - near) * (1 if high > near else -1)
        return self._at(index)

    def draw(self, rng: random.Random) -> int:
        if len(self.ranges) == 1:
            return rng.randint(*self.ranges[0])
        return self._at(rng.randrange(self.count))

    def boundaries(self) -> list[int]:
        ends = [value for low, high in self.ranges for value in (low, high, low + 1, high - 1)]
        return [value for value in dict.fromkeys((*ends, 0, 1, -1)) if self.has(value)]

    def has(self, value: object) -> bool:
        return isinstance(value, int) and any(low <= value <= high for low, high in self.ranges)

    def nearest(self, value: object) -> int | None:
        if not isinstance(value, int):
            return None
        if len(self.ranges) == 1:
            low, high = self.ranges[0]
            return low if value < low else min(value, high)
        inside = (min(max(value, low), high) for low, high in self.ranges)
        return min(inside, key=lambda each: (abs(each - value), each))

    def scaled(self, size: float) -> "Integers":
        if size >= 1:
            return self
        start = self.nth(0)
        found = []
        for low, high in self.ranges:
            if low <= start <= high:
                found.append((start - _scale(start - low, size), start + _scale(high - start, size)))
            else:
                found.append((low, low + _scale(high - low, size)))
        return Integers(tuple(found))

    def simpler(self, value: Any) -> Iterator[int]:
        simplest = self.nth(0)
        shorter = abs(value) // 10 * (1 if value > 0 else -1)
        candidates = [simplest, *(edge for edge in (0, 1) if self.has(edge)), abs(value), shorter]
        gap = value - simplest
        while abs(gap := int(gap / 2)) >= 1:
            candidates.append(value - gap)
        candidates += [value - 1, value + 1, value - 2, value + 2]  # it may fail for odd numbers only
        for each in dict.fromkeys(candidates):
            if self.has(each) and (abs(each), each < 0) < (abs(value), value < 0):
                yield each

    def _at(self, index: int) -> int:
        for low, high in self.ranges:
            if index <= high - low:
                return low + index
            index -= high - low + 1
        raise IndexError(index)


ANY_INTEGER = Integers(((-(10**1000), 10**1000),))


class Words(Struct, frozen=True):
    """Words of a pattern; with a length, that many characters of it.

    Attributes:
        characters: how often some characters must occur in a token. Only `read` looks at that: the builder places them
            in words that were chosen.
    """

    pattern: Pattern
    length: tuple[int, int] | None = None
    characters: tuple[tuple[str, int, int], ...] = ()

    def read(self, text: str) -> str | None:
        is_counted = all(least <= text.count(char) <= most for char, least, most in self.characters)
        return text if is_counted and self.has(text) else None

    def describe(self) -> str:
        if self.length is None:
            return f"a word of the pattern `{self.pattern.text}`"
        counts = [f", `{char}` {show_range(least, most)} times" for char, least, most in self.characters]
        return f"a word of {show_range(*self.length)} characters `{self.pattern.text}`{''.join(counts)}"

    @property
    def count(self) -> int:
        if self.length is None:
            return self.pattern.count
        low, high = self.length
        letters = len(self.pattern.alphabet)
        total: int = sum(letters**size for size in range(low, min(high, low + 62) + 1))
        return min(10**18, total)

    def nth(self, index: int) -> str:
        """Return a value by its number: the short ones first."""
        if self.length is None:
            return self.pattern.nth(index)
        letters, (low, high) = self.pattern.alphabet, self.length
        size = low
        while size < high and index >= len(letters) ** min(size, 62):
            index -= len(letters) ** min(size, 62)
            size += 1
        digits = []
        while index:
            index, digit = divmod(index, len(letters))
            digits.append(letters[digit])
        return "".join(reversed(digits)).rjust(size, letters[0])

    def draw(self, rng: random.Random) -> str:
        if self.length is None:
            return self.pattern.draw(rng)
        letters = self.pattern.alphabet
        if rng.random() < 0.3:
            letters = "".join(rng.sample(letters, min(len(letters), rng.randint(1, 2))))
        return "".join(rng.choices(letters, k=rng.randint(*self.length)))

    def boundaries(self) -> list[str]:
        """Return the shortest and the longest words of one character."""
        if self.length is None:
            return [self.pattern.nth(0)]
        letters, (low, high) = self.pattern.alphabet, self.length
        return [letter * size for size in {low, high} for letter in (letters[0], letters[-1])]

    def has(self, value: object) -> bool:
        if not isinstance(value, str):
            return False
        if self.length is None:
            return self.pattern.matches(value)
        return self.length[0] <= len(value) <= self.length[1] and set(value) <= set(self.pattern.alphabet)

    def nearest(self, value: object) -> str | None:
        """Return a value like another one; None if that is of another pattern."""
        if not isinstance(value, str):
            return None
        if self.length is not None and set(value) <= set(self.pattern.alphabet):
            low, high = self.length
            return value[:high].ljust(low, self.pattern.alphabet[0])
        return value if self.has(value) else None

    def scaled(self, size: float) -> "Words":
        """Return the short ones: at 0 only those of the least length, at 1 all."""
        if self.length is None or size >= 1:
            return self
        low, high = self.length
        return Words(self.pattern, (low, low + _scale(high - low, size)))

    def simpler(self, value: Any) -> Iterator[str]:
        """Yield simpler values, the simplest first: shorter ones, then those with characters of lower codes."""
        size = len(value)
        step = size
        while step:
            for at in range(0, size, step):
                shorter = value[:at] + value[at + step :]
                if self.has(shorter):
                    yield shorter
            step //= 2
        numbered = (self.nth(at) for at in range(min(self.count, 3)))
        shortest = self.pattern.words() if self.length is None else numbered
        yield from (word for word in islice(shortest, 3) if len(word) < size)
        letters = self.pattern.alphabet
        plain = letters[0] * size
        if plain < value and self.has(plain):
            yield plain
        for at in range(size):
            for letter in letters[:3]:
                if letter < value[at] and self.has(changed := value[:at] + letter + value[at + 1 :]):
                    yield changed


class Reals(Struct, frozen=True):
    """Numbers with decimals, as texts."""

    kind: Real

    def read(self, text: str) -> str | None:
        return text if _REAL.fullmatch(text) and self.has(text) else None

    def describe(self) -> str:
        return f"a number from {self.kind.low} to {self.kind.high} with {show_range(*self.kind.decimals)} decimals"

    @property
    def count(self) -> int:
        """How many there are at most."""
        return int((Decimal(self.kind.high) - Decimal(self.kind.low)) * 10 ** self.kind.decimals[1]) + 1

    def nth(self, index: int) -> str:
        """Return a value by its number: multiples of the last digit, from the lowest, those with few digits first."""
        for digits in self.kind.decimals:
            value = Decimal(self.kind.low) + index * Decimal(10) ** -digits
            if value <= Decimal(self.kind.high):
                return self._write(value, digits)
        raise IndexError(index)

    def draw(self, rng: random.Random) -> str:
        digits = rng.randint(*self.kind.decimals)
        low, high = Decimal(self.kind.low), Decimal(self.kind.high)
        value = low + (high - low) * Decimal(rng.randrange(10**9 + 1)) / 10**9
        return self._write(value, digits)

    def boundaries(self) -> list[str]:
        """Return both ends, and zero."""
        ends = [self._write(Decimal(each), self.kind.decimals[0]) for each in (self.kind.low, self.kind.high, "0")]
        return [each for each in dict.fromkeys(ends) if self.has(each)]

    def has(self, value: object) -> bool:
        if not isinstance(value, str):
            return False
        low, high = self.kind.decimals
        return low <= len(value.partition(".")[2]) <= high and (
            Decimal(self.kind.low) <= Decimal(value) <= Decimal(self.kind.high)
        )

    def nearest(self, value: object) -> str | None:
        return value if isinstance(value, str) and self.has(value) else None

    def scaled(self, size: float) -> "Reals":
        """Return all of them: a smaller number is not a smaller input."""
        return self

    def simpler(self, value: Any) -> Iterator[str]:
        """Yield simpler values: with fewer digits."""
        for digits in range(self.kind.decimals[0], len(value.partition(".")[2]) + 1):
            for number in (Decimal(0), Decimal(1), Decimal(value)):
                text = self._write(number, digits)
                if self.has(text) and (len(text), text) < (len(value), value):
                    yield text

    def _write(self, value: Decimal, digits: int) -> str:
        low, high = Decimal(self.kind.low), Decimal(self.kind.high)
        text = f"{min(max(value, low), high):.{digits}f}"
        return text[1:] if text.startswith("-") and not Decimal(text) else text


class Choices(Struct, frozen=True, eq=False):
    """Values of another list, without repetition; `source` is its name."""

    source: str
    texts: Mapping[str, Any]
    values: tuple[Any, ...]

    def read(self, text: str) -> Any:
        return self.texts.get(text)

    def describe(self) -> str:
        return f"one of the values of `{self.source}`"

    @property
    def count(self) -> int:
        return len(self.values)

    def nth(self, index: int) -> Any:
        """Return a value by its number, in the order of the list."""
        return self.values[index]

    def draw(self, rng: random.Random) -> Any:
        return rng.choice(self.values)

    def boundaries(self) -> list[Any]:
        """Return the first and the last value."""
        return [self.values[0], self.values[-1]]

    def has(self, value: object) -> bool:
        return value is not None and self.texts.get(str(value)) == value

    def nearest(self, value: object) -> Any:
        return value if self.has(value) else None

    def scaled(self, size: float) -> "Choices":
        """Return all of them: none is smaller."""
        return self


Domain = Integers | Words | Reals | Choices


def domain_of(kind: Scalar, env: dict[str, Any]) -> Domain:
    """Return the values that a token may have, given those of the fields before it; there may be none.

    Raises:
        ExpressionError: a bound has no value.
    """
    match kind:
        case Integer(ranges=ranges):
            return Integers(tuple(each.evaluate(env) for each in ranges))
        case Real():
            return Reals(kind)
        case Word(pattern=pattern, length=None):
            return Words(pattern)
        case Word(pattern=pattern, length=length, characters=characters):
            assert length is not None
            return Words(
                pattern, length.evaluate(env), tuple((char, *often.evaluate(env)) for char, often in characters)
            )
        case Member(source=source):
            key, values = f"_members_{source}", env[source]
            if key not in env or env[key][0] is not values:  # one domain for each list: it may be long
                texts = {str(value): value for value in values}
                env[key] = values, Choices(source, texts, tuple(texts.values()))
            found: Choices = env[key][1]
            return found
    assert_never(kind)


def show_range(low: int, high: int) -> str:
    """Return how many there are, for messages."""
    return f"{low}" if low == high else f"{low} to {high}"


def _scale(span: int, size: float) -> int:
    """Return a part of a span, by the ratio of magnitudes: half of 10^6 is 10^3."""
    if size <= 0:
        return 0
    if size >= 1:
        return span
    bits = span.bit_length()
    if bits > 1000:
        return span >> int(bits * (1 - size))
    return int((span + 1) ** size) - 1


def scale_between(low: int, high: int, size: float) -> int:
    """Return a number from `low` to `high` by its magnitude."""
    return low + _scale(high - low, size)
