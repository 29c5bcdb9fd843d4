"""A grammar of what some inputs show, in the notation that a person would write.

Where something says what is valid, such as a validator, the guesses are corrected by its answers (`infer_grammar`).
Elsewhere nothing corrects them, so there are several grammars, each of which accepts more than the one before
(`guess_grammars`).
"""

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from enum import Flag, auto
from itertools import pairwise
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError
from judge.inputs.choose import GrammarError
from judge.inputs.grammar import Grammar
from judge.inputs.notation import places_of
from judge.inputs.observe import MOST_BYTES, Observed, Values, find_grid, take_small
from judge.inputs.patterns import write_class
from judge.inputs.probe import furthest
from judge.inputs.structure import Block, Count, Forms, Item, Line, Repeat, Tokens, parts_of, walk
from judge.inputs.tighten import Oracle, Rule, add_rules, find_rules, graph_options, refute_rules

_MOST_COUNTED = 1_000_000  # elements
_MOST_ROWS = 100  # and columns of a grid
_MOST_IN_LINE = 1_000  # tokens that nothing counts
_FEW_WORDS = 8  # that are listed
_OFTEN = 2  # occurrences of each of these words on average, from which a choice is believed without a validator
_MANY_VALUES = 8  # from which a bound of a list is believed without a validator
_FEW_LETTERS = 2  # 0 and 1, or L and R, are no words of any letters
_CERTAIN = 4  # numbers in any order from 1 on are no coincidence from so many on
_MANY_LENGTHS = 4  # words of one length, from which on all have that
_LARGE = 10**8  # a number from which on 10^18 may be the limit
_MANY_INPUTS = 20
_QUESTION_SHARE = 0.15  # of the time that is left, which the inputs for one question may take
_LAST_SHARE = 0.25  # of the time, to find out whether the inputs of the grammar are valid
_LAST_ASKED = 16  # inputs of the whole grammar, of which so many must be valid:
_LEAST_VALID = 0.25
_LEAST_DIFFERENT = 3
_SIZES = (0.1, 0.2, None, None)
_RUN = re.compile(rb"[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")
_TIMES = (
    (re.compile(rb"([01]\d|2[0-3]):[0-5]\d").fullmatch, "([01][0-9]|2[0-3]):[0-5][0-9]"),
    (re.compile(rb"([01]\d|2[0-3])(:[0-5]\d){2}").fullmatch, "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"),
    (re.compile(rb"\d{4}-(0\d|1[0-2])-[0-3]\d").fullmatch, "(19|20)[0-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])"),
)
_DATE = (
    (1, 31),
    (1, 12),
    (1000, 9999),
)  # day, month and year, of which the first and last year of a century are tried:
_YEARS = (1900, 2100)
_DAYS = "{0} <= 28 or ({1} != 2 and ({0} <= 30 or ({1} + {1}/8) % 2 == 1))"
_TOKEN = re.compile(rb"[^ \n]+")
_RANGE = re.compile(r"-?\d+\.\.-?\d+")
_CLASSES = ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789")


class Beyond(Flag):
    """What inputs may have that those from which a format is guessed do not show.

    `WIDER`: larger numbers and longer words, such as ten times as large. `SINGLE`: a list of one element.
    `REPEATED`: equal values. `PARALLEL`: several edges between the same nodes. `LOOSE`: graphs in several parts.
    `MILLION`: values up to 10^6. `LARGE`: up to 10^9. `MANY`: counts up to 10^5. `ZERO`: the number 0. `HUGE`: single
    numbers up to 10^18. `SIGNED`: negative numbers. `UNORDERED`: other orders, also of numbers that have been in one
    order. `ANY`: all else that the format allows.
    """

    WIDER = auto()
    SINGLE = auto()
    REPEATED = auto()
    PARALLEL = auto()
    LOOSE = auto()
    MILLION = auto()
    LARGE = auto()
    MANY = auto()
    ZERO = auto()
    HUGE = auto()
    SIGNED = auto()
    UNORDERED = auto()
    ANY = auto()


