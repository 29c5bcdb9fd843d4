"""Constraints as statements write them, such as `1 <= n <= 2*10^5, -10^9 <= a_i <= 10^9`, applied to a guessed format.

Statements have names of their own. Names without an index belong to the single numbers of the format, in order, and
names with one (`a_i`, `p_{ij}`, `x[i]`) to the numbers in rows; `|s|` is the length of a word.
"""

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

from msgspec import Struct, field

from judge.base.errors import DataError, UsageError, shorten
from judge.inputs.grammar import Grammar
from judge.inputs.notation import Place, places_of

_WORDS = {
    "\\leq": "<=", "\\le": "<=", "\\geq": ">=", "\\ge": ">=", "\\lt": "<", "\\gt": ">", "\\cdot": "*", "\\times": "*",
    "\\left": "", "\\right": "", "\\,": "", "$": "", "`": "", "**": "^",
}  # fmt: skip
_LETTERS = str.maketrans(
    {
        0x2264: "<=",
        0x2A7D: "<=",
        0x2265: ">=",
        0x2A7E: ">=",
        0x2212: "-",
        0x2013: "-",
        0xB7: "*",
        0xD7: "*",
        0x22C5: "*",
    }
    | {0x2080 + digit: f"_{digit}" for digit in range(10)}
    | {0x1D62: "_i", 0x2C7C: "_j", 0xA0: " ", 0x202F: " ", 0x2260: "!="}
)
_POWERS = str.maketrans("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789")
_SIGN = r"<=|>=|<|>"
_ATOM = r"(?:\|?[A-Za-z]+(?:_\{\w+(?:,\s?\w+)?\}|_\w+|\[\w+\])?\|?|\d+(?:\.\d+)?)"
_EXPRESSION = rf"-?{_ATOM}(?:\s*[-*+/^]\s*{_ATOM}|(?<=\d){_ATOM})*"
_CHAIN = re.compile(
    rf"{_EXPRESSION}(?:\s*,\s*{_EXPRESSION})*"
    rf"(?:\s*(?:{_SIGN})\s*{_EXPRESSION}(?:(?:\s*,\s*{_EXPRESSION})+(?=\s*(?:{_SIGN})))?)+"
)
_SUM = re.compile(r"(?:\bthe\s+)?\bsum\b(?:(?!\band\b)[^,;\n])*")
_NAME = re.compile(r"(\|?)([A-Za-z]+)(?:_\{?(\w+(?:,\s?\w+)?)\}?|\[(\w+)\])?\|?")
_EXAMPLE = "'1 <= n <= 2*10^5, -10^9 <= a_i <= 10^9'"


class Constraint(Struct, kw_only=True):
    """The range of a name.

    Attributes:
        name: with its index if that is a number.
        low, high: expressions of numbers and other names; "" if nothing is said.
        is_indexed: there are many of this name.
        is_length: it is about the length of a word, or the absolute value of a number.
    """

    name: str
    low: str = ""
    high: str = ""
    is_indexed: bool = False
    is_length: bool = False


class Constraints(Struct, frozen=True):
    """What a text says of each name, in order, and its `unused` parts, which say something else."""

    found: list[Constraint] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)


def read_constraints(text: str) -> Constraints:
    """Return what constraints say about each name. Raises UsageError if no comparison is found."""
    plain = _to_plain(text)
    sums, plain = _SUM.findall(plain), _SUM.sub(",", plain)
    found: dict[str, Constraint] = {}
    unused = []
    for match in _CHAIN.finditer(plain):
        for chain, signs in _split(match[0]):
            _read_chain(chain, signs, found)
            if not any(map(_are_names, chain)):  # such as `n*m <= 10^6`
                parts = zip(map(", ".join, chain), [*signs, ""], strict=True)
                unused.append(" ".join(f"{operand} {sign}" for operand, sign in parts).strip())
    if not found:
        raise UsageError(
            f"--input {text}: expected constraints such as {_EXAMPLE}, the notation of `input:`, or a file"
        )
    rest = [part.strip(" .") for part in (*re.split(r"[,;\n]|\band\b", _CHAIN.sub(",", plain)), *sums)]
    unused += [part for part in rest if re.search(r"[A-Za-z]{2}|!=", part)]
    return Constraints(list(found.values()), unused)


def _to_plain(text: str) -> str:
    """Return a text in ASCII, with `10^5` for powers, and numbers without separators."""
    plain = re.sub(
        r"(?<=\d)[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+", lambda each: "^" + each[0].translate(_POWERS), text
    )
    plain = plain.translate(_LETTERS)
    for word, other in _WORDS.items():
        plain = plain.replace(word, other)
    plain = re.sub(r"\^\{(\w+)\}", r"^\1", plain)
    plain = re.sub(r"\b(\d+)e(\d+)\b", r"\1*10^\2", plain)
    return re.sub(r"(?<=\d)[, ](?=\d{3}(?!\d))", "", plain)


