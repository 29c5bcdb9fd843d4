"""What a plain scalar means, where people, YAML 1.1 (PyYAML) and YAML 1.2 (most editors) may disagree.

Nothing is guessed: `Resolved.value` is what all of them agree on. Where they disagree it is AMBIGUOUS, and a message
says what to write instead. One exception: `1e-6` is a number, as people mean it; PyYAML reads a string.

Data and text are written such that every reader, and an editor, leaves them as they are.
"""

import json
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from judge.base.units import format_count
from judge.problems.yaml.text import quote

AMBIGUOUS = object()
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_OCTAL = re.compile(r"0o[0-7]+")  # of YAML 1.2


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


@cache
def _resolvers() -> dict[str, Sequence[tuple[str, re.Pattern[str]]]]:
    """Return the tags of PyYAML and the patterns of their texts, by the first character."""
    import yaml  # takes a while

    found: dict[str, Sequence[tuple[str, re.Pattern[str]]]] = yaml.SafeLoader.yaml_implicit_resolvers
    return found


def resolve(text: str) -> Resolved | None:
    """Return what a plain scalar means, or None if every reader takes it for a string."""
    tag = next((tag for tag, pattern in _resolvers().get(text[:1], ()) if pattern.match(text)), "")
    kind = tag.rpartition(":")[2]
    if kind in ("", "merge", "value") and not _FLOAT.fullmatch(text) and not _OCTAL.fullmatch(text):
        return None
    if kind == "null":
        found = f"{quote(text)}, which YAML reads as null" if text else "no value"
        return Resolved(found, None if text == "null" else AMBIGUOUS, ("null",))
    if kind == "bool":
        word = "true" if text.lower() in ("true", "yes", "on") else "false"
        if text.lower() == word:
            return Resolved(f"the boolean {quote(text)}", word == "true", (word,))
        return Resolved(f"{quote(text)}, which YAML reads as {word}", AMBIGUOUS, (word,))
    if kind == "timestamp":
        return Resolved(f"{quote(text)}, which YAML reads as a date", AMBIGUOUS)
    return _resolve_number(text, kind)


def _resolve_number(text: str, kind: str) -> Resolved:
    """Return a number; PyYAML and YAML 1.2 read others in a text such as `010`, `0x1f`, `1_000` or `1:30`."""
    if len(text) > 300:  # enough for any float, and fewer digits than Python refuses to convert
        return Resolved(f"a number of {format_count(len(text), 'digit')}", AMBIGUOUS)
    is_integer, has_digits_only = _INTEGER.fullmatch(text), text.lstrip("+-").isdecimal()
    if is_integer or (_FLOAT.fullmatch(text) and not has_digits_only):
        value = int(text) if is_integer else float(text)
        if math.isinf(value):
            return Resolved(f"the number {quote(text)}, which is too large", AMBIGUOUS)
        return Resolved(f"the number {quote(text)}", value, (text,))
    from yaml import safe_load

    values: list[float] = [int(text)] if has_digits_only else [] if kind else [int(text, 8)]
    with suppress(ValueError):  # such as `0x_`
        values[:0] = [safe_load(text)] if kind else []
    numbers = dict.fromkeys(
        str(value) if isinstance(value, int) else f"{value:g}" for value in values if abs(value) < math.inf
    )
    number = f"the number {next(iter(numbers))}" if numbers else "a number that is not finite"
    return Resolved(f"{quote(text)}, which YAML reads as {number}", AMBIGUOUS, tuple(numbers))


# ---- writing -------------------------------------------------------------------------------------------------------

CASE_INDENT = 4  # spaces before the keys of a case

# These patterns are compiled when something is written: that takes longer than to read most files.
# No control characters, and nothing that some reader takes for a line end or strips.
_SAFE = " -~\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff"
_EDGE_WHITESPACE = r"(?m)^\t|[ \t]$"
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
    if len(data) > 1 << 16:  # longer data is easier to read in its own file
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return _literal_block(text, indent) or _quoted_lines(text, indent)


def text_yaml(text: str) -> str:
    """Return one line of text as a YAML value; it is quoted unless every YAML reader sees a string."""
    is_plain = bool(re.fullmatch(_WORDS, text)) and resolve(text) is None
    return text if is_plain else _quoted(text)


def grammar_yaml(value: object) -> str:
    """Return the key `input:` with a grammar, as PyYAML writes it; what some reader takes for a number is quoted."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    numbers = re.compile(rf"(?:{_FLOAT.pattern}|{_OCTAL.pattern})\Z")  # also those that PyYAML takes for text
    Dumper.add_implicit_resolver("tag:yaml.org,2002:float", numbers, list("-+.0123456789"))
    written: str = yaml.dump({"input": value}, Dumper=Dumper, default_flow_style=None, sort_keys=False, width=math.inf)
    return written


def _literal_block(text: str, indent: int) -> str | None:
    """Return a literal block; None if it would not be exact, or if an editor might change it."""
    is_safe = text.strip("\n") and re.fullmatch(f"[\t\n{_SAFE}]*", text)
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
    rows = [_quoted(line)[1:-1] for line in re.split(r"(?<=\n)", text) if line]
    if len(rows) < 2:
        return _quoted(text)
    margin = " " * (indent + 2)
    # an escaped line end removes the spaces after it, so a space of the text is escaped, too
    rows = [row if row[0] != " " else "\\" + row for row in rows]
    return '"' + "".join(f"\\\n{margin}{row}" for row in rows) + '"'


def _quoted(text: str) -> str:
    """Return a double-quoted value: that of JSON, with more escapes."""
    return re.sub(f"[^{_SAFE}]", lambda char: f"\\U{ord(char[0]):08x}", json.dumps(text, ensure_ascii=False))
