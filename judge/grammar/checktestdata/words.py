"""Regular expressions of Checktestdata as patterns of words, which are bounded."""

import re

from msgspec import Struct
from msgspec.structs import replace

from judge.grammar.patterns import PatternError

_MANY = 100_000  # characters of one class in a row
_SOME = 100  # repetitions of anything else
_NO_LINE_END = ("[^\n]", "[^\\n]")
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
        is_narrow: words with characters that are not printable ASCII are lost.
        is_wide: the regular expression may read over the end of a word, or asks for the end of the file.
    """

    text: str = ""
    letters: str = ""
    low: int = 0
    high: int = 0
    is_cut: bool = False
    is_narrow: bool = False
    is_wide: bool = False


def bound_pattern(regex: str) -> BoundedWord:
    """Return a regular expression with bounds.

    Raises:
        PatternError: it has `^` or `$` within.
    """
    regex = regex.removeprefix("^")
    asks_for_end = regex.endswith("$") and not regex.endswith("\\$")
    regex = regex[:-1] if asks_for_end else regex
    parts = [piece["part"] for piece in _PIECE.finditer(regex) if piece["part"]]
    if {"^", "$"}.intersection(parts):
        raise PatternError("`^` and `$` within a pattern")
    found = _bound(regex)
    return replace(
        found,
        is_narrow=any(part == "." or _has_others(part) for part in parts),
        is_wide=asks_for_end or any(_has_others(part) and _reads_on(part) for part in parts),
    )


def _has_others(part: str) -> bool:
    """Return whether a part of a regular expression may be a character that a word never has."""
    return part.startswith("[^") or (part.startswith("[") and bool(re.search(r"\\[a-ce-zA-Z]|[^ -~]", part)))


def _reads_on(part: str) -> bool:
    """Return whether a class has line ends, or blanks as part of a word."""
    try:
        return part not in _NO_LINE_END and any(re.fullmatch(part, end) for end in " \n")
    except re.error:
        return True


def _bound(regex: str) -> BoundedWord:
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
    if text in (".", *_NO_LINE_END):
        return "[ -~]"
    if text.startswith("[") and len(text) > 1:
        negation = "^" if text[1] == "^" else ""
        inside = text[1 + len(negation) : -1]
        inside = f"\\{inside}" if inside.startswith("]") else inside
        inside = re.sub(r"\\([^\w\s])|\\([nt])|([\[])", lambda m: f"\\{m[1] or m[3]}" if not m[2] else "", inside)
        return f"[{negation}{inside.replace(chr(10), '')}]"
    return text
