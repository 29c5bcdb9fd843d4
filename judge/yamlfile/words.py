"""Words for messages: what was found, cut and quoted, and the valid word nearest to it."""

from collections.abc import Collection, Iterable

_LONGEST = 60
_MOST_LISTED = 16


def quoted(text: str) -> str:
    """Return `text` in back quotes on one line: cut after 60 characters, invisible characters as escapes."""
    if not text:
        return '`""`'
    cut = text if len(text) <= _LONGEST else text[:_LONGEST] + "..."
    return "`" + "".join(char if char.isprintable() else _escaped(char) for char in cut) + "`"


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def listed(words: Iterable[str]) -> str:
    """Return the words quoted, with commas between; a long list is cut."""
    shown = [quoted(word) for word in words]
    if len(shown) > _MOST_LISTED:
        shown[_MOST_LISTED:] = [f"and {len(shown) - _MOST_LISTED} more"]
    return ", ".join(shown)


def nearest(word: str, valid: Iterable[str]) -> str | None:
    """Return the valid word that `word` was probably meant to be, or None when none is near."""
    from difflib import get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in valid}
    found = get_close_matches(word[:_LONGEST].lower(), by_lower, n=1)
    return by_lower[found[0]] if found else None


def unknown(kind: str, word: str, valid: Collection[str], of: str = "") -> str:
    """Say that `word` (of something) is not one of the valid words, which they are, and which was probably meant."""
    found = f"unknown {kind} {quoted(word)}" + (f" of {quoted(of)}" if of else "")
    if not valid:
        return f"{found}: there is none"
    near = nearest(word, valid)
    hint = f"did you mean {quoted(near)}? Valid are" if near else "valid are"
    return f"{found}: {hint} {listed(valid)}"
