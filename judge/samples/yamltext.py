r"""Bytes as YAML that reads back as the same bytes.

A literal block where it is exact and survives an editor, else a double-quoted text with its invisible characters as
escapes (YAML 1.2.2, 5.7 and 7.3.1); what is no text, or very long, has no YAML form here and belongs into a file.
"""

import re

from judge.yamlfile.scalars import reading

LONGEST = 1 << 16  # bytes; longer ones are better looked at in files of their own

# No carriage return, no other control character, nothing that some reader takes for a line end or strips.
_PLAIN_CHARACTERS = re.compile("[\t\n -~\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*")
_BLANK_AT_AN_EDGE = re.compile(r"^\t|[ \t]$", re.MULTILINE)
_NAMED_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\n": "\\n", "\0": "\\0"}
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*")


def data_yaml(data: bytes, indent: int) -> str | None:
    """Return some bytes as the YAML that follows `key: `; None where they belong into a file of their own.

    Args:
        data: the bytes.
        indent: how far the key's mapping is indented, in blanks.
    """
    if len(data) > LONGEST:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return _literal(text, indent) or _quoted(text, indent)


def text_yaml(text: str) -> str:
    """Return a text of one line as YAML: as it is where every reader takes it for a text, else quoted."""
    is_plain = bool(_WORDS.fullmatch(text)) and reading(text) is None
    return text if is_plain else f'"{_escaped(text)}"'


def _literal(text: str, indent: int) -> str | None:
    """Return a literal block; None where it would not be exact, or an editor might change it."""
    if not text.strip("\n") or not _PLAIN_CHARACTERS.fullmatch(text) or _BLANK_AT_AN_EDGE.search(text):
        return None
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    header = "|" + ("2" if text[0] in " \n" else "") + {0: "-", 1: ""}.get(ends, "+")
    rows = [*body.split("\n"), *[""] * (ends - 1)]
    blanks = " " * (indent + 2)
    return header + "".join(f"\n{blanks}{row}" if row else "\n" for row in rows)


def _quoted(text: str, indent: int) -> str:
    """Return a double-quoted text, one row a line of the text."""
    lines = text.split("\n")
    rows = [f"{_escaped(line)}\\n" for line in lines[:-1]] + [_escaped(lines[-1])] * bool(lines[-1])
    if len(rows) < 2:
        return f'"{"".join(rows)}"'
    blanks = " " * (indent + 2)
    # an escaped line end takes the blanks after it away, so those of the text are escaped, too
    kept = [row if row[0] != " " else "\\" + row for row in rows]
    return '"' + "".join(f"\\\n{blanks}{row}" for row in kept) + '"'


def _escaped(text: str) -> str:
    return "".join(_NAMED_ESCAPES.get(char) or (char if _is_safe(char) else _code(char)) for char in text)


def _is_safe(char: str) -> bool:
    return bool(_PLAIN_CHARACTERS.fullmatch(char))


def _code(char: str) -> str:
    number = ord(char)
    if number < 1 << 8:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"
