"""Commands that read values and texts, as the fields of lines."""

import re
from collections.abc import Sequence
from typing import Any

from judge.grammar.checktestdata.parts import Field, Loop, exact, target_of
from judge.grammar.checktestdata.reader import Command, Place, Value
from judge.grammar.checktestdata.state import State, index_text
from judge.grammar.checktestdata.words import bound_pattern, takes_whole_words
from judge.grammar.intervals import ANY
from judge.grammar.parse import MAX_DIGITS
from judge.grammar.patterns import PatternError, parse_pattern

_EXACT_DECIMALS = 15  # of a binary number
_DECIMALS = 6  # of a number whose decimals are not limited


class Lines(State):
    """Reads lines."""

    def _end_line(self, place: Place) -> None:
        pieces, self._line = self._line, []
        if any(isinstance(each, Field) for each in pieces):
            self._items.append(self._fields_of(pieces, place))
        else:
            self._items.append("".join(each for each in pieces if isinstance(each, str)))
        self._items += [{"where": relation} for relation in self._relations]
        self._relations = []

    def _fields_of(self, pieces: Sequence[Field | str], place: Place) -> dict[str, Any]:
        """Return the fields of a line: spaces separate them, and what has no space between it is one word."""
        groups: list[list[Field | str]] = [[]]
        for piece in pieces:
            if isinstance(piece, str):
                first, *more = piece.split(" ")
                groups[-1] += [first] if first else []
                groups += [[each] if each else [] for each in more]
            else:
                groups[-1].append(piece)
        line: dict[str, Any] = {}
        begin = groups[0][0] if groups[0] else ""
        if len(groups) > 1 and isinstance(begin, Field) and begin.count:
            self._check_not_empty(begin.count, place, "a space after no values")
        for group in groups:
            if not group:
                self._stop(place, "a space at the end of a line, or two in a row, has no counterpart in a grammar")
            found = group[0] if len(group) == 1 and isinstance(group[0], Field) else self._join(group, place)
            if found.matched and not takes_whole_words(found.matched):
                self._lose(
                    found.place, "a regular expression that stops within the word has no counterpart in a grammar"
                )
            found.matched = ""
            line[found.name] = found
        return line

    def _check_not_empty(self, count: str, place: Place, what: str) -> None:
        """Note what is different if a loop may have no repetitions."""
        if self._interval(count.partition("..")[0])[0] < 1:
            self._lose(place, f"{what} has no counterpart in a grammar")
            self._narrow(place, f"{what} has no counterpart in a grammar")

    def _join(self, group: Sequence[Field | str], place: Place) -> Field:
        """Return one word for values and texts without a space between them."""
        patterns, matched = [], []
        for each in group:
            pattern = re.sub(r"([^A-Za-z0-9])", r"\\\1", each) if isinstance(each, str) else each.pattern()
            matched.append(pattern if isinstance(each, str) else each.matched)
            if pattern is None:
                assert isinstance(each, Field)
                self._stop(each.place, "values without a space between them have no counterpart in a grammar")
            patterns.append(f"({pattern})" if "|" in pattern else pattern)
            for name in [name for name, found in self._fields.items() if found is each]:
                del self._fields[name]
            self._names = [name for name in self._names if isinstance(each, str) or name != each.name]
        first = next((each for each in group if isinstance(each, Field)), None)
        names = {each.name for each in group if isinstance(each, Field)}
        is_read = any(isinstance(each, Field) and each.variable for each in group)
        if any(isinstance(each, Field) and each.rules for each in group):
            self._lose(place, "a rule about a part of a word has no counterpart in a grammar")
        if first is not None and any(names.intersection(re.findall(r"\w+", text)) for text in self._relations):
            self._lose(first.place, "a rule about a part of a word has no counterpart in a grammar")
            self._relations = []
        name = self._new_name("", "word") if first is None or is_read else first.name
        return Field(
            kind="text" if any(isinstance(each, Field) and each.kind == "text" for each in group) else "word",
            place=first.place if first else place,
            name=name,
            text="".join(patterns),
            matched="".join(map(str, matched)),
        )

    def _read(self, command: Command) -> Field:
        """Return the field that a command reads."""
        target = target_of(command)
        ends = ANY
        match command.name:
            case "REGEX":
                found = self._word(command)
            case "INT":
                low, high = (self._required(each, "the bound") for each in command.arguments[:2])
                found = Field(kind="integer", place=command.place, low=low, high=high)
                found.matched = f"\\-?[0-9]{{1,{MAX_DIGITS}}}"
                ends = self._interval(low)[0], self._interval(high)[1]
            case _:
                found = self._real(command)
        found.loop = self._loop
        is_element = found.loop is not None and found.loop.block is None
        found.name = self._new_name(target.text if target else "", "list" if is_element else found.kind)
        self._intervals[found.name] = ends
        if target is not None:
            self._forget(target.text)
            self._fields[target.text] = found
            found.variable, found.index = target.text, index_text(target.parts)
            found.is_only = found.loop is not None and self._is_only(target.text, found.loop)
            self._arrays.add(target.text)
            if found.kind != "real":
                self._names.append(found.name)
        return found

    def _is_only(self, variable: str, loop: Loop) -> bool:
        """Return whether an array has only the values that one command in a loop reads."""
        is_fresh = variable not in loop.filled and loop.changes[variable] == 1
        is_overwritten = loop.count.isdecimal() and self._changes[variable] == 1
        return is_fresh or is_overwritten

    def _real(self, command: Command) -> Field:
        options = [each.text for each in command.arguments if each.kind == "option"]
        if "SCIENTIFIC" in options:
            self._stop(command.place, "a number with an exponent has no counterpart in a grammar")
        low, high = (self._decimal(each) for each in command.arguments[:2])
        if command.name == "FLOATP":
            least, most = (self._decimal(each) for each in command.arguments[2:4])
            if not least.isdecimal() or not most.isdecimal():
                self._stop(command.place, "the number of decimals has no counterpart in a grammar")
            decimals = least if least == most else f"{least}..{most}"
            if "FIXED" not in options:
                self._narrow(command.place, "a number has no exponent")
            if int(most) > _EXACT_DECIMALS:
                self._narrow(command.place, "the program compares numbers with many decimals less exactly")
        else:
            decimals = f"0..{_DECIMALS}"
            self._narrow(command.place, f"a number has at most {_DECIMALS} decimals and no exponent")
        return Field(kind="real", place=command.place, low=low, high=high, decimals=decimals)

    def _decimal(self, value: Value) -> str:
        """Return a constant as a decimal number."""
        negative = value.kind == "negative"
        number = exact(value.parts[0].text if negative else value.text)
        if number is None:
            return self._required(value, "the bound")
        number = -number if negative else number
        return str(number) if number.denominator == 1 else f"{float(number):.12f}".rstrip("0")

    def _word(self, command: Command) -> Field:
        source = command.arguments[0]
        regex = source.text if source.kind == "string" else self._strings.get(source.text)
        if regex is None:
            self._stop(source.place, "a regular expression that is not a constant has no counterpart in a grammar")
        try:
            bounded = bound_pattern(regex)
            pattern = parse_pattern(bounded.letters or bounded.text)
        except PatternError as error:
            self._stop(source.place, f"the regular expression has no counterpart in a grammar ({error})")
        found = Field(kind="word", place=command.place, text=bounded.text, letters=bounded.letters)
        if bounded.letters:
            found.low, found.high = str(bounded.low), str(bounded.high)
        elif " " in pattern.alphabet or pattern.shortest == 0:
            found.kind = "text"
        if bounded.is_cut:
            self._open[id(found)] = found, command.place
        if bounded.is_narrow:
            self._narrow(command.place, "characters of a word are printable ASCII characters")
        if bounded.is_wide:
            self._lose(
                command.place, "a regular expression that may read beyond a word has no counterpart in a grammar"
            )
        found.matched = f"({found.text})" if found.text else f"{found.letters}{{{found.low},{found.high}}}"
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
