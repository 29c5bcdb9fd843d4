"""Regular expressions of Checktestdata as patterns of words, which are bounded.

Checktestdata takes the first alternative that matches, and as much as it can; a pattern matches a word as a whole. The
two agree where the next character always decides where a word stops.
"""

import re
from collections.abc import Set as AbstractSet
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from judge.grammar.patterns import AnyOf, Chars, Node, PatternError, Series, Several, parse_pattern

_MANY = 100_000  # characters of one class in a row
SOME = 100  # repetitions of anything else
_NO_LINE_END = ("[^\n]", "[^\\n]")
_CLASS = r"\[\^?\]?(?:\\.|[^\]\\])*\]"
_PIECE = re.compile(rf"(?P<part>{_CLASS}|\\.|[^*+{{}}])|(?P<often>[*+]|\{{[0-9]+,\}})|(?P<other>.)", re.DOTALL)
_REPEATED = re.compile(
    rf"(?:(?P<part>{_CLASS}|\\?[^\\()|])|\((?P<group>{_CLASS})\))(?P<often>[*+]|\{{[0-9]+,?[0-9]*\}})"
)
_CLASS_NAMES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t-\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}  # of POSIX
_FEW = 200  # words that are compared with each other


def takes_whole_words(pattern: str) -> bool:
    """Return whether a regular expression takes all of each of its words; False if that is not known.

    Args:
        pattern: of a word after which a space or a line end follows.
    """
    try:
        return _stops_at_end(parse_pattern(pattern).node, frozenset("\n"))
    except PatternError:
        return False


def _stops_at_end(node: Node, after: AbstractSet[str]) -> bool:  # noqa: PLR0911 - one case for each kind of node
    """Return whether it stops at the end of each word where one of some characters follows."""
    match node:
        case Chars():
            return True
        case Several(part, low, high):
            first = _begins(part)
            if _may_be_empty(part) or (low != high and first & after):
                return False
            return _stops_at_end(part, first | after if high > 1 else after)
        case AnyOf(options):
            begins = [char for each in options for char in _begins(each)]
            if len(begins) == len(set(begins)) and not any(map(_may_be_empty, options)):
                return all(_stops_at_end(each, after) for each in options)
            return _are_told_apart(_words(node), after)
        case Series(parts):
            for part in reversed(parts):
                if not _stops_at_end(part, after):
                    return False
                after = _begins(part) | after if _may_be_empty(part) else _begins(part)
            return True


def _are_told_apart(words: list[str], after: AbstractSet[str]) -> bool:
    """Return whether none of some words, in the order in which they are tried, is taken in place of another one."""
    for at, word in enumerate(words):
        for later in words[at + 1 :]:
            if later != word and (later.startswith(word) or (word.startswith(later) and word[len(later)] in after)):
                return False
    return bool(words)


def _words(node: Node) -> list[str]:
    """Return the words in the order in which they are tried; none if there are many."""
    found: list[str]
    match node:
        case Chars(chars):
            found = list(chars)
        case Several(part, low, high):
            once = _words(part)
            is_few = low == high < _FEW and len(once) ** low <= _FEW
            found = ["".join(each) for each in product(once, repeat=low)] if is_few else []
        case AnyOf(options):
            lists = [_words(each) for each in options]
            found = [word for each in lists for word in each] if all(lists) else []
        case Series(parts):
            found = [""]
            for part in parts:
                found = [begin + end for begin in found for end in _words(part)][: _FEW + 1]
    return found if len(found) <= _FEW else []


def _begins(node: Node) -> AbstractSet[str]:
    """Return the characters that words begin with."""
    match node:
        case Chars(chars):
            return frozenset(chars)
        case Several(part):
            return _begins(part)
        case AnyOf(options):
            return {char for each in options for char in _begins(each)}
        case Series(parts):
            needed = next((at for at, part in enumerate(parts) if not _may_be_empty(part)), len(parts))
            return {char for part in parts[: needed + 1] for char in _begins(part)}


def _may_be_empty(node: Node) -> bool:
    match node:
        case Chars():
            return False
        case Several(part, low, _):
            return low == 0 or _may_be_empty(part)
        case AnyOf(options):
            return any(map(_may_be_empty, options))
        case Series(parts):
            return all(map(_may_be_empty, parts))


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


def replace_class_names(regex: str) -> str:
    """Return a regular expression without names such as `[:alpha:]`, which Python does not know."""
    return re.sub(r"\[:([a-z]+):\]", lambda found: _CLASS_NAMES.get(found[1], found[0]), regex)


def bound_pattern(regex: str) -> BoundedWord:
    """Return a regular expression with bounds.

    Raises:
        PatternError: it has `^` or `$` within.
    """
    regex = replace_class_names(regex.removeprefix("^"))
    asks_for_end = regex.endswith("$") and not regex.endswith("\\$")
    regex = regex[:-1] if asks_for_end else regex
    parts = [piece["part"] for piece in _PIECE.finditer(regex) if piece["part"]]
    if {"^", "$"}.intersection(parts):
        raise PatternError("`^` and `$` within a pattern")
    found = _bound(regex)
    return replace(
        found,
        is_narrow=any(part == "." or _has_others(part) for part in parts),
        is_wide=asks_for_end or any(part == "." or (_has_others(part) and _reads_on(part)) for part in parts),
    )


def _has_others(part: str) -> bool:
    """Return whether a part of a regular expression may be a character that a word never has."""
    return part.startswith("[^") or (part.startswith("[") and bool(re.search(r"\\[a-ce-zA-Z]|[^ -~]", part)))


def _reads_on(part: str) -> bool:
    """Return whether a class has line ends, or spaces as part of a word."""
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
            text += f"{{{_often(piece['often'])[0]},{SOME}}}"
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
