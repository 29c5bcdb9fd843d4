"""The rules that all known inputs meet: they make an inferred grammar tighter."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import reduce
from operator import getitem
from random import Random
from typing import Any

from msgspec import Struct

from judge.base.errors import DataError
from judge.inputs.choose import GrammarError
from judge.inputs.grammar import Grammar
from judge.inputs.patterns import parse_pattern
from judge.inputs.read import is_line

_ORDERS = ("ascending", "descending")  # those that are strict are distinct, too
_SIGNS = ("<", ">", "<=", ">=", "!=")
_MAX_INPUTS = 60  # known ones that are looked at, the first ones
_MAX_SIZE = 2_000  # bytes of each
_MAX_RULES = 80
_MAX_LETTERS = 12
_MAX_DRAWN, _MAX_ASKED = 30, 5  # inputs that are made for a rule, and that validators are asked about
_SIZES = (0.1, 0.2, 0.3, None)
_MOST_VALUES = 200  # of such an input


class Rule(Struct, frozen=True):
    """What is added to a part of the notation.

    Attributes:
        path: the keys that lead to the part.
        options: what may be added there, the strictest first: the first one holds.
    """

    path: tuple[str | int, ...]
    options: Sequence[Mapping[str, Any]]


class Oracle(Struct, frozen=True):
    """What is asked about the inputs that a grammar makes.

    Attributes:
        accepts: says whether an input is valid; None if that is unknown.
        deadline: by `time.monotonic`, when the time for questions is over.
        most: how many elements an input has, about, that it is asked about.
    """

    accepts: Callable[[bytes], bool | None]
    deadline: float = math.inf
    most: int = 3_000

    def is_over(self) -> bool:
        """Return whether the time for questions is over."""
        return time.monotonic() >= self.deadline


def graph_options(nodes: str, edges: str | int, first: int, weights: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return what the edges of a graph may be in the notation, connected or not; with weights if there is one range."""
    graph: dict[str, Any] = {"nodes": nodes, "edges": edges, "first": first}
    if weights:
        graph["weight"] = weights[0]
    return [{"graph": graph | {"connected": is_connected}} for is_connected in (True, False)]


def find_rules(
    value: Any,
    known: Sequence[bytes],
    *,
    first: Sequence[Rule] = (),
    last: Sequence[Rule] = (),
    is_over: Callable[[], bool] = bool,
    most: int = _MAX_SIZE,
) -> list[Rule]:
    """Return the rules that all known inputs meet, in the order in which they are added; none if nothing is known.

    The most telling inputs come first; those of more than `most` bytes are not looked at. The `first` and `last` rules
    are tried before and after all others, until the time is over.
    """
    items = _items_of(value)
    inputs = _usable(value, known, most)
    found = []
    for rule in [*first, *[*_propose(items, ())][:_MAX_RULES], *last] if inputs else ():
        if is_over():
            break
        for at, option in enumerate(rule.options):
            try:
                changed = _add(items, rule.path, option)
                tighter = Grammar.from_yaml(changed)
            except (DataError, LookupError):  # not possible, or no longer
                break
            if all(tighter.check(data) is None for data in inputs):
                items = changed
                found.append(Rule(rule.path, rule.options[at:]))
                break
    return found


def add_rules(value: Any, rules: Sequence[Rule]) -> Any:
    """Return notation with some rules, without those that others make impossible."""
    items = _items_of(value)
    for rule in rules:
        try:
            changed = _add(items, rule.path, rule.options[0])
            Grammar.from_yaml(changed)
        except (DataError, LookupError):
            continue
        items = changed
    return items


def refute_rules(
    value: Any, rules: Sequence[Rule], known: Sequence[bytes], oracle: Oracle, random: Random
) -> list[Rule]:
    """Return the rules from `find_rules` without those that valid inputs do not meet.

    A rule that known inputs meet by chance is found out by random inputs that break only this one; it stays if there is
    no time to ask the oracle about them.
    """
    left = list(rules)
    inputs = _usable(value, known)
    for rule in rules:
        at = left.index(rule)
        while at < len(left) and not oracle.is_over():
            strict = Grammar.from_yaml(add_rules(value, left))
            looser = [*left[:at], *_weaken(left[at], value, left[:at], inputs), *left[at + 1 :]]
            breaking = _breaking(Grammar.from_yaml(add_rules(value, looser)), strict, oracle.is_over, random)
            if not any(map(oracle.accepts, breaking)):
                break
            is_gone = len(looser) < len(left)
            left = looser
            if is_gone:
                break
    return left


def _usable(value: Any, known: Sequence[bytes], most: int = _MAX_SIZE) -> list[bytes]:
    grammar = Grammar.from_yaml(value)
    inputs = [data for data in known if len(data) <= most][:_MAX_INPUTS]
    return [data for data in inputs if grammar.check(data) is None]


