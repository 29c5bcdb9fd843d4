"""The parts of an input that can be changed.

A path leads to a part of a tree: the numbers of items, repetitions, fields and values. The forms note their parts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from judge.inputs.domains import Scalar
from judge.inputs.expressions import Expression, ExpressionError, Range
from judge.inputs.graphs import GraphRules

Path = tuple[int, ...]

Edits = Mapping[Path, Callable[[Any], Any]]
"""What becomes of some parts of a tree."""

Known = dict[str, tuple[Path, Any]]
"""The paths and values of the fields before a part."""

_MAX_SITES = 200_000  # values of an input that are looked at one by one


def put(value: Any) -> Callable[[Any], Any]:
    """Return the edit that replaces a part."""
    return lambda _: value


class Group(Struct):
    """Everything that one count counts.

    Attributes:
        count: the expression; None if the grammar leaves the count open.
        name: the field in it, with its path and value; None if the count is open.
        members: the paths of lists, blocks, graphs, permutations and words of that size.
    """

    count: Expression | None
    name: str = ""
    path: Path = ()
    value: int = 0
    size: int = 0
    members: list[Path] = field(default_factory=list)

    def value_for(self, size: int) -> int | None:
        """Return the value of the field with which the count is `size`, if that is found."""
        assert self.count is not None
        change = size - self.size
        for value in (self.value + change, self.value * size // max(1, self.size), self.value + 1, self.value - 1):
            try:
                if self.count.evaluate({self.name: value}) == size:
                    return value
            except ExpressionError:
                continue
        return None

    def resize(self, keep: Sequence[int | None]) -> Edits | None:
        """Return what gives the group other members: their old numbers in the new order; None for one that is new.

        None if the count cannot be changed like this.
        """

        def pick(part: Any) -> Any:
            if isinstance(part, str):
                return "".join("" if at is None else part[at] for at in keep)
            return [None if at is None or at >= len(part) else part[at] for at in keep]

        edits: dict[Path, Callable[[Any], Any]] = dict.fromkeys(self.members, pick)
        if self.count is not None:
            if (value := self.value_for(len(keep))) is None:
                return None
            edits[self.path] = put(value)
        return edits


class Site(Struct, frozen=True):
    """A single value; `name` is that of its field."""

    path: Path
    name: str
    kind: Scalar
    is_count: bool = False


class Place(Struct, frozen=True):
    """A graph whose number of nodes depends on one field."""

    path: Path
    graph: GraphRules
    field: Path
    name: str
    nodes: range


class Sites:
    """What can be changed in an input: the groups, the values and the graphs; `counts` are those of the body."""

    def __init__(self, counts: frozenset[str]) -> None:
        self._groups: dict[Any, Group] = {}
        self.scalars: list[Site] = []
        self.graphs: list[Place] = []
        self.counts = counts

    @property
    def groups(self) -> list[Group]:
        """All that is counted."""
        return list(self._groups.values())

    def add(self, site: Site) -> None:
        """Note a value."""
        if len(self.scalars) < _MAX_SITES:
            self.scalars.append(site)

    def add_count(self, count: Range, path: Path, size: int, known: Known) -> None:
        """Note a part of a size."""
        if not count.is_exact:
            self._groups[path] = Group(None, size=size, members=[path])
        elif len(count.low.names) == 1:
            name = count.low.names[0]
            where, value = known.get(name, ((), None))
            if isinstance(value, int):
                key = (where, count.low.source)
                self._groups.setdefault(key, Group(count.low, name, where, value, size)).members.append(path)