SHOWN = Beyond(0)
_NEAR = Beyond.WIDER | Beyond.REPEATED
RINGS = {
    "values of the samples": SHOWN,
    "wider ranges": Beyond.WIDER,
    "repeated values": _NEAR,
    "a single element": _NEAR | Beyond.SINGLE,
    "loose graphs": _NEAR | Beyond.LOOSE,
    "parallel edges": _NEAR | Beyond.PARALLEL,
    "values up to 10^6": _NEAR | Beyond.MILLION,
    "large values": _NEAR | Beyond.LARGE,
    "many values": _NEAR | Beyond.LARGE | Beyond.MANY,
    "zero": _NEAR | Beyond.LOOSE | Beyond.ZERO,
    "huge numbers": _NEAR | Beyond.LARGE | Beyond.HUGE,
    "negative numbers": _NEAR | Beyond.LOOSE | Beyond.ZERO | Beyond.SIGNED,
    "large negative numbers": _NEAR | Beyond.LOOSE | Beyond.ZERO | Beyond.SIGNED | Beyond.LARGE,
    "other orders": _NEAR | Beyond.LOOSE | Beyond.UNORDERED,
    "any values": ~SHOWN,
}
"""How far a guess goes beyond the samples: what statements most likely allow comes first; the last allows all."""
NEXT_RINGS = ("values of the samples", "wider ranges", "negative numbers")
"""The rings that begin a series: of a series, inputs that change one field of a sample come first."""
_TYPICAL = _NEAR | Beyond.SINGLE | Beyond.LOOSE | Beyond.ZERO | Beyond.UNORDERED


class _UnknownError(Exception):
    """Something has no counterpart."""


def guess_grammars(observed: Observed, known: Sequence[bytes]) -> list[Any]:
    """Return the notation of a grammar for each of `RINGS`, and one without rules that perhaps hold by chance.

    All of them accept the known inputs. Nothing is returned if there is no notation for what was observed.
    """
    found: list[Any] = []
    try:
        writer = _Writer(observed, SHOWN)
        value = writer.write()
        first = [*(rule for rule, _ in writer.graphs), *writer.permutations, *writer.cells]
        rules = find_rules(value, take_small(known, MOST_BYTES), first=first, last=writer.choices, most=MOST_BYTES)
        certain = frozenset(writer.item_of(rule) for rule in rules if "distinct" in rule.options[0])
        for beyond in (*RINGS.values(), _TYPICAL):
            wider = _Writer(observed, beyond, certain=certain)
            value = wider.write()
            found.append(add_rules(value, [kept for rule in rules if (kept := wider.widen(rule)) is not None]))
    except (DataError, _UnknownError):
        return []
    return found


def infer_grammar(
    observed: Observed, numbers: Sequence[int], known: Sequence[bytes], oracle: Oracle, random: Random
) -> Any:
    """Return the notation of a grammar of what was observed; None if its inputs are rarely valid.

    `numbers` are those that the problem mentions, in ascending order: limits are among them. Of the valid `known`
    inputs, those of the cases come first. The oracle is asked about random inputs.
    """
    writer = _Writer(observed, None, max((each for each in numbers if each <= _MOST_COUNTED), default=0))
    start = time.monotonic()
    early = replace(oracle, deadline=start + (oracle.deadline - start) * (1 - _LAST_SHARE))

    def is_ordered(ends: tuple[int, int]) -> bool:
        """Return whether an edge is not valid with its ends exchanged: a graph has them in any order."""
        base = min(known, key=len)
        tokens = zip(observed.structure.read(base) or (), _TOKEN.finditer(base), strict=False)
        for (one, first), (other, second) in pairwise(tokens):
            if (one.item, other.item) == ends:
                between = base[first.end() : second.start()]
                changed = base[: first.start()] + other.text + between + one.text + base[second.end() :]
                return early.accepts(changed) is False
        return False

    try:
        value = writer.write()
        first = [*(rule for rule, ends in writer.graphs if not is_ordered(ends)), *writer.permutations]
        rules = find_rules(value, known, first=first, last=writer.choices, is_over=early.is_over)
        rules = refute_rules(value, rules, known, early, random)
        value = add_rules(value, rules)
        _adjust_ranges(value, writer, numbers, early, random)
        return value if _makes_valid_inputs(Grammar.from_yaml(value), oracle, random) else None
    except (DataError, _UnknownError):
        return None


