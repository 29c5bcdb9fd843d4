"""What a plain scalar means, where people, YAML 1.1 (PyYAML) and YAML 1.2 (most editors) may disagree.

Nothing is guessed: `Resolved.value` is what all of them agree on. Where they disagree it is AMBIGUOUS, and a message
says what to write instead. One exception: `1e-6` is a number, as people mean it; PyYAML reads a string.

Data and text are written such that every reader, and an editor, leaves them as they are.
"""

import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from judge.base.units import format_count
from judge.problems.yaml.text import quote

AMBIGUOUS = object()
_MAX_NUMBER = 300  # characters: enough for any float, and fewer digits than Python refuses to convert


class Resolved(NamedTuple):
    """A plain scalar that at least one reader of YAML does not take for a string.

    Attributes:
        found: a description for messages of the form `found ...`.
        value: None, a boolean or a number; or AMBIGUOUS.
        alternatives: what to write, one way or another, if that value is meant.
    """

    found: str
    value: object
    alternatives: tuple[str, ...] = ()


def resolve(text: str) -> Resolved | None:
    """Return what a plain scalar means, or None if every reader takes it for a string."""
    if text and text[0] not in _FIRST:
        return None
    match = _pattern().fullmatch(text)
    if match is None:
        return None
    if len(text) > _MAX_NUMBER:
        return Resolved(f"a number of {format_count(len(text), 'digit')}", AMBIGUOUS)
    assert match.lastgroup is not None
    return _FORMS[match.lastgroup][1](text)


def _null(text: str) -> Resolved:
    found = f"{quote(text)}, which YAML reads as null" if text else "no value"
    return Resolved(found, None if text == "null" else AMBIGUOUS, ("null",))


def _number(text: str) -> Resolved:
    number = float(text)
    if math.isinf(number) and not text.lstrip("+-").isdecimal():
        return Resolved(f"the number {quote(text)}, which is too large", AMBIGUOUS)
    value = int(text) if text.lstrip("+-").isdecimal() else number
    return Resolved(f"the number {quote(text)}", value, (text,))


def _read_as(what: str, alternative: str = "") -> Callable[[str], Resolved]:
    alternatives = (alternative,) if alternative else ()
    return lambda text: Resolved(f"{quote(text)}, which YAML reads as {what}", AMBIGUOUS, alternatives)


def _in_base(base: int, name: str) -> Callable[[str], Resolved]:
    def read(text: str) -> Resolved:
        number = str(int(text.replace("_", ""), base))
        found = f"{quote(text)}, which YAML reads as the {name} number {number}"
        decimal = text.lstrip("0") if text.isdecimal() else ""
        return Resolved(found, AMBIGUOUS, (number, decimal) if decimal not in ("", number) else (number,))

    return read


def _underscores(text: str) -> Resolved:
    return _read_as(f"the number {text.replace('_', '')}", text.replace("_", ""))(text)


def _base_60(text: str) -> Resolved:
    number = 0.0
    for part in text.lstrip("+-").replace("_", "").split(":"):
        number = number * 60 + float(part)
    shown = f"{'-' if text.startswith('-') else ''}{number:g}"
    return _read_as(f"the number {shown}", shown)(text)


_FIRST = frozenset("0123456789+-.~nNtTyYfFoO")

