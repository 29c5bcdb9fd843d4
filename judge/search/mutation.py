"""Inputs made of known ones: with other tokens, white space or rows, and with several of their tests in one.

Inputs that turn out to be valid and to have a new answer become known themselves, if they are small.
"""

from collections.abc import Sequence
from itertools import islice
from random import Random

from msgspec import Struct

from judge.search.learned import Learned, Values, series_of
from judge.search.shape import INTEGER, Cell, Count, Item, Line, Repeat, Row, Shape, Tree, render, walk_cells, walk_rows
from judge.search.sources import Proposal, Source, seeded
from judge.search.values import Joining

_MAX_KNOWN = 400
_MAX_SIZE = 4_000  # bytes of an input that is changed
_MOST_CHANGES = 3
_TRIES = 10
_MOST_WHITE_SPACE = 600  # proposals


class Mutations(Source):
    """Mutates known inputs.

    Args:
        known: inputs that are valid.
        learned: their shape; None if it was not recognized.
        numbers: that the problem mentions.
    """

    def __init__(
        self,
        name: str,
        known: Sequence[bytes],
        learned: Learned | None,
        numbers: Sequence[int],
        seed: int,
        *,
        joins: bool = False,
    ) -> None:
        self.name = name
        self.joins = joins
        self._random = seeded(seed, name)
        small = sorted((each for each in known if len(each) <= _MAX_SIZE), key=len)
        self._known = small[:_MAX_KNOWN]
        self._learned = learned
        self._numbers = list(numbers)

    def next(self) -> Proposal | None:
        """Return a neighbour of a known input, of small ones more often; None if nothing is known."""
        if not self._known:
            return None
        for _ in range(_TRIES):
            at = int(len(self._known) * self._random.random() ** 2)
            data = self._known[at]
            for _ in range(self._random.randint(1, _MOST_CHANGES)):
                data = self._change(data) or data
            if data.strip():
                return data
        return None

    def learn(self, data: bytes, *, is_valid: bool, is_new: bool) -> None:
        """Keep small inputs with new answers."""
        if is_valid and is_new and len(data) <= _MAX_SIZE and len(self._known) < _MAX_KNOWN:
            self._known.append(data)

    def _change(self, data: bytes) -> bytes | None:
        learned = self._learned
        if learned is not None and self._random.random() < 0.8:
            tree = learned.shape.parse(data)
            if tree is not None:
                return self._change_tree(tree, learned)
        return mutate_text(data, self._known, self._numbers, self._random)

    def _other(self, cell: Cell, cells: Sequence[Cell], values: Values | None) -> bytes:
        """Return another token for a place."""
        if self._random.random() < 0.35:
            same = [each.text for each in cells if each.item == cell.item]
            return self._random.choice(same)
        if values is not None and values.kind == "integer" and self._random.random() < 0.3:
            return b"%d" % self._random.randint(values.low, values.high)
        if values is not None and values.places and self._random.random() < 0.7:
            return bytes(self._random.choice(letters) for letters in values.places)
        if values is not None and values.words and self._random.random() < 0.5:
            return self._random.choice(values.words)
        return other_token(cell.text, self._numbers, self._random)

    def _change_tree(self, tree: Tree, learned: Learned) -> bytes | None:
        rows = [row for row in walk_rows(tree) if row.elements]
        cells = list(walk_cells(tree))
        if rows and self._random.random() < 0.5:
            self._change_rows(tree, self._random.choice(rows))
        elif cells:
            for _ in range(self._random.choice((1, 1, 1, 2, 3))):
                cell = self._random.choice(cells)
                text = self._other(cell, cells, learned.values.get(cell.item))
                rules = learned.rules.get(cell.item)
                if rules is not None and (rules.is_distinct or rules.is_permutation):
                    _exchange(tree, cell, text)
                else:
                    cell.text = text
        return render(tree, learned.shape)

    def _change_rows(self, tree: Tree, row: Row) -> None:
        """Change the elements of all rows that the same number counts."""
        length = len(row.elements)
        at, other = self._random.randrange(length), self._random.randrange(length)
        if row.is_fixed or self._random.random() < 0.4:
            _reorder(row, at, other, self._random)
            return
        action = self._random.choice((_drop, _double, _cut))
        for each in walk_rows(tree):
            is_together = each is row or (row.counter is not None and each.counter is row.counter)
            if is_together and max(at, other) < len(each.elements):
                action(each, at, other)


