"""A grammar of what known inputs show: a guess, whose inputs are good proposals where validators decide.

What is learned of a shape becomes notation of `judge.grammar`, as a person would write it. Rules that the known inputs
meet are added, and the validators are asked about inputs that break them. So searches for problems without a grammar
have random inputs, large ones and simpler ones as those with a grammar have.
"""

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.errors import DataError
from judge.grammar.build import GrammarError
from judge.grammar.grammar import Grammar
from judge.grammar.tighten import Oracle, Rule, add_rules, find_rules, graph_options, refute_rules
from judge.search.learned import Learned, Values, take_small, walk_values
from judge.search.mutation import ShapeJoining
from judge.search.probing import furthest
from judge.search.shape import Block, Count, Item, Line, Repeat, Tokens

_MOST_BYTES = 100_000  # of the known inputs that are looked at, the small ones first
_MOST_COUNTED = 1_000_000  # elements
_MOST_IN_LINE = 1_000  # tokens that nothing counts
_FEW_WORDS = 8  # that are listed
_SPECIAL = "\\[]^-"
_QUESTION_SHARE = 0.15  # of the time that is left, which the inputs for one question may take
_LAST_SHARE = 0.25  # of the time, to find out whether the inputs of the grammar are valid
_LAST_ASKED = 16  # inputs of the whole grammar, of which so many must be valid:
_LEAST_VALID = 0.25
_LEAST_DIFFERENT = 3
_SIZES = (0.1, 0.2, None, None)
_RANGE = re.compile(r"-?\d+\.\.-?\d+")


class _UnknownError(Exception):
    """Something has no counterpart."""


def infer_grammar(
    learned: Learned, numbers: Sequence[int], known: Sequence[bytes], oracle: Oracle, random: Random
) -> Any:
    """Return the notation of a grammar of what is learned; None if its inputs are rarely valid.

    Args:
        learned: from the known inputs.
        numbers: that the problem mentions, in ascending order: limits are among them.
        known: valid inputs, those of the cases first.
        oracle: says which other inputs are valid.
        random: makes the inputs that it is asked about.
    """
    writer = _Writer(learned, numbers, known)
    start = time.monotonic()
    early = replace(oracle, deadline=start + (oracle.deadline - start) * (1 - _LAST_SHARE))
    try:
        value = list(writer.items(learned.shape.blocks, (), ()))
        rules = find_rules(value, known, first=writer.graphs, last=writer.choices, is_over=early.is_over)
        rules = refute_rules(value, rules, known, early, random)
        value = add_rules(value, rules)
        _adjust_ranges(value, writer, numbers, early, random)
        return value if _makes_valid_inputs(Grammar.from_yaml(value), oracle, random) else None
    except (DataError, _UnknownError):
        return None


class _Graph(Struct, frozen=True):
    """Edges: the number that says how many nodes there are, and that of the first node."""

    nodes: int
    first: int