class _Graph(Struct, frozen=True):
    """Edges: the number that says how many nodes there are, that of the first node, and the items of the two ends."""

    nodes: int
    first: int
    ends: tuple[int, int]


class _Writer:
    """Writes what was observed as notation.

    Args:
        beyond: what else is allowed; None if a validator is asked about that afterwards.
        certain: the items whose bound is no coincidence.

    Attributes:
        graphs: blocks that may be the edges of a graph, with the items that are the ends of an edge.
        choices: words that may be one of a few.
        cells: characters that may always be at the positions that a line gives of a grid; how many days a month has.
        counted: the largest known values of the fields that say how many there are of something, by their names:
            their limits are not known.
        guessed: the names of the other fields whose limits are not known.
    """

    def __init__(
        self, observed: Observed, beyond: Beyond | None, most: int = 0, certain: Collection[int | None] = ()
    ) -> None:
        self.graphs: list[tuple[Rule, tuple[int, int]]] = []
        self.permutations: list[Rule] = []
        self.choices: list[Rule] = []
        self.cells: list[Rule] = []
        self._dates: dict[int, tuple[int, int]] = {}
        self.counted: dict[str, int] = {}
        self.guessed: set[str] = set()
        self._beyond = beyond
        self._most = most
        self._certain = certain
        self._grid = find_grid(observed)
        self._blocks, self._end = observed.structure.blocks, observed.structure.end
        self._values = observed.values
        self._tokens = [token for reading in observed.readings for token in reading]
        self._counters = observed.counters
        self._are_many = len(observed.readings) >= _MANY_INPUTS
        self._nodes, self._edges = set[int](), set[int]()
        for block, scope, around in walk(self._blocks):
            if isinstance(block, Repeat):
                self._nodes |= {graph.nodes for graph in self._graphs_of(block, scope)}
                if block.count and block.count.offset == 0 and block.count.item in scope[around + 1 :]:
                    self._edges.add(block.count.item)  # of lines there may be none: not the first number of its block
        self._edges -= self._nodes
        lengths = {each.length for each in self._values.values() if each.length is not None}
        self._counting = self._counters | lengths | self._nodes
        self._names = _choose_names(observed, self._counting)

    def write(self) -> list[Any]:
        """Return the lines and blocks."""
        found = list(self._items(self._blocks, (), ()))
        self.cells += self._cells()
        has_end = isinstance(self._blocks[-1], Repeat) and self._blocks[-1].count is None
        return found if has_end or not self._end else [*found, self._end.decode("ascii")]

    def _cells(self) -> Iterator[Rule]:
        """Yield that a character is at each position of a grid of words that a line gives."""
        if self._grid is None or self._values[self._grid[2]].kind != "word":
            return
        rows, columns, row = self._grid
        items = [each for block in self._blocks if isinstance(block, Line) for each in block.items]
        for one, other in pairwise(items):
            if (self._values[one].bound, self._values[other].bound) == (rows, columns):
                for letter in self._values[row].alphabet.decode("ascii"):
                    cell = f"{self._names[row]}[{self._names[one]}][{self._names[other]}]"
                    yield Rule((), [{"where": f"{cell} == '{letter}'"}])

    def item_of(self, rule: Rule) -> int | None:
        """Return the list of a rule if a count bounds its values, and its length shows that this is not by chance."""
        items = {name: item for item, name in self._names.items()}
        item = items.get(str(rule.path[-1])) if rule.path else None
        values = self._values.get(item) if item is not None else None
        is_certain = values is not None and values.bound in self._counting and values.high >= _CERTAIN
        return item if is_certain else None

    def widen(self, rule: Rule) -> Rule | None:
        """Return what is left of a rule that known inputs meet, perhaps by chance; None for nothing."""
        added, beyond = rule.options[0], self._beyond or SHOWN
        drops = SHOWN  # trees are always kept
        if "graph" in added:
            nodes, edges, is_connected = (added["graph"][key] for key in ("nodes", "edges", "connected"))
            is_tree = edges == f"{nodes} - 1"
            same = {"nodes": nodes, "first": added["graph"]["first"]}.items()
            graphs = (each for each, _ in self.graphs if each.path == rule.path)
            options = next(each.options for each in graphs if same <= each.options[0]["graph"].items())
            if beyond & Beyond.PARALLEL and not is_tree:
                options = [{"graph": each["graph"] | {"simple": False}} for each in options]
            rule = Rule(rule.path, options[not is_connected or (not is_tree and bool(beyond & Beyond.LOOSE)) :])
            drops = SHOWN if is_tree else Beyond.ANY
        elif "distinct" in added and self.item_of(rule) is None:
            words = [self._names[item] for item, each in self._values.items() if each.kind == "word"]
            drops = Beyond.UNORDERED if added["distinct"] in words else Beyond.REPEATED
        elif "order" in added:
            columns = added["order"] if isinstance(added["order"], dict) else ()
            is_chance = any(
                each.often < _MANY_VALUES for item, each in self._values.items() if self._names[item] in columns
            )
            drops = Beyond.REPEATED if is_chance else Beyond.UNORDERED
        elif "characters" in added:
            drops = Beyond.UNORDERED
        elif "where" in added:
            one, sign, other, *more = added["where"].split()
            if more:  # the days of a month
                return None if beyond & Beyond.ANY else rule
            are_counts = {one, other} <= self.counted.keys()  # which say nothing of each other
            if sign in "<>" and "lines" not in rule.path and beyond & Beyond.REPEATED:
                rule = Rule(rule.path, [{"where": f"{one} {sign}= {other}"}])
            is_chance = are_counts or (sign[0] == ">" and "lines" not in rule.path)
            drops = Beyond.WIDER if is_chance else Beyond.REPEATED if sign == "!=" else Beyond.UNORDERED
        return None if beyond & drops else rule

    def _items(self, blocks: Sequence[Block], scope: tuple[int, ...], place: tuple[str | int, ...]) -> Iterator[Any]:
        """Yield lines and blocks; `scope` are the numbers before them, and `place` leads to them."""
        for at, block in enumerate(blocks):
            if isinstance(block, Line):
                fields, scope = self._line(block, scope, (*place, at), is_repeated="lines" in place)
                yield fields or ""
                continue
            if isinstance(block, Forms):
                yield {"either": [self._form(first, line, scope) for first, line in block.lines]}
                continue
            lines = list(self._items(block.body, scope, (*place, at, "lines")))
            if block.count is None:
                until = self._end.decode("ascii") or "end of file"
                yield {"repeat": f"1..{max(self._most, 1000)}", "until": until, "lines": lines}
                continue
            key = "tests" if at == 1 and not place and _has_tests(self._blocks) else "repeat"
            yield {key: self._count(block.count), "lines": lines}
            for graph in self._graphs_of(block, scope):
                nodes, weights = self._names[graph.nodes], list(lines[0].values())[2:]
                options = graph_options(nodes, self._count(block.count), graph.first, weights)
                self.graphs.append((Rule((*place, at), options), graph.ends))

    def _form(self, first: bytes, line: Line, scope: tuple[int, ...]) -> dict[str, Any]:
        """Return one of several forms of a line: its first word is always the same."""
        key, *rest = line.parts
        assert isinstance(key, Item)
        text = first.decode("ascii", "replace")
        fields, _ = self._line(Line(tuple(rest)), scope, (), is_repeated=True)
        for one, other in pairwise(line.items[1:]):
            low, high = self._values.get(one), self._values.get(other)
            if not (low and high and low.bound == high.bound is not None):
                continue
            if all(int(a.text) <= int(b.text) for a, b in pairwise(self._tokens) if (a.item, b.item) == (one, other)):
                fields[self._names[other]] = f"{self._names[one]}..{self._names[high.bound]}"  # the ends of a range
        return {self._names[key.id]: int(text) if text.isdecimal() else {"choice": [text]}, **fields}

    def _graphs_of(self, block: Repeat, scope: Sequence[int]) -> Iterator[_Graph]:
        """Yield the graphs whose edges the lines of a block may be: no end is larger than an earlier number."""
        line = block.body[0]
        if block.count is None or len(block.body) > 1 or not isinstance(line, Line) or not 2 <= len(line.parts) <= 3:
            return
        items = list(filter(self._is_integer, line.items))
        if len(items) < len(line.parts):
            return
        ends = [(int(token.text), token.known) for token in self._tokens if token.item in items[:2]]
        loops = any(
            one.item == items[0] and other.item == items[1] and one.text == other.text
            for one, other in pairwise(self._tokens)
        )
        for nodes in scope if ends and not loops else ():
            for first in (1, 0):
                if all(nodes in known and first <= end < first + known[nodes] for end, known in ends):
                    yield _Graph(nodes, first, (items[0], items[1]))
                    break

    def _line(
        self, line: Line, scope: tuple[int, ...], place: tuple[str | int, ...], *, is_repeated: bool
    ) -> tuple[dict[str, Any], tuple[int, ...]]:
        fields: dict[str, Any] = {}
        before = len(scope)
        self._find_date(line.items, place[:-1])
        for part in line.parts:
            item = part.id
            name = self._names[item]
            if isinstance(part, Item):
                fields[name] = self._scalar(item, scope, scope[before:], is_row=is_repeated)
                if self._is_integer(item):
                    scope = (*scope, item)
                    if item in self._counting:
                        self.counted[name] = self._values[item].high
            else:
                fields[name] = self._list(part, scope)
                self.permutations += self._permutations_of(part, (*place, name))
            self.choices += self._choices_of(item, (*place, name) if isinstance(part, Item) else (*place, name, "list"))
        return fields, scope

    def _find_date(self, items: Sequence[int], place: tuple[str | int, ...]) -> None:
        """Note which of the numbers of a line are a day, a month and a year, in this order or the other one."""
        values = [self._values.get(item) for item in items]
        for at, item in enumerate(items[1:-1]):
            for date in (items[at : at + 3], items[at : at + 3][::-1]):
                found = [values[items.index(each)] for each in date]
                if all(
                    each and low <= each.low <= each.high <= high
                    for each, (low, high) in zip(found, _DATE, strict=True)
                ):
                    self._dates |= dict(zip(date, (*_DATE[:2], _YEARS), strict=True))
                    self.cells.append(Rule(place, [{"where": _DAYS.format(self._names[date[0]], self._names[item])}]))

    def _choices_of(self, item: int, path: tuple[str | int, ...]) -> Iterator[Rule]:
        """Yield that words are one of those that are known, if these are few and not the rows of a grid."""
        values = self._values.get(item)
        if values is None or values.kind != "word" or values.length is not None or values.high < 2:
            return
        least = 2 if self._beyond is None else 1
        if least <= len(values.words) <= _FEW_WORDS and (
            self._beyond is None or values.often >= _OFTEN * len(values.words) + 1
        ):
            yield Rule(path, [{"choice": [each.decode("ascii") for each in values.words]}])

    def _permutations_of(self, part: Tokens, path: tuple[str | int, ...]) -> Iterator[Rule]:
        values = self._values.get(part.id)
        if part.count is None or part.count.is_constant or values is None or values.low not in (0, 1):
            return
        if values.kind == "integer" and (self._beyond is None or values.high - values.low + 1 >= _CERTAIN):
            yield Rule(path, [{"permutation": self._count(part.count), "first": values.low}])
        if values.kind == "integer" and values.often >= _MANY_VALUES - 2 and values.low == 1:
            yield Rule(path, [{"list": "1..i", "index": "i"}])  # the parents of a tree

    def _list(self, part: Tokens, scope: tuple[int, ...]) -> dict[str, Any]:
        if part.count is not None:
            return {"list": self._scalar(part.id, scope, is_list=True), "count": self._count(part.count)}
        words = self._scalar(part.id, scope, is_list=True)
        if isinstance(words, dict) and "length" in words and (self._beyond or SHOWN) & Beyond.ANY:
            letters = _more_letters(" " + self._values[part.id].alphabet.decode("ascii"), Beyond.WIDER)
            return {"text": f"{write_class(letters)}{{1,{_MOST_IN_LINE}}}"}  # spaces anywhere
        return {"list": words, "count": f"1..{_MOST_IN_LINE}"}

    def _is_integer(self, item: int) -> bool:
        return item in self._counters or (item in self._values and self._values[item].kind == "integer")

    def _scalar(
        self,
        item: int,
        scope: tuple[int, ...],
        line: tuple[int, ...] = (),
        *,
        is_row: bool = False,
        is_list: bool = False,
    ) -> Any:
        """Return a number or word; `line` are the numbers before it in its line."""
        values = self._values.get(item)
        if values is None:
            raise _UnknownError
        if values.kind == "word":
            return self._word(values, scope)
        if item in self._dates and self._beyond and not self._beyond & Beyond.ANY:
            return f"{min(self._dates[item][0], values.low)}..{max(self._dates[item][1], values.high)}"
        is_grid = self._grid is not None and item in self._grid[:2]
        low, high = self._limits(
            values, is_count=item in self._counting, is_grid=is_grid, may_be_zero=item in self._edges
        )
        beyond = self._beyond or SHOWN
        if beyond & Beyond.HUGE and not (is_row or is_list) and item not in self._counting:
            high = max(high, 10**18)
        is_likely = is_row or is_list or (not self._counters and len(self._values) > 1)
        is_signed = beyond & (Beyond.SIGNED if is_likely else Beyond.ANY)
        if is_signed and item not in self._counting and high > 1:
            low = -high
        if values.kind == "real":
            return {"real": f"{low}.0..{max(low, high)}.0", "decimals": f"{values.least_decimals}..{values.decimals}"}
        if item not in self._counting:
            is_near = values.bound in line
            if values.bound in scope and self._believes_bound(item, is_row=is_row, is_list=is_list, is_near=is_near):
                may_be_zero = beyond & Beyond.ZERO and is_near
                low = low if values.least is not None else min(values.low, 0 if may_be_zero else 1)
                return f"{low}..{self._names[values.bound]}" + (" - 1" if values.is_below else "")
            self.guessed.add(self._names[item])
        return f"{low}..{high}"

    def _believes_bound(self, item: int, *, is_row: bool, is_list: bool, is_near: bool) -> bool:
        """Return whether a bound that all known values keep counts."""
        if not self._beyond or item in self._certain:
            return True
        values = self._values[item]
        if is_row:
            drops = Beyond.ANY if values.bound in self._counting else Beyond.UNORDERED
        elif is_list:
            drops = Beyond.REPEATED if values.often < _MANY_VALUES else Beyond.UNORDERED
        else:
            drops = Beyond.UNORDERED if is_near else Beyond.ANY
        return not self._beyond & drops

    def _limits(
        self, values: Values, *, is_count: bool, is_grid: bool = False, may_be_zero: bool = False
    ) -> tuple[int, int]:
        low, high, beyond = values.low, values.high, self._beyond
        if beyond is None and is_count:
            return min(low, 1), max(high, self._most)
        if beyond is None:
            return low if values.least is None else values.least, high if values.most is None else values.most
        if not beyond and self._are_many:  # all inputs of a generator may have one count
            return min(low, 1) if is_count else low, high
        if is_count:
            low = min(low, int(not beyond & Beyond.ZERO) if may_be_zero else 2 - bool(beyond & Beyond.SINGLE))
            if beyond & Beyond.WIDER:
                many = _MOST_ROWS if is_grid and not beyond & Beyond.ANY else _MOST_COUNTED // 10
                high = max(10 * high, many if beyond & Beyond.MANY else 30)
            return low, high
        if (low, high) == (0, 1) and values.often >= _MANY_VALUES and not beyond & Beyond.ANY:
            return 0, 1
        size = max(abs(low), abs(high))
        is_certain = bool(beyond) or values.often >= _MANY_VALUES
        is_near = bool(beyond & Beyond.REPEATED) or (is_certain and low <= max(10, high // 10))
        if beyond:
            is_large = bool(beyond & Beyond.ANY) or size > _LARGE
            least = 10**6 if beyond & Beyond.MILLION or not self._counters else 100
            size = max(10 * size, least if not beyond & Beyond.LARGE else 10**18 if is_large else 10**9)
        if low < 0:
            low = -size
        elif is_near:
            low = min(low, int(not beyond & Beyond.ZERO))
        return low, size

    def _word(self, values: Values, scope: tuple[int, ...]) -> dict[str, Any]:
        try:
            letters = values.alphabet.decode("ascii")
        except UnicodeDecodeError as error:
            raise _UnknownError from error
        if not letters or not letters.isprintable():
            raise _UnknownError
        if values.length in scope:
            return {"word": write_class(letters), "length": self._names[values.length]}
        if self._beyond is not None and (times := [each for known, each in _TIMES if all(map(known, values.words))]):
            return {"word": times[0]}
        if values.places and (self._beyond is None or len(values.words) >= _MANY_VALUES):
            return {"word": "".join(write_class(each.decode("ascii")) for each in values.places)}
        pattern = None if self._beyond is None else runs_pattern(values.words, is_wider=bool(self._beyond))
        if pattern is not None:
            return {"word": pattern}
        low, high = max(values.low, 1), max(values.high, values.longest or 0, 1)
        if self._beyond is not None:
            letters = _more_letters(letters, self._beyond)
            if values.low == values.high and values.often >= _MANY_LENGTHS:
                return {"word": write_class(letters), "length": high}
            low = low if self._are_many and not self._beyond else 1
            if self._beyond:
                high = max(10 * high, 1000 if self._beyond & Beyond.MANY else 30)
        return {"word": write_class(letters), "length": f"{low}..{high}"}

    def _count(self, count: Count) -> str | int:
        if count.is_constant:
            return count.offset
        name = self._names[count.item]
        return f"{name} {'-' if count.offset < 0 else '+'} {abs(count.offset)}" if count.offset else name


def _more_letters(letters: str, beyond: Beyond) -> str:
    """Return the letters that words may have, in the order of their codes."""
    classes = [each for each in _CLASSES if set(each) & set(letters)]
    if beyond & Beyond.ANY and any(each.isalpha() for each in classes):
        classes += _CLASSES[:2]
    elif not beyond or len(letters) <= _FEW_LETTERS or not letters.isalnum():
        return letters
    return "".join(sorted({*letters, *"".join(classes)}))


def runs_pattern(words: Sequence[bytes], *, is_wider: bool) -> str | None:
    """Return a pattern of words in which runs of digits, letters and other characters take turns, such as `2*3+4`.

    None for words of one kind of characters, or if the runs of some begin or end with other kinds.
    """
    split = [[match[0].decode("ascii") for match in _RUN.finditer(word)] for word in words]
    if any(len(runs) == 1 for runs in split):
        return None
    kinds = [["letter" if run.isalpha() else "digit" if run.isdigit() else "other" for run in runs] for runs in split]
    first, second = kinds[0][:2]
    if any(kind != (first, second)[at % 2] for each in kinds for at, kind in enumerate(each)):
        return None
    parts = []
    is_fixed = len(words) > 1 and len({tuple(map(len, runs)) for runs in split}) == 1
    more = 2 if is_wider and not is_fixed else 0
    for at in range(2):
        runs = [run for each in split for run in each[at::2]]
        letters = _more_letters("".join(sorted(set("".join(runs)))), Beyond.WIDER)
        lengths = {len(run) for run in runs}
        is_sign = lengths == {1} and not runs[0].isalnum()
        high = max(lengths) + (0 if is_sign else more)
        is_number = "0" in letters and runs[0].isdigit() and not any(run[0] == "0" for run in runs)
        first = "[1-9]" if is_number else ""
        parts.append(f"{first}{write_class(letters)}{{{min(lengths) - bool(first)},{high - bool(first)}}}")
    ends = {len(each) % 2 for each in kinds}
    pairs = [len(each) // 2 for each in kinds]
    often = f"{{{min(pairs)},{max(pairs) + more * max(pairs)}}}"
    if ends == {0}:
        return f"({parts[0]}{parts[1]}){often}" + (f"({parts[0]})?" if more else "")
    last = f"({parts[0]})?" if len(ends) > 1 else parts[0]
    return f"({parts[0]}{parts[1]}){often}{last}"


def _has_tests(blocks: Sequence[Block]) -> bool:
    """Return whether the first number counts tests: the blocks of several lines that all the rest consists of."""
    match blocks:
        case (Line(parts=(Item(id=number),)), Repeat(count=Count(item=counter, offset=0), body=body)):
            return number == counter and (len(body) > 1 or isinstance(body[0], Repeat))
    return False


def _choose_names(observed: Observed, counting: Collection[int | None]) -> dict[int, str]:
    """Return the names of all items, as a statement would call them as long as there are letters: n and m count."""
    counts, numbers, lists, words = map(iter, ("nmkqlp", "abcdefgh", "xyzvw", "stuor"))
    names: dict[int, str] = {}
    for part in parts_of(observed.structure.blocks):
        item = part.id
        values = observed.values.get(item)
        if item in counting:
            letters = counts
        elif isinstance(part, Tokens):
            letters = lists
        else:
            letters = words if values is not None and values.kind == "word" else numbers
        names[item] = next(letters, f"x{item}")
    return names


def _adjust_ranges(value: Any, writer: _Writer, numbers: Sequence[int], oracle: Oracle, random: Random) -> None:
    """Change the ranges whose limits are not known to what is accepted."""
    for place in places_of(value):
        part, key, name = place.part, place.key, place.name
        if not key or place.is_length or not _RANGE.fullmatch(str(part[key])):
            continue
        low, high = (int(each) for each in part[key].split(".."))

        def is_valid(number: int, part: dict[str, Any] = part, key: str = key) -> bool | None:
            usual, part[key] = part[key], f"{number}..{number}"
            try:
                return _is_accepted(Grammar.from_yaml(value), number, oracle, random)
            except DataError:
                return None
            finally:
                part[key] = usual

        def fits(number: int, is_valid: Callable[[int], bool | None] = is_valid) -> bool:
            return is_valid(number) is True

        if name in writer.counted:
            asked = [each for each in numbers if low < each <= min(high, oracle.most)]
            most = max(furthest(asked, low, fits), writer.counted[name])
            is_limit = bool(asked) and any(
                is_valid(each) is False for each in (most + 1, *(each for each in asked if each > most))
            )
            part[key] = f"{low}..{most if is_limit else high}"
        elif name in writer.guessed or key == "weight":
            lower = sorted({each for each in (1, 0, -1, *(-each for each in numbers)) if each < low}, reverse=True)
            higher = [each for each in numbers if each > high]
            part[key] = f"{furthest(lower, low, fits)}..{furthest(higher, high, fits)}"
        if oracle.is_over():
            part[key] = f"{low}..{high}"
            return


def _makes_valid_inputs(grammar: Grammar, oracle: Oracle, random: Random) -> bool:
    """Return whether some different inputs, of all sizes, are often valid."""
    answers: dict[bytes, bool] = {}
    for at in range(_LAST_ASKED):
        size = _SIZES[at % len(_SIZES)]
        try:
            data = grammar.propose(random, (), size=size, most=oracle.most, is_over=oracle.is_over)
        except GrammarError:
            continue
        if (is_valid := oracle.accepts(data)) is not None:
            answers[data] = is_valid
    return sum(answers.values()) >= max(_LEAST_DIFFERENT, _LEAST_VALID * len(answers))


def _is_accepted(grammar: Grammar, number: int, oracle: Oracle, random: Random) -> bool | None:
    """Return whether some input with a number is valid; None if no input was made that shows it."""
    is_rejected = False
    now = time.monotonic()
    end = now + (oracle.deadline - now) * _QUESTION_SHARE
    for size in _SIZES:
        try:
            data = grammar.propose(random, (), size=size, most=2 * oracle.most, is_over=lambda: time.monotonic() > end)
        except GrammarError:
            if time.monotonic() > end:
                return None
            continue
        if b"%d" % number in data.split():
            is_accepted = oracle.accepts(data)
            if is_accepted:
                return True
            is_rejected = is_rejected or is_accepted is False
    return False if is_rejected else None
