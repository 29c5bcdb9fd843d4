"""What an input consists of: the values of the key `input:`, after reading.

A body is a series of items: lines, blocks (`blocks`), edges (`edges`) and relations. A line has fields; a field has a
kind of value (`domains`). Each form says how it is read, written, made, changed and described.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import groupby
from typing import Any, TypeVar

from msgspec import Struct, field

from judge.base.errors import shorten
from judge.base.units import format_count
from judge.inputs.build import Builder, narrow, require
from judge.inputs.choose import MAX_VALUES, Chooser, Rejected
from judge.inputs.domains import MAX_LISTED, Integer, Kind, ListRules, Scalar, Word, is_ordered
from judge.inputs.expressions import Expression, ExpressionError, Range, number_range
from judge.inputs.parse import LONGEST, FaultError, Node, Parser, Tokens, Tree, quote
from judge.inputs.patterns import Pattern
from judge.inputs.sites import Known, Path, Site, Sites

END_OF_FILE = "end of file"
_SMALL_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_Part = TypeVar("_Part")


class Listed(ListRules, frozen=True, kw_only=True):
    """Values in a row, with one space between them.

    Attributes:
        count: how many; unless it is exact, the list ends with its line.
        index: the name by which the bounds of a value know its number, from 1; "" without one.
    """

    count: Range
    index: str = ""

    @property
    def size(self) -> Range:
        return self.count

    @property
    def is_open(self) -> bool:
        return not self.count.is_exact

    def parse(self, name: str, tokens: Tokens, parser: Parser) -> list[Any]:
        low, high = self.count.evaluate(parser.env)
        texts = tokens.rest[:high] if self.count.is_exact else tokens.rest
        known = self._read_at_once(name, texts, parser) if low <= len(texts) <= high else None
        if known is not None:
            tokens.skip(len(known))
            return known
        values: list[Any] = []
        seen: Counter[Any] = Counter()
        while len(values) < high if self.count.is_exact else not tokens.is_done:
            if len(values) >= high:
                found = f"value {len(values) + 1} of `{name}`"
                parser.fail(found, f"at most {high}", line=parser.at, column=tokens.next_column)
            if self.index:
                parser.env[self.index] = len(values) + 1
            value = parser.scalar(name, self.item, tokens)
            seen[value] += 1
            if self.copies is not None and seen[value] > self.copies:
                often = "a new value" if self.copies == 1 else f"each value at most {self.copies} times"
                tokens.fail_at_last(f"{quote(str(value).encode())} in `{name}` again", often)
            if self.order and values and not is_ordered(self.item, self.order, values[-1], value):
                tokens.fail_at_last(f"{value} after {values[-1]}", f"`{name}` in {self.order} order")
            values.append(value)
        if len(values) < low:
            many = f"{low}" if self.count.is_exact else f"at least {low}"
            found = f"{format_count(len(values), 'value')} of `{name}`"
            parser.fail(found, many, line=parser.at, column=tokens.next_column)
        return values

    def _read_at_once(self, name: str, texts: Sequence[bytes], parser: Parser) -> list[Any] | None:
        """Return the values; None if there is a fault, or if they have to be read one by one."""
        values: list[Any] | None = None
        match self:
            case Listed(item=Integer() as item, index=""):
                values = parser.read_integers(texts, [(name, item)])
            case Listed(item=Word(pattern=pattern, length=None)) if pattern.count <= MAX_LISTED:
                words = _words(pattern)
                values = [words.get(text) for text in texts]
                values = None if None in values else values
        if values is None:
            return None
        copies = 1 if self.order.startswith("strictly") else self.copies
        if copies == 1 and len(set(values)) < len(values):
            return None
        if copies is not None and copies > 1 and max(Counter(values).values(), default=0) > copies:
            return None
        return values if not self.order or values == sorted(values, reverse=self.order.endswith("descending")) else None

    def build(self, name: str, builder: Builder, guide: Any) -> list[Any]:
        builder.chooser.step()
        low, high = self.count.evaluate(builder.env)
        fixed = builder.fixed.get(name)
        if isinstance(fixed, list):
            low, high = narrow((low, high), len(fixed))
            guide = fixed
        elif type(fixed) is int:
            low, high = narrow((low, high), fixed)
        if (count := builder.count(name, low, high, guide)) == 0:
            return []
        if self.index:  # the bounds of a value depend on its number
            values = []
            for at in range(count):
                builder.env[self.index] = at + 1
                known = guide[at] if guide is not None and at < len(guide) else None
                value = builder.chooser.value(builder.domain(self.item), name, known)
                values.append(builder.placed(self.item, value))
            return values
        domain = builder.domain(self.item)
        if isinstance(fixed, list):
            return [require(domain, value) for value in fixed]
        chosen = builder.chooser.values(self, domain, count, guide)
        return [builder.placed(self.item, value) for value in chosen] if _is_placed(self) else chosen

    def phrase(self, name: str) -> str:
        rules = ["all different"] if self.copies == 1 else []
        rules += [f"none of them more than {self.copies} times"] if self.copies and self.copies > 1 else []
        rules += [f"in {self.order} order"] if self.order else []
        return ", ".join([f"{self.count.tex} {self.item.phrase(f'{name}_i', is_list=True)}", *rules])

    def outline(self) -> str:
        return f"{self.count if self.count.is_exact else 'some'} {self.item.nouns[1]}"


def _is_placed(kind: Kind) -> bool:
    """Return whether characters of its words are placed."""
    word = kind.item if isinstance(kind, Listed) else kind
    return isinstance(word, Word) and bool(word.characters)


@cache
def _words(pattern: Pattern) -> dict[bytes, str]:
    return {word.encode(): word for word in pattern.words()}


class Permutation(Kind, frozen=True, kw_only=True):
    """The integers from `first` on, in any order."""

    count: Expression
    first: int = 1

    @property
    def size(self) -> Range:
        return Range(low=self.count, high=self.count)

    def parse(self, name: str, tokens: Tokens, parser: Parser) -> list[Any]:
        count = self.count.evaluate(parser.env)
        last = self.first + count - 1
        item = Integer(ranges=(number_range(self.first, last),))
        values: dict[int, None] = {}
        for _ in range(count):
            value = parser.scalar(name, item, tokens)
            if value in values:
                tokens.fail_at_last(f"{value} in `{name}` again", f"each number from {self.first} to {last} once")
            values[value] = None
        return list(values)

    def build(self, name: str, builder: Builder, guide: Any) -> list[Any]:
        return builder.chooser.permutation(self.first, builder.add(self.count.evaluate(builder.env)), guide)

    def phrase(self, name: str) -> str:
        last = f"${self.count.tex}$" if self.first == 1 else f"${self.first} + {self.count.tex} - 1$"
        return f"a permutation ${name}$ of the integers from ${self.first}$ to {last}"

    def outline(self) -> str:
        return f"a permutation of {self.count.text}"


Several = Listed | Permutation
AnyKind = Scalar | Several
Field = tuple[str, AnyKind]


class Item(Struct, frozen=True):
    """A part of a body. A new one is a class with these methods, and a row of `ITEMS` in `read`."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the lines that it may be."""
        return ()

    @property
    def bodies(self) -> tuple["Body", ...]:
        """The bodies in it."""
        return ()

    @property
    def counts(self) -> Iterator[str]:
        """The fields that say how many there are of something in it."""
        sizes = (kind.size for _, kind in self.fields)
        return (name for size in sizes if size is not None for name in size.names)

    @property
    def places_characters(self) -> bool:
        """Whether characters of its words are placed, which may break other rules."""
        return any(_is_placed(kind) for _, kind in self.fields)

    def parse(self, parser: Parser) -> Node:
        """Take the next lines."""
        raise NotImplementedError

    def lines(self, node: Node) -> Iterator[str]:
        """Yield the lines that have these values, without their ends."""
        raise NotImplementedError

    def build(self, builder: Builder, body: "Body", guide: Node) -> Node:
        """Choose values, as in the guide where there is one."""
        raise NotImplementedError

    def note(self, sites: Sites, node: Node, path: Path, known: Known) -> None:
        """Note what can be changed in some values."""

    def sentence(self, start: str, depth: int) -> list[str]:
        """Return what the statement says, and the items of the list below that; `start` is `The first line` or so."""
        raise NotImplementedError

    def outline(self) -> Iterator[str]:
        """Yield what it consists of, in a few words each."""
        return iter(())


