"""Checktestdata to the notation of `input:`, as far as that goes.

Commands are run symbolically: what they read becomes lines with fields, loops become blocks or lists, and what is
computed and asserted becomes bounds, orders and relations. A rule that has no counterpart is reported and left out, so
the grammar then accepts more inputs; if the shape of the lines has no counterpart there is no grammar.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from keyword import iskeyword
from pathlib import Path
from typing import Any, NoReturn

from msgspec import Struct, field

from judge.errors import DataError, Diagnostic, Severity
from judge.grammar.checktestdata import ChecktestdataError, Command, Place, Value, read_commands
from judge.grammar.ctd_words import bound_pattern
from judge.grammar.expressions import RESERVED, ExpressionError, parse_expression
from judge.grammar.forms import END_OF_FILE
from judge.grammar.grammar import Grammar
from judge.grammar.notation import SPECIAL_WORDS
from judge.grammar.patterns import PatternError, parse_pattern

_MANY = 1000  # values or repetitions that nothing limits
_DECIMALS = 6  # of a number whose decimals are not limited
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ORDERS = {"<": "strictly ascending", "<=": "ascending", ">": "strictly descending", ">=": "descending"}
_NAMES = {"integer": "xyzuvwpqr", "real": "xyzuvwpqr", "word": "st", "text": "st", "list": "abcd"}


class Conversion(Struct, frozen=True, kw_only=True):
    """What a program in Checktestdata becomes.

    Attributes:
        value: of the key `input:`; None if there is none.
        notes: what the grammar does not express, with places; errors in the program itself.
        accepts_more: it lacks rules of the program.
        accepts_less: it lacks inputs that the program accepts.
    """

    value: Any
    notes: tuple[Diagnostic, ...]
    accepts_more: bool = False
    accepts_less: bool = False


def convert(text: str, shown: Path) -> Conversion:
    """Convert a program.

    Args:
        text: of the program; its constants are already replaced.
        shown: the file, for messages.
    """
    converter = _Converter(shown)
    try:
        items: Any = converter.whole(read_commands(text))
    except ChecktestdataError as error:
        note = Diagnostic(path=shown, line=error.line, column=error.column, message=str(error))
        return Conversion(value=None, notes=(note,))
    except _StopError:
        return Conversion(value=None, notes=tuple(converter.notes))
    if converter.lost:
        numbers = ", ".join(map(str, sorted(converter.lost)))
        rules = f"the rule in line {numbers}" if len(converter.lost) == 1 else f"the rules in lines {numbers}"
        items = {"lines": items, "also": f"{rules} of {shown.name} hold" + ("s" if len(converter.lost) == 1 else "")}
    try:
        Grammar.from_yaml(items)
    except DataError as error:
        message = f"has no counterpart in a grammar: {error.diagnostics[0].message}"
        converter.notes.append(Diagnostic(path=shown, line=1, column=1, message=message))
        return Conversion(value=None, notes=tuple(converter.notes))
    return Conversion(
        value=items,
        notes=tuple(converter.notes),
        accepts_more=bool(converter.lost),
        accepts_less=converter.accepts_less,
    )


class _StopError(Exception):
    """There is no grammar; the note says why."""


class _NoCounterpartError(Exception):
    """An expression has no counterpart."""


class _Field(Struct, eq=False):
    """A field under construction.

    Attributes:
        kind: `integer`, `real`, `word`, or `text` for a word with blanks.
        text: the pattern of a word; empty if it is the class `letters`, `low` to `high` times.
        place: of the command that reads it.
        count: of a list.
        rules: of a list, in the notation of the grammar.
        is_cut: nothing limits the length of a word.
        loop, index: where an array gets it as an item, and with which index.
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
    is_cut: bool = False
    loop: "_Loop | None" = None
    index: str = ""

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
            return _integer_pattern(self.low, self.high)
        return self.text


class _Loop(Struct):
    """A loop that is being read.

    Attributes:
        block: its notation; None for a list within a line.
        counter: the variable that counts the repetitions from 0.
        body: its commands.
    """

    block: dict[str, Any] | None
    counter: str
    body: Sequence[Command]


