"""Writing YAML: data and text such that every reader, and an editor, leaves them as they are."""

import re

from judge.problems.yaml.scalars import resolve

CASES_HEAD = "# yaml-language-server: $schema=../../judge/schemas/testcases.schema.json\ncases:\n"
CASE_INDENT = 4  # spaces before the keys of a case
_MAX_INLINE = 1 << 16  # bytes; longer data is easier to read in its own file

# No control characters, and nothing that some reader takes for a line end or strips.
_SAFE_CHARACTERS = re.compile("[\t\n -~\xa1-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]*")
_EDGE_WHITESPACE = re.compile(r"^\t|[ \t]$", re.MULTILINE)
_NAMED_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\n": "\\n", "\0": "\\0"}
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*")


def case_yaml(name: str, why: str, given: bytes, answer: bytes | None = None) -> str | None:
    """Return a case as an item of the list below `CASES_HEAD`; None if its data need their own files."""
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
    is_plain = bool(_WORDS.fullmatch(text)) and resolve(text) is None
    return text if is_plain else f'"{_escape(text)}"'


def _literal_block(text: str, indent: int) -> str | None:
    """Return a literal block; None if it would not be exact, or if an editor might change it."""
    if not text.strip("\n") or not _SAFE_CHARACTERS.fullmatch(text) or _EDGE_WHITESPACE.search(text):
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
    return "".join(
        _NAMED_ESCAPES.get(char) or (char if _SAFE_CHARACTERS.fullmatch(char) else _code(char)) for char in text
    )


def _code(char: str) -> str:
    number = ord(char)
    if number < 1 << 8:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"
