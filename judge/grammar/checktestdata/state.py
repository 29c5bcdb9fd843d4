"""The state of a conversion: names, variables, notes; expressions in the notation of the grammar."""

import re
from collections import Counter
from collections.abc import Sequence
from keyword import iskeyword
from pathlib import Path
from typing import Any, NoReturn

from judge.errors import Diagnostic, Severity
from judge.grammar.checktestdata.parts import Field, Loop, Total, assigned, exact, unset_last
from judge.grammar.checktestdata.reader import Command, Place, Value
from judge.grammar.expressions import RESERVED, ExpressionError, parse_expression
from judge.grammar.intervals import ANY, Interval, interval_of
from judge.grammar.notation import SPECIAL_WORDS

_NAMES = {"integer": "xyzuvwpqr", "real": "xyzuvwpqr", "word": "st", "text": "st", "list": "abcd"}


class StopError(Exception):
    """There is no grammar; the note says why."""


class NoCounterpartError(Exception):
    """An expression has no counterpart."""


class State:
    """A conversion under way."""

    def __init__(self, shown: Path) -> None:
        self.notes: list[Diagnostic] = []
        self.lost: set[int] = set()  # lines with rules that the grammar lacks
        self.accepts_less = False
        self._shown = shown
        self._taken: set[str] = set()  # names of fields
        self._names: list[str] = []  # of the fields that expressions may use
        self._values: dict[str, str] = {}  # variables that are an expression
        self._strings: dict[str, str] = {}
        self._fields: dict[str, Field] = {}  # variables that were read
        self._columns: dict[str, Field] = {}  # arrays that a block has filled
        self._arrays: set[str] = set()  # arrays that may have values
        self._changes: Counter[str] = Counter()  # in how many places each variable is set
        self._reals: set[str] = set()  # variables that are not integers
        self._intervals: dict[str, Interval] = {}  # of the integer fields
        self._totals: dict[str, Total] = {}
        self._open: dict[int, tuple[dict[str, Any] | Field, Place]] = {}  # what nothing limits
        self._line: list[Field | str] = []  # fields and constant texts, spaces included
        self._items: list[Any] = []
        self._relations: list[str] = []  # that follow the line
        self._loops: list[Loop] = []
        self._ends_line = False  # the line end that follows belongs to the last repetition

    def _note(self, place: Place, message: str, severity: Severity = Severity.WARNING) -> None:
        self.notes.append(
            Diagnostic(path=self._shown, line=place.line, column=place.column, severity=severity, message=message)
        )

    def _lose(self, place: Place, message: str) -> None:
        """Note a rule that the grammar lacks."""
        self.lost.add(place.line)
        self._note(place, f"{message}, so the grammar accepts more")

    def _narrow(self, place: Place, message: str) -> None:
        """Note inputs that the grammar lacks."""
        self.accepts_less = True
        self._note(place, f"{message}, so the grammar accepts less")

    def _stop(self, place: Place, message: str) -> NoReturn:
        self._note(place, f"{message}, so there is no grammar", Severity.ERROR)
        raise StopError

    @property
    def _loop(self) -> Loop | None:
        """The loop or condition that is being read."""
        return self._loops[-1] if self._loops else None

    def _enter(self, block: dict[str, Any] | None, count: str, command: Command, counter: str) -> Loop:
        """Begin a loop: nothing is known of the variables that it sets, because of the repetitions before."""
        changes = Counter(assigned(command.body))
        changed = {*changes, *assigned([command])}
        loop = Loop(
            block=block,
            outer=self._loop,
            count=count,
            counter="" if counter in changes else counter,
            body=command.body,
            changes=changes,
            initial={name: self._values[name] for name in changed if name in self._values},
            names=tuple(self._names),
            filled=frozenset(self._arrays),
        )
        for name in changed:
            self._forget(name)
        self._arrays |= set(changes) - unset_last(command.body)
        self._loops.append(loop)
        return loop

    def _leave(self) -> None:
        """End a loop: of the variables that it sets, only totals and what it reads are known."""
        loop = self._loops.pop()
        totals = {name: total for name, total in self._totals.items() if total.loop is loop}
        columns = {name: found for name, found in self._fields.items() if found.loop is loop}
        for name in loop.changes:
            self._forget(name)
        self._arrays |= loop.filled
        self._totals |= totals
        (self._fields if loop.block is None else self._columns).update(columns)

    def _interval(self, expression: str) -> Interval:
        """Return between which numbers an expression in the notation of the grammar is."""
        try:
            return interval_of(parse_expression(expression, list(self._taken), {}, list(self._taken)), self._intervals)
        except ExpressionError:
            return ANY

    def _is_natural(self, expression: str) -> bool:
        """Return whether an expression is never negative."""
        return self._interval(expression)[0] >= 0

    def _expression(self, value: Value) -> str:
        """Return an expression in the notation of the grammar; a number if it is one.

        Raises:
            NoCounterpartError: there is none.
        """
        text = self._text(value)
        try:
            found = parse_expression(text, self._names, {}, self._names)
        except ExpressionError:
            raise NoCounterpartError from None
        return text if type(found.constant) is not int else str(found.constant)

    def _text(self, value: Value) -> str:  # noqa: C901, PLR0911 - one case for each kind of value
        match value.kind:
            case "number" if (number := exact(value.text)) is not None and number.denominator == 1:
                return str(number)
            case "name":
                return self._variable(value)
            case "negative":
                return f"-{self._operand(value.parts[0])}"
            case "!":
                return f"not ({self._text(value.parts[0])})"
            case "&&" | "||":
                return (" and " if value.kind == "&&" else " or ").join(map(self._operand, value.parts))
            case "STRLEN":
                return f"length({self._text(value.parts[0])})"
            case "<" | "<=" | ">" | ">=" | "==" | "!=" | "+" | "-":
                return f" {value.kind} ".join(map(self._operand, value.parts))
            case "/" | "%" if any(map(self._is_real, value.parts)):
                raise NoCounterpartError
            case "/" | "%" if not all(self._is_natural(self._text(each)) for each in value.parts):
                raise NoCounterpartError  # the notation rounds down, Checktestdata rounds to 0
            case "*" | "/" | "%" | "^":
                return value.kind.join(map(self._operand, value.parts))
        raise NoCounterpartError

    def _operand(self, value: Value) -> str:
        text = self._text(value)
        return text if re.fullmatch(r"\w+|length\(\w+\)", text) else f"({text})"

    def _is_real(self, value: Value) -> bool:
        """Return whether a value may be a number that is not an integer."""
        is_real = not value.text.isdecimal() if value.kind == "number" else value.text in self._reals
        return is_real or any(map(self._is_real, value.parts))

    def _variable(self, value: Value) -> str:
        found = self._fields.get(value.text)
        if not value.parts and value.text in self._values:
            return self._values[value.text]
        if not value.parts and (loop := self._counted_by(value.text)) is not None:
            return f"{self._index(loop)} - 1"
        if not value.parts and (text := self._previous(value.text)):
            return text
        if found is None or found.count or found.index != index_text(value.parts):
            raise NoCounterpartError
        if value.parts and not all(self._is_fixed(each, found) for each in value.parts):
            raise NoCounterpartError
        return found.name

    def _counted_by(self, variable: str) -> Loop | None:
        """Return the loop around the command that a variable counts."""
        return next((loop for loop in reversed(self._loops) if loop.counter == variable), None)

    def _index(self, loop: Loop) -> str:
        """Return the name of the number of the repetition, from 1, and let the loop have it."""
        if not loop.index:
            loop.index = self._new_name(loop.counter, "integer")
            self._intervals[loop.index] = 1, self._interval(loop.count)[1]
            if loop.block is not None:
                loop.block["index"] = loop.index
        if loop.index not in self._names:
            self._names.append(loop.index)
        return loop.index

    def _kept(self, variable: str) -> Field | None:
        """Return the field whose value in the repetition before a variable has, by `SET(last = x)` after reading it."""
        loop = self._loop
        sets = [
            (at, each)
            for at, command in enumerate(loop.body if loop else ())
            for each in (command.arguments if command.name == "SET" else ())
            if each.parts[0].text == variable
        ]
        if loop is None or len(sets) != 1 or loop.changes[variable] != 1 or variable in self._values:
            return None
        at, (target, source) = sets[0][0], sets[0][1].parts
        found = self._fields.get(source.text) if source.kind == "name" else None
        if target.parts or found is None or found.loop is not loop or found.index != index_text(source.parts):
            return None
        is_read_before = any(source.text in assigned([each]) for each in loop.body[:at])
        return found if is_read_before and loop.changes[source.text] == 1 else None

    def _previous(self, variable: str) -> str:
        """Return the value in the repetition before, if a variable keeps it and has one before the first; else ""."""
        loop, found = self._loop, self._kept(variable)
        if loop is None or loop.block is None or found is None or found.kind != "integer" or found.index:
            return ""
        return f"previous({found.name}, {loop.initial[variable]})" if variable in loop.initial else ""

    def _is_fixed(self, index: Value, found: Field) -> bool:
        """Return whether an index is the same as when a field was read."""
        counters = [loop.counter for loop in self._loops if loop.counter]
        is_known = index.kind == "name" and not index.parts and index.text in counters
        return found.loop in self._loops and (is_known or index.kind == "number")

    def _required(self, value: Value, what: str) -> str:
        try:
            return self._expression(value)
        except NoCounterpartError:
            self._stop(value.place, f"{what} has no counterpart in a grammar")

    def _new_name(self, wanted: str, kind: str) -> str:
        """Return a name that is not taken."""
        names = [wanted] if wanted else list(_NAMES[kind])
        names += [f"{names[0]}{number}" for number in range(2, 2000)]
        for each in names:
            if each not in self._taken and not iskeyword(each) and each not in (*RESERVED, *SPECIAL_WORDS):
                self._taken.add(each)
                return each
        return self._stop(Place(1, 1), "there are too many values")

    @property
    def _tables(self) -> tuple[dict[str, Any], ...]:
        """All that is known of variables, by their names."""
        return self._values, self._strings, self._fields, self._columns, self._totals

    def _forget(self, variable: str) -> None:
        for table in self._tables:
            table.pop(variable, None)
        self._reals.discard(variable)


def index_text(indices: Sequence[Value]) -> str:
    """Return indices as a text by which they can be compared."""
    return ",".join(f"{each.kind}:{each.text}({index_text(each.parts)})" for each in indices)
