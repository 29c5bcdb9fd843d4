"""Where a regular expression stops: Checktestdata takes the first alternative that matches, and as much as it can.

A pattern of the notation matches a word as a whole instead. The two agree where the next character always decides.
"""

from collections.abc import Set as AbstractSet
from itertools import product

from judge.grammar.patterns import AnyOf, Chars, Node, PatternError, Series, Several, parse_pattern

_FEW = 200  # words that are compared with each other


def takes_whole_words(pattern: str) -> bool:
    """Return whether a regular expression takes all of each of its words; False if that is not known.

    Args:
        pattern: of a word after which a blank or a line end follows.
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