class Line(Item, frozen=True, kw_only=True):
    """A line: its fields in order, with one space between them."""

    fields: tuple[Field, ...]

    def parse(self, parser: Parser) -> list[Any]:
        line = parser.next_line(f"a line with {' '.join(f'`{name}`' for name, _ in self.fields)}")
        tokens = Tokens(line, parser)
        values = []
        for name, kind in self.fields:
            value = parser.scalar(name, kind, tokens) if isinstance(kind, Scalar) else kind.parse(name, tokens, parser)
            parser.env[name] = value
            values.append(value)
        tokens.finish()
        return values

    def lines(self, node: Sequence[Any]) -> Iterator[str]:
        yield " ".join([str(each) for value in node for each in (value if isinstance(value, list) else (value,))])

    def build(self, builder: Builder, body: "Body", guide: Sequence[Any] | None) -> list[Any]:
        values = []
        for at, (name, kind) in enumerate(self.fields):
            known = None if guide is None else guide[at]
            rows = builder.rows.get(name)
            if rows is not None and rows.drawn:
                value = rows.drawn[rows.at]
            elif isinstance(kind, Scalar):
                value = builder.value(name, kind, body.limits.get(name, ()), known)
            else:
                value = kind.build(name, builder, known)
            builder.note(name, value)
            values.append(value)
        return values

    def note(self, sites: Sites, node: Sequence[Any], path: Path, known: Known) -> None:
        for at, ((name, kind), value) in enumerate(zip(self.fields, node, strict=True)):
            place = (*path, at)
            if kind.size is not None:
                sites.add_count(kind.size, place, len(value), known)
            if isinstance(kind, Scalar):
                sites.add(Site(place, name, kind, is_count=name in sites.counts))
            elif isinstance(kind, Listed):
                for number in range(len(value)):
                    sites.add(Site((*place, number), name, kind.item))
            known[name] = place, value

    def sentence(self, start: str, depth: int) -> list[str]:
        return [f"{start} contains {self.phrase()}."]

    def phrase(self) -> str:
        """Return the fields; neighboring integers with the same constant bounds are one phrase."""
        return ", then ".join(self._phrases())

    def _phrases(self) -> Iterator[str]:
        for limits, group in groupby(self.fields, lambda field: _constant_limits(field[1])):
            members = list(group)
            names = [name for name, _ in members]
            if limits is None or len(names) == 1:
                for name, kind in members:
                    yield kind.phrase(name, is_list=False) if isinstance(kind, Scalar) else kind.phrase(name)
            else:
                listed = f"{', '.join(f'${name}$' for name in names[:-1])} and ${names[-1]}$"
                count = _SMALL_NUMBERS.get(len(names), str(len(names)))
                yield f"{count} integers {listed} ({limits.tex_around(', '.join(names))})"

    def outline(self) -> Iterator[str]:
        return (f"{name}: {kind.outline()}" for name, kind in self.fields)

    @property
    def first_text(self) -> str | None:
        """The text that it always begins with, if there is one."""
        kind = self.fields[0][1]
        if isinstance(kind, Integer) and len(kind.ranges) == 1 and kind.ranges[0].is_exact:
            value = kind.ranges[0].low.constant
            return None if value is None else str(value)
        if isinstance(kind, Word) and kind.length is None and kind.pattern.count == 1:
            return kind.pattern.nth(0)
        return None


