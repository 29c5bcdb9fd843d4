"""Commands that compute and assert, as bounds, orders, totals and relations."""

from collections.abc import Sequence
from typing import Any

from judge.grammar.checktestdata.parts import Field, Total, shifted
from judge.grammar.checktestdata.reader import Value
from judge.grammar.checktestdata.state import NoCounterpartError, State, index_text
from judge.grammar.checktestdata.words import SOME
from judge.grammar.expressions import MIRRORED, PREVIOUS, parse_expression
from judge.grammar.intervals import ANY

_ORDERS = {"<": "strictly ascending", "<=": "ascending", ">": "strictly descending", ">=": "descending"}


class Rules(State):
    """Reads rules."""

    def _set(self, assignment: Value) -> None:
        target, value = assignment.parts
        name = target.text
        total = self._total(name, value)
        try:
            found = self._expression(value)
        except NoCounterpartError:
            found = ""
        is_real = self._is_real(value)
        if self._may_divide_by_0(value):
            self._lose(value.place, "a division by what may be 0 has no counterpart in a grammar")
        self._forget(name)
        if target.parts:
            self._arrays.add(name)
        elif value.kind == "string":
            self._strings[name] = value.text
        elif total is not None:
            self._totals[name] = total
        elif found:
            self._values[name] = found if found.lstrip("-").isdecimal() else f"({found})"
            self._reals.update({name} if is_real else ())

    def _may_divide_by_0(self, value: Value) -> bool:
        if value.kind in ("/", "%"):
            try:
                low, high = self._interval(self._text(value.parts[1]))
            except NoCounterpartError:
                return True
            if low <= 0 <= high:
                return True
        return any(map(self._may_divide_by_0, value.parts))

    def _unset(self, name: str) -> None:
        self._forget(name)
        self._arrays.discard(name)

    def _total(self, name: str, value: Value) -> Total | None:
        """Return what `SET(s = s + x)` adds up in a loop, if `s` is 0 directly before the loop."""
        loop = self._loop
        if loop is None or loop.initial.get(name) != "0" or loop.changes[name] != 1:
            return None
        if value.kind != "+" or (value.parts[0].kind, value.parts[0].text, value.parts[0].parts) != ("name", name, ()):
            return None
        step = value.parts[1]
        try:
            what = self._expression(step)
        except NoCounterpartError:
            return None
        found = self._fields.get(step.text) if step.kind == "name" else None
        return Total(loop, what, found if found is not None and found.name == what else None)

    def _assert(self, test: Value) -> None:  # noqa: C901 - one case for each kind of rule
        if test.kind == "&&":
            for each in test.parts:
                self._assert(each)
            return
        if test.kind == "UNIQUE":
            self._unique(test)
            return
        if test.kind in MIRRORED:
            one, other = test.parts
            for left, sign, right in ((one, test.kind, other), (other, MIRRORED[test.kind], one)):
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
        if self._loop is not None and self._loop.block is None:
            self._lose(test.place, "a rule about the values of a row has no counterpart in a grammar")
        else:
            self._relate(relation)

    def _relate(self, relation: str) -> None:
        if self._line:
            self._relations.append(relation)
        else:
            self._items.append({"where": relation})

    def _unique(self, test: Value) -> None:
        """Let the values of a row, or the rows of a block, differ."""
        names = [part.text for part in test.parts]
        found = [self._fields.get(name) or self._columns.get(name) for name in names]
        fields = [each for each in found if each is not None and self._is_own_array(each)]
        loops = {id(each.loop) for each in fields}
        loop = fields[0].loop if fields else None
        if len(fields) < len(found) or len(loops) > 1 or loop is None:
            self._lose(test.place, "the rule has no counterpart in a grammar")
        elif loop.block is None and len(fields) == 1 and fields[0].count:
            fields[0].rules["distinct"] = True
        elif loop.block is not None and "distinct" not in loop.block:
            loop.block["distinct"] = [each.name for each in fields] if len(fields) > 1 else fields[0].name
        else:
            self._lose(test.place, "the rule has no counterpart in a grammar")

    def _is_own_array(self, found: Field) -> bool:
        """Return whether an array has exactly the values of a field, one for each repetition of a loop that ended here.

        The texts of real numbers may differ where the numbers are the same.
        """
        loop = found.loop
        if loop is None or loop.outer is not self._loop or loop in self._loops or not loop.counter:
            return False
        return found.is_only and found.kind != "real" and found.index == f"name:{loop.counter}()"

    def _limit_length(self, left: Value, sign: str, right: Value) -> bool:
        """Let `STRLEN(s) <= n` limit the length of a word."""
        if left.kind != "STRLEN" or left.parts[0].kind != "name" or sign == "!=":
            return False
        found = self._fields.get(left.parts[0].text)
        try:
            name, limit = self._variable(left.parts[0]), self._expression(right)
        except NoCounterpartError:
            return False
        if found is None or found.loop is not self._loop or name not in self._names:
            return False
        if not found.letters:
            if sign in ("<", "<=", "==") and limit.isdecimal() and int(limit) <= SOME:
                self._open.pop(id(found), None)  # the pattern repeats often enough in place of `*` and `+`
            return False
        if not self._needs_only(limit, self._names[: self._names.index(name)]):
            return False
        ends = self._narrowed(found, found.low, found.high, sign, limit)
        found.low, found.high = ends or (found.low, found.high)
        return ends is not None

    def _needs_only(self, expression: str, names: Sequence[str]) -> bool:
        if f"{PREVIOUS}(" in expression:
            return False  # it is known in bounds and relations only
        return set(parse_expression(expression, self._names, {}).names) <= set(names)

    def _narrowed(
        self, what: Field | dict[str, Any], low: str, high: str, sign: str, limit: str
    ) -> tuple[str, str] | None:
        """Return the ends of what is a word's length or a count, with one more limit; None if that is not known."""
        limit = shifted(limit, {"<": -1, ">": 1}.get(sign, 0))
        if sign in (">", ">=", "=="):
            low = self._extreme(low, limit, -1)
        if sign in ("<", "<=", "=="):
            high = limit if id(what) in self._open else self._extreme(high, limit, 1)
        if not low or not high:
            return None
        if sign in ("<", "<=", "=="):
            self._open.pop(id(what), None)
        return low, high

    def _extreme(self, one: str, other: str, sign: int) -> str:
        """Return the lower (`sign` 1) or the higher (-1) of two expressions; "" if it is not known which that is."""
        (low, high), (other_low, other_high) = self._interval(one), self._interval(other)
        if one == other or (high <= other_low if sign > 0 else low >= other_high):
            return one
        return other if (other_high <= low if sign > 0 else other_low >= high) else ""

    def _limit_total(self, left: Value, sign: str, right: Value) -> bool:  # noqa: PLR0911 - early exits
        """Let a rule about what a loop has added up, or how often it ran, limit the loop."""
        total = self._totals.get(left.text) if left.kind == "name" and not left.parts else None
        if total is None or sign == "!=":
            return False
        try:
            limit = self._expression(right)
        except NoCounterpartError:
            return False
        is_inside = self._loop is total.loop
        if not is_inside and self._loop is not total.loop.outer:
            return False
        if total.what == "1":
            return not (is_inside and sign not in ("<", "<=")) and self._limit_count(total, sign, limit)
        if total.loop.block is None:
            if is_inside or total.field is None or not total.field.count:
                return False
            self._relate(f"sum({total.field.name}) {sign} {limit}")
            return True
        # The grammar limits each of the sums on the way, too.
        is_rising = self._is_natural(total.what) and self._is_natural(limit)
        if sign not in ("<", "<=") or not (is_inside or is_rising) or not self._needs_only(limit, total.loop.names):
            return False
        sums = total.loop.block.setdefault("sum", {})
        most = shifted(limit, -1 if sign == "<" else 0)
        most = self._extreme(sums[total.what], most, 1) if total.what in sums else most
        sums[total.what] = most or sums[total.what]
        return bool(most)

    def _limit_count(self, total: Total, sign: str, limit: str) -> bool:
        target = total.loop.block if total.loop.block is not None else total.field
        if target is None or not self._needs_only(limit, total.loop.names):
            return False
        low, dots, high = (target["repeat"] if isinstance(target, dict) else target.count).partition("..")
        ends = self._narrowed(target, low, high, sign, limit) if dots else None
        if ends is None:
            return False
        if isinstance(target, dict):
            target["repeat"] = "..".join(ends)
        else:
            target.count = "..".join(ends)
        return True

    def _order(self, left: Value, sign: str, right: Value) -> bool:
        """Let `last < x`, where `last` is the `x` before, order the values."""
        loop, found = self._loop, self._kept(left.text) if left.kind == "name" and not left.parts else None
        if loop is None or found is None or sign not in _ORDERS or self._fields.get(right.text) is not found:
            return False
        if right.kind != "name" or found.index != index_text(right.parts):
            return False
        first = loop.initial.get(left.text, "")
        low, high = self._intervals[found.name]
        before, after = self._interval(first) if first else ANY
        is_above = {"<": after < low, "<=": after <= low, ">": before > high, ">=": before >= high}[sign]
        if not is_above:  # else the first `last` is what `x` was before the loop, or no limit
            return False
        rules = found.rules if loop.block is None else loop.block.setdefault("order", {})
        key = "order" if loop.block is None else found.name
        if key in rules:
            return False
        rules[key] = _ORDERS[sign]
        return True