def _drop(row: Row, at: int, _: int) -> None:
    del row.elements[at]


def _double(row: Row, at: int, other: int) -> None:
    row.elements.insert(other, _copy(row.elements[at]))


def _cut(row: Row, at: int, _: int) -> None:
    del row.elements[max(at, 1) :]


def _reorder(row: Row, at: int, other: int, random: Random) -> None:
    """Change the order of the elements of a row, or make one like another."""
    elements = row.elements
    match random.randrange(4):
        case 0:
            elements[at], elements[other] = elements[other], elements[at]
        case 1 if not row.is_fixed and at != other:
            elements[at] = _copy(elements[other])
        case 2:
            elements.reverse()
        case _:
            random.shuffle(elements)


def _exchange(tree: Tree, cell: Cell, text: bytes) -> None:
    """Change a token of a row or column without repetitions: the element that has the new text gets the old one."""
    for series in series_of(tree):
        if any(each is cell for each in series):
            for each in series:
                if each.text == text:
                    each.text = cell.text
            break
    cell.text = text


def _copy(element: Tree) -> Tree:
    """Return a copy whose counts are its own, and the same outside of it."""
    cells: dict[int, Cell] = {}
    return [_copy_node(each, cells) for each in element]


def _copy_node(node: Cell | Row, cells: dict[int, Cell]) -> Cell | Row:
    if isinstance(node, Cell):
        copy = cells[id(node)] = Cell(node.item, node.text)
        return copy
    counter = None if node.counter is None else cells.get(id(node.counter), node.counter)
    elements = [[_copy_node(each, cells) for each in element] for element in node.elements]
    return Row(elements, node.offset, counter, node.is_lines, node.is_fixed)


