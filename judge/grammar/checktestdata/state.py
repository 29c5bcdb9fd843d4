"""The state of a conversion: names, variables, notes; expressions in the notation of the grammar."""

import re
from collections.abc import Sequence
from keyword import iskeyword
from pathlib import Path
from typing import Any, NoReturn

from judge.errors import Diagnostic, Severity
from judge.grammar.checktestdata.parts import Field, Loop, Total, exact
from judge.grammar.checktestdata.reader import Place, Value
from judge.grammar.expressions import RESERVED, ExpressionError, parse_expression
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
        self._columns: dict[str, tuple[dict[str, Any], str]] = {}  # arrays: the block and its field
        self._totals: dict[str, Total] = {}
        self._open: dict[int, tuple[dict[str, Any] | Field, Place]] = {}  # what nothing limits
        self._line: list[Field | str] = []  # fields and constant texts, blanks included
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

    def _expression(self, value: Value) -> str:
        """Return an expression in the notation of the grammar; a number if it is one.

        Raises:
            NoCounterpartError: there is none.
        """
        text = self._text(value)
        try:
            found = parse_expression(text, self._names, {})
        except ExpressionError:
            raise NoCounterpartError from None
        return text if type(found.constant) is not int else str(found.constant)

    def _text(self, value: Value) -> str:  # noqa: PLR0911 - one case for each kind of value
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
            case "*" | "/" | "%" | "^":
                return value.kind.join(map(self._operand, value.parts))
        raise NoCounterpartError

    def _operand(self, value: Value) -> str:
        text = self._text(value)
        return text if re.fullmatch(r"\w+|length\(\w+\)", text) else f"({text})"

    def _variable(self, value: Value) -> str:
        name = value.text
        if value.parts:
            found = self._fields.get(name)
            loop = self._loops[-1] if self._loops else None
            is_own = found is not None and not found.count and loop is not None and found.loop is loop
            if found is not None and is_own and found.index == index_text(value.parts):
                return found.name
            raise NoCounterpartError
        if name in self._values:
            return self._values[name]
        if name in self._fields and not self._fields[name].count:
            return self._fields[name].name
        raise NoCounterpartError

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

    def _forget(self, variable: str) -> None:
        tables: tuple[dict[str, Any], ...] = (self._values, self._strings, self._fields, self._columns, self._totals)
        for table in tables:
            table.pop(variable, None)


def index_text(indices: Sequence[Value]) -> str:
    """Return indices as a text by which they can be compared."""
    return ",".join(f"{each.kind}:{each.text}({index_text(each.parts)})" for each in indices)
