"""Text for messages: quoted values, lists of valid words, and the nearest valid word."""

from collections.abc import Collection, Iterable

_MAX_QUOTED = 60  # characters
_MAX_LISTED = 20  # words


def quote(text: str) -> str:
    """Return `text` in back quotes on one line: cut after 60 characters, invisible characters as escapes."""
    if not text:
        return '`""`'
    cut = text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + "..."
    shown = (char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in cut)
    return f"`{''.join(shown)}`"


def quote_all(words: Iterable[str]) -> str:
    """Return the words quoted and separated by commas; a long list is cut."""
    shown = [quote(word) for word in words]
    if len(shown) > _MAX_LISTED:
        shown[_MAX_LISTED:] = [f"and {len(shown) - _MAX_LISTED} more"]
    return ", ".join(shown)


def nearest(word: str, valid: Iterable[str]) -> str | None:
    """Return the valid word that is most similar to `word`, or None if none is similar."""
    from difflib import get_close_matches  # only a file with an error needs it

    by_lower = {candidate.lower(): candidate for candidate in valid}
    found = get_close_matches(word[:_MAX_QUOTED].lower(), by_lower, n=1)
    return by_lower[found[0]] if found else None


def describe_unknown(kind: str, word: str, valid: Collection[str], of: str = "") -> str:
    """Return a message about a word that is not valid, with the nearest valid word and all valid words.

    `kind` is what it should be, in the singular: `key`, `checker`; `of` is what it belongs to, if that needs saying.
    """
    found = f"unknown {kind} {quote(word)}" + (f" of {quote(of)}" if of else "")
    if not valid:
        return f"{found}: there are no {kind}s"
    near = nearest(word, valid)
    separator = f": did you mean {quote(near)}? Valid" if near else "; valid"
    return f"{found}{separator} {kind}s: {quote_all(valid)}"