def _constant_limits(kind: Kind) -> Range | None:
    limits = kind.ranges[0] if isinstance(kind, Integer) and len(kind.ranges) == 1 else None
    is_constant = limits and limits.low.constant is not None and limits.high.constant is not None
    return limits if is_constant else None


class Text(Item, frozen=True):
    """A line that is always the same; an empty text is a blank line."""

    text: str

    def parse(self, parser: Parser) -> None:
        if parser.next_line(f"the line `{self.text}`") != self.text.encode():
            parser.at -= 1
            parser.fail(quote(parser.lines[parser.at]), f"the line `{self.text}`" if self.text else "a blank line")

    def lines(self, node: Node) -> Iterator[str]:
        yield self.text

    def build(self, builder: Builder, body: "Body", guide: Node) -> None:
        return None

    def sentence(self, start: str, depth: int) -> list[str]:
        return [f"{start} is `{self.text}`." if self.text else f"{start} is blank."]

    def outline(self) -> Iterator[str]:
        yield f"`{self.text}`" if self.text else "a blank line"


class Relation(Item, frozen=True):
    """What must hold between the values before it."""

    expression: Expression

    def parse(self, parser: Parser) -> None:
        if not self.expression.evaluate(parser.env):
            known = [(name, parser.env[name]) for name in self.expression.names if name in parser.env]
            values = ", ".join(f"{name} = {shorten(str(value), LONGEST)}" for name, value in known)
            parser.fail(values, f"`{self.expression.text}`", line=max(1, parser.at))

    def lines(self, node: Node) -> Iterator[str]:
        return iter(())

    def build(self, builder: Builder, body: "Body", guide: Node) -> None:
        if not self.expression.evaluate(builder.env):
            raise Rejected

    def sentence(self, start: str, depth: int) -> list[str]:
        return [f"It is guaranteed that ${self.expression.tex}$."]