# The first form that matches counts. After PyYAML's resolvers for YAML 1.1 and the core schema of YAML 1.2.
_FORMS: Mapping[str, tuple[str, Callable[[str], Resolved]]] = {
    "null": (r"|~|null|Null|NULL", _null),
    "boolean": (
        r"true|True|TRUE|false|False|FALSE",
        lambda text: Resolved(f"the boolean {quote(text)}", text.lower() == "true", (text.lower(),)),
    ),
    "yes": (r"yes|Yes|YES|on|On|ON", _read_as("true", "true")),
    "no": (r"no|No|NO|off|Off|OFF", _read_as("false", "false")),
    "integer": (r"[-+]?(0|[1-9][0-9]*)", _number),
    "octal": (r"[-+]?0[0-7_]+|0o[0-7]+", _in_base(8, "octal")),
    "leading_zero": (
        r"[-+]?0[0-9]+",
        lambda text: Resolved(f"{quote(text)}, a number with a leading zero", AMBIGUOUS, (text.lstrip("+-0"),)),
    ),
    "binary": (r"[-+]?0b_*[01][01_]*", _in_base(2, "binary")),
    "hexadecimal": (r"[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*", _in_base(16, "hexadecimal")),
    "float": (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", _number),
    "underscores": (r"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?", _underscores),
    "base_60": (r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?", _base_60),
    "not_finite": (r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", _read_as("a number that is not finite")),
    "date": (r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?", _read_as("a date")),
}


@cache
def _pattern() -> re.Pattern[str]:
    """Return one pattern of all forms; the name of the matching group is the form."""
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, (pattern, _) in _FORMS.items()))


# ---- writing -------------------------------------------------------------------------------------------------------

CASE_INDENT = 4  # spaces before the keys of a case
_MAX_INLINE = 1 << 16  # bytes; longer data is easier to read in its own file

# These patterns are compiled when something is written: that takes longer than to read most files.
# No control characters, and nothing that some reader takes for a line end or strips.
_SAFE_CHARACTERS = "[\t\n -~\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*"
_EDGE_WHITESPACE = r"(?m)^\t|[ \t]$"
_NAMED_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\n": "\\n", "\0": "\\0"}
_WORDS = r"[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*"


def cases_head(path: Path) -> str:
    """Return the beginning of a case file: with the schema that editors read, if the repository has it."""
    for folder in (".schemas", "judge/schemas"):
        schema = f"../../{folder}/testcases.schema.json"
        if (path.parent / schema).exists():
            return f"# yaml-language-server: $schema={schema}\ncases:\n"
    return "cases:\n"


def case_yaml(name: str, why: str, given: bytes, answer: bytes | None = None) -> str | None:
    """Return a case as an item of the list below `cases_head`; None if its data need their own files."""
    rows = [f"  - name: {text_yaml(name)}\n", f"    why: {text_yaml(why)}\n"]
    for key, data in (("input", given), ("answer", answer)):
        if data is not None:
            value = data_yaml(data, CASE_INDENT)
            if value is None:
                return None
            rows.append(f"    {key}: {value}\n")
    return "".join(rows)


def data_yaml(data: bytes, indent: int) -> str | None:
    """Return bytes as the YAML value of a key that is indented by some spaces; None if they need their own file."""
    if len(data) > _MAX_INLINE:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return _literal_block(text, indent) or _quoted_lines(text, indent)


def text_yaml(text: str) -> str:
    """Return one line of text as a YAML value; it is quoted unless every YAML reader sees a string."""
    is_plain = bool(re.fullmatch(_WORDS, text)) and resolve(text) is None
    return text if is_plain else f'"{_escape(text)}"'


def _literal_block(text: str, indent: int) -> str | None:
    """Return a literal block; None if it would not be exact, or if an editor might change it."""
    is_safe = text.strip("\n") and re.fullmatch(_SAFE_CHARACTERS, text)
    if not is_safe or re.search(_EDGE_WHITESPACE, text):
        return None
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    header = "|" + ("2" if text[0] in " \n" else "") + {0: "-", 1: ""}.get(ends, "+")
    rows = [*body.split("\n"), *[""] * (ends - 1)]
    margin = " " * (indent + 2)
    return header + "".join(f"\n{margin}{row}" if row else "\n" for row in rows)


def _quoted_lines(text: str, indent: int) -> str:
    """Return a double-quoted value with one row for each line of the text."""
    lines = text.split("\n")
    rows = [f"{_escape(line)}\\n" for line in lines[:-1]] + [_escape(lines[-1])] * bool(lines[-1])
    if len(rows) < 2:
        return f'"{"".join(rows)}"'
    margin = " " * (indent + 2)
    # an escaped line end removes the spaces after it, so a space of the text is escaped, too
    rows = [row if row[0] != " " else "\\" + row for row in rows]
    return '"' + "".join(f"\\\n{margin}{row}" for row in rows) + '"'


def _escape(text: str) -> str:
    is_safe = re.compile(_SAFE_CHARACTERS).fullmatch
    return "".join(_NAMED_ESCAPES.get(char) or (char if is_safe(char) else _code(char)) for char in text)


def _code(char: str) -> str:
    number = ord(char)
    if number < 1 << 8:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"
