"""The kinds of value that one token may have: how one is read, described, chosen, changed and made simpler.

A kind is what the notation says. Its domain has the values that are left once all bounds are numbers. A new kind is a
class here, a domain unless one of these fits, and its notation in `read`.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any, ClassVar

from msgspec import Struct

from judge.inputs.expressions import Range
from judge.inputs.patterns import AnyOf, Pattern

MAX_DIGITS = 1000
MAX_LISTED = 5_000  # values that are looked at one by one

_INTEGER = re.compile(rf"(?:0|-?[1-9][0-9]{{0,{MAX_DIGITS - 1}}})")
_REAL = re.compile(r"-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,100})?")
_ONE_LETTER = 0.8  # of the changes of a word change one letter
_MOST_NAMED = 8  # words of a choice that a statement lists


class Domain(Struct, frozen=True):
    """The values that a token may have, once all bounds are numbers.

    A struct cannot be an abstract class: what each domain or form defines raises NotImplementedError in its base.
    """

    def read(self, text: str) -> Any:
        """Return the value that a token is; None if it is none of these."""
        return text if self.has(text) else None

    def describe(self) -> str:
        """Return what a token must be, for messages."""
        raise NotImplementedError

    @property
    def count(self) -> int:
        """How many values there are, or a number that is too high to matter."""
        raise NotImplementedError

    def nth(self, index: int) -> Any:
        """Return a value by its number, the simplest first."""
        raise NotImplementedError

    def draw(self, rng: random.Random) -> Any:
        """Return a random value."""
        return self.nth(rng.randrange(self.count))

    def boundaries(self) -> list[Any]:
        """Return the values at which programs tend to fail: the first and the last one."""
        return [self.nth(0), self.nth(self.count - 1)]

    def has(self, value: object) -> bool:
        """Return whether this is one of the values."""
        raise NotImplementedError

    def nearest(self, value: object) -> Any:
        """Return the value that is nearest to another one; None if there is no such value."""
        return value if self.has(value) else None

    def scaled(self, size: float) -> "Domain":
        """Return the values up to a size: at 0 only the simplest, at 1 all. Of some kinds, none is smaller."""
        return self

    def simpler(self, value: Any) -> Iterator[Any]:
        """Yield simpler values, the simplest first."""
        return iter(())


class Integers(Domain, frozen=True):
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


class Words(Domain, frozen=True):
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
            return f"a {'text' if ' ' in self.pattern.alphabet else 'word'} of the pattern `{self.pattern.text}`"
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


class Choices(Domain, frozen=True, eq=False):
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

    def has(self, value: object) -> bool:
        return value is not None and self.texts.get(str(value)) == value


class Kind(Struct, frozen=True, kw_only=True):
    """What a field may have: a value, or several."""

    @property
    def size(self) -> Range | None:
        """How many values or characters it has; None if that does not vary."""
        return None

    @property
    def is_open(self) -> bool:
        """Whether only the end of the line says where it ends."""
        return False


class Scalar(Kind, frozen=True, kw_only=True):
    """A kind of one value.

    Attributes:
        sort: the row of the table of `reading`: how programs read it.
        nouns: what one and several are called.
    """

    sort: ClassVar[str] = "word"
    nouns: ClassVar[tuple[str, str]] = ("a value", "values")

    def domain(self, env: dict[str, Any]) -> Domain:
        """Return the values that a token may have, given those of the fields before it; there may be none.

        Raises:
            ExpressionError: a bound has no value.
        """
        raise NotImplementedError

    def phrase(self, name: str, *, is_list: bool) -> str:
        """Return what the statement says about it."""
        raise NotImplementedError

    def outline(self) -> str:
        """Return it in a few words, without the largest values, which are those of samples."""
        return self.nouns[0]

    @property
    def limits(self) -> Range | None:
        """The range of its numbers or lengths, if there is one."""
        return self.size

    @property
    def may_be_empty(self) -> bool:
        """Whether a word may have no characters, so that the line, or the place between two spaces, is empty."""
        return False

    def extreme(self, value: Any, far: int) -> Any:
        """Return a value that is as high (`far` above 0) or low as it may be, or in the middle; it may be invalid."""
        return value

    def near(self, value: Any, rng: random.Random) -> Any:
        """Return a random value that is like another one; None for any, also if it is invalid."""
        return None

    def simpler(self, value: Any) -> Iterator[Any]:
        """Yield simpler values, the simplest first; they may be out of range."""
        return iter(())


class Integer(Scalar, frozen=True, kw_only=True):
    """An integer in one of some ranges, without leading zeros."""

    sort = "int"
    nouns = ("an integer", "integers")
    ranges: tuple[Range, ...]

    def domain(self, env: dict[str, Any]) -> Integers:
        return Integers(tuple(each.evaluate(env) for each in self.ranges))

    def phrase(self, name: str, *, is_list: bool) -> str:
        bounds = " or ".join(each.tex_around(name) for each in self.ranges)
        return f"{self.nouns[is_list]} ${name}$ ({bounds})"

    def outline(self) -> str:
        low, high = self.ranges[0].low, self.ranges[0].high
        return low.text if self.ranges[0].is_exact else f"{low.text}..{'' if high.constant is not None else high.text}"

    @property
    def limits(self) -> Range:
        return self.ranges[0]

    def extreme(self, value: Any, far: int) -> int:
        return far

    def near(self, value: Any, rng: random.Random) -> Any:
        return rng.choice((value + 1, value - 1, -value, 2 * value, value // 2, 10**18, -(10**18), 0, 1, None))

    def simpler(self, value: Any) -> Iterator[int]:
        return ANY_INTEGER.simpler(value)


class Word(Scalar, frozen=True, kw_only=True):
    """A word of a pattern.

    Attributes:
        length: the number of characters, all of one class; None if the pattern says it.
    """

    nouns = ("a word", "words")
    pattern: Pattern
    length: Range | None = None
    characters: tuple[tuple[str, Range], ...] = ()

    @property
    def size(self) -> Range | None:
        return self.length

    @property
    def is_open(self) -> bool:
        return " " in self.pattern.alphabet

    @property
    def may_be_empty(self) -> bool:
        return self.length is not None or self.pattern.shortest == 0

    def domain(self, env: dict[str, Any]) -> Words:
        if self.length is None:
            return Words(self.pattern)
        often = tuple((char, *limits.evaluate(env)) for char, limits in self.characters)
        return Words(self.pattern, self.length.evaluate(env), often)

    def phrase(self, name: str, *, is_list: bool) -> str:
        return f"words ${name}$, each {self._described()}" if is_list else f"{self._described()} ${name}$"

    def _described(self) -> str:
        pattern = self.pattern
        if self.length is not None:
            often = "".join(f", with {part}" for part in tex_often(self.characters))
            return f"a word of {self.length.tex} characters `{pattern.text}`{often}"
        if not self.is_open and pattern.count == 1:
            return f"the word `{pattern.nth(0)}`"
        if not self.is_open and pattern.count <= _MOST_NAMED and isinstance(pattern.node, AnyOf):
            return "one of " + ", ".join(f"`{word}`" for word in pattern.words())
        return Words(pattern).describe()

    def outline(self) -> str:
        if self.length is None and self.pattern.count == 1:
            return self.pattern.text.replace("\\", "")
        has_names = self.length is not None and self.length.names
        return f"a word of {self.length} characters {self.pattern.text}" if has_names else "a word"

    def extreme(self, value: Any, far: int) -> str:
        text: str = value[::-1] if far == 0 else self.pattern.alphabet[-1 if far > 0 else 0] * len(value)
        return text

    def near(self, value: Any, rng: random.Random) -> Any:
        if not value or rng.random() >= _ONE_LETTER:
            return None
        at = rng.randrange(len(value))
        return value[:at] + rng.choice(self.pattern.alphabet) + value[at + 1 :]

    def simpler(self, value: Any) -> Iterator[str]:
        return Words(self.pattern, None if self.length is None else (len(value), len(value))).simpler(value)


class Real(Scalar, Domain, frozen=True, kw_only=True):
    """A number with a decimal point, and the domain of such numbers; the value is its text.

    Attributes:
        low, high: texts such as `-1.5`, both included.
        decimals: how many digits follow the point; without any there is no point.
    """

    sort = "real"
    nouns = ("a number", "numbers")
    low: str
    high: str
    decimals: tuple[int, int]

    def domain(self, env: dict[str, Any]) -> "Real":
        return self

    def phrase(self, name: str, *, is_list: bool) -> str:
        digits = show_range(*self.decimals)
        return f"{self.nouns[is_list]} ${name}$ with {digits} decimals (${self.low} \\le {name} \\le {self.high}$)"

    def read(self, text: str) -> str | None:
        return text if _REAL.fullmatch(text) and self.has(text) else None

    def describe(self) -> str:
        return f"a number from {self.low} to {self.high} with {show_range(*self.decimals)} decimals"

    @property
    def count(self) -> int:
        """How many there are at most."""
        return int((Decimal(self.high) - Decimal(self.low)) * 10 ** self.decimals[1]) + 1

    def nth(self, index: int) -> str:
        """Return a value by its number: multiples of the last digit, from the lowest, those with few digits first."""
        for digits in self.decimals:
            value = Decimal(self.low) + index * Decimal(10) ** -digits
            if value <= Decimal(self.high):
                return self._write(value, digits)
        raise IndexError(index)

    def draw(self, rng: random.Random) -> str:
        digits = rng.randint(*self.decimals)
        low, high = Decimal(self.low), Decimal(self.high)
        value = low + (high - low) * Decimal(rng.randrange(10**9 + 1)) / 10**9
        return self._write(value, digits)

    def boundaries(self) -> list[str]:
        """Return both ends, and zero."""
        ends = [self._write(Decimal(each), self.decimals[0]) for each in (self.low, self.high, "0")]
        return [each for each in dict.fromkeys(ends) if self.has(each)]

    def has(self, value: object) -> bool:
        if not isinstance(value, str):
            return False
        low, high = self.decimals
        return low <= len(value.partition(".")[2]) <= high and (
            Decimal(self.low) <= Decimal(value) <= Decimal(self.high)
        )

    def simpler(self, value: Any) -> Iterator[str]:
        """Yield simpler values: with fewer digits."""
        for digits in range(self.decimals[0], len(value.partition(".")[2]) + 1):
            for number in (Decimal(0), Decimal(1), Decimal(value)):
                text = self._write(number, digits)
                if self.has(text) and (len(text), text) < (len(value), value):
                    yield text

    def _write(self, value: Decimal, digits: int) -> str:
        low, high = Decimal(self.low), Decimal(self.high)
        text = f"{min(max(value, low), high):.{digits}f}"
        return text[1:] if text.startswith("-") and not Decimal(text) else text


class Member(Scalar, frozen=True, kw_only=True):
    """A value that an earlier list has."""

    source: str
    item: "Scalar"

    @property
    def limits(self) -> None:
        return None

    def domain(self, env: dict[str, Any]) -> Choices:
        key, values = f"_members_{self.source}", env[self.source]
        if key not in env or env[key][0] is not values:  # one domain for each list: it may be long
            texts = {str(value): value for value in values}
            env[key] = values, Choices(self.source, texts, tuple(texts.values()))
        found: Choices = env[key][1]
        return found

    def phrase(self, name: str, *, is_list: bool) -> str:
        return f"{f'values ${name}$, each' if is_list else f'${name}$,'} one of the values of ${self.source}$"


class ListRules(Kind, frozen=True, kw_only=True):
    """What holds for the values of a list.

    Attributes:
        copies: how often a value may occur; 1 means that all are distinct, None that it does not matter.
        order: `ascending`, `strictly ascending`, `descending`, `strictly descending`, or "" for any.
    """

    item: Scalar
    copies: int | None = None
    order: str = ""


def tex_often(characters: Sequence[tuple[str, Range]]) -> Iterator[str]:
    """Yield how often some characters occur, for the statement."""
    for char, limits in characters:
        yield f"`{char}` {limits.tex} times" if str(limits) != "1" else f"`{char}` once"


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


def is_ordered(kind: Kind, order: str, one: Any, other: Any) -> bool:
    """Return whether a value may follow another one in an order."""
    if isinstance(kind, Real):
        one, other = Decimal(one), Decimal(other)
    if one == other:
        return "strictly" not in order
    return bool((one < other) == order.endswith("ascending"))