class _Total(Struct):
    """A variable that adds up something in a loop; `field` is that of a list."""

    block: dict[str, Any] | None
    what: str
    field: _Field | None = None


class _Converter:
    def __init__(self, shown: Path) -> None:
        self.notes: list[Diagnostic] = []
        self.lost: set[int] = set()  # lines with rules that the grammar lacks
        self.accepts_less = False
        self._shown = shown
        self._taken: set[str] = set()  # names of fields
        self._names: list[str] = []  # of the fields that expressions may use
        self._values: dict[str, str] = {}  # variables that are an expression
        self._strings: dict[str, str] = {}
        self._fields: dict[str, _Field] = {}  # variables that were read
        self._columns: dict[str, tuple[dict[str, Any], str]] = {}  # arrays: the block and its field
        self._totals: dict[str, _Total] = {}
        self._open: dict[int, tuple[dict[str, Any] | _Field, Place]] = {}  # what nothing limits
        self._line: list[_Field | str] = []  # fields and constant texts, blanks included
        self._items: list[Any] = []
        self._relations: list[str] = []  # that follow the line
        self._loops: list[_Loop] = []
        self._ends_line = False  # the line end that follows belongs to the last repetition

    def whole(self, commands: Sequence[Command]) -> list[Any]:
        """Return the items of the whole input.

        Raises:
            _StopError: there is no grammar.
        """
        items = self._block(commands)
        for what, place in self._open.values():
            if isinstance(what, _Field) and not what.count:
                most = what.high or "100"
                self._narrow(place, f"nothing limits the length of the word: {most} characters per `+` or `*` at most")
            else:
                self._narrow(place, f"nothing limits how many there are: {_MANY} at most")
        if not any(not isinstance(item, dict) or "where" not in item for item in items):
            self._stop(Place(1, 1), "reads nothing: a grammar has at least one line")
        return [_written(item) for item in items]

    # ---- notes

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
        raise _StopError

    # ---- expressions

    def _expression(self, value: Value) -> str:
        """Return an expression in the notation of the grammar; a number if it is one.

        Raises:
            _NoCounterpartError: there is none.
        """
        text = self._text(value)
        try:
            found = parse_expression(text, self._names, {})
        except ExpressionError:
            raise _NoCounterpartError from None
        return text if type(found.constant) is not int else str(found.constant)

    def _text(self, value: Value) -> str:  # noqa: PLR0911 - one case for each kind of value
        match value.kind:
            case "number" if (number := _exact(value.text)) is not None and number.denominator == 1:
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
        raise _NoCounterpartError

    def _operand(self, value: Value) -> str:
        text = self._text(value)
        return text if re.fullmatch(r"\w+|length\(\w+\)", text) else f"({text})"

    def _variable(self, value: Value) -> str:
        name = value.text
        if value.parts:
            found = self._fields.get(name)
            loop = self._loops[-1] if self._loops else None
            is_own = found is not None and not found.count and loop is not None and found.loop is loop
            if found is not None and is_own and found.index == _index_text(value.parts):
                return found.name
            raise _NoCounterpartError
        if name in self._values:
            return self._values[name]
        if name in self._fields and not self._fields[name].count:
            return self._fields[name].name
        raise _NoCounterpartError

    def _required(self, value: Value, what: str) -> str:
        try:
            return self._expression(value)
        except _NoCounterpartError:
            self._stop(value.place, f"{what} has no counterpart in a grammar")

    # ---- lines

    def _block(self, commands: Sequence[Command]) -> list[Any]:
        """Return the items of commands that read whole lines."""
        outer, self._items = self._items, []
        for command in commands:
            self._command(command)
        if self._line:
            self._stop(commands[-1].place, "the last line has no NEWLINE")
        items, self._items = self._items, outer
        return items

    def _command(self, command: Command) -> None:  # noqa: C901 - one case for each command
        ends_line, self._ends_line = self._ends_line, False
        match command.name:
            case "SPACE":
                self._line.append(" ")
            case "NEWLINE" if ends_line:
                return
            case "NEWLINE":
                self._end_line(command.place)
            case "INT" | "FLOAT" | "FLOATP" | "REGEX":
                self._line.append(self._read(command))
            case "STRING":
                self._constant(command)
            case "REP" | "REPI":
                self._repeat(command)
            case "WHILE" | "WHILEI":
                self._while(command)
            case "ASSERT":
                self._assert(command.arguments[0])
                self._ends_line = ends_line
            case "SET" | "UNSET":
                for each in command.arguments:
                    self._forget(each.text) if command.name == "UNSET" else self._set(each)
            case "IF":
                self._if(command)

    def _end_line(self, place: Place) -> None:
        pieces, self._line = self._line, []
        if any(isinstance(each, _Field) for each in pieces):
            self._items.append(self._fields_of(pieces, place))
        else:
            self._items.append("".join(each for each in pieces if isinstance(each, str)))
        self._items += [{"where": relation} for relation in self._relations]
        self._relations = []

    def _fields_of(self, pieces: Sequence[_Field | str], place: Place) -> dict[str, Any]:
        """Return the fields of a line: blanks separate them, and what has no blank between it is one word."""
        groups: list[list[_Field | str]] = [[]]
        for piece in pieces:
            if isinstance(piece, str):
                first, *more = piece.split(" ")
                groups[-1] += [first] if first else []
                groups += [[each] if each else [] for each in more]
            else:
                groups[-1].append(piece)
        line: dict[str, Any] = {}
        for group in groups:
            if not group:
                self._stop(place, "a blank at the end of a line, or two in a row, has no counterpart in a grammar")
            found = group[0] if len(group) == 1 and isinstance(group[0], _Field) else self._join(group, place)
            line[found.name] = found
        return line

    def _join(self, group: Sequence[_Field | str], place: Place) -> _Field:
        """Return one word for values and texts without a blank between them."""
        patterns = []
        for each in group:
            pattern = re.sub(r"([^A-Za-z0-9])", r"\\\1", each) if isinstance(each, str) else each.pattern()
            if pattern is None:
                assert isinstance(each, _Field)
                self._stop(each.place, "values without a blank between them have no counterpart in a grammar")
            patterns.append(f"({pattern})" if "|" in pattern else pattern)
            self._fields = {name: found for name, found in self._fields.items() if found is not each}
            self._names = [name for name in self._names if isinstance(each, str) or name != each.name]
        first = next((each for each in group if isinstance(each, _Field)), None)
        names = {each.name for each in group if isinstance(each, _Field)}
        if first is not None and any(names.intersection(re.findall(r"\w+", text)) for text in self._relations):
            self._lose(first.place, "a rule about a part of a word has no counterpart in a grammar")
            self._relations = []
        name = first.name if first else self._new_name("", "word")
        return _Field(kind="word", place=first.place if first else place, name=name, text="".join(patterns))

    # ---- values

    def _read(self, command: Command) -> _Field:
        """Return the field that a command reads."""
        position = {"INT": 2, "FLOAT": 2, "FLOATP": 4, "REGEX": 1}[command.name]
        target = command.arguments[position] if len(command.arguments) > position else None
        match command.name:
            case "REGEX":
                found = self._word(command)
            case "INT":
                low, high = (self._required(each, "the bound") for each in command.arguments[:2])
                found = _Field(kind="integer", place=command.place, low=low, high=high)
            case _:
                found = self._real(command)
        is_element = bool(self._loops) and self._loops[-1].block is None
        found.name = self._new_name(target.text if target else "", "list" if is_element else found.kind)
        if target is not None:
            self._forget(target.text)
            self._fields[target.text] = found
            found.loop, found.index = (self._loops[-1] if self._loops else None), _index_text(target.parts)
            if found.kind != "real":
                self._names.append(found.name)
        return found

    def _real(self, command: Command) -> _Field:
        low, high = (self._decimal(each) for each in command.arguments[:2])
        if command.name == "FLOATP":
            least, most = (self._decimal(each) for each in command.arguments[2:4])
            if not least.isdecimal() or not most.isdecimal():
                self._stop(command.place, "the number of decimals has no counterpart in a grammar")
            decimals = least if least == most else f"{least}..{most}"
        else:
            decimals = f"0..{_DECIMALS}"
            self._narrow(command.place, f"a number has at most {_DECIMALS} decimals and no exponent")
        return _Field(kind="real", place=command.place, low=low, high=high, decimals=decimals)

    def _decimal(self, value: Value) -> str:
        """Return a constant as a decimal number."""
        negative = value.kind == "negative"
        number = _exact(value.parts[0].text if negative else value.text)
        if number is None:
            return self._required(value, "the bound")
        number = -number if negative else number
        return str(number) if number.denominator == 1 else f"{float(number):.12f}".rstrip("0")

    def _word(self, command: Command) -> _Field:
        source = command.arguments[0]
        regex = source.text if source.kind == "string" else self._strings.get(source.text)
        if regex is None:
            self._stop(source.place, "a regular expression that is not a constant has no counterpart in a grammar")
        bounded = bound_pattern(regex)
        try:
            pattern = parse_pattern(bounded.letters or bounded.text)
        except PatternError as error:
            self._stop(source.place, f"the regular expression has no counterpart in a grammar ({error})")
        found = _Field(kind="word", place=command.place, text=bounded.text, letters=bounded.letters)
        if bounded.letters:
            found.low, found.high, found.is_cut = str(bounded.low), str(bounded.high), bounded.is_cut
        elif " " in pattern.alphabet or pattern.shortest == 0:
            found.kind = "text"
        if bounded.is_cut:
            self._open[id(found)] = found, command.place
        return found

    def _constant(self, command: Command) -> None:
        value = command.arguments[0]
        text = value.text if value.kind == "string" else self._strings.get(value.text)
        if text is None or not text.isascii():
            self._stop(value.place, "a string that is not a constant has no counterpart in a grammar")
        for number, part in enumerate(text.split("\n")):
            if number:
                self._end_line(command.place)
            if part:
                self._line.append(part)

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

    # ---- loops

    def _repeat(self, command: Command) -> None:
        count = self._required(command.arguments[-1], "the count")
        counter = command.arguments[0].text if command.name == "REPI" else ""
        separator = command.separator.name if command.separator else ""
        if any(each == "NEWLINE" for each in _reads(command.body)) or separator == "NEWLINE":
            self._lines_loop({"repeat": count}, command, counter)
        else:
            self._list(count, command, counter)
        if counter:
            self._forget(counter)
            self._values[counter] = count

    def _while(self, command: Command) -> None:
        test = command.arguments[-1]
        counter = command.arguments[0].text if command.name == "WHILEI" else ""
        inner = test.parts[0] if test.kind == "!" else None
        separator = command.separator.name if command.separator else ""
        if inner is not None and inner.kind == "ISEOF" and not separator:
            block: dict[str, Any] = {"repeat": f"0..{_MANY}", "until": END_OF_FILE}
            self._open[id(block)] = block, command.place
            self._lines_loop(block, command, counter)
            self._totals[counter or " "] = _Total(block, "1")
        elif inner is not None and inner.kind == "MATCH" and inner.parts[0].text == "\n" and separator in ("", "SPACE"):
            found = self._list(f"0..{_MANY}", command, counter)
            self._open[id(found)] = found, command.place
            self._totals[counter or " "] = _Total(None, "1", found)
        else:
            self._stop(test.place, "a loop with this condition has no counterpart in a grammar")

    def _lines_loop(self, block: dict[str, Any], command: Command, counter: str) -> None:
        """Add a block: its body reads whole lines."""
        body = list(command.body)
        ends = Command(name="NEWLINE", place=command.place)
        if command.separator is not None:
            body.append(ends)
        elif body and body[0].name == "NEWLINE" and (self._line or body[-1].name != "NEWLINE"):
            self._end_line(body[0].place)
            body = [*body[1:], ends]
        ends_line = body[-1:] == [ends]
        if self._line:
            self._stop(command.place, "a loop over lines that begins within a line has no counterpart in a grammar")
        known, names = dict(self._fields), list(self._names)
        self._loops.append(_Loop(block, counter, body))
        block["lines"] = self._block(body)
        self._loops.pop()
        for variable, found in list(self._fields.items()):
            if known.get(variable) is not found:
                del self._fields[variable]
                self._columns[variable] = block, found.name
        self._names = names
        self._items.append(block)
        self._ends_line = ends_line

    def _list(self, count: str, command: Command, counter: str) -> _Field:
        """Add a list to the line: its body reads one value, with a blank before it or between two."""
        outer, self._line = self._line, []
        self._loops.append(_Loop(None, counter, command.body))
        for each in command.body:
            self._command(each)
        self._loops.pop()
        pieces, self._line = self._line, outer
        if command.separator is None and pieces[:1] == [" "]:
            self._line.append(" ")
            pieces = pieces[1:]
        elif command.separator is None:
            return self._characters(count, pieces, command)
        elif command.separator.name != "SPACE":
            self._stop(command.place, "values that are not separated by blanks have no counterpart in a grammar")
        values: list[_Field] = list(self._fields_of(pieces, command.place).values())
        found = values[0]
        if len(values) > 1:
            found = self._merge(values, command.place)
            count = f"{len(values)}*({count})"
        found.count = count
        if found.letters and found.low == "0":
            found.low = "1"
            self._narrow(found.place, "a word in a row is not empty")
        self._names = [name for name in self._names if name not in [value.name for value in values]]
        self._names.append(found.name)
        self._line.append(found)
        return found

    def _merge(self, values: Sequence[_Field], place: Place) -> _Field:
        """Return one field for several in a row."""
        if any(each.kind != "integer" for each in values):
            self._stop(place, "several kinds of values in a row have no counterpart in a grammar")
        ends = [f"min({', '.join(each.low for each in values)})", f"max({', '.join(each.high for each in values)})"]
        self._lose(place, "values of several kinds in a row have no counterpart in a grammar")
        first = values[0]
        return _Field(kind="integer", place=place, name=first.name, low=ends[0], high=ends[1])

    def _characters(self, count: str, pieces: Sequence[_Field | str], command: Command) -> _Field:
        """Add a word: values without a blank between them."""
        only = self._join(pieces, command.place) if pieces else None
        if only is None or not only.text:
            self._stop(command.place, "a loop that reads nothing has no counterpart in a grammar")
        try:
            is_one = parse_pattern(only.text).longest == 1
        except PatternError:
            is_one = False
        if is_one:
            found = _Field(kind="word", place=only.place, name=only.name, letters=only.text, low=count, high=count)
        elif count.isdecimal():
            found = _Field(kind="word", place=only.place, name=only.name, text=f"({only.text}){{{count}}}")
        else:
            self._stop(command.place, "values without a blank between them have no counterpart in a grammar")
        self._line.append(found)
        return found

    # ---- rules

    def _set(self, assignment: Value) -> None:
        target, value = assignment.parts
        loop = self._loops[-1] if self._loops else None
        name = target.text
        if value.kind == "string":
            self._forget(name)
            self._strings[name] = value.text
            return
        if loop is not None and value.kind == "+" and value.parts[0].kind == "name" and value.parts[0].text == name:
            step = value.parts[1]
            with_field = self._fields.get(step.text) if step.kind == "name" else None
            try:
                what = self._expression(step)
            except _NoCounterpartError:
                what = ""
            start = self._values.get(name)
            self._forget(name)
            if what and start == "0":
                self._totals[name] = _Total(loop.block, what, with_field if loop.block is None else None)
            return
        try:
            found = self._expression(value)
        except _NoCounterpartError:
            self._forget(name)
            return
        if loop is not None and value.kind == "name":
            return  # the value of the repetition before: `_order` looks for it
        self._forget(name)
        if target.parts or loop is not None:
            return
        self._values[name] = found if found.lstrip("-").isdecimal() else f"({found})"

    def _assert(self, test: Value) -> None:  # noqa: C901 - one case for each kind of rule
        if test.kind == "&&":
            for each in test.parts:
                self._assert(each)
            return
        if test.kind == "UNIQUE":
            self._unique(test)
            return
        if test.kind in _TURNED:
            one, other = test.parts
            for left, sign, right in ((one, test.kind, other), (other, _TURNED[test.kind], one)):
                if self._limit_length(left, sign, right) or self._limit_total(left, sign, right):
                    return
                if self._order(left, sign, right):
                    return
        try:
            relation = self._expression(test)
        except _NoCounterpartError:
            self._lose(test.place, "the rule has no counterpart in a grammar")
            return
        if relation in ("True", "1"):
            return
        if self._loops and self._loops[-1].block is None:
            self._lose(test.place, "a rule about the values of a row has no counterpart in a grammar")
        else:
            self._relate(relation)

    def _relate(self, relation: str) -> None:
        if self._line:
            self._relations.append(relation)
        else:
            self._items.append({"where": relation})

    def _unique(self, test: Value) -> None:
        variables = [part.text for part in test.parts]
        found = [self._fields.get(variable) for variable in variables]
        if len(found) == 1 and found[0] is not None and found[0].count:
            found[0].rules["distinct"] = True
            return
        columns = [self._columns.get(variable) for variable in variables]
        if all(columns) and len({id(column[0]) for column in columns if column}) == 1:
            block = next(column[0] for column in columns if column)
            if "distinct" not in block:
                names = [column[1] for column in columns if column]
                block["distinct"] = names[0] if len(names) == 1 else names
                return
        self._lose(test.place, "the rule has no counterpart in a grammar")

    def _limit_length(self, left: Value, sign: str, right: Value) -> bool:
        """Let `STRLEN(s) <= n` limit the length of a word."""
        if left.kind != "STRLEN" or left.parts[0].kind != "name":
            return False
        found = self._fields.get(left.parts[0].text)
        if found is None or not found.letters or sign == "!=":
            return False
        try:
            limit = self._expression(right)
            needed = parse_expression(limit, self._names, {}).names
        except (_NoCounterpartError, ExpressionError):
            return False
        before = self._names[: self._names.index(found.name)] if found.name in self._names else self._names
        if not set(needed) <= set(before):
            return False
        return self._narrow_ends(found, sign, limit)

    def _narrow_ends(self, found: _Field, sign: str, limit: str) -> bool:
        limit = _shifted(limit, {"<": -1, ">": 1}.get(sign, 0))
        if sign in ("<", "<=", "=="):
            found.high = limit
            self._open.pop(id(found), None)
        if sign in (">", ">=", "=="):
            found.low = limit
        return True

    def _limit_total(self, left: Value, sign: str, right: Value) -> bool:  # noqa: PLR0911 - early exits
        """Let a rule about what a loop has added up, or how often it ran, limit the loop."""
        total = self._totals.get(left.text) if left.kind == "name" and not left.parts else None
        if total is None or sign == "!=":
            return False
        try:
            limit = self._expression(right)
        except _NoCounterpartError:
            return False
        if total.field is not None and total.what != "1":
            self._relate(f"sum({total.field.name}) {sign} {limit}")
            return True
        limit = _shifted(limit, {"<": -1, ">": 1}.get(sign, 0))
        if total.what != "1":
            if sign not in ("<", "<=") or total.block is None:
                return False
            total.block.setdefault("sum", {})[total.what] = limit
            return True
        target: Any = total.block if total.block is not None else total.field
        count = target["repeat"] if isinstance(target, dict) else target.count
        low, _, high = count.partition("..")
        if not high:
            return False
        low, high = (limit if sign in (">", ">=", "==") else low), (limit if sign in ("<", "<=", "==") else high)
        if sign in ("<", "<=", "=="):
            self._open.pop(id(target), None)
        count = f"{low}..{high}"
        if isinstance(target, dict):
            target["repeat"] = count
        else:
            target.count = count
        return True

    def _order(self, left: Value, sign: str, right: Value) -> bool:
        """Let `last < x`, where `last` is the `x` before, order the values."""
        if not self._loops or left.kind != "name" or right.kind != "name" or sign not in _ORDERS:
            return False
        loop, found = self._loops[-1], self._fields.get(right.text)
        is_previous = any(
            command.name == "SET" and each.parts[0].text == left.text and each.parts[1].text == right.text
            for command in loop.body
            for each in command.arguments
        )
        if found is None or not is_previous or left.text in self._fields:
            return False
        if loop.block is None:
            found.rules["order"] = _ORDERS[sign]
        else:
            loop.block.setdefault("order", {})[found.name] = _ORDERS[sign]
        return True

    def _if(self, command: Command) -> None:
        test = command.arguments[0]
        if not any(each != "ASSERT" for each in (*_reads(command.body), *_reads(command.otherwise))):
            if any(each.name == "ASSERT" for each in (*command.body, *command.otherwise)):
                self._lose(command.place, "a rule that holds only sometimes has no counterpart in a grammar")
            return
        if self._line:
            self._stop(command.place, "a line whose end depends on its begin has no counterpart in a grammar")
        item: dict[str, Any] = {"if": self._required(test, "the condition")}
        known, names = dict(self._fields), list(self._names)
        for key, commands in (("lines", command.body), ("else", command.otherwise)):
            if commands:
                item[key] = self._block(commands)
                self._fields, self._names = dict(known), list(names)
        if "lines" not in item:
            item = {"if": f"not ({item['if']})", "lines": item["else"]}
        self._items.append(item)