class Either(Item, frozen=True):
    """One of some lines; they begin with different texts."""

    options: tuple[Line, ...]

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(each for line in self.options for each in line.fields)

    def parse(self, parser: Parser) -> list[Any]:
        begins = [line.first_text or "" for line in self.options]
        choices = " or ".join(f"`{each}`" for each in begins)
        token = parser.next_line(f"a line that begins with {choices}").partition(b" ")[0]
        parser.at -= 1
        if token.decode("latin-1") not in begins:
            parser.fail(quote(token), choices)
        at = begins.index(token.decode("latin-1"))
        return [at, self.options[at].parse(parser)]

    def lines(self, node: Node) -> Iterator[str]:
        yield from self.options[node[0]].lines(node[1])

    def build(self, builder: Builder, body: "Body", guide: Node) -> list[Any]:
        at = builder.chooser.option(len(self.options), None if guide is None else guide[0])
        same = guide is not None and guide[0] == at
        return [at, self.options[at].build(builder, body, guide[1] if same else None)]

    def note(self, sites: Sites, node: Node, path: Path, known: Known) -> None:
        self.options[node[0]].note(sites, node[1], (*path, 1), known)

    def sentence(self, start: str, depth: int) -> list[str]:
        inner = "  " * max(1, depth)
        below = [f"{inner}- `{line.first_text}`: {line.phrase()}." for line in self.options]
        return [f"{start} has one of these forms, by its first word:", *below]

    def outline(self) -> Iterator[str]:
        yield f"one of ({' | '.join(', '.join(line.outline()) for line in self.options)})"


