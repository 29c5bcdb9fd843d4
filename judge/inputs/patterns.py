"""Patterns of words: a part of the notation of regular expressions, without anything unbounded.

A pattern has characters, classes (`[a-z]`, `[^0-9]`, `.` is any printable character but a space), groups with
alternatives (`(ab|c)`), and how often something occurs: `{3}`, `{1,20}` or `?`.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, product

from msgspec import Struct

_MAX_TEXT = 500  # characters of a pattern
_MAX_DEPTH = 20  # groups in groups
_MAX_OFTEN = 10_000_000
_MANY = 10**18  # more words than anybody counts
_MANY_PARTS = 20
_OFTEN = re.compile(r"([0-9]{1,8})(?:,([0-9]{1,8}))?\}")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))


class PatternError(ValueError):
    """A pattern that cannot be read; the message says why."""


class Chars(Struct, frozen=True):
    """One of some characters, in the order of their codes."""

    chars: str


class Several(Struct, frozen=True):
    """Something from `low` to `high` times."""

    part: "Node"
    low: int
    high: int


class Series(Struct, frozen=True):
    """Some parts, one after the other."""

    parts: tuple["Node", ...]


class AnyOf(Struct, frozen=True):
    """One of some alternatives."""

    options: tuple["Node", ...]


Node = Chars | Several | Series | AnyOf


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A pattern.

    Attributes:
        regex: the same for Python's module `re`.
        alphabet: all characters that occur, in the order of their codes.
        shortest, longest: the least and the highest number of characters.
        count: the number of words, or a number that is far too high to matter.
    """

    text: str
    node: Node = field(compare=False, repr=False)
    regex: str = field(compare=False, repr=False)
    alphabet: str = field(compare=False, repr=False)
    shortest: int = field(compare=False, repr=False)
    longest: int = field(compare=False, repr=False)
    count: int = field(compare=False, repr=False)

    def matches(self, word: str) -> bool:
        """Return whether a word is of this pattern."""
        return re.fullmatch(self.regex, word) is not None

    def words(self) -> Iterator[str]:
        """Yield all words, the short ones first."""
        for length in range(self.shortest, self.longest + 1):
            yield from _words(self.node, length)

    def nth(self, index: int) -> str:
        """Return a word by its number, from 0, in the order of `words`. Raises IndexError if there are not so many."""
        return _first_words(self, 1 << (index + 1).bit_length())[index]

    def draw(self, rng: random.Random) -> str:
        """Return a random word."""
        return _draw(self.node, rng)


@cache
def parse_pattern(text: str) -> Pattern:
    """Parse a pattern. Raises PatternError, whose message says what is wrong."""
    if not text or len(text) > _MAX_TEXT:
        raise PatternError("expected a pattern such as `[a-z]{1,20}`")
    if not text.isascii() or not text.isprintable():
        raise PatternError("a pattern has printable ASCII characters only")
    reader = _Reader(text)
    node = reader.options(0)
    if reader.at < len(text):
        raise PatternError(f"unexpected `{text[reader.at]}` in the pattern `{text}`: write `\\{text[reader.at]}`")
    shortest, longest = _lengths(node)
    if longest > _MAX_OFTEN:
        raise PatternError(f"the pattern `{text}` has words of more than {_MAX_OFTEN} characters")
    return Pattern(
        text=text,
        node=node,
        regex=_regex(node),
        alphabet="".join(sorted(set(_chars(node)))),
        shortest=shortest,
        longest=longest,
        count=_count(node),
    )


