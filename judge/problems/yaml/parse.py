"""Bytes to nodes with positions, and PyYAML's errors in plain words.

PyYAML only parses: its events become nodes here, so that duplicate keys, tags, aliases and depth are checked.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeAlias

import yaml
from yaml import events as ev

from judge.base.errors import DataError, Diagnostic
from judge.problems.paths import find_file_error
from judge.problems.yaml.text import quote


class Location(NamedTuple):
    """A position in a file: 1-based line, 1-based column in characters; 0 and 0 for the file as a whole."""

    line: int = 0
    column: int = 0


class Node:
    """A part of a file; `start` is PyYAML's mark of its first character."""

    __slots__ = ()
    description: ClassVar[str]  # for messages of the form `found ...`
    start: Any

    @property
    def location(self) -> Location:
        """The position of the first character."""
        return Location(self.start.line + 1, self.start.column + 1)


@dataclass(slots=True, eq=False)
class Scalar(Node):
    """A single value as it is written.

    Attributes:
        is_plain: it has no quotes and is not a block.
        is_folded: it spans several lines, which YAML joins with spaces.
    """

    text: str
    start: Any
    is_plain: bool
    is_folded: bool

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all."""
        return self.is_plain and not self.text


@dataclass(slots=True, eq=False)
class Sequence(Node):
    """A list."""

    description = "a list"
    items: list["AnyNode"]
    start: Any


@dataclass(slots=True, eq=False)
class Mapping(Node):
    """Keys with their values, in the order of the file; `keys` has the position of each key."""

    description = "a mapping"
    keys: dict[str, Scalar]
    values: dict[str, "AnyNode"]
    start: Any


AnyNode: TypeAlias = Scalar | Sequence | Mapping

SURROGATE = "a `\\u` escape encodes half a character: write the character itself"

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML can be built without its parser in C

_MAX_DEPTH = 50  # nested collections: far more than any file here needs, far less than Python's stack
_TOO_DEEP = f"lists and mappings are nested more than {_MAX_DEPTH} levels deep: flatten them"

# What no YAML text may contain, and line ends that YAML turns into "\n" but editors do not count as such. In plain
# ASCII that is a small set, and a quick one to compile.
_ILLEGAL_ASCII = "[^\t\n\r -~]|\r(?!\n)"
_ILLEGAL = "[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"


def parse_file(
    path: Path, shown: Path, *, max_size: int, advice: str, merges: bool = False
) -> tuple[AnyNode | None, list[Diagnostic]]:
    """Read a YAML file as `parse` does; the advice is for one that is too large.

    Raises:
        DataError: it cannot be read; or as there.
    """
    if reason := find_file_error(path, max_size=max_size):
        is_too_large = path.is_file() and path.stat().st_size > max_size
        raise DataError([Diagnostic(path=shown, message=reason + (advice if is_too_large else ""))])
    return parse(path.read_bytes(), shown, merges=merges)


def parse(data: bytes, shown: Path, *, merges: bool = False) -> tuple[AnyNode | None, list[Diagnostic]]:
    """Return the root of a YAML file, or None if it is empty, and what is wrong with parts of it.

    Messages show it as `shown`. With `merges`, `<<` merges other mappings into one (https://yaml.org/type/merge.html);
    else it is an error.

    Raises:
        DataError: the file is not UTF-8, not YAML, or not safe to read.
    """
    text = _decode(data, shown)
    loader = _LOADER(text)
    composer = _Composer(loader.get_event, shown, merges=merges)
    try:
        return composer.compose(), composer.diagnostics
    except yaml.MarkedYAMLError as error:
        location, message = _explain(error, text)
        raise DataError([diagnostic_at(shown, location, message)]) from error
    except yaml.YAMLError as error:
        raise DataError([Diagnostic(path=shown, message=f"not valid YAML: {error}")]) from error
    finally:
        loader.dispose()


def find(node: AnyNode, *path: str | int, at_key: bool = False) -> AnyNode:
    """Return the value, or the key, that a path leads to: `"cases", 3, "generate"`; if it ends early, where it ends."""
    key: Scalar | None = None
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str) and step in node.values:
            key = node.keys[step]
            node = node.values[step]
        elif isinstance(node, Sequence) and isinstance(step, int):
            node, key = node.items[step], None
        else:
            break
    return key if key and at_key else node


def diagnostic_at(shown: Path, location: Location, message: str) -> Diagnostic:
    """Return a diagnostic with a position."""
    return Diagnostic(path=shown, line=location.line, column=location.column, message=message)


class _Composer:
    """Builds the nodes of one file."""

    def __init__(self, next_event: Callable[[], ev.Event], shown: Path, *, merges: bool) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._merges = merges
        self._next_event = next_event
        self._shown = shown
        self._anchors: dict[str, tuple[AnyNode, int] | None] = {}  # None while its node is being composed
        self._written = 0
        self._repeated = 0
        self._depth = 0

    def compose(self) -> AnyNode | None:
        """Return the root of the only document, or None if there is none."""
        root: AnyNode | None = None
        while not isinstance(event := self._next_event(), ev.StreamEndEvent):
            if isinstance(event, ev.NodeEvent):
                root = self._node(event)
            elif isinstance(event, ev.DocumentStartEvent) and root is not None:
                self._fail(event, "a second document starts here: a file has only one, remove the other")
        return root

    def _node(self, event: Any) -> AnyNode:
        if isinstance(event, ev.AliasEvent):
            return self._alias(event)
        if event.tag is not None and event.tag != "!":
            self._report(event.start_mark, f"the tag {quote(event.tag)} is not supported: remove it")
        before = self._written + self._repeated
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._written += 1
        if isinstance(event, ev.ScalarEvent):
            start, end = event.start_mark, event.end_mark
            is_folded = end.line > start.line and event.style not in ("|", ">", '"')  # type: ignore[union-attr]
            node: AnyNode = Scalar(event.value, start, is_plain=not event.style, is_folded=is_folded)
        else:
            self._depth += 1
            if self._depth > _MAX_DEPTH:
                self._fail(event, _TOO_DEEP)
            node = self._sequence(event) if isinstance(event, ev.SequenceStartEvent) else self._mapping(event)
            self._depth -= 1
        if event.anchor is not None:
            self._anchors[event.anchor] = node, self._written + self._repeated - before
        return node

    def _sequence(self, start: ev.Event) -> Sequence:
        items = []
        while not isinstance(event := self._next_event(), ev.SequenceEndEvent):
            items.append(self._node(event))
        return Sequence(items, start.start_mark)

    def _mapping(self, start: ev.Event) -> Mapping:
        keys: dict[str, Scalar] = {}
        values: dict[str, AnyNode] = {}
        merged: list[AnyNode] = []
        while not isinstance(event := self._next_event(), ev.MappingEndEvent):
            key = self._node(event)
            value = self._node(self._next_event())
            if not isinstance(key, Scalar):
                self._report(key.start, f"expected a key, found {key.description}: a key is a single word")
            elif key.is_plain and key.text == "<<" and self._merges:
                merged += value.items if isinstance(value, Sequence) else [value]
            elif key.is_plain and key.text == "<<":
                self._report(key.start, "the merge key `<<` is not supported: write out the keys")
            else:
                # The last one counts, as in PyYAML, with which other tools read packages.
                if first := keys.get(key.text):
                    action = "this one counts; remove the other" if self._merges else "remove one of them"
                    line = first.location.line
                    self._report(key.start, f"duplicate key {quote(key.text)}: already on line {line}, {action}")
                keys[key.text] = key
                values[key.text] = value
        for other in merged:
            if isinstance(other, Mapping):  # its keys count unless they are here, or in one before it
                keys = {**other.keys, **keys}
                values = {**other.values, **values}
            else:
                self._report(other.start, "`<<` merges mappings: expected an alias of one, or a list of such aliases")
        return Mapping(keys, values, start.start_mark)

    def _alias(self, event: ev.AliasEvent) -> AnyNode:
        name = f"`*{event.anchor}`"
        if event.anchor not in self._anchors:
            self._fail(event, f"unknown alias {name}: quote it if it is meant as a string")
        anchored = self._anchors[event.anchor]
        if anchored is None:
            self._fail(event, f"the alias {name} refers to a value that contains it: write the value out")
        node, size = anchored
        self._repeated += size
        if self._repeated > 10 * self._written + 1000:
            self._fail(event, f"the alias {name} and those above repeat too much: write the value out")
        return node

    def _report(self, mark: Any, message: str) -> None:
        self.diagnostics.append(diagnostic_at(self._shown, Location(mark.line + 1, mark.column + 1), message))

    def _fail(self, event: ev.Event, message: str) -> NoReturn:
        self.diagnostics.clear()  # the error that stops the reading is reported alone
        self._report(event.start_mark, message)
        raise DataError(self.diagnostics)


def _decode(data: bytes, shown: Path) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"the byte 0x{data[error.start]:02x} is not valid UTF-8: save the file as UTF-8"
        raise DataError([diagnostic_at(shown, _end(before), message)]) from error
    text = text.removeprefix("\ufeff")
    if illegal := re.search(_ILLEGAL_ASCII if text.isascii() else _ILLEGAL, text):
        code = f"U+{ord(illegal[0]):04X}"
        message = f"the character {code} is not allowed here: write it as an escape in a double-quoted string"
        raise DataError([diagnostic_at(shown, _end(text[: illegal.start()]), message)])
    return text


def _end(text: str) -> Location:
    return Location(text.count("\n") + 1, len(text) - text.rfind("\n"))


def _explain(error: yaml.MarkedYAMLError, text: str) -> tuple[Location, str]:
    problem = error.problem or "unknown reason"
    here = _location(error.problem_mark) or _location(error.context_mark) or Location()
    start = _location(error.context_mark) or here
    lines = text.splitlines()
    line, opener = (lines[each.line - 1] if 0 < each.line <= len(lines) else "" for each in (here, start))
    before, after, opener = line[: here.column - 1], line[here.column - 1 :], opener[start.column - 1 :]
    if leading := re.match(r" *\t", line):
        return Location(here.line, leading.end()), _TAB
    if after.startswith("\t"):
        return here, _TAB
    shown = {
        "rest": quote(opener),
        "opener": opener[:1],
        "quoted_opener": quote(opener[:1]),
        "first": quote(after[:1]) if after else "the end of the file",
        "misplaced": _INDENTATION if not before.strip() else _TRAILING,
        "fix": "quote it" if after else "close all brackets and quotes",
    }
    for pattern, is_at_start, message in _EXPLANATIONS:
        if re.search(pattern, problem):
            return start if is_at_start else here, message.format(**shown)
    return here, f"not valid YAML: {problem}"


_TAB = "a tab is used for indentation: use spaces"
_INDENTATION = "unexpected indentation: align the line with those above"
_TRAILING = "unexpected text after the end of the value: quote the whole value"
_UNEXPECTED_COLON = (
    "unexpected `:`: check the indentation, put a space after the `:` of the key above, "
    "and quote a string that contains `: `"
)

# A pattern for each error of PyYAML, in C's words and in Python's; whether it is shown where the construct starts, or
# where it is noticed; and what it means.
_EXPLANATIONS = (
    ("could not find expected ':'", True, "{rest} is not followed by `:`: write `key: value`"),
    ("unexpected end of stream|unexpected document", True, "the string that starts with {opener} is not closed"),
    ("cannot start any token", False, "a string cannot start with {first}: quote it"),
    ("expected alphabetic or numeric", True, "a string cannot start with {quoted_opener}: quote it"),
    ("mapping values are not allowed", False, _UNEXPECTED_COLON),
    ("expected ',' or", True, "the {quoted_opener} is not closed, or a comma is missing after it"),
    ("expected key|expected '-' indicator|expected <block end>", False, "{misplaced}"),
    ("unknown escape", False, "unknown escape in a double-quoted string: write `\\\\` for a backslash"),
    ("hexdecimal|hexadecimal", False, "incomplete escape: write all hexadecimal digits, as in `\\x41`"),
    ("invalid Unicode character", True, SURROGATE),
    ("sequence entries are not allowed", False, "a list must start on the line below its key"),
    ("node content", False, "expected a value, found {first}: {fix}"),
    ("comment or line break|chomping or indentation", False, "the text must start on the line below `|` or `>`"),
    ("maximum nesting depth", False, _TOO_DEEP),  # of PyYAML 6.0.4 and newer, which reads ahead
    ("<?document start>?", False, "unexpected text after the end of the document: remove it"),
)


def _location(mark: object) -> Location | None:
    line, column = getattr(mark, "line", None), getattr(mark, "column", None)
    return Location(line + 1, column + 1) if isinstance(line, int) and isinstance(column, int) else None
