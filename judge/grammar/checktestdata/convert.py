"""Checktestdata to the notation of `input:`, as far as that goes.

Commands are run symbolically: what they read becomes lines with fields, loops become blocks or lists, and what is
computed and asserted becomes bounds, orders and relations. A rule that has no counterpart is reported and left out, so
the grammar then accepts more inputs; if the shape of the lines has no counterpart there is no grammar.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any

from msgspec import Struct

from judge.errors import DataError, Diagnostic
from judge.grammar.checktestdata.lines import Lines
from judge.grammar.checktestdata.parts import Field, Loop, Total, assigned, flattened, reads, written
from judge.grammar.checktestdata.reader import ChecktestdataError, Command, Place, Value, read_commands
from judge.grammar.checktestdata.rules import Rules
from judge.grammar.checktestdata.state import NoCounterpartError, StopError
from judge.grammar.checktestdata.words import takes_whole_words
from judge.grammar.expressions import MIRRORED
from judge.grammar.forms import END_OF_FILE
from judge.grammar.grammar import Grammar
from judge.grammar.patterns import PatternError, parse_pattern

_NO_LINE_END = "the last line has no NEWLINE"
_MANY = 1000  # values or repetitions that nothing limits
_FEW = 20  # values that are tried one by one
_TESTS: Mapping[str, Callable[..., bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!": operator.not_,
    "&&": lambda one, other: one and other,
    "||": lambda one, other: one or other,
}


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
    except StopError:
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


class _Converter(Lines, Rules):
    """Runs commands."""

    def whole(self, commands: Sequence[Command]) -> list[Any]:
        """Return the items of the whole input.

        Raises:
            StopError: there is no grammar.
        """
        self._changes.update(assigned(commands))
        for command in flattened(commands):
            if command.name == "EOF" and command is not commands[-1]:
                self._lose(command.place, "an EOF before the last command has no counterpart in a grammar")
        items = self._block(commands)
        for what, place in self._open.values():
            if isinstance(what, Field) and not what.count:
                most = what.high or "100"
                self._narrow(place, f"nothing limits the length of the word: {most} characters per `+` or `*` at most")
            else:
                self._narrow(place, f"nothing limits how many there are: {_MANY} at most")
        if not any(not isinstance(item, dict) or "where" not in item for item in items):
            self._stop(Place(1, 1), "reads nothing: a grammar has at least one line")
        return [written(item) for item in items]

    def _block(self, commands: Sequence[Command]) -> list[Any]:
        """Return the items of commands that read whole lines."""
        outer, self._items = self._items, []
        at = 0
        while at < len(commands):
            end = self._either(commands[at:]) if commands[at].name == "IF" and self._line else 0
            if not end:
                self._command(commands[at])
            at += end or 1
        if self._line or self._ends_line:
            self._stop(commands[-1].place, _NO_LINE_END)
        items, self._items = self._items, outer
        return items

    def _command(self, command: Command) -> None:  # noqa: C901 - one case for each command
        ends_line, self._ends_line = self._ends_line, False
        if ends_line and command.name not in ("NEWLINE", "ASSERT", "SET", "UNSET"):
            self._stop(command.place, _NO_LINE_END)
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
                    self._unset(each.text) if command.name == "UNSET" else self._set(each)
                self._ends_line = ends_line
            case "IF":
                self._if(command)

    def _repeat(self, command: Command) -> None:
        count = self._required(command.arguments[-1], "the count")
        counter = command.arguments[0].text if command.name == "REPI" else ""
        separator = command.separator.name if command.separator else ""
        if any(each == "NEWLINE" for each in reads(command.body)) or separator == "NEWLINE":
            self._lines_loop({"repeat": count}, command, counter)
        else:
            self._list(count, command, counter)
        if counter:
            self._forget(counter)
            if self._is_natural(count):
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
        elif inner is not None and inner.kind == "MATCH" and inner.parts[0].text == "\n" and separator in ("", "SPACE"):
            found = self._list(f"0..{_MANY}", command, counter)
            self._open[id(found)] = found, command.place
        else:
            self._stop(test.place, "a loop with this condition has no counterpart in a grammar")

    def _lines_loop(self, block: dict[str, Any], command: Command, counter: str) -> None:
        """Add a block: its body reads whole lines."""
        body = list(command.body)
        ends = Command(name="NEWLINE", place=command.place)
        if command.separator is not None and command.separator.name != "NEWLINE":
            self._stop(command.place, "lines that something separates have no counterpart in a grammar")
        if command.separator is not None:
            body.append(ends)
            self._check_not_empty(block["repeat"], command.place, "a blank line for no lines")
        elif body and body[0].name == "NEWLINE" and (self._line or body[-1].name != "NEWLINE"):
            self._end_line(body[0].place)
            body = [*body[1:], ends]
        ends_line = body[-1:] == [ends]
        if self._line:
            self._stop(command.place, "a loop over lines that begins within a line has no counterpart in a grammar")
        names = list(self._names)
        loop = self._enter(block, block["repeat"], command, counter)
        block["lines"] = self._block(body)
        self._leave()
        if counter and "until" in block:
            self._totals[counter] = Total(loop, "1")
        self._names = names
        self._items.append(block)
        self._ends_line = ends_line

    def _list(self, count: str, command: Command, counter: str) -> Field:
        """Add a list to the line: its body reads one value, with a space before it or between two."""
        outer, self._line = self._line, []
        loop = self._enter(None, count, command, counter)
        for each in command.body:
            self._command(each)
        self._leave()
        self._names = [name for name in self._names if name != loop.index]
        pieces, self._line = self._line, outer
        if command.separator is not None and self._line:
            self._check_not_empty(count, command.place, "a space before no values")
        if command.separator is None and pieces[:1] == [" "]:
            self._line.append(" ")
            pieces = pieces[1:]
        elif command.separator is None:
            return self._characters(count, pieces, command)
        elif command.separator.name != "SPACE":
            self._stop(command.place, "values that are not separated by spaces have no counterpart in a grammar")
        values: list[Field] = list(self._fields_of(pieces, command.place).values())
        found = values[0]
        if any(re.search(rf"\b{loop.index}\b", f"{each.low} {each.high}") for each in values if loop.index):
            if len(values) > 1:
                self._stop(command.place, "several kinds of values in a row have no counterpart in a grammar")
            found.rules["index"] = loop.index
        if len(values) > 1:
            found = self._merge(values, command.place)
            count = f"{len(values)}*({count})"
        else:
            self._count_values(loop, counter, found)
        found.count = count
        if found.letters and found.low == "0":
            found.low = "1"
            self._narrow(found.place, "a word in a row is not empty")
        self._names = [name for name in self._names if name not in [value.name for value in values]]
        self._names.append(found.name)
        self._line.append(found)
        return found

    def _count_values(self, loop: Loop, counter: str, found: Field) -> None:
        """Let what counts the repetitions of a loop count the values of a list."""
        if counter:
            self._totals[counter] = Total(loop, "1")
        for total in self._totals.values():
            if total.loop is loop and total.what == "1":
                total.field = found

    def _merge(self, values: Sequence[Field], place: Place) -> Field:
        """Return one field for several in a row."""
        if any(each.kind != "integer" for each in values):
            self._stop(place, "several kinds of values in a row have no counterpart in a grammar")
        ends = [f"min({', '.join(each.low for each in values)})", f"max({', '.join(each.high for each in values)})"]
        self._lose(place, "values of several kinds in a row have no counterpart in a grammar")
        first = values[0]
        return Field(kind="integer", place=place, name=first.name, low=ends[0], high=ends[1])

    def _characters(self, count: str, pieces: Sequence[Field | str], command: Command) -> Field:
        """Add a word: values without a space between them."""
        names = [each.name for each in pieces if isinstance(each, Field)]
        only = self._join(pieces, command.place) if pieces else None
        if only is None or not only.text:
            self._stop(command.place, "a loop that reads nothing has no counterpart in a grammar")
        try:
            pattern = parse_pattern(only.text)
            is_one = pattern.shortest == pattern.longest == 1
        except PatternError:
            is_one = False
        if is_one:
            found = Field(kind="word", place=only.place, name=only.name, letters=only.text, low=count, high=count)
        elif count.isdecimal():
            found = Field(kind="word", place=only.place, name=only.name, text=f"({only.text}){{{count}}}")
        else:
            self._stop(command.place, "values without a space between them have no counterpart in a grammar")
        found.name = names[0] if names else only.name
        found.matched = f"({only.matched}){{0,2}}"  # what follows one may follow each of them
        self._line.append(found)
        return found

    def _if(self, command: Command) -> None:
        test = command.arguments[0]
        if not any(each not in ("ASSERT", "IF") for each in (*reads(command.body), *reads(command.otherwise))):
            if any(each == "ASSERT" for each in (*reads(command.body), *reads(command.otherwise))):
                self._lose(command.place, "a rule that holds only sometimes has no counterpart in a grammar")
                self._forget_changes(command)
            else:
                self._choose(command)
            return
        if self._line:
            self._stop(command.place, "a line whose end depends on its begin has no counterpart in a grammar")
        item: dict[str, Any] = {"if": self._required(test, "the condition")}
        known, names, filled = [dict(table) for table in self._tables], list(self._names), set(self._arrays)
        for key, commands in (("lines", command.body), ("else", command.otherwise)):
            self._loops.append(Loop(block=item, outer=self._loop))
            if commands and (found := self._block(commands)):
                item[key] = found
            self._loops.pop()
            self._restore(known)
            self._names = list(names)
            self._arrays |= filled
        self._forget_changes(command)
        if "lines" not in item:
            item = {"if": f"not ({item['if']})", "lines": item["else"]}
        self._items.append(item)

    def _either(self, commands: Sequence[Command]) -> int:
        """Add a line whose end depends on its first value as one of several lines; return how many commands it takes.

        None are taken if that is not possible.
        """
        first, names = self._line[0], [each.name for each in commands]
        end = names.index("NEWLINE") if "NEWLINE" in names else 0
        rest = commands[:end]
        if not isinstance(first, Field) or not first.variable or first.index or "NEWLINE" in reads(rest):
            return 0
        branches = [(text, _choose_branch(rest, first.variable, value)) for value, text in _values_of(first)]
        if not branches or first.variable in assigned(rest):
            return 0
        if any(branch is None for _, branch in branches):
            return 0
        line, known, before = self._line, [dict(table) for table in self._tables], list(self._names)
        options = []
        for text, branch in branches:
            begin = Field(kind=first.kind, place=first.place, name=first.name, variable=first.variable)
            begin.low = begin.high = begin.text = text
            self._line = [begin, *map(copy, line[1:])]
            self._fields.update({each.variable: each for each in self._line if isinstance(each, Field)})
            self._names = list(before)
            for command in branch or ():
                self._command(command)
            if self._relations:
                self._lose(commands[0].place, "a rule about one of several lines has no counterpart in a grammar")
            self._relations = []
            options.append(self._fields_of(self._line, commands[0].place))
            self._restore(known)
        own = [each for each in line if isinstance(each, Field)]
        self._line, self._names = [], [name for name in before if name not in {each.name for each in own}]
        for name in (*assigned(rest), *(each.variable for each in own)):
            self._forget(name)
        self._items.append({"either": options} if len(options) > 1 else options[0])
        return end + 1

    def _choose(self, command: Command) -> None:
        """Let each variable that a condition sets be one of two values, if both are known."""
        try:
            test = self._operand(command.arguments[0]) if command.arguments[0].kind in MIRRORED else ""
        except NoCounterpartError:
            test = ""
        known, ends, notes = [dict(table) for table in self._tables], [], len(self.notes)
        for commands in (command.body, command.otherwise):
            for each in commands:
                self._command(each)
            ends.append({name: value for name, value in self._values.items() if name not in self._reals})
            self._restore(known)
        self._forget_changes(command)
        if not test or len(self.notes) > notes:  # a division by what may be 0 in one of both
            return
        for name in set(assigned([command])) & ends[0].keys() & ends[1].keys():
            self._values[name] = f"({test}*{ends[0][name]} + (not {test})*{ends[1][name]})"

    def _restore(self, known: Sequence[dict[str, Any]]) -> None:
        """Restore what was known of variables before a condition."""
        for table, before in zip(self._tables, known, strict=True):
            table.clear()
            table.update(before)

    def _forget_changes(self, command: Command) -> None:
        """Forget what a condition sets in some cases."""
        for name in assigned([command]):
            self._forget(name)
            self._arrays.add(name)


def _values_of(found: Field) -> Iterator[tuple[int | str, str]]:
    """Yield each value of a field, and the pattern that has only this value; none if there are many."""
    if found.kind == "integer" and found.low.isdecimal() and found.high.isdecimal():
        low, high = int(found.low), int(found.high)
        yield from ((each, str(each)) for each in range(low, high + 1) if high - low < _FEW)
    elif found.kind == "word" and takes_whole_words(found.matched) and (text := found.pattern()):
        pattern = parse_pattern(text)
        words = pattern.words() if pattern.count <= _FEW else ()
        yield from ((each, re.sub(r"([^A-Za-z0-9])", r"\\\1", each)) for each in words)


def _choose_branch(commands: Sequence[Command], variable: str, value: int | str) -> list[Command] | None:
    """Return what is left if a variable has a value; None if a condition depends on something else."""
    found: list[Command] = []
    for command in commands:
        if command.name != "IF":
            found.append(command)
            continue
        holds = _evaluate(command.arguments[0], variable, value)
        inner = None if holds is None else _choose_branch(command.body if holds else command.otherwise, variable, value)
        if inner is None:
            return None
        found += inner
    return found


def _evaluate(test: Value, variable: str, value: int | str) -> int | str | None:
    """Return whether a condition holds, or the value of an expression; None if that is not known."""
    match test.kind:
        case "name" if test.text == variable and not test.parts:
            return value
        case "string":
            return test.text
        case "number" if test.text.isdecimal():
            return int(test.text)
    parts = [_evaluate(each, variable, value) for each in test.parts]
    if test.kind not in _TESTS or None in parts or len({isinstance(each, str) for each in parts}) > 1:
        return None
    return _TESTS[test.kind](*parts)
