"""A block of an input: a body that is repeated, or that is there if something holds."""

from collections.abc import Iterator, Sequence
from typing import Any

from judge.inputs.build import Builder, Rows, narrow, place_characters
from judge.inputs.choose import Rejected
from judge.inputs.domains import Integer, Integers, ListRules, Member, Scalar, Word, is_ordered, tex_often
from judge.inputs.expressions import Expression, Range, previous_name
from judge.inputs.forms import END_OF_FILE, Body, Either, Item, Line, Relation, find_parts, own_fields
from judge.inputs.parse import Parser, Tree, quote
from judge.inputs.sites import Known, Path, Sites


class Repeat(Item, frozen=True, kw_only=True):
    """A body that is repeated.

    Attributes:
        count: how often; unless it is exact, `until` says where it ends.
        until: `end of file`, or the text of the line that ends it; "" if the count says it.
        is_tests: each repetition is a test of its own.
        sums: the highest totals of some expressions over all repetitions.
        distinct: the fields whose values together differ in all repetitions.
        orders: fields whose values are in order, with the order.
        characters: how often some characters occur in the words of all repetitions together.
        index: the name of the number of the repetition, from 1; "" without one.
        previous: the fields whose value in the repetition before is used.
        columns: the fields that are lists of all their values after the block.
        is_condition: it is there once or not at all.
    """

    count: Range
    body: Body
    until: str = ""
    is_tests: bool = False
    sums: tuple[tuple[Expression, Expression], ...] = ()
    distinct: tuple[str, ...] = ()
    orders: tuple[tuple[str, str], ...] = ()
    characters: tuple[tuple[str, Range], ...] = ()
    index: str = ""
    previous: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    is_condition: bool = False

    @property
    def bodies(self) -> tuple[Body, ...]:
        return (self.body,)

    @property
    def counts(self) -> Iterator[str]:
        return iter(() if self.is_condition else self.count.names)

    @property
    def places_characters(self) -> bool:
        return bool(self.characters)

    @property
    def has_end_line(self) -> bool:
        """Whether a line of its own ends it."""
        return self.until not in ("", END_OF_FILE)

    # ---- reading and writing

    def parse(self, parser: Parser) -> list[Tree]:  # noqa: C901 - one step for each rule
        low, high = self.count.evaluate(parser.env)
        if (table := self._parse_table(parser, low, high)) is not None:
            return table
        limits = [most.evaluate(parser.env) for _, most in self.sums]
        totals = [0] * len(limits)
        seen: set[Any] = set()
        found: list[Tree] = []
        rows: list[dict[str, Any]] = []  # the values that rules between repetitions need
        for name in self.previous:
            parser.env[previous_name(name)] = None
        while len(found) < low or not self._is_end(parser, len(found), high):
            if len(found) >= low and len(found) >= high:
                end = "the end of the input" if self.until == END_OF_FILE else f"the line `{self.until}`"
                parser.fail(quote(parser.lines[parser.at]), f"{end} after at most {high} repetitions")
            if parser.at >= len(parser.lines):
                parser.fail("the end of the input", f"number {len(found) + 1} of {self.count} repetitions")
            start = parser.at + 1
            if self.index:
                parser.env[self.index] = len(found) + 1
            found.append(self.body.take(parser))
            self._check_order(parser, rows, start)
            for at, (what, most) in enumerate(self.sums):
                totals[at] += what.evaluate(parser.env)
                if totals[at] > limits[at]:
                    total = f"a total of {totals[at]} for `{what.text}`"
                    parser.fail(total, f"at most {limits[at]} (`{most.text}`)", line=start)
            if (key := self._key(parser.env)) in seen:
                names = ", ".join(f"`{name}`" for name in self.distinct)
                parser.fail("the same as before", f"different values of {names}", line=start)
            if key:
                seen.add(key)
        if self.has_end_line:
            parser.at += 1
        self._check_characters(parser, found)
        for name in self.columns:
            parser.env[name] = [row[name] for row in rows]
        return found

    def _key(self, env: dict[str, Any]) -> tuple[Any, ...]:
        """Return the values that differ in all repetitions."""
        values = (env[name] for name in self.distinct)
        return tuple(tuple(value) if isinstance(value, list) else value for value in values)

    def _parse_table(self, parser: Parser, low: int, high: int) -> list[Tree] | None:
        """Return the repetitions of a block of integers without rules between them; None for others and faults."""
        fields = self._table_fields()
        rows = parser.lines[parser.at :] if self.until else parser.lines[parser.at : parser.at + max(0, low)]
        if fields is None or not low <= len(rows) <= high or parser.is_unfinished:
            return None
        values = parser.read_integers(rows, fields)
        if values is None:
            return None
        parser.at += len(rows)
        width = len(fields)
        return [[values[at : at + width]] for at in range(0, len(values), width)]

    def _table_fields(self) -> list[tuple[str, Integer]] | None:
        """Return the fields if all rows are integers, each between fields or numbers that rows do not change."""
        has_rules = self.sums or self.distinct or self.orders or self.characters or self.columns or self.previous
        line = self.body.items[0]
        if has_rules or self.has_end_line or len(self.body.items) > 1 or not isinstance(line, Line):
            return None
        fields: list[tuple[str, Integer]] = []
        own = {*(name for name, _ in line.fields), self.index}
        for name, kind in line.fields:
            if not isinstance(kind, Integer):
                return None
            ends = [end for each in kind.ranges for end in (each.low, each.high)]
            if any(own.intersection(end.names) and (end.source not in own or len(ends) > 2) for end in ends):
                return None
            fields.append((name, kind))
        return fields

    def _check_order(self, parser: Parser, rows: list[dict[str, Any]], start: int) -> None:
        """Add the values of a repetition that rules need, and check that they are in order."""
        names = {*self.columns, *self.previous, *(name for name, _ in self.orders)}
        row = {name: parser.env[name] for name in names}
        for name, order in self.orders:
            if rows and not is_ordered(own_fields(self.body)[name], order, rows[-1][name], row[name]):
                found = f"{name} = {row[name]} after {rows[-1][name]}"
                parser.fail(found, f"`{name}` in {order} order", line=start)
        for name in self.previous:
            parser.env[previous_name(name)] = row[name]
        rows.append(row)

    def _check_characters(self, parser: Parser, found: Sequence[Tree]) -> None:
        words = "".join(values[number] for values, number, _ in self._counted_words(found)) if self.characters else ""
        for char, often in self.characters:
            low, high = often.evaluate(parser.env)
            if not low <= words.count(char) <= high:
                expected = f"`{char}` {low if low == high else f'{low} to {high}'} times"
                parser.fail(f"`{char}` {words.count(char)} times", expected, line=max(1, parser.at))

    def _counted_words(self, trees: Sequence[Tree]) -> Iterator[tuple[list[Any], int, Word]]:
        """Yield the words whose characters are counted: the line of values, the position there, and the kind."""
        for tree in trees:
            for item, node in zip(self.body.items, tree, strict=True):
                for at, (_, kind) in enumerate(item.fields if isinstance(item, Line) else ()):
                    if isinstance(kind, Word) and kind.length is not None:
                        yield node, at, kind

    def _is_end(self, parser: Parser, done: int, high: int) -> bool:
        if self.until == END_OF_FILE:
            return parser.at >= len(parser.lines)
        if self.until:
            if parser.at >= len(parser.lines):
                parser.fail("the end of the input", f"the line `{self.until}`")
            return parser.lines[parser.at] == self.until.encode()
        return done >= high

    def lines(self, node: Sequence[Tree]) -> Iterator[str]:
        for each in node:
            yield from self.body.lines(each)
        if self.has_end_line:
            yield self.until

    # ---- making and changing

    def build(self, builder: Builder, body: Body, guide: Sequence[Tree | None] | None) -> list[Tree]:
        low, high = self.count.evaluate(builder.env)
        name = "tests" if self.is_tests else "repeat"
        fixed = builder.fixed.get(name)
        if not self.count.is_exact and type(fixed) is int:
            low, high = narrow((low, high), fixed)
        count = builder.count(name, low, high, guide)
        limits = [most.evaluate(builder.env) for _, most in self.sums]
        outer, outer_rows = dict(builder.left), dict(builder.rows)
        self._enter_rows(builder, count, guide)
        for (what, _), most in zip(self.sums, limits, strict=True):
            builder.left[what.text] = most, count
        totals = [0] * len(limits)
        seen: set[Any] = set()
        builder.chooser.enter(count)
        found = []
        for at in range(count):
            piece = guide[at] if guide is not None and at < len(guide) else None
            if self.index:
                builder.env[self.index] = at + 1
            for rows in builder.rows.values():
                rows.at = at if rows.block is self else rows.at
            found.append(self._repetition(builder, piece, limits, totals, seen))
            for name in (*self.previous, *(name for name, _ in self.orders)):
                builder.env[previous_name(name)] = builder.env[name]
        builder.chooser.leave(count)
        builder.left, builder.rows = outer, outer_rows
        if self.characters:
            self._place_characters(builder, found)
        for name in self.columns:
            builder.env[name] = self._column(name, found)
        return found

    def _enter_rows(self, builder: Builder, count: int, guide: Sequence[Tree | None] | None) -> None:
        """Prepare the fields about which rules between repetitions say something; choose their values, if possible."""
        orders = dict(self.orders)
        only = self.distinct if len(self.distinct) == 1 else ()
        fields = own_fields(self.body)
        for name in (*self.previous, *orders):
            builder.env[previous_name(name)] = None
        uses_previous = [
            name
            for name, kind in fields.items()
            if isinstance(kind, Integer)
            and any("_previous_" in each.low.source + each.high.source for each in kind.ranges)
        ]
        for name in dict.fromkeys((*orders, *self.previous, *uses_previous, *only)):
            kind = fields.get(name)
            if not isinstance(kind, Scalar):
                continue
            builder.rows[name] = rows = Rows(block=self, count=count, order=orders.get(name, ""))
            own = {*fields, *map(previous_name, fields), self.index}
            is_free = not any(own.intersection(each.names) for each in find_parts(kind, Expression))
            if not count or name not in {*orders, *only} or not is_free or isinstance(kind, Member):
                continue
            if name in builder.left or name in builder.fixed:
                continue
            rules = ListRules(item=kind, copies=1 if name in only else None, order=rows.order)
            known = self._column(name, guide) if guide is not None else None
            limits = self.body.limits.get(name, ())
            domain = builder.domain(kind)
            if isinstance(domain, Integers) and not any(own.intersection(each.names) for _, each in limits):
                ranges = builder.limited(domain.ranges, limits)
                domain = Integers(tuple((low, high) for low, high in ranges if low <= high))
                if not domain.ranges:
                    raise Rejected
            rows.drawn = builder.chooser.values(rules, domain, count, known)

    def _repetition(
        self, builder: Builder, guide: Tree | None, limits: Sequence[int], totals: list[int], seen: set[Any]
    ) -> Tree:
        """Build one repetition, again and again if a rule between repetitions rejects it."""
        before = dict(builder.left)
        for attempt in range(builder.chooser.retries + 1):
            builder.chooser.step()
            try:
                tree = self.body.choose(builder, guide)
                sums = [total + what.evaluate(builder.env) for total, (what, _) in zip(totals, self.sums, strict=True)]
                key = self._key(builder.env)
                is_wrong = any(total > most for total, most in zip(sums, limits, strict=True))
                ends = self.has_end_line and next(self.body.lines(tree), None) == self.until
                if is_wrong or (key and key in seen) or ends:
                    raise Rejected  # noqa: TRY301 - another attempt follows
            except Rejected:
                builder.left = dict(before)
                if attempt == builder.chooser.retries:
                    raise
            else:
                totals[:] = sums
                seen.add(key)
                return tree
        raise Rejected

    def _place_characters(self, builder: Builder, found: list[Tree]) -> None:
        """Change characters of the words until each occurs as often as it must."""
        places = list(self._counted_words(found))
        rules = [(char, *often.evaluate(builder.env)) for char, often in self.characters]
        alphabets = [kind.pattern.alphabet for _, _, kind in places]
        words = [values[number] for values, number, _ in places]
        changed = place_characters(words, rules, alphabets, builder.chooser.below)
        for (values, number, _), word in zip(places, changed, strict=True):
            values[number] = word

    def _column(self, name: str, trees: Sequence[Tree | None]) -> list[Any]:
        for at, item in enumerate(self.body.items):
            names = [each for each, _ in item.fields] if isinstance(item, Line) else []
            if name in names:
                number = names.index(name)
                return [tree[at][number] for tree in trees if tree is not None and tree[at] is not None]
        return []

    def note(self, sites: Sites, node: Sequence[Tree], path: Path, known: Known) -> None:
        if not self.is_condition:
            sites.add_count(self.count, path, len(node), known)
        for number, each in enumerate(node):
            self.body.note(sites, each, (*path, number), dict(known))

    # ---- describing

    def sentence(self, start: str, depth: int) -> list[str]:
        if self.is_condition:
            text = self.count.low.tex
            text = f"\\text{{not }} {text[4:]}" if text.startswith("not ") else text
            return [f"If ${text}$:", *self.body.sentences(max(2, depth + 1))]
        relations = tuple(item for item in self.body.items if isinstance(item, Relation))
        line = next((item for item in self.body.items if isinstance(item, Line)), None)
        line = line if len(self.body.items) == len(relations) + 1 else None
        is_one = (times := self.count.tex) == "$1$"
        thing = "test case" if self.is_tests else "line" if line else "block"
        parts = [f"{times} {thing} follows" if is_one else f"{times} {thing}s follow"]
        if self.until:
            is_file = self.until == END_OF_FILE
            parts[0] += ", up to the end of the file" if is_file else f", terminated by a line `{self.until}`"
        parts += [f"the sum of ${what.tex}$ is at most ${most.tex}$" for what, most in self.sums]
        if self.distinct:
            parts.append(f"no two have the same {' and '.join(f'${name}$' for name in self.distinct)}")
        parts += [f"${name}$ is in {order} order" for name, order in self.orders]
        parts += [f"all of them together have {part}" for part in tex_often(self.characters)]
        parts += [f"they are numbered ${self.index} = 1, 2, \\dots$"] if self.index else []
        verb = "consists of:" if line is None else "is a line that contains" if self.is_tests else "contains"
        contents = f"{'It' if is_one else 'Each'} {verb}{f' {line.phrase()}.' if line else ''}"
        rest = Body(items=relations) if line else self.body
        return [f"{'; '.join(parts)}. {contents}", *rest.sentences(max(2, depth + 1))]

    def outline(self) -> Iterator[str]:
        until = self.until
        often = f"up to the {until}:" if until == END_OF_FILE else f"up to `{until}`:" if until else str(self.count)
        is_line = isinstance(self.body.items[0], Line | Either)
        yield f"{often} {'tests' if self.is_tests else 'lines' if is_line else 'times'} of ({self.body.outline()})"