class Body(Struct, frozen=True, kw_only=True, dict=True):
    """Items in order.

    Attributes:
        limits: the relations that a field completes, as (operator, expression), by the field's name.
    """

    items: tuple[Item, ...]
    limits: Mapping[str, tuple[tuple[str, Expression], ...]] = field(default_factory=dict)

    @cached_property
    def counts(self) -> frozenset[str]:
        """The fields that say how many there are of something, and those that say how high such a field is at least.

        With `n: 1..10^5` and `m: n-1..10^5` edges, a large `n` makes a large input, too.
        """
        names = {name for item in walk(self) for name in item.counts}
        bodies = [self, *(body for item in walk(self) for body in item.bodies)]
        for each in reversed(bodies):
            for name, kind in reversed(own_fields(each).items()):
                if name in names and isinstance(kind, Integer):
                    lows = [limits.low for limits in kind.ranges]
                    lows += [other for operator, other in each.limits.get(name, ()) if operator in (">", ">=", "==")]
                    names.update(name for low in lows for name in low.names)
        return frozenset(names)

    @cached_property
    def places_characters(self) -> bool:
        """Whether an item places characters of words."""
        return any(item.places_characters for item in walk(self))

    def parse(self, data: bytes) -> Tree:
        """Return the values of an input. Raises FaultError if it is not valid."""
        parser = Parser(data)
        try:
            tree = self.take(parser)
            parser.finish()
        except ExpressionError as error:  # a bound that has no value, such as n/(m-m)
            found = "values for which a bound has none"
            parser.fail(found, f"other values ({error})", line=max(1, parser.at))
        return tree

    def take(self, parser: Parser) -> Tree:
        """Take the next lines."""
        return [item.parse(parser) for item in self.items]

    def render(self, tree: Tree) -> bytes:
        """Return the input that has these values."""
        return "\n".join([*self.lines(tree), ""]).encode()

    def lines(self, tree: Tree) -> Iterator[str]:
        """Yield the lines that have these values, without their ends."""
        for item, node in zip(self.items, tree, strict=True):
            yield from item.lines(node)

    def build(
        self,
        chooser: Chooser,
        guide: Tree | None = None,
        *,
        fixed: Mapping[str, Any] | None = None,
        most: int = MAX_VALUES,
    ) -> Tree:
        """Return a tree.

        Args:
            chooser: decides.
            guide: another tree, which is followed as far as the chooser does that.
            fixed: values of fields, and counts of blocks (`tests`, `repeat`), lists and words that the grammar leaves
                open, by their names.
            most: how many values an input may have.

        Raises:
            Rejected: these choices lead nowhere.
            TooLargeError: they lead to more values than an input may have.
        """
        builder = Builder(self.counts, chooser, fixed or {}, most)
        try:
            tree = self.choose(builder, guide)
            if self.places_characters:
                self.parse(self.render(tree))
        except (ExpressionError, FaultError) as error:
            raise Rejected from error
        return tree

    def choose(self, builder: Builder, guide: Tree | None) -> Tree:
        """Choose the values of all items."""
        return [item.build(builder, self, None if guide is None else guide[at]) for at, item in enumerate(self.items)]

    def find_sites(self, tree: Tree) -> Sites:
        """Return what can be changed in an input."""
        sites = Sites(self.counts)
        self.note(sites, tree, (), {})
        return sites

    def note(self, sites: Sites, tree: Tree, path: Path, known: Known) -> None:
        """Note what can be changed in some values; `known` has the fields so far."""
        for at, (item, node) in enumerate(zip(self.items, tree, strict=True)):
            item.note(sites, node, (*path, at), known)

    def sentences(self, depth: int = 0) -> Iterator[str]:
        """Yield what the statement says, as the items of a list, those of the bodies in it below them."""
        own = [item for item in self.items if not isinstance(item, Relation)]
        only = "A line that" if depth else "The only line"
        for item in self.items:
            start = only if len(own) == 1 else "The first line" if own and item is own[0] else "The next line"
            sentence, *below = item.sentence(start, depth)
            yield f"{'  ' * max(0, depth - 1)}- {sentence}"
            yield from below

    def outline(self) -> str:
        """Return it in a line; the largest values are those of samples, so that they are left out."""
        return ", ".join(each for item in self.items for each in item.outline())


def walk(body: Body) -> Iterator[Item]:
    """Yield all items, those of blocks after the block."""
    for item in body.items:
        yield item
        for inner in item.bodies:
            yield from walk(inner)


def own_fields(body: Body) -> dict[str, AnyKind]:
    """Return the fields of the lines of a body, without those of its blocks."""
    return {name: kind for item in body.items if isinstance(item, Line) for name, kind in item.fields}


def find_parts(value: object, wanted: type[_Part]) -> Iterator[_Part]:
    """Yield the parts of a form that are of a type, such as its expressions; a form itself is one of its parts."""
    if isinstance(value, wanted):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from find_parts(each, wanted)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from find_parts(getattr(value, name), wanted)
