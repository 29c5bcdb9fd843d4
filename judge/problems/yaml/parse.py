"""Bytes to nodes, and PyYAML's complaints in plain words."""

import re
from collections.abc import Iterator
from typing import ClassVar, TypeAlias

import yaml
from msgspec import Struct
from yaml import events as ev

from judge.problems.yaml.scalars import HALF_CHARACTER, quoted


class Location(Struct, frozen=True, gc=False):
    """A place in a file: 1-based line, 1-based column in characters; 0 and 0 for the file as a whole."""

    line: int = 0
    column: int = 0


class Scalar(Struct, frozen=True, gc=False):
    """A text as it was written.

    Attributes:
        plain: it stood without quotes and not as a block.
        joined: it stood on several lines, and YAML has put blanks between them.
    """

    text: str
    plain: bool
    joined: bool
    place: Location


class Sequence(Struct, frozen=True, gc=False):
    """A list."""

    kind: ClassVar[str] = "a list"
    items: list["Node"]
    place: Location


class Mapping(Struct, frozen=True, gc=False):
    """Keys with their values, in the file's order; `keys` says where a key stands."""

    kind: ClassVar[str] = "a mapping"
    keys: dict[str, Scalar]
    values: dict[str, "Node"]
    place: Location


Node: TypeAlias = Scalar | Sequence | Mapping


class Mistake(Struct, frozen=True, gc=False):
    """What is wrong, and where."""

    place: Location
    message: str


class UnreadableError(Exception):
    """A mistake that leaves nothing to go on with; never leaves this package."""

    def __init__(self, message: str, place: Location = Location()) -> None:  # noqa: B008 - Place is frozen
        super().__init__(message)
        self.mistake = Mistake(place, message)


_DEEPEST = 50  # nested collections: far more than any file here needs, far less than Python's stack
_MOST_REPEATED = 10  # nodes that aliases may stand for, as a multiple of those that are written,
_FREE_NODES = 1000  # and this many more


def compose(events: Iterator[ev.Event]) -> tuple[Node | None, list[Mistake]]:
    """Build the nodes of a file's only document.

    Returns:
        The root, or None when the file holds no document, and the mistakes that were stepped over.

    Raises:
        UnreadableError: several documents, too deep, or aliases that cannot be followed.
        yaml.YAMLError: whatever the parser behind the events says.
    """
    composer = _Composer(events)
    return composer.document(), composer.mistakes


class _Composer:
    """One pass over the events of one file."""

    def __init__(self, events: Iterator[ev.Event]) -> None:
        self.mistakes: list[Mistake] = []
        self._events = events
        self._anchored: dict[str, tuple[Node, int] | None] = {}  # None while its node is being composed
        self._written = 0
        self._repeated = 0
        self._depth = 0

    def document(self) -> Node | None:
        root: Node | None = None
        for event in self._events:
            if isinstance(event, ev.NodeEvent):
                root = self._node(event)
            elif isinstance(event, ev.DocumentStartEvent) and root is not None:
                raise UnreadableError(
                    "a second document begins here: a file holds one, remove the other", _place(event)
                )
        return root

    def _node(self, event: ev.Event) -> Node:
        if isinstance(event, ev.ScalarEvent):
            before = self._begin(event, event.tag)
            return self._end(event, before, _scalar(event))
        if isinstance(event, ev.AliasEvent):
            return self._alias(event, f"`*{event.anchor}`")
        assert isinstance(event, ev.CollectionStartEvent)
        before = self._begin(event, event.tag)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableError(
                f"lists and mappings are nested more than {_DEEPEST} deep: unfold them", _place(event)
            )
        node = self._sequence(event) if isinstance(event, ev.SequenceStartEvent) else self._mapping(event)
        self._depth -= 1
        return self._end(event, before, node)

    def _begin(self, event: ev.NodeEvent, tag: str | None) -> int:
        if tag is not None and tag != "!":
            self._note(_place(event), f"the tag {quoted(tag)} is not read: remove it")
        if event.anchor is not None:
            self._anchored[event.anchor] = None
        self._written += 1
        return self._written + self._repeated

    def _end(self, event: ev.NodeEvent, before: int, node: Node) -> Node:
        if event.anchor is not None:
            self._anchored[event.anchor] = node, self._written + self._repeated - before + 1
        return node

    def _sequence(self, start: ev.Event) -> Sequence:
        items = []
        while not isinstance(event := next(self._events), ev.SequenceEndEvent):
            items.append(self._node(event))
        return Sequence(items, _place(start))

    def _mapping(self, start: ev.Event) -> Mapping:
        keys: dict[str, Scalar] = {}
        values: dict[str, Node] = {}
        while not isinstance(event := next(self._events), ev.MappingEndEvent):
            key = self._node(event)
            value = self._node(next(self._events))
            if not isinstance(key, Scalar):
                self._note(key.place, f"expected a key, found {key.kind}: a key is one word")
            elif self._is_new(key, keys):
                keys[key.text] = key
                values[key.text] = value
        return Mapping(keys, values, _place(start))

    def _is_new(self, key: Scalar, keys: dict[str, Scalar]) -> bool:
        if key.plain and key.text == "<<":
            self._note(key.place, "the merge key `<<` is not read: write the keys out")
            return False
        if key.text in keys:
            first = keys[key.text].place.line
            self._note(
                key.place, f"duplicate key {quoted(key.text)}: it stands on line {first} already, keep one of them"
            )
            return False
        return True

    def _alias(self, event: ev.AliasEvent, name: str) -> Node:
        if event.anchor not in self._anchored:
            raise UnreadableError(f"{name} names nothing above it: quote it if it is meant as text", _place(event))
        anchored = self._anchored[event.anchor]
        if anchored is None:
            raise UnreadableError(f"{name} stands inside what it names, without end: write it out", _place(event))
        node, size = anchored
        self._repeated += size
        if self._repeated > _MOST_REPEATED * self._written + _FREE_NODES:
            raise UnreadableError(f"{name} and the aliases above repeat too much: write it out", _place(event))
        return node

    def _note(self, place: Location, message: str) -> None:
        self.mistakes.append(Mistake(place, message))


