"""Readers of one scalar: texts, words of a fixed set, numbers, truth values."""

import re
from collections.abc import Callable
from typing import ClassVar

from msgspec import Struct

from judge.yamlfile.nodes import Node, Scalar
from judge.yamlfile.reader import Notes, mismatch, refuse
from judge.yamlfile.scalars import reading
from judge.yamlfile.words import listed, quoted, unknown

HALF_CHARACTER = "a `\\u` escape stands for half a character: write the whole character itself"
_LONGEST_ADVICE = 60  # characters that a message repeats
_BARE_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


class TextKind(Struct, frozen=True, kw_only=True):
    """What a JSON Schema does not say of a text: `Meta(extra={"text": TextKind(...)})`.

    Attributes:
        expected: what the text is, for messages that say `expected ...`.
        check: raises ValueError with a whole message when the text is not that.
        number: what to do about a bare number, with `{}` in the number's place.
        quote: what to do about another word that YAML does not read as a text, likewise.
        keeps_lines: whether line ends matter; then texts whose lines YAML would join are refused.
    """

    expected: str = "a text"
    check: Callable[[str], object] | None = None
    number: str = 'quote it, `"{}"`'
    quote: str = 'quote it, `"{}"`'
    keeps_lines: bool = False


class TextReader(Struct, frozen=True, kw_only=True):
    """Reads texts; what YAML takes for something else is refused, never turned into a text."""

    takes: ClassVar = (Scalar,)
    kind: TextKind
    pattern: re.Pattern[str] | None = None
    shortest: int = 0
    longest: int | None = None

    @property
    def expected(self) -> str:
        """See `Reader`."""
        return self.kind.expected

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        if not isinstance(node, Scalar):
            return mismatch(self, node, label, notes)
        if node.plain and (seen := reading(node.text)):
            return refuse(
                node, label, f"expected {self.expected}, found {seen.found}: {self._advice(node.text)}", notes
            )
        if node.joined and self.kind.keeps_lines:
            return refuse(node, label, "YAML joins these lines into one: begin the text with `|` and a new line", notes)
        if wrong := self._wrong(node.text):
            return refuse(node, label, wrong, notes)
        return node.text

    def _advice(self, text: str) -> str:
        if text in ("", "~"):
            return "write it, or remove the key"
        if len(text) > _LONGEST_ADVICE or '"' in text or "\\" in text:
            return self.kind.quote.partition(",")[0]
        return (self.kind.number if _BARE_NUMBER.fullmatch(text) else self.kind.quote).replace("{}", text)

    def _wrong(self, text: str) -> str | None:
        if self.longest is not None and len(text) > self.longest:
            return f"expected {self.expected}, found {len(text)} characters, more than {self.longest}"
        try:
            text.encode()
            if self.kind.check:
                self.kind.check(text)
        except UnicodeEncodeError:
            return HALF_CHARACTER
        except ValueError as error:
            return str(error)
        if len(text) < self.shortest or (self.pattern and not self.pattern.fullmatch(text)):
            return f"expected {self.expected}, found {quoted(text)}"
        return None


class WordReader(Struct, frozen=True, kw_only=True):
    """Reads one word of a fixed set; `what` names the set in messages."""

    takes: ClassVar = (Scalar,)
    what: str
    words: tuple[str, ...]

    @property
    def expected(self) -> str:
        """See `Reader`."""
        return f"one of {listed(self.words)}"

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        if not isinstance(node, Scalar) or not node.text:
            return mismatch(self, node, label, notes)
        if node.text not in self.words:
            return refuse(node, "", unknown(self.what, node.text, self.words), notes)
        return node.text


class ValueReader(Struct, frozen=True, kw_only=True):
    """Reads numbers or truth values: whatever `types` says, exactly, from `least` to `most` inclusive."""

    takes: ClassVar = (Scalar,)
    expected: str
    types: tuple[type, ...]
    least: float | None = None
    most: float | None = None

    def read(self, node: Node, label: str, notes: Notes) -> object:
        """See `Reader`."""
        seen = reading(node.text) if isinstance(node, Scalar) else None
        if seen is None:
            return mismatch(self, node, label, notes)
        if not self._fits(seen.value):
            words = [word for word in seen.instead if self._means(word)]
            advice = f": write {' or '.join(map(quoted, words))}" if words else ""
            return refuse(node, label, f"expected {self.expected}, found {seen.found}{advice}", notes)
        if isinstance(node, Scalar) and not node.plain:
            return refuse(
                node, label, f"expected {self.expected}, found the text {quoted(node.text)}: remove its quotes", notes
            )
        return seen.value

    def _fits(self, value: object) -> bool:
        if type(value) not in self.types:
            return False
        assert isinstance(value, int | float)
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def _means(self, word: str) -> bool:
        seen = reading(word)
        return seen is not None and self._fits(seen.value)
