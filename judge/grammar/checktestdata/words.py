"""Regular expressions of Checktestdata as patterns of words, which are bounded."""

import re

from msgspec import Struct

_MANY = 100_000  # characters of one class in a row
_SOME = 100  # repetitions of anything else
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_PIECE = re.compile(rf"(?P<part>{_CLASS}|\\.|[^*+{{}}])|(?P<often>[*+]|\{{[0-9]+,\}})|(?P<other>.)", re.DOTALL)
_REPEATED = re.compile(
    rf"(?:(?P<part>{_CLASS}|\\?[^\\()|])|\((?P<group>{_CLASS})\))(?P<often>[*+]|\{{[0-9]+,?[0-9]*\}})"
)


class BoundedWord(Struct, frozen=True, kw_only=True):
    """A pattern in the notation of the grammar.

    Attributes:
        letters: the class, if the pattern is one class from `low` to `high` times; then `text` is empty.
        is_cut: longer words are lost.
    """

    text: str = ""
    letters: str = ""
    low: int = 0
    high: int = 0
    is_cut: bool = False


def bound_pattern(regex: str) -> BoundedWord:
    """Return a regular expression with bounds."""
    regex = regex.removeprefix("^").removesuffix("$") if not regex.endswith("\\$") else regex.removeprefix("^")
    if match := _REPEATED.fullmatch(regex):
        letters = _convert_class(match["group"] or match["part"])
        low, high = _often(match["often"])
        if " " not in letters:
            return BoundedWord(letters=letters, low=low, high=_MANY if high is None else high, is_cut=high is None)
    text, is_cut = "", False
    for piece in _PIECE.finditer(regex):
        if piece["often"]:
            text += f"{{{_often(piece['often'])[0]},{_SOME}}}"
            is_cut = True
        else:
            text += _convert_class(piece[0])
    return BoundedWord(text=text, is_cut=is_cut)


def _often(text: str) -> tuple[int, int | None]:
    if text in "*+":
        return (0 if text == "*" else 1), None
    low, comma, high = text.strip("{}").partition(",")
    return int(low), (int(high) if high else None if comma else int(low))


def _convert_class(text: str) -> str:
    """Return a class the way the grammar writes it; all but the line end is any character of a line."""
    if text == "[^\n]":
        return "[ -~]"
    if text.startswith("[") and len(text) > 1:
        negation = "^" if text[1] == "^" else ""
        inside = text[1 + len(negation) : -1]
        inside = f"\\{inside}" if inside.startswith("]") else inside
        inside = re.sub(r"\\([^\w\s])|\\([nt])|([\[])", lambda m: f"\\{m[1] or m[3]}" if not m[2] else "", inside)
        return f"[{negation}{inside.replace(chr(10), '')}]"
    return text