class _Writer:
    """Writes a shape as notation.

    Attributes:
        graphs: blocks that may be the edges of a graph.
        choices: words that may be one of a few.
        counted: the largest known values of the fields that say how many there are of something, by their names:
            their limits are not known.
        guessed: the names of the other fields whose limits are not known.
    """

    def __init__(self, learned: Learned, numbers: Sequence[int], known: Sequence[bytes]) -> None:
        self.graphs: list[Rule] = []
        self.choices: list[Rule] = []
        self.counted: dict[str, int] = {}
        self.guessed: set[str] = set()
        self._values = learned.values
        self._tests = learned.shape.blocks[1:] if ShapeJoining.of(learned.shape) else ()
        self._permutations = {item for item, rules in learned.rules.items() if rules.is_permutation}
        self._lengths = {each.length for each in learned.values.values() if each.length is not None}
        self._counters = learned.counters
        self._most = max((each for each in numbers if each <= _MOST_COUNTED), default=0)
        self._found: list[tuple[int, bytes, dict[int, int]]] = []
        for data in take_small(known, _MOST_BYTES):
            for cell, before in walk_values(learned.shape.parse(data) or []):
                self._found.append((cell.item, cell.text, before))
        self._nodes = {graph.nodes for graph in self._find_graphs(learned.shape.blocks, ())}
        self._counting = self._counters | self._lengths | self._nodes
        self._names = _choose_names(learned, self._counting)

    def items(self, blocks: Sequence[Block], scope: tuple[int, ...], place: tuple[str | int, ...]) -> Iterator[Any]:
        """Yield the lines and blocks; `scope` are the numbers before them, and `place` leads to them."""
        for at, block in enumerate(blocks):
            if isinstance(block, Line):
                fields, scope = self._line(block, scope)
                self.choices += self._choices(block, (*place, at))
                yield fields or ""
                continue
            lines = list(self.items(block.body, scope, (*place, at, "lines")))
            if block.count is None:
                yield {"repeat": f"1..{max(self._most, 1)}", "until": "end of file", "lines": lines}
                continue
            if block in self._tests:
                yield {"tests": self._count(block.count), "lines": lines}
                continue
            yield {"repeat": self._count(block.count), "lines": lines}
            for graph in self._graphs_of(block, scope):
                nodes, weights = self._names[graph.nodes], list(lines[0].values())[2:]
                options = graph_options(nodes, self._count(block.count), graph.first, weights)
                self.graphs.append(Rule((*place, at), options))

    def _find_graphs(self, blocks: Sequence[Block], scope: tuple[int, ...]) -> Iterator[_Graph]:
        for block in blocks:
            if isinstance(block, Repeat):
                yield from self._graphs_of(block, scope)
                yield from self._find_graphs(block.body, scope)
            else:
                scope = (*scope, *(part.id for part in block.parts if isinstance(part, Item)))

    def _graphs_of(self, block: Repeat, scope: Sequence[int]) -> Iterator[_Graph]:
        """Yield the graphs whose edges the lines of a block may be: no end is larger than an earlier number."""
        line = block.body[0]
        if block.count is None or len(block.body) > 1 or not isinstance(line, Line) or not 2 <= len(line.parts) <= 3:
            return
        items = [part.id for part in line.parts if isinstance(part, Item) and self._is_integer(part.id)]
        if len(items) < len(line.parts):
            return
        ends = [(int(text), known) for item, text, known in self._found if item in items[:2]]
        loops = any(
            one[0] == items[0] and other[0] == items[1] and one[1] == other[1] for one, other in pairwise(self._found)
        )
        for nodes in scope if ends and not loops else ():
            for first in (1, 0):
                if all(nodes in known and first <= end < first + known[nodes] for end, known in ends):
                    yield _Graph(nodes, first)
                    break

    def _line(self, line: Line, scope: tuple[int, ...]) -> tuple[dict[str, Any], tuple[int, ...]]:
        fields: dict[str, Any] = {}
        for part in line.parts:
            if isinstance(part, Item):
                fields[self._names[part.id]] = self._scalar(part.id, scope)
                if self._is_integer(part.id):
                    scope = (*scope, part.id)
                    if part.id in self._counting:
                        self.counted[self._names[part.id]] = self._values[part.id].high
            else:
                fields[self._names[part.item.id]] = self._list(part, scope)
        return fields, scope

    def _choices(self, line: Line, place: tuple[str | int, ...]) -> Iterator[Rule]:
        """Yield that words are one of those that are known, if these are few and not the rows of a grid."""
        for part in line.parts:
            item = part.id if isinstance(part, Item) else part.item.id
            values = self._values.get(item)
            if values is None or values.kind != "word" or values.length is not None or values.high < 2:
                continue
            if not 1 < len(values.words) <= _FEW_WORDS:
                continue
            path = (*place, self._names[item]) if isinstance(part, Item) else (*place, self._names[item], "list")
            yield Rule(path, [{"choice": [each.decode("ascii") for each in values.words]}])

    def _list(self, part: Tokens, scope: tuple[int, ...]) -> dict[str, Any]:
        item = part.item.id
        if item in self._permutations and part.count is not None:
            return {"permutation": self._count(part.count), "first": min(self._values[item].low, 1)}
        count = f"1..{_MOST_IN_LINE}" if part.count is None else self._count(part.count)
        return {"list": self._scalar(item, scope), "count": count}

    def _is_integer(self, item: int) -> bool:
        return item in self._counters or (item in self._values and self._values[item].kind == "integer")

    def _scalar(self, item: int, scope: tuple[int, ...]) -> Any:
        values = self._values.get(item)
        if values is None:
            raise _UnknownError
        low = values.low if values.least is None else values.least
        high = values.high if values.most is None else values.most
        if values.kind == "real":
            return {"real": f"{low}.0..{max(low, high)}.0", "decimals": f"{values.least_decimals}..{values.decimals}"}
        if values.kind != "integer":
            return self._word(values, scope)
        if item in self._counting:
            return f"{min(low, 1)}..{max(high, self._most)}"
        if values.bound in scope:
            low = low if values.least is not None else min(low, 1)
            return f"{low}..{self._names[values.bound]}" + (" - 1" if values.is_below else "")
        self.guessed.add(self._names[item])
        return f"{low}..{high}"

    def _word(self, values: Values, scope: tuple[int, ...]) -> dict[str, Any]:
        try:
            letters = values.alphabet.decode("ascii")
        except UnicodeDecodeError as error:
            raise _UnknownError from error
        if not letters or not letters.isprintable():
            raise _UnknownError
        if values.length in scope:
            return {"word": _class(letters), "length": self._names[values.length]}
        if values.places:
            return {"word": "".join(_class(each.decode("ascii")) for each in values.places)}
        low, high = max(values.low, 1), max(values.high, values.longest or 0, 1)
        return {"word": _class(letters), "length": f"{low}..{high}"}

    def _count(self, count: Count) -> str:
        if count.is_constant:
            return str(count.offset)
        name = self._names[count.item]
        return f"{name} {count.offset:+}" if count.offset else name