def _split(text: str) -> Iterator[tuple[list[list[str]], list[str]]]:
    """Yield the chains of a text in which commas separate names of one range, or chains: their operands and signs."""
    operands = [re.split(r",(?![^{]*\})", each) for each in re.split(_SIGN, text)]
    signs = re.findall(_SIGN, text)
    chain, used = [[operands[0][-1].strip()] if not _are_names(operands[0]) else _strip(operands[0])], list[str]()
    for at, sign in enumerate(signs):
        parts = _strip(operands[at + 1])
        is_last = at == len(signs) - 1
        if not is_last and len(parts) > 1 and not (_are_names(parts) and not _are_names(chain[-1])):
            yield [*chain, parts[:1]], [*used, sign]
            chain, used = [parts[1:]], []
            continue
        chain.append(parts[:1] if is_last else parts)
        used.append(sign)
    if used:
        yield chain, used


def _strip(parts: Sequence[str]) -> list[str]:
    return [part.strip() for part in parts if part.strip()]


def _are_names(parts: Sequence[str]) -> bool:
    return all(_NAME.fullmatch(part.strip()) for part in parts)


def _read_chain(operands: list[list[str]], signs: list[str], found: dict[str, Constraint]) -> None:
    """Take in what a chain says: each name is at least what is before it, and at most the next number."""
    if all(sign.startswith(">") for sign in signs):
        operands, signs = operands[::-1], [sign.replace(">", "<") for sign in signs[::-1]]
    for at, parts in enumerate(operands):
        is_bound = at == len(operands) - 1 and at > 0 and _are_names(operands[at - 1])
        if not _are_names(parts) or is_bound:
            continue
        after = next(
            (number for number in range(at + 1, len(operands)) if not _are_names(operands[number])), len(operands) - 1
        )
        for part in parts:
            match = _NAME.fullmatch(part)
            assert match is not None
            index = match[3] or match[4] or ""
            name = match[2] + (index if index.isdigit() else "")
            each = found.setdefault(name, Constraint(name=name))
            each.is_length = each.is_length or bool(match[1])
            each.is_indexed = each.is_indexed or (bool(index) and not index.isdigit())
            if at:
                each.low = _bound(operands[at - 1][0], "+ 1" if signs[at - 1] == "<" else "")
            if after > at:
                each.high = _bound(operands[after][0], "- 1" if signs[after - 1] == "<" else "")


def _bound(text: str, change: str) -> str:
    """Return an expression of the notation: names without indices, products with their sign, one more for `<`."""
    plain = re.sub(r"\|?([A-Za-z]+)(?:_\{?(\w+)\}?|\[(\w+)\])?\|?", _plain_name, text)
    return f"{re.sub(r'(?<=[0-9])(?=[A-Za-z])', '*', plain)} {change}".strip()


def _plain_name(match: re.Match[str]) -> str:
    index = match[2] or match[3] or ""
    return match[1] + (index if index.isdigit() else "")


def apply_constraints(notation: Any, constraints: Constraints, text: str) -> tuple[Grammar, list[str], Any]:
    """Return a guessed format with the ranges of constraints, which of them are about nothing in it, and its notation.

    Raises UsageError, with the text of the constraints, if the ranges contradict each other or the format.
    """
    value = deepcopy(notation)
    places = list(places_of(value))
    names, unused = _assign(places, constraints.found)
    renamed = {constraint.name: place.name for place, constraint in names}
    for place, constraint in names:
        low, high = _rename(constraint.low, renamed), _rename(constraint.high, renamed)
        place.set_range(f"-({high})" if constraint.is_length and not place.is_length else low, high)
    try:
        return Grammar.from_yaml(value), [*unused, *constraints.unused], value
    except DataError as error:
        raise UsageError(
            f"--input {shorten(text, 60)}: {error.diagnostics[0].message}; write the format as in problem.yaml"
        ) from error


def _assign(
    places: Sequence[Place], constraints: Sequence[Constraint]
) -> tuple[list[tuple[Place, Constraint]], list[str]]:
    """Return which field each constraint is about, each kind of fields in order, and the names of no field."""
    found, unused = [], []
    free = list(places)
    for constraint in constraints:
        is_length = constraint.is_length and (bool(constraint.low) or any(each.is_length for each in free))
        kind = [each for each in free if each.is_length == is_length]
        alike = [each for each in kind if each.is_row == constraint.is_indexed]
        place = next(iter(alike or kind), None)
        if place is None:
            unused.append(constraint.name)
        else:
            free.remove(place)
            found.append((place, constraint))
    return found, unused


def _rename(expression: str, names: dict[str, str]) -> str:
    return re.sub(r"[A-Za-z]+\d*", lambda match: names.get(match[0], match[0]), expression)