def other_token(text: bytes, numbers: Sequence[int], random: Random) -> bytes:  # noqa: PLR0911 - one for each change
    """Return a token like another one: a number near it or at a boundary, or a word with a changed letter."""
    if INTEGER.fullmatch(text):
        number = int(text)
        choice = random.randrange(8)
        if choice < 3:
            return b"%d" % (number + random.choice((-2, -1, 1, 2)))
        if choice < 6 and numbers:
            return b"%d" % (random.choice(numbers) + random.choice((0, 0, 0, -1, 1)))
        return b"%d" % random.choice((-number, number // 2, number * 2, random.randint(0, max(1, 2 * abs(number)))))
    if not text:
        return text
    at = random.randrange(len(text))
    match random.randrange(5):
        case 0:
            return text[:at] + text[at + 1 :] if len(text) > 1 else text
        case 1:
            return text[:at] + text[random.randrange(len(text)) :][:1] + text[at:]
        case 2:
            return text[:at] + text[at:][::-1]
        case 3:
            letters = bytes(sorted(set(text)))
            return text[:at] + bytes([random.choice(letters)]) + text[at + 1 :]
        case _:
            letter = text[at]
            near = letter + random.choice((-1, 1))
            return text[:at] + bytes([near if 33 <= near <= 126 else letter]) + text[at + 1 :]


def mutate_text(data: bytes, known: Sequence[bytes], numbers: Sequence[int], random: Random) -> bytes:
    """Return a text with a changed token or line; nothing is known of its shape."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    if not lines:
        return data
    at = random.randrange(len(lines))
    tokens = lines[at].split(b" ")
    place = random.randrange(len(tokens))
    match random.randrange(8):
        case 0 if len(lines) > 1:
            del lines[at]
        case 1:
            lines.insert(random.randrange(len(lines) + 1), lines[at])
        case 2:
            other = random.choice(known).split(b"\n")
            lines[at] = random.choice(other[:-1] or other)
        case 3 if len(tokens) > 1:
            second = random.randrange(len(tokens))
            tokens[place], tokens[second] = tokens[second], tokens[place]
            lines[at] = b" ".join(tokens)
        case 4 if len(tokens) > 1:
            tokens.pop(place)
            lines[at] = b" ".join(tokens)
        case 5:
            words = random.choice(known).split()
            tokens[place] = random.choice(words) if words else tokens[place]
            lines[at] = b" ".join(tokens)
        case _:
            tokens[place] = other_token(tokens[place], numbers, random)
            lines[at] = b" ".join(tokens)
    return b"\n".join(lines) + b"\n"


class WhiteSpace(Source):
    """Blank lines, more spaces, tabs, CRLF, and no newline at the end, for problems whose validators accept that."""

    name = "white space"

    def __init__(self, known: Sequence[bytes], seed: int) -> None:
        self._known = sorted((each for each in known if len(each) <= _MAX_SIZE), key=len)[:20]
        self._random = seeded(seed, self.name)
        self._left = _MOST_WHITE_SPACE

    def next(self) -> Proposal | None:
        """Return an input with changed white space; None if there were enough."""
        if not self._known or not self._left:
            return None
        self._left -= 1
        lines = self._random.choice(self._known).splitlines()[: self._random.choice((1, 2, 3, 1000))]
        data = b"\n".join(lines) + b"\n"
        for _ in range(self._random.choice((1, 1, 2))):
            data = self._change(data)
        return data

    def _change(self, data: bytes) -> bytes:
        lines = data.split(b"\n")
        at = self._random.randrange(len(lines))
        match self._random.randrange(9):
            case 0:
                return data.rstrip(b"\n")
            case 1:
                return data.replace(b"\n", b"\r\n")
            case 2:
                lines.insert(at, b"")
            case 3:
                lines.insert(at, b"  ")
            case 4:
                lines[at] = lines[at].replace(b" ", b"  ")
            case 5:
                lines[at] = lines[at].replace(b" ", b"\t", 1)
            case 6:
                lines[at] = b" " + lines[at]
            case 7:
                lines[at] += b" "
            case _:
                return data + b"\n"
        return b"\n".join(lines)


_MAX_TESTS = 500  # to choose from
_MAX_JOINED = 1 << 20  # bytes of an input
_LEAST = 10  # tests; fewer are tried anyway
_ROUNDS = 3


class ShapeJoining(Struct, frozen=True):
    """The joining of a shape whose tests are counted by the first number, or go on until the end of the file."""

    shape: Shape

    @classmethod
    def of(cls, shape: Shape) -> "ShapeJoining | None":
        """Return how inputs of a shape are joined; None if each has one test."""
        match shape.blocks:
            case (Repeat(count=None),):
                return cls(shape)
            case (Line(parts=(Item(id=number),)), Repeat(count=Count(item=counter, offset=0), body=body)) if (
                number == counter and (len(body) > 1 or isinstance(body[0], Repeat))
            ):
                return cls(shape)
        return None

    def split(self, data: bytes) -> Sequence[bytes] | None:
        """Return the single tests of an input, perhaps only one; None if it has another shape."""
        tree = self.shape.parse(data)
        if tree is None:
            return None
        row = tree[-1]
        assert isinstance(row, Row)
        elements = list(row.elements)
        tests = []
        for element in elements:
            row.elements = [element]
            if (text := render(tree, self.shape)) is not None:
                tests.append(text)
        return tests

    def join(self, tests: Sequence[bytes]) -> bytes | None:
        """Return one input with all tests; None if one has another shape."""
        trees: list[Tree] = []
        for test in tests:
            tree = self.shape.parse(test)
            if tree is None:
                return None
            trees.append(tree)
        if not trees:
            return None
        row = trees[0][-1]
        assert isinstance(row, Row)
        for tree in trees[1:]:
            other = tree[-1]
            assert isinstance(other, Row)
            row.elements += other.elements
        return render(trees[0], self.shape)


class ManyTests(Source):
    """Inputs with one test more than some numbers: a program may have room for so many, or read no more.

    Args:
        known: inputs, from whose tests those of the new ones are chosen.
        joining: splits and joins them.
        numbers: the most promising first.
        seed: decides which tests are chosen.
    """

    name = "many tests"

    def __init__(self, known: Sequence[bytes], joining: Joining, numbers: Sequence[int], seed: int) -> None:
        tests = (test for each in known for test in joining.split(each) or ())
        self._tests = list(dict.fromkeys(islice(tests, _MAX_TESTS)))
        self._joining = joining
        self._random = seeded(seed, self.name)
        average = sum(map(len, self._tests)) / max(1, len(self._tests))
        counts = [each + 1 for each in dict.fromkeys(numbers) if each >= _LEAST and each * average <= _MAX_JOINED]
        self._counts = iter(counts * _ROUNDS)

    def next(self) -> Proposal | None:
        """Return the next input; None if there are no more."""
        for count in self._counts if self._tests else ():
            if (joined := self._joining.join(self._random.choices(self._tests, k=count))) is not None:
                return joined
        return None
