"""What a plain scalar means, where people, YAML 1.1 (PyYAML) and YAML 1.2 (most editors) may disagree.

Nothing is guessed in silence: `Reading.value` is what all of them agree on, and where they do not agree it is UNSURE
and a message says what to write instead. One exception: `1e-6` is the number that people mean, where PyYAML reads text.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable

from msgspec import Struct

_LONGEST = 60
_MOST_LISTED = 16

HALF_CHARACTER = "a `\\u` escape stands for half a character: write the whole character itself"


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


UNSURE = object()
_LONGEST_NUMBER = 300  # characters: all that a float can hold, and fewer digits than Python refuses to convert


class Reading(Struct, frozen=True):
    """A plain scalar that is, to some reader of YAML at least, no text.

    Attributes:
        found: what it is, for messages that say `found ...`.
        value: None, a truth value or a number; or UNSURE.
        instead: what to write, in one way or another, when that value is meant.
    """

    found: str
    value: object
    instead: tuple[str, ...] = ()


def reading(text: str) -> Reading | None:
    """Return how a plain scalar is read, or None when every reader takes it for a text."""
    if text and text[0] not in _FIRST:
        return None
    for pattern, read in _READINGS:
        if pattern.fullmatch(text):
            return read(text) if len(text) <= _LONGEST_NUMBER else Reading(f"a number of {len(text)} digits", UNSURE)
    return None


def _null(text: str) -> Reading:
    found = f"{quoted(text)}, which stands for nothing" if text else "nothing"
    return Reading(found, None if text == "null" else UNSURE, ("null",))


def _truth(text: str) -> Reading:
    return Reading(f"the truth value {quoted(text)}", text.lower() == "true", (text.lower(),))


def _yes_or_no(text: str) -> Reading:
    word = "true" if text.lower() in ("yes", "on") else "false"
    return Reading(f"{quoted(text)}, which YAML reads as {word}", UNSURE, (word,))


def _integer(text: str) -> Reading:
    return Reading(f"the number {quoted(text)}", int(text), (text,))


def _float(text: str) -> Reading:
    number = float(text)
    if math.isinf(number):
        return Reading(f"the number {quoted(text)}, which is too large", UNSURE)
    return Reading(f"the number {quoted(text)}", number, (text,))


def _in_base(base: int, name: str) -> Callable[[str], Reading]:
    def read(text: str) -> Reading:
        number = str(int(text.replace("_", ""), base))
        found = f"{quoted(text)}, which YAML reads as the {name} number {number}"
        decimal = text.lstrip("0") if text.isdecimal() else ""
        return Reading(found, UNSURE, (number, decimal) if decimal not in ("", number) else (number,))

    return read


def _leading_zero(text: str) -> Reading:
    return Reading(f"{quoted(text)}, a number with a leading zero", UNSURE, (text.lstrip("+-0"),))


def _underscored(text: str) -> Reading:
    number = text.replace("_", "")
    return Reading(f"{quoted(text)}, which YAML reads as the number {number}", UNSURE, (number,))


def _base_60(text: str) -> Reading:
    number = 0.0
    for part in text.lstrip("+-").replace("_", "").split(":"):
        number = number * 60 + float(part)
    shown = f"{'-' if text.startswith('-') else ''}{number:g}"
    return Reading(f"{quoted(text)}, which YAML reads as the number {shown}", UNSURE, (shown,))


def _not_finite(text: str) -> Reading:
    return Reading(f"{quoted(text)}, which YAML reads as a number that is not finite", UNSURE)


def _date(text: str) -> Reading:
    return Reading(f"{quoted(text)}, which YAML reads as a date", UNSURE)


_FIRST = frozenset("0123456789+-.~nNtTyYfFoO")

# In the order of trying; after PyYAML's resolvers for YAML 1.1 and the core schema of YAML 1.2.
_READINGS: tuple[tuple[re.Pattern[str], Callable[[str], Reading]], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (r"|~|null|Null|NULL", _null),
        (r"true|True|TRUE|false|False|FALSE", _truth),
        (r"yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF", _yes_or_no),
        (r"[-+]?(0|[1-9][0-9]*)", _integer),
        (r"[-+]?0[0-7_]+|0o[0-7]+", _in_base(8, "octal")),
        (r"[-+]?0[0-9]+", _leading_zero),
        (r"[-+]?0b_*[01][01_]*", _in_base(2, "binary")),
        (r"[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*", _in_base(16, "hexadecimal")),
        (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", _float),
        (r"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?", _underscored),
        (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?", _base_60),
        (r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", _not_finite),
        (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?", _date),
    )
)
