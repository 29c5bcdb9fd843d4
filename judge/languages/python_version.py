"""Whether a Python source is for Python 2: old packages of the legacy format have many, most without a shebang line.

The format wants a shebang line there ("Programs" of legacy). Kattis ran `.py` with Python 2 when it was written.
"""

import re

_SHEBANG = re.compile(rb"#!.*(?:python|pypy)([23])")
_MAX_SIZE = 256 * 1024  # bytes that are looked at

# Strings and comments. One that is not closed ends with the line, a long one with the file.
_TEXTS = re.compile(
    rb'"""(?s:\\.|.)*?(?:"""|\Z)'
    rb"|'''(?s:\\.|.)*?(?:'''|\Z)"
    rb'|"(?:\\.|[^"\\\n])*"?'
    rb"|'(?:\\.|[^'\\\n])*'?"
    rb"|#[^\n]*"
)

# A name, a number or a string after `print` is a syntax error in Python 3; an operator is not, nor a keyword.
_KEYWORDS = rb"(?:and|else|for|if|in|is|not|or)\b"
_STATEMENT = re.compile(rb'(?:^|[:;])[ \t]*print(?:[ \t]*"|[ \t]+(?!%b)[A-Za-z0-9_])' % _KEYWORDS, re.MULTILINE)
_INPUT = re.compile(rb"\braw_input[ \t]*\(")
_DEFINITION = re.compile(rb"\b(?:def|as)[ \t]+raw_input\b|\braw_input[ \t]*=|\bexcept\b")


def is_python_2(source: bytes) -> bool:
    """Return whether a source says that it is Python 2, or cannot be anything else.

    Its first line decides if that names a version. Otherwise the source has a `print` statement, or it calls
    `raw_input` without defining it.
    """
    if found := _SHEBANG.match(source[: source.find(b"\n")] if source[:2] == b"#!" else b""):
        return found[1] == b"2"
    if b"print" not in source and b"raw_input" not in source:
        return False
    code = _TEXTS.sub(_blank, source[:_MAX_SIZE].replace(b"\r", b"\n"))
    return bool(_STATEMENT.search(code) or (_INPUT.search(code) and not _DEFINITION.search(code)))


def _blank(text: re.Match[bytes]) -> bytes:
    return b"" if text[0].startswith(b"#") else b'""'