def _scalar(event: ev.ScalarEvent) -> Scalar:
    place = _place(event)
    assert event.end_mark is not None
    joined = event.style not in ("|", ">", '"') and event.end_mark.line >= place.line
    return Scalar(event.value, not event.style, joined, place)


def _place(event: ev.Event) -> Location:
    assert event.start_mark is not None
    return Location(event.start_mark.line + 1, event.start_mark.column + 1)


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML can be built without its parser in C

# What no YAML text may hold, and line ends that YAML turns into "\n" but editors do not count as such. In plain ASCII
# that is a small set, and a quick one to compile.
_ILLEGAL_ASCII = "[^\t\n\r -~]|\r(?!\n)"
_ILLEGAL = "[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"

_COLON = (
    "a `:` is not expected here: check the indentation, put a blank after the `:` of the key above, "
    "and quote a text that holds `: `"
)
_INDENT = "the line does not fit those above it: check its indentation"
_OPEN = "the file ends where a value is expected: close what was opened"
_ENDED = "the value has ended before this: quote the whole text once"


def parse(data: bytes) -> tuple[Node | None, list[Mistake]]:
    """Read a YAML file's bytes into nodes.

    Returns:
        The root, or None when the file is empty, and the mistakes that were stepped over.

    Raises:
        UnreadableError: not UTF-8, or not YAML.
    """
    text = _decoded(data)
    try:
        return compose(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        raise _explained(error, text) from error
    except yaml.YAMLError as error:
        raise UnreadableError(f"not readable as YAML: {error}") from error


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
        raise UnreadableError(message, _place_after(before)) from error
    text = text.removeprefix("\ufeff")
    if illegal := re.search(_ILLEGAL_ASCII if text.isascii() else _ILLEGAL, text):
        code = f"U+{ord(illegal[0]):04X}"
        message = f"the character {code} is not allowed here: write it as an escape in a double-quoted text"
        raise UnreadableError(message, _place_after(text[: illegal.start()]))
    return text


def _place_after(text: str) -> Location:
    return Location(text.count("\n") + 1, len(text) - text.rfind("\n"))


def _explained(error: yaml.MarkedYAMLError, text: str) -> UnreadableError:
    problem = error.problem or "no reason is given"
    here = _location_of_mark(error.problem_mark) or _location_of_mark(error.context_mark) or Location()
    opened = _location_of_mark(error.context_mark) or here
    lines = text.splitlines()
    if tab := _tab(lines, here):
        return UnreadableError("a tab is used for indentation: replace it with blanks", tab)
    for pattern, place, message in _explanations(lines, here, opened):
        if re.search(pattern, problem):
            return UnreadableError(message, place)
    return UnreadableError(f"not readable as YAML: {problem}", here)


def _explanations(lines: list[str], here: Location, opened: Location) -> Iterator[tuple[str, Location, str]]:
    """Yield what each of PyYAML's complaints means, in C's words and in Python's."""
    first, opener = _rest(lines, here)[:1], _rest(lines, opened)[:1]
    rest = quoted(_rest(lines, opened))
    begins_line = not _line(lines, here)[: here.column - 1].strip()
    yield "could not find expected ':'", opened, f"{rest} is not followed by `:`: write `key: value`"
    yield "unexpected end of stream|unexpected document", opened, f"the text that begins with {opener} is never closed"
    yield "cannot start any token", here, f"a text cannot begin with {quoted(first)}: quote it"
    yield "expected alphabetic or numeric", opened, f"a text cannot begin with {quoted(opener)}: quote it"
    yield "mapping values are not allowed", here, _COLON
    yield "expected ',' or", opened, f"the {quoted(opener)} is not closed, or a comma is missing after it"
    yield "expected key|expected '-' indicator|expected <block end>", here, _INDENT if begins_line else _ENDED
    yield "unknown escape", here, "unknown escape in a double-quoted text: write `\\\\` for a backslash"
    yield "hexdecimal|hexadecimal", here, "an escape such as `\\x41` needs its hexadecimal digits"
    yield "invalid Unicode character", opened, HALF_CHARACTER
    yield "sequence entries are not allowed", here, "a list begins on the line below its key"
    yield "node content", here, f"expected a value, found {quoted(first)}: quote it" if first else _OPEN
    yield "comment or line break|chomping or indentation", here, "the text begins on the line below `|` or `>`"
    yield "<?document start>?", here, "nothing may follow the end of the document: remove it"


def _tab(lines: list[str], here: Location) -> Location | None:
    line = _line(lines, here)
    if leading := re.match(r" *\t", line):
        return Location(here.line, leading.end())
    return here if line[here.column - 1 : here.column] == "\t" else None


def _rest(lines: list[str], place: Location) -> str:
    return _line(lines, place)[place.column - 1 :]


def _line(lines: list[str], place: Location) -> str:
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


def _location_of_mark(mark: object) -> Location | None:
    line, column = getattr(mark, "line", None), getattr(mark, "column", None)
    return Location(line + 1, column + 1) if isinstance(line, int) and isinstance(column, int) else None
