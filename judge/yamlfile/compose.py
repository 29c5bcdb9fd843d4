"""PyYAML's events to nodes.

PyYAML's own composers are not used: the one in C recurses without a limit (a file of 100,000 `[` ends the process), and
both take the last of two equal keys in silence.
"""

from collections.abc import Iterator

from yaml import events as ev

from judge.yamlfile.nodes import Mapping, Mistake, Node, Place, Scalar, Sequence, UnreadableError
from judge.yamlfile.words import quoted

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

    def _note(self, place: Place, message: str) -> None:
        self.mistakes.append(Mistake(place, message))


def _scalar(event: ev.ScalarEvent) -> Scalar:
    place = _place(event)
    assert event.end_mark is not None
    joined = event.style not in ("|", ">", '"') and event.end_mark.line >= place.line
    return Scalar(event.value, not event.style, joined, place)


def _place(event: ev.Event) -> Place:
    assert event.start_mark is not None
    return Place(event.start_mark.line + 1, event.start_mark.column + 1)