class _Reader:
    def __init__(self, text: str) -> None:
        self.at = 0
        self._text = text

    def options(self, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            raise PatternError(f"groups are nested more than {_MAX_DEPTH} levels deep")
        found = [self._series(depth)]
        while self._take("|"):
            found.append(self._series(depth))
        return found[0] if len(found) == 1 else AnyOf(tuple(found))

    def _series(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.at < len(self._text) and self._text[self.at] not in "|)":
            parts.append(self._often(self._part(depth)))
        return parts[0] if len(parts) == 1 else Series(tuple(parts))

    def _part(self, depth: int) -> Node:
        if self._take("("):
            found = self.options(depth + 1)
            if not self._take(")"):
                raise PatternError(f"a `)` is missing in the pattern `{self._text}`")
            return found
        if self._take("["):
            return self._class()
        if self._take("."):
            return Chars(_PRINTABLE)
        char = self._text[self.at]
        if char in "*+?{":
            raise PatternError(f"unexpected `{char}` in the pattern `{self._text}`: write `\\{char}`")
        return Chars(self._char())

    def _char(self) -> str:
        escaped = self._take("\\")
        if self.at >= len(self._text):
            raise PatternError(f"the pattern `{self._text}` ends too early")
        char = self._text[self.at]
        self.at += 1
        if escaped and char == "d":
            return "0123456789"
        if escaped and char.isalnum():
            raise PatternError(f"`\\{char}` is not known: expected a class such as `[a-z]`")
        return char

    def _class(self) -> Node:
        negated = self._take("^")
        chars: set[str] = set()
        while not self._take("]"):
            low = self._char()
            if len(low) == 1 and self._text[self.at : self.at + 1] == "-" and self._text[self.at + 1 :][:1] != "]":
                self.at += 1
                high = self._char()
                if len(high) > 1 or high < low:
                    raise PatternError(f"`{low}-{high}` is not a range of characters")
                chars.update(map(chr, range(ord(low), ord(high) + 1)))
            else:
                chars.update(low)
        if negated:
            chars = set(_PRINTABLE) - chars
        if not chars:
            raise PatternError(f"a class in the pattern `{self._text}` is empty")
        return Chars("".join(sorted(chars)))

    def _often(self, part: Node) -> Node:
        if self._take("?"):
            return Several(part, 0, 1)
        if self._text[self.at : self.at + 1] in ("*", "+") and self.at < len(self._text):
            raise PatternError(f"`{self._text[self.at]}` has no upper bound: write how often, such as `{{1,20}}`")
        if not self._take("{"):
            return part
        match = _OFTEN.match(self._text, self.at)
        if match is None:
            raise PatternError(f"expected `{{3}}` or `{{1,20}}` in the pattern `{self._text}`")
        self.at = match.end()
        low, high = int(match[1]), int(match[2] or match[1])
        if low > high or high > _MAX_OFTEN:
            raise PatternError(f"`{{{low},{high}}}` is not a range of at most {_MAX_OFTEN}")
        return Several(part, low, high)

    def _take(self, char: str) -> bool:
        found = self._text.startswith(char, self.at)
        self.at += found
        return found


def _regex(node: Node) -> str:
    match node:
        case Chars(chars):
            return re.escape(chars) if len(chars) == 1 else write_class(chars)
        case Several(part, low, high):
            inner = _regex(part)
            inner = inner if isinstance(part, Chars) else f"(?:{inner})"
            return f"{inner}{{{low},{high}}}" if low != high else f"{inner}{{{low}}}"
        case Series(parts):
            return "".join(f"(?:{_regex(each)})" if isinstance(each, AnyOf) else _regex(each) for each in parts)
        case AnyOf(options):
            return "|".join(map(_regex, options))


def write_class(chars: str) -> str:
    """Return the class of some characters, which are in the order of their codes."""
    runs: list[str] = []
    for each in chars:
        if runs and ord(each) == ord(runs[-1][-1]) + 1:
            runs[-1] += each
        else:
            runs.append(each)
    ends = ([f"\\{each}" if each in "\\[]^-" else each for each in dict.fromkeys((run[0], run[-1]))] for run in runs)
    return f"[{''.join(map('-'.join, ends))}]"


@cache
def _lengths(node: Node) -> tuple[int, int]:
    match node:
        case Chars():
            return 1, 1
        case Several(part, low, high):
            shortest, longest = _lengths(part)
            return shortest * low, longest * high
        case Series(parts):
            found = [_lengths(each) for each in parts]
            return sum(low for low, _ in found), sum(high for _, high in found)
        case AnyOf(options):
            found = [_lengths(each) for each in options]
            return min(low for low, _ in found), max(high for _, high in found)


@cache
def _count(node: Node) -> int:
    match node:
        case Chars(chars):
            return len(chars)
        case Several(part, low, high):
            each = _count(part)
            if each == 1:
                return high - low + 1
            total: int = sum(each**often for often in range(low, min(high, low + 62) + 1))
            return min(_MANY, total)
        case Series(parts):
            product = 1
            for part in parts:
                product = min(_MANY, product * _count(part))
            return product
        case AnyOf(options):
            return min(_MANY, sum(map(_count, options)))


def _chars(node: Node) -> Iterator[str]:
    match node:
        case Chars(chars):
            yield from chars
        case Several(part):
            yield from _chars(part)
        case Series(parts) | AnyOf(parts):
            for each in parts:
                yield from _chars(each)


def _words(node: Node, length: int) -> Iterator[str]:
    """Yield all words of a length, in the order of their characters' codes as far as alternatives allow."""
    match node:
        case Chars(chars):
            yield from chars if length == 1 else ()
        case Several(Chars(chars), low, high):
            yield from map("".join, product(chars, repeat=length)) if low <= length <= high else ()
        case Several(part, low, high):
            shortest, longest = _lengths(part)
            for often in range(low, high + 1):
                if shortest * often > length:
                    break
                yield from _joined((part,) * often, length) if longest * often >= length else ()
        case Series(parts):
            yield from _joined(parts, length)
        case AnyOf(options):
            for each in options:
                yield from _words(each, length)


def _joined(parts: Sequence[Node], length: int) -> Iterator[str]:
    """Yield the words of a length that have these parts."""
    if len(parts) < 2:
        yield from _words(parts[0], length) if parts else [""] * (length == 0)
        return
    half = 1 if len(parts) < _MANY_PARTS else len(parts) // 2  # of many, so that calls do not nest too deeply
    (low, high), (least, most) = (_lengths(Series(tuple(each))) for each in (parts[:half], parts[half:]))
    for size in range(max(low, length - most), min(high, length - least) + 1):
        for head in _joined(parts[:half], size):
            yield from (head + tail for tail in _joined(parts[half:], length - size))


@cache
def _first_words(pattern: Pattern, count: int) -> list[str]:
    return list(islice(pattern.words(), count))


def _draw(node: Node, rng: random.Random) -> str:
    match node:
        case Chars(chars):
            return rng.choice(chars)
        case Several(part, low, high):
            often = rng.randint(low, high)
            if isinstance(part, Chars):
                return "".join(rng.choices(part.chars, k=often))
            return "".join(_draw(part, rng) for _ in range(often))
        case Series(parts):
            return "".join([_draw(each, rng) for each in parts])
        case AnyOf(options):
            return _draw(rng.choice(options), rng)
