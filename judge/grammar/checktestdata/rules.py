"""Commands that compute and assert, as bounds, orders, totals and relations."""

from typing import Any

from judge.grammar.checktestdata.parts import Field, Total, shifted
from judge.grammar.checktestdata.reader import Value
from judge.grammar.checktestdata.state import NoCounterpartError, State
from judge.grammar.expressions import ExpressionError, parse_expression

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ORDERS = {"<": "strictly ascending", "<=": "ascending", ">": "strictly descending", ">=": "descending"}


class Rules(State):
    """Reads rules."""

    def _set(self, assignment: Value) -> None:
        target, value = assignment.parts
        loop = self._loops[-1] if self._loops else None
        name = target.text
        if value.kind == "string":
            self._forget(name)
            self._strings[name] = value.text
            return
        if loop is not None and value.kind == "+" and value.parts[0].kind == "name" and value.parts[0].text == name:
            step = value.parts[1]
            with_field = self._fields.get(step.text) if step.kind == "name" else None
            try:
                what = self._expression(step)
            except NoCounterpartError:
                what = ""
            start = self._values.get(name)
            self._forget(name)
            if what and start == "0":
                self._totals[name] = Total(loop.block, what, with_field if loop.block is None else None)
            return
        try:
            found = self._expression(value)
        except NoCounterpartError:
            self._forget(name)
            return
        if loop is not None and value.kind == "name":
            return  # the value of the repetition before: `_order` looks for it
        self._forget(name)
        if target.parts or loop is not None:
            return
        self._values[name] = found if found.lstrip("-").isdecimal() else f"({found})"

    def _assert(self, test: Value) -> None:  # noqa: C901 - one case for each kind of rule
        if test.kind == "&&":
            for each in test.parts:
                self._assert(each)
            return
        if test.kind == "UNIQUE":
            self._unique(test)
            return
        if test.kind in _TURNED:
            one, other = test.parts
            for left, sign, right in ((one, test.kind, other), (other, _TURNED[test.kind], one)):
                if self._limit_length(left, sign, right) or self._limit_total(left, sign, right):
                    return
                if self._order(left, sign, right):
                    return
        try:
            relation = self._expression(test)
        except NoCounterpartError:
            self._lose(test.place, "the rule has no counterpart in a grammar")
            return
        if relation in ("True", "1"):
            return
        if self._loops and self._loops[-1].block is None:
            self._lose(test.place, "a rule about the values of a row has no counterpart in a grammar")
        else:
            self._relate(relation)

    def _relate(self, relation: str) -> None:
        if self._line:
            self._relations.append(relation)
        else:
            self._items.append({"where": relation})

    def _unique(self, test: Value) -> None:
        variables = [part.text for part in test.parts]
        found = [self._fields.get(variable) for variable in variables]
        if len(found) == 1 and found[0] is not None and found[0].count:
            found[0].rules["distinct"] = True
            return
        columns = [self._columns.get(variable) for variable in variables]
        if all(columns) and len({id(column[0]) for column in columns if column}) == 1:
            block = next(column[0] for column in columns if column)
            if "distinct" not in block:
                names = [column[1] for column in columns if column]
                block["distinct"] = names[0] if len(names) == 1 else names
                return
        self._lose(test.place, "the rule has no counterpart in a grammar")

    def _limit_length(self, left: Value, sign: str, right: Value) -> bool:
        """Let `STRLEN(s) <= n` limit the length of a word."""
        if left.kind != "STRLEN" or left.parts[0].kind != "name":
            return False
        found = self._fields.get(left.parts[0].text)
        if found is None or not found.letters or sign == "!=":
            return False
        try:
            limit = self._expression(right)
            needed = parse_expression(limit, self._names, {}).names
        except (NoCounterpartError, ExpressionError):
            return False
        before = self._names[: self._names.index(found.name)] if found.name in self._names else self._names
        if not set(needed) <= set(before):
            return False
        return self._narrow_ends(found, sign, limit)

    def _narrow_ends(self, found: Field, sign: str, limit: str) -> bool:
        limit = shifted(limit, {"<": -1, ">": 1}.get(sign, 0))
        if sign in ("<", "<=", "=="):
            found.high = limit
            self._open.pop(id(found), None)
        if sign in (">", ">=", "=="):
            found.low = limit
        return True

    def _limit_total(self, left: Value, sign: str, right: Value) -> bool:  # noqa: PLR0911 - early exits
        """Let a rule about what a loop has added up, or how often it ran, limit the loop."""
        total = self._totals.get(left.text) if left.kind == "name" and not left.parts else None
        if total is None or sign == "!=":
            return False
        try:
            limit = self._expression(right)
        except NoCounterpartError:
            return False
        if total.field is not None and total.what != "1":
            self._relate(f"sum({total.field.name}) {sign} {limit}")
            return True
        limit = shifted(limit, {"<": -1, ">": 1}.get(sign, 0))
        if total.what != "1":
            if sign not in ("<", "<=") or total.block is None:
                return False
            total.block.setdefault("sum", {})[total.what] = limit
            return True
        target: Any = total.block if total.block is not None else total.field
        count = target["repeat"] if isinstance(target, dict) else target.count
        low, _, high = count.partition("..")
        if not high:
            return False
        low, high = (limit if sign in (">", ">=", "==") else low), (limit if sign in ("<", "<=", "==") else high)
        if sign in ("<", "<=", "=="):
            self._open.pop(id(target), None)
        count = f"{low}..{high}"
        if isinstance(target, dict):
            target["repeat"] = count
        else:
            target.count = count
        return True

    def _order(self, left: Value, sign: str, right: Value) -> bool:
        """Let `last < x`, where `last` is the `x` before, order the values."""
        if not self._loops or left.kind != "name" or right.kind != "name" or sign not in _ORDERS:
            return False
        loop, found = self._loops[-1], self._fields.get(right.text)
        is_previous = any(
            command.name == "SET" and each.parts[0].text == left.text and each.parts[1].text == right.text
            for command in loop.body
            for each in command.arguments
        )
        if found is None or not is_previous or left.text in self._fields:
            return False
        if loop.block is None:
            found.rules["order"] = _ORDERS[sign]
        else:
            loop.block.setdefault("order", {})[found.name] = _ORDERS[sign]
        return True
