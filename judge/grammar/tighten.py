"""A grammar with what all known inputs have in common: probably rules that only another validator has."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import reduce
from operator import getitem
from typing import Any

from judge.errors import DataError
from judge.grammar.grammar import Grammar

_ORDERS = ("strictly ascending", "ascending", "strictly descending", "descending")
_SIGNS = ("<", ">", "<=", ">=", "!=")
_MAX_INPUTS = 20  # known ones that are looked at
_MAX_SIZE = 2_000  # bytes of each
_MAX_RULES = 80

Rules = tuple[tuple[str | int, ...], Sequence[Mapping[str, Any]]]
"""The keys that lead to a part of the notation, and what is added there: the first that holds."""


def tighten(value: Any, known: Sequence[bytes]) -> Grammar | None:
    """Return the grammar of some notation with each further rule that all known inputs meet.

    Returns:
        None if there is no such rule, or if nothing is known.
    """
    items = value["lines"] if isinstance(value, dict) else value
    grammar, found = Grammar.from_yaml(value), None
    inputs = [data for data in sorted(known, key=len)[:_MAX_INPUTS] if len(data) <= _MAX_SIZE]
    inputs = [data for data in inputs if grammar.check(data) is None]
    for path, rules in list(_propose(items, ()))[:_MAX_RULES] if inputs else ():
        for rule in rules:
            try:
                changed = _add(items, path, rule)
                tighter = Grammar.from_yaml(changed)
            except (DataError, LookupError):  # not possible, or no longer
                break
            if all(tighter.check(data) is None for data in inputs):
                items, found = changed, tighter
                break
    return found


def _add(items: Any, path: Sequence[str | int], rule: Mapping[str, Any]) -> Any:
    """Return notation with a rule: another item of a body, a graph in place of a block, or a key."""
    changed = deepcopy(items)
    part = reduce(getitem, path, changed)
    if isinstance(part, list):
        part.append(rule)
        return changed
    if "graph" in rule:
        part.clear()
    elif part.keys() & rule.keys() - {"length"}:
        raise LookupError
    part.update(rule)
    return changed


def _propose(body: Sequence[Any], names: Sequence[str], place: tuple[str | int, ...] = ()) -> Iterator[Rules]:
    """Yield the rules that may be added to a body; `names` are the integers before it."""
    for at, item in enumerate(body):
        path = (*place, at)
        if isinstance(item, dict) and "repeat" in item:
            yield path, list(_graphs(item))
            for name in [name for line in item["lines"] for name in _integers(line)]:
                yield path, [{"distinct": name}]
                yield path, [{"order": {name: order}} for order in _ORDERS]
        for key in ("lines", "else"):
            if isinstance(item, dict) and key in item:
                yield from _propose(item[key], names, (*path, key))
        for name, field in item.items() if _is_line(item) else ():
            yield from (((*path, name), rules) for rules in _field_rules(field, names))
        integers = _integers(item)
        for number, other in enumerate(integers):
            for one in integers[:number]:
                yield place, [{"where": f"{one} {sign} {other}"} for sign in _SIGNS]
        names = (*names, *integers)


def _field_rules(field: Any, names: Sequence[str]) -> Iterator[list[Mapping[str, Any]]]:
    if isinstance(field, dict) and "list" in field:
        yield [{"distinct": True}]
        yield [{"order": order} for order in _ORDERS]
    elif isinstance(field, dict) and ".." in str(field.get("length")):
        yield [{"length": each} for each in names]


def _is_line(item: Any) -> bool:
    return isinstance(item, dict) and not {"repeat", "if", "either", "where"} & item.keys()


def _integers(item: Any) -> list[str]:
    return [name for name, field in item.items() if not isinstance(field, dict)] if _is_line(item) else []


def _graphs(block: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield what a block of two integers of the same range, and perhaps a third one, may be: the edges of a graph."""
    line, *others = block["lines"]
    integers = _integers(line)
    if others or not 2 <= len(integers) == len(line) <= 3 or line[integers[0]] != line[integers[1]]:
        return
    first, _, last = str(line[integers[0]]).partition("..")
    if set(block) == {"repeat", "lines"} and first in ("0", "1") and last:
        graph = {"nodes": f"({last}) + 1" if first == "0" else last, "edges": block["repeat"], "first": int(first)}
        if len(integers) > 2:
            graph["weight"] = line[integers[2]]
        yield from ({"graph": graph | {"connected": is_connected}} for is_connected in (True, False))