def _index_text(indices: Sequence[Value]) -> str:
    """Return indices as a text by which they can be compared."""
    return ",".join(f"{each.kind}:{each.text}({_index_text(each.parts)})" for each in indices)


def _reads(commands: Sequence[Command]) -> Iterator[str]:
    """Yield the names of the commands, inner ones included, that read or assert something."""
    for command in commands:
        if command.name not in ("SET", "UNSET", "EOF"):
            yield "NEWLINE" if command.name == "STRING" and "\n" in command.arguments[0].text else command.name
        if command.separator is not None:
            yield command.separator.name
        yield from _reads((*command.body, *command.otherwise))


def _written(item: Any) -> Any:
    """Return an item with the notation of its fields."""
    match item:
        case _Field():
            return item.notation()
        case dict():
            return {key: _written(each) for key, each in item.items()}
        case list():
            return [_written(each) for each in item]
        case _:
            return item


def _exact(text: str) -> Fraction | None:
    try:
        number = Fraction(text) if len(text) < 100 and len(text.lower().partition("e")[2]) < 4 else None
    except (ValueError, ZeroDivisionError):
        return None
    return number if number is None or abs(number) < 10**100 else None


def _shifted(expression: str, by: int) -> str:
    if not by:
        return expression
    if expression.lstrip("-").isdecimal():
        return str(int(expression) + by)
    return f"{expression} {'+' if by > 0 else '-'} 1"


def _integer_pattern(low: str, high: str) -> str | None:
    """Return a pattern of the integers of a range without negative ones; None if that is not simple."""
    if not low.isdecimal() or not high.isdecimal() or int(high) - int(low) > 60:
        return None if not (low in ("0", "1") and re.fullmatch("10*|9+", high)) else _round_pattern(low, high)
    return "|".join(map(str, range(int(low), int(high) + 1)))


def _round_pattern(low: str, high: str) -> str:
    digits = len(high) if high.startswith("9") else len(high) - 1
    parts = [*(["0"] if low == "0" else []), f"[1-9][0-9]{{0,{digits - 1}}}" if digits > 1 else "[1-9]"]
    return "|".join([*parts, *([high] if high.startswith("1") else [])])
