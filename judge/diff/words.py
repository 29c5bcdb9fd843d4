"""A difference in one line of text."""

from judge.model import Mismatch


def describe(mismatch: Mismatch) -> str:
    """Say where and how an output differs: ``line 3, token 2: expected `17`, found `18` ``."""
    expected, found = (f"`{shown(text)}`" if text else "" for text in (mismatch.expected, mismatch.found))
    if mismatch.token:
        place = f"line {mismatch.line}, token {mismatch.token}"
        return f"{place}: expected {expected or 'nothing'}, found {found or 'nothing'}"
    place = f"line {mismatch.line}, column {mismatch.column}"
    return f"{place}: expected {expected and 'white space '}{expected or 'no white space'}, found {found or 'none'}"


def shown(text: bytes) -> str:
    """Decode bytes so that a terminal can print them: what is not printable is escaped as in Python."""
    decoded = text.decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in decoded)
