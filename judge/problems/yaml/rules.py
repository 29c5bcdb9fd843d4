"""Keys of one mapping that exclude or require each other: checked here, and part of the JSON Schema.

A Record lists its rules in the class variable `rules`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from judge.problems.yaml.text import quote, quote_all


class Rule(ABC):
    """A condition on the keys of a mapping."""

    @abstractmethod
    def violations(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        """Yield each violation as the key that is wrong (None: the whole mapping) and a message.

        Args:
            values: the keys in the file's order with their values; a wrong value is None.
        """

    @abstractmethod
    def schema(self) -> dict[str, object]:
        """Return the condition as a JSON Schema."""


class ExactlyOne(Rule):
    """Exactly one of the keys must be there; `missing` is the message if none is."""

    def __init__(self, keys: tuple[str, ...], missing: str) -> None:
        self.keys = keys
        self.missing = missing

    def violations(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        present = [key for key in values if key in self.keys]
        if not present:
            yield None, f"{self.missing}: add one of {quote_all(self.keys)}"
        for key in present[1:]:
            yield key, _exclusive(present[0], key)

    def schema(self) -> dict[str, object]:
        return {"oneOf": [{"required": [key]} for key in self.keys]}


class NotTogether(Rule):
    """At most one of two keys may be there."""

    def __init__(self, one: str, other: str) -> None:
        self.one = one
        self.other = other

    def violations(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        if self.one in values and self.other in values:
            first, second = (key for key in values if key in (self.one, self.other))
            yield second, _exclusive(first, second)

    def schema(self) -> dict[str, object]:
        return {"not": {"required": [self.one, self.other]}}


class Requires(Rule):
    """A key that has no meaning without another one."""

    def __init__(self, key: str, other: str) -> None:
        self.key = key
        self.other = other

    def violations(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        if self.key in values and self.other not in values:
            key, other = quote(self.key), quote(self.other)
            yield self.key, f"{key} requires {other}: add {other}, or remove {key}"

    def schema(self) -> dict[str, object]:
        return {"dependentRequired": {self.key: [self.other]}}


class OptionsOf(Rule):
    """Other keys are allowed only where `key` is `value`."""

    def __init__(self, key: str, value: str) -> None:
        self.key = key
        self.value = value

    def violations(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        word = values.get(self.key, self.value)
        if not isinstance(word, str) or word == self.value:
            return
        for option in values:
            if option != self.key:
                yield option, f"{quote(word)} has no option {quote(option)}: remove it, or use {quote(self.value)}"

    def schema(self) -> dict[str, object]:
        return {"if": {"properties": {self.key: {"const": self.value}}}, "else": {"maxProperties": 1}}


class AllowedWith(Rule):
    """With `key`, only some other keys are allowed; they have no meaning without it."""

    def __init__(self, key: str, others: tuple[str, ...]) -> None:
        self.key = key
        self.others = others

    def violations(self, values: Mapping[str, object]) -> Iterator[tuple[str | None, str]]:
        for key in values:
            if self.key in values and key not in (self.key, *self.others):
                yield key, f"{quote(self.key)} and {quote(key)} are mutually exclusive: remove {quote(key)}"
            if self.key not in values and key in self.others:
                yield key, f"{quote(key)} requires {quote(self.key)}: add {quote(self.key)}, or remove {quote(key)}"

    def schema(self) -> dict[str, object]:
        return {
            "if": {"required": [self.key]},
            "then": {"propertyNames": {"enum": [self.key, *self.others]}},
            "else": {"properties": dict.fromkeys(self.others, False)},
        }


def _exclusive(first: str, second: str) -> str:
    return f"{quote(first)} and {quote(second)} are mutually exclusive: keep one of them"
