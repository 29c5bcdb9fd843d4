"""What a grammar under construction consists of: fields, loops, totals, and their notation."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct, field

from judge.grammar.checktestdata.reader import Command, Place, Value


class Field(Struct, eq=False):
    """A field under construction.

    Attributes:
        kind: `integer`, `real`, `word`, or `text` for a word with spaces.
        text: the pattern of a word; empty if it is the class `letters`, `low` to `high` times.
        place: of the command that reads it.
        count: of a list.
        rules: of a list, in the notation of the grammar.
        variable: that it is read into; "" without one.
        loop: around the command.
        index: of the variable, if that is an array.
        is_only: the array has no other values.
        matched: the pattern by which the commands read it; `text` and `letters` may be narrower.
    """

    kind: str
    place: Place
    name: str = ""
    text: str = ""
    letters: str = ""
    low: str = ""
    high: str = ""
    decimals: str = ""
    count: str = ""
    rules: dict[str, Any] = field(default_factory=dict)
    variable: str = ""
    loop: "Loop | None" = None
    index: str = ""
    is_only: bool = False
    matched: str = ""

    def notation(self) -> Any:
        """Return what stands after the name."""
        item: Any
        ends = self.low if self.low == self.high else f"{self.low}..{self.high}"
        match self.kind:
            case "integer":
                item = ends
            case "real":
                item = {"real": ends, "decimals": self.decimals}
            case "word" if self.letters:
                item = {"word": self.letters, "length": ends}
            case kind:
                item = {kind: self.text}
        return {"list": item, "count": self.count, **self.rules} if self.count else item

    def pattern(self) -> str | None:
        """Return the values as a pattern, if that is not too long; None for a list."""
        if self.count or self.kind == "real":
            return None
        if self.letters:
            is_bounded = self.low.isdecimal() and self.high.isdecimal()
            return f"{self.letters}{{{self.low},{self.high}}}" if is_bounded else None
        if self.kind == "integer":
            return integer_pattern(self.low, self.high)
        return self.text


class Loop(Struct, eq=False):
    """A loop that is being read, or a condition.

    Attributes:
        block: its notation; None for a list within a line.
        outer: the loop around it.
        count: how often it runs; "" for a condition.
        counter: the variable that counts the repetitions from 0.
        body: its commands; none for a condition.
        changes: in how many places of them each variable is set.
        initial: what the variables that it sets are before it, as far as that is known.
        names: the fields before it.
        filled: the arrays that may have values before it.
        index: the name of the number of the repetition; "" if nothing uses it.
    """

    block: dict[str, Any] | None
    outer: "Loop | None"
    count: str = ""
    counter: str = ""
    body: Sequence[Command] = ()
    changes: Counter[str] = field(default_factory=Counter)
    initial: dict[str, str] = field(default_factory=dict)
    names: Sequence[str] = ()
    filled: frozenset[str] = frozenset()
    index: str = ""


class Total(Struct):
    """A variable that adds up something in a loop; `field` is that of a list."""

    loop: Loop
    what: str
    field: Field | None = None


def written(item: Any) -> Any:
    """Return an item with the notation of its fields."""
    match item:
        case Field():
            return item.notation()
        case dict():
            return {key: written(each) for key, each in item.items()}
        case list():
            return [written(each) for each in item]
        case _:
            return item


def reads(commands: Sequence[Command]) -> Iterator[str]:
    """Yield the names of the commands, inner ones included, that read or assert something."""
    for command in commands:
        if command.name not in ("SET", "UNSET", "EOF"):
            yield "NEWLINE" if command.name == "STRING" and "\n" in command.arguments[0].text else command.name
        if command.separator is not None:
            yield command.separator.name
        yield from reads((*command.body, *command.otherwise))


def flattened(commands: Sequence[Command]) -> Iterator[Command]:
    """Yield commands, inner ones included."""
    for command in commands:
        yield command
        yield from flattened((*command.body, *command.otherwise))


def assigned(commands: Sequence[Command]) -> Iterator[str]:
    """Yield the variables that commands, inner ones included, set or read: once for each place."""
    for command in commands:
        match command.name:
            case "SET":
                yield from (each.parts[0].text for each in command.arguments)
            case "UNSET":
                yield from (each.text for each in command.arguments)
            case "REPI" | "WHILEI":
                yield command.arguments[0].text
            case _ if (target := target_of(command)) is not None:
                yield target.text
        if command.separator is not None:
            yield from assigned([command.separator])
        yield from assigned((*command.body, *command.otherwise))


def unset_last(commands: Sequence[Command]) -> set[str]:
    """Return the variables that have no value after commands."""
    seen: set[str] = set()
    found: set[str] = set()
    for command in reversed(commands):
        names = set(assigned([command])) - seen
        seen |= names
        found |= names if command.name == "UNSET" else set()
    return found


def target_of(command: Command) -> Value | None:
    """Return the variable that a command reads into, if there is one."""
    position = {"INT": 2, "FLOAT": 2, "FLOATP": 4, "REGEX": 1}.get(command.name, len(command.arguments))
    return next((each for each in command.arguments[position:] if each.kind == "name"), None)


def exact(text: str) -> Fraction | None:
    """Return the number that a text is; None if it is none, or too large to matter."""
    try:
        number = Fraction(text) if len(text) < 100 and len(text.lower().partition("e")[2]) < 4 else None
    except (ValueError, ZeroDivisionError):
        return None
    return number if number is None or abs(number) < 10**100 else None


def shifted(expression: str, by: int) -> str:
    """Return an expression for one more, one less, or the same."""
    if not by:
        return expression
    if expression.lstrip("-").isdecimal():
        return str(int(expression) + by)
    return f"{expression} {'+' if by > 0 else '-'} 1"


def integer_pattern(low: str, high: str) -> str | None:
    """Return a pattern of the integers of a range without negative ones; None if that is not simple."""
    if not low.isdecimal() or not high.isdecimal() or int(high) - int(low) > 60:
        return None if not (low in ("0", "1") and re.fullmatch("10*|9+", high)) else _round_pattern(low, high)
    return "|".join(map(str, range(int(low), int(high) + 1)))


def _round_pattern(low: str, high: str) -> str:
    digits = len(high) if high.startswith("9") else len(high) - 1
    parts = [*(["0"] if low == "0" else []), f"[1-9][0-9]{{0,{digits - 1}}}" if digits > 1 else "[1-9]"]
    return "|".join([*parts, *([high] if high.startswith("1") else [])])
