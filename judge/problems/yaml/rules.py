"""Keys of one mapping that exclude or need each other: checked here, and said in the JSON Schema.

A Struct lists its rules in the class variable `rules`.
"""

from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct

from judge.problems.yaml.scalars import listed, quoted


class Rule(Protocol):
    """What must hold between the keys of a mapping."""

    def broken(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        """Yield every breach as the key that it concerns (None: the mapping) and a message."""
        ...

    def schema(self) -> dict[str, object]:
        """Return the same as a JSON Schema."""
        ...


class ExactlyOne(Struct, frozen=True):
    """One of the keys must be there, and only one; `none` says what is wrong when there is none."""

    keys: tuple[str, ...]
    none: str

    def broken(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        """See `Rule`."""
        present = [key for key in values if key in self.keys]
        if not present:
            yield None, f"{self.none}: give one of {listed(self.keys)}"
        for key in present[1:]:
            yield key, _excluded(present[0], key)

    def schema(self) -> dict[str, object]:
        """See `Rule`."""
        return {"oneOf": [{"required": [key]} for key in self.keys]}


class NotTogether(Struct, frozen=True):
    """Two keys of which at most one may be there."""

    one: str
    other: str

    def broken(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        """See `Rule`."""
        present = [key for key in values if key in (self.one, self.other)]
        for key in present[1:]:
            yield key, _excluded(present[0], key)

    def schema(self) -> dict[str, object]:
        """See `Rule`."""
        return {"not": {"required": [self.one, self.other]}}


class Needs(Struct, frozen=True):
    """A key that says nothing without another one."""

    key: str
    other: str

    def broken(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        """See `Rule`."""
        if self.key in values and self.other not in values:
            yield self.key, f"{quoted(self.key)} without {quoted(self.other)}: add {quoted(self.other)} or remove it"

    def schema(self) -> dict[str, object]:
        """See `Rule`."""
        return {"dependentRequired": {self.key: [self.other]}}


class OptionsOf(Struct, frozen=True):
    """Only where `key` is `value` may any other key be there."""

    key: str
    value: str

    def broken(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        """See `Rule`."""
        word = values.get(self.key, self.value)
        if not isinstance(word, str) or word == self.value:
            return
        for option in values:
            if option != self.key:
                yield option, f"{quoted(option)} is no option of {quoted(word)}: remove it, or use {quoted(self.value)}"

    def schema(self) -> dict[str, object]:
        """See `Rule`."""
        return {"if": {"properties": {self.key: {"const": self.value}}}, "else": {"maxProperties": 1}}


def _excluded(first: str, second: str) -> str:
    return f"{quoted(first)} and {quoted(second)} exclude each other: keep one of them"
