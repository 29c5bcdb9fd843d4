r"""What validators of Checktestdata do otherwise than the library: the judge uses it, too, and copies it into each.

The library has its own parser of patterns, which takes `$` and `\d` literally and knows no classes of POSIX. It
computes any number, whatever that takes, and crashes where an input makes a grammar divide by 0.
"""

import decimal
import os
import re
import sys
import warnings
from functools import cache
from typing import Any

_CLASSES = {
    b"alnum": rb"a-zA-Z0-9",
    b"alpha": rb"a-zA-Z",
    b"blank": rb" \t",
    b"digit": rb"0-9",
    b"lower": rb"a-z",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb"\s",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}
_PARTS = re.compile(rb"\\.|\[\^?\]?(?:\\.|\[:[a-z]+:\]|[^]\\])*\]|\^|\$(?![|)]|\Z)", re.DOTALL)
_PARTS_OF_SET = re.compile(rb"\\.|\[:([a-z]+):\]|[\[&~|]", re.DOTALL)
MAX_DIGITS = 100_000


@cache
def compile_pattern(text: bytes) -> re.Pattern[bytes]:
    """Return a pattern of REGEX: `^` is where the input is read, `$` the end of a line; elsewhere they are characters.

    Raises:
        ValueError: it is not a pattern.
    """

    def translate(found: re.Match[bytes]) -> bytes:
        part = found[0]
        if part.startswith(b"["):
            return b"[" + _PARTS_OF_SET.sub(translate_in_set, part[1:])
        if part == b"^" and text[: found.start()][-1:] in (b"", b"(", b"|"):
            return b""
        return part if part.startswith(b"\\") else b"\\" + part

    def translate_in_set(found: re.Match[bytes]) -> bytes:
        if found[1] is None:
            return found[0] if found[0].startswith(b"\\") else b"\\" + found[0]
        return _CLASSES.get(found[1]) or re.escape(found[0])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # `[a--]` may mean something else in a later Python
        try:
            return re.compile(_PARTS.sub(translate, text), re.DOTALL | re.MULTILINE)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"not a pattern: {error}") from error


@cache
def bound_powers(number: Any) -> None:
    """Have the numbers of the library raise OverflowError for a power that would take long."""
    compute = number.__pow__

    def power(base: Any, exponent: Any) -> Any:
        bits = max(abs(base.value.numerator), base.value.denominator).bit_length()
        if type(exponent) is number and bits > 1 and bits * exponent.value > 4 * MAX_DIGITS:
            raise OverflowError("a power has too many digits")
        return compute(base, exponent)

    number.__pow__ = power


def install(library: dict[str, Any]) -> None:
    """Replace names of the library; an input for which something cannot be computed is rejected."""

    def reject(message: str) -> Any:
        reader = library["_reader"]
        return library["ValidationError"](message, library["_InputToken"](reader.raw, reader.pos, 0))

    def read_decimal(text: str) -> decimal.Decimal:
        if len(text) > MAX_DIGITS or len(text.partition("e")[2].lstrip("+-")) > 4:
            raise reject("a number has too many digits")
        return decimal.Decimal(text)

    def show(kind: Any, error: BaseException, trace: Any) -> None:
        if not isinstance(error, (ArithmeticError, ValueError)):
            original(kind, error, trace)
            return
        sys.stderr.write(f"{reject(str(error).partition(';')[0])}\n")
        sys.stderr.flush()
        os._exit(43)

    original = sys.__excepthook__
    sys.__excepthook__ = show  # the library calls it for what it does not handle
    sys.set_int_max_str_digits(MAX_DIGITS)
    bound_powers(library["Number"])
    library.update(Decimal=read_decimal, _compile_regex=compile_pattern)
