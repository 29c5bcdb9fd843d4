"""Programs of Checktestdata in this process: what they accept, and inputs that they write themselves."""

import random
import re
from typing import Any

from judge.grammar.checktestdata.words import bound_pattern
from judge.grammar.patterns import parse_pattern
from judge.verification.checktestdata import validator_code

_ERRORS = (KeyError, TypeError, ValueError, ArithmeticError, re.error)  # that `check` of the program catches


class Program:
    """The program that judges the inputs of a file."""

    def __init__(self, text: str) -> None:
        self._names: dict[str, Any] = {}
        exec(validator_code(text).rpartition("check(grammar)")[0], self._names)
        own = {name: getattr(_Writing, name) for name in vars(_Writing) if not name.startswith("__")}
        self._writer = type("Writer", (self._names["Reader"],), own)

    def accepts(self, data: bytes) -> bool:
        """Return whether an input is valid."""
        reader = self._names["Reader"](data.decode("latin-1"))
        return self._runs(reader) and reader.at_end()

    def write(self, rng: random.Random) -> bytes | None:
        """Return what the program would read, or None if a rule of the program does not hold."""
        writer = self._writer("")
        writer.rng = rng
        data: bytes = writer.data.encode("latin-1") if self._runs(writer) else b""
        return data if self.accepts(data) else None

    def _runs(self, reader: Any) -> bool:
        try:
            self._names["grammar"](reader, {})
        except (self._names["Rejected"], *_ERRORS):
            return False
        return True


class _Writing:
    """The methods of a reader that writes."""

    data: str
    rng: random.Random

    def literal(self, text: str) -> None:
        self.data += text

    def floatp(self, *limits: Any) -> float:
        low, high, least, most, _ = limits
        text = f"{self.rng.uniform(low, high):.{self.rng.randint(least, most)}f}"
        self.data += text
        return float(text)

    def float(self, *limits: Any) -> Any:
        return self.floatp(*limits[:2], 0, 3, "")

    def regex(self, text: str) -> str:
        bounded = bound_pattern(text)
        length = self.rng.randint(bounded.low, min(bounded.high, bounded.low + 3))
        word = parse_pattern(bounded.text or f"{bounded.letters}{{{length}}}").draw(self.rng)
        self.data += word
        return word

    def sees(self, *_: str) -> bool:
        return self.rng.random() < 0.3

    def at_end(self) -> bool:
        return self.rng.random() < 0.3

    def end(self) -> None:
        pass

    def int(self, low: Any, high: Any) -> Any:
        value = self.rng.choice((low, high, self.rng.randint(low, high)))
        self.data += str(value)
        return value
