"""The numbers that a problem mentions: limits in its validators and its statement, as boundaries for inputs."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from judge.data import read_small_file

_MAX_FILE = 256 * 1024  # bytes
_MAX_NUMBER = 2**63
_MOST = 60
_ALWAYS = (0, 1, 2, 3, 10, 100)
_TEXTS = (".py", ".cpp", ".cc", ".c", ".java", ".kt", ".ctd", ".tex", ".md", ".yaml", ".viva", ".h")

_PLAIN = re.compile(rb"(?<![\w.])(\d{1,3}(?:(?:,|_|\\,|')\d{3})+|\d{1,19})(?![\w.])")
_POWER = re.compile(rb"(?:(\d{1,9})\s*(?:\*|\\cdot|\\times)\s*)?(10|2)\s*(?:\*\*|\^)\s*\{?(\d{1,2})\}?")
_SHIFT = re.compile(rb"(?<![\w.])(\d{1,4})[lLuU]{0,3}\s*<<\s*(\d{1,2})")
_EXPONENT = re.compile(rb"(?<![\w.])(\d{1,3})[eE](\d{1,2})(?![\w.])")


def find_numbers(texts: Iterable[bytes], words: Iterable[bytes] = ()) -> list[int]:
    """Return the numbers in some texts and words, `2 * 10^5`, `1 << 20` and `100,000` included, smallest first."""
    found = set(_ALWAYS)
    for text in (*texts, *words):
        found |= {int(factor) << int(power) for factor, power in _SHIFT.findall(text)}
        found |= {int(re.sub(rb"\D", b"", each)) for each in _PLAIN.findall(text)}
        found |= {int(factor or 1) * int(base) ** int(power) for factor, base, power in _POWER.findall(text)}
        found |= {int(number) * 10 ** int(power) for number, power in _EXPONENT.findall(text)}
    numbers = sorted(each for each in found if each < _MAX_NUMBER)
    return numbers if len(numbers) <= _MOST else [*numbers[: _MOST // 2], *numbers[-_MOST // 2 :]]


def read_texts(paths: Sequence[Path]) -> list[bytes]:
    """Return the contents of files, and of the files in folders, that are small texts; others are left out."""
    texts = []
    for path in paths:
        files = sorted(each for each in path.rglob("*") if each.is_file())[:50] if path.is_dir() else [path]
        for file in files:
            if file.suffix.lower() in _TEXTS and file.name != "testlib.h":
                try:
                    text = read_small_file(file, _MAX_FILE)
                except OSError:  # it only suggests numbers
                    continue
                texts += [text] if text is not None else []
    return texts