def _choose_names(learned: Learned, counting: Collection[int | None]) -> dict[int, str]:
    """Return the names of all items, as a statement would call them as long as there are letters: n and m count."""
    counts, numbers, lists, words = map(iter, ("nmkqlp", "abcdefgh", "xyzvw", "stuor"))
    names: dict[int, str] = {}
    for part in _parts(learned.shape.blocks):
        item = part.id if isinstance(part, Item) else part.item.id
        values = learned.values.get(item)
        if item in counting:
            letters = counts
        elif isinstance(part, Tokens):
            letters = lists
        else:
            letters = words if values is not None and values.kind == "word" else numbers
        names[item] = next(letters, f"x{item}")
    return names


def _parts(blocks: Sequence[Block]) -> Iterator[Item | Tokens]:
    """Yield the parts of all lines, in order."""
    for block in blocks:
        if isinstance(block, Line):
            yield from block.parts
        else:
            yield from _parts(block.body)


def _class(letters: str) -> str:
    """Return a pattern of one of some characters, which are in the order of their codes."""
    runs: list[str] = []
    for each in letters:
        if runs and ord(each) == ord(runs[-1][-1]) + 1:
            runs[-1] += each
        else:
            runs.append(each)
    ends = ([f"\\{each}" if each in _SPECIAL else each for each in dict.fromkeys((run[0], run[-1]))] for run in runs)
    return f"[{''.join(map('-'.join, ends))}]"


def _adjust_ranges(value: Any, writer: _Writer, numbers: Sequence[int], oracle: Oracle, random: Random) -> None:
    """Change the ranges whose limits are not known to what is accepted."""
    for part, key, name in list(_ranges(value)):
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


def _ranges(value: Any) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Yield the places of ranges, and the names of their fields; "" for the weights of edges."""
    for item in value:
        for name, field in item.items() if isinstance(item, dict) else ():
            if name == "lines":
                yield from _ranges(field)
            elif name == "graph" and "weight" in field and _RANGE.fullmatch(field["weight"]):
                yield field, "weight", ""
            elif isinstance(field, dict) and _RANGE.fullmatch(str(field.get("list"))):
                yield field, "list", name
            elif isinstance(field, str) and _RANGE.fullmatch(field):
                yield item, name, name


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