def _weaken(rule: Rule, value: Any, others: Sequence[Rule], known: Sequence[bytes]) -> Iterator[Rule]:
    """Yield the next rule at the same place that all known inputs meet, if there is one."""
    for at in range(1, len(rule.options)):
        weaker = Rule(rule.path, rule.options[at:])
        grammar = Grammar.from_yaml(add_rules(value, [*others, weaker]))
        if all(grammar.check(data) is None for data in known):
            yield weaker
            return


def _breaking(looser: Grammar, strict: Grammar, is_over: Callable[[], bool], random: Random) -> Iterator[bytes]:
    left = _MAX_ASKED
    for at in range(_MAX_DRAWN):
        try:
            data = looser.propose(random, (), size=_SIZES[at % len(_SIZES)], most=_MOST_VALUES, is_over=is_over)
        except GrammarError:
            if is_over():
                return
            continue
        if strict.check(data) is not None:
            yield data
            left -= 1
            if not left:
                return


def _items_of(value: Any) -> Any:
    return value["lines"] if isinstance(value, dict) else value


def _add(items: Any, path: Sequence[str | int], rule: Mapping[str, Any]) -> Any:
    """Return notation with a rule: another item of a body, something in place of a block or word, or a key."""
    changed = deepcopy(items)
    part = reduce(getitem, path, changed)
    if isinstance(part, list):
        part.append(rule)
        return changed
    if "graph" in rule:
        if "repeat" not in part:  # it is a graph already, and two rules would hide each other
            raise LookupError
        part.clear()
    elif "choice" in rule or "permutation" in rule:
        part.clear()
    elif "index" in rule:
        pass
    elif "characters" in rule:
        rule = {"characters": part.get("characters", {}) | rule["characters"]}
    elif part.keys() & rule.keys() - {"length"}:
        raise LookupError
    part.update(rule)
    return changed


def _propose(body: Sequence[Any], names: Sequence[str], place: tuple[str | int, ...] = ()) -> Iterator[Rule]:
    """Yield the rules that may be added to a body; `names` are the integers before it."""
    for at, item in enumerate(body):
        path = (*place, at)
        if isinstance(item, dict) and "repeat" in item:
            yield from (Rule(path, options) for options in _block_rules(item))
        for key in ("lines", "else"):
            if isinstance(item, dict) and key in item:
                yield from _propose(item[key], names, (*path, key))
        for name, field in item.items() if is_line(item) else ():
            yield from (Rule((*path, name), options) for options in _field_rules(field, names))
        integers = _integers(item)
        for number, other in enumerate(integers):
            for one in integers[:number]:
                yield Rule(place, [{"where": f"{one} {sign} {other}"} for sign in _SIGNS])
        names = (*names, *integers)


def _block_rules(block: Mapping[str, Any]) -> Iterator[Sequence[Mapping[str, Any]]]:
    lines = [_integers(line) for line in block["lines"]]
    yield from ([{"distinct": name}] for line in block["lines"] for name in _names_of_words(line))
    for name in [name for line in lines for name in line]:
        yield [{"distinct": name}]
        yield [{"order": {name: order}} for order in _ORDERS]
    yield from ([{"distinct": line[:size]} for size in sorted({2, len(line)})] for line in lines if len(line) > 1)
    yield from ([{"characters": {letter: 1}}] for letter in _letters(block))


def _field_rules(field: Any, names: Sequence[str]) -> Iterator[Sequence[Mapping[str, Any]]]:
    if isinstance(field, dict) and "list" in field:
        yield [{"distinct": True}]
        yield [{"order": order} for order in _ORDERS]
    elif isinstance(field, dict) and ".." in str(field.get("length")):
        yield [{"length": each} for each in names]


def _integers(item: Any) -> list[str]:
    return [name for name, field in item.items() if not isinstance(field, dict)] if is_line(item) else []


def _names_of_words(item: Any) -> list[str]:
    """Return the names of the words of a line whose lengths vary: the rows of a grid differ by chance."""
    fields = item.items() if is_line(item) else ()
    return [name for name, field in fields if isinstance(field, dict) and ".." in str(field.get("length"))]


def _letters(block: Mapping[str, Any]) -> list[str]:
    """Return the characters of the words in a block of one word per line, if they are few: one may be unique."""
    line, *others = block["lines"]
    if others or not is_line(line):
        return []
    words = [field["word"] for field in line.values() if isinstance(field, dict) and "word" in field]
    if len(words) != 1:
        return []
    letters = parse_pattern(words[0]).alphabet
    return list(letters) if len(letters) <= _MAX_LETTERS else []
