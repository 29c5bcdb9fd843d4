"""Bytes to nodes, and PyYAML's complaints in plain words."""

import re
from collections.abc import Iterator

import yaml

from judge.yamlfile.compose import compose
from judge.yamlfile.nodes import Mistake, Node, Place, UnreadableError
from judge.yamlfile.one_scalar import HALF_CHARACTER
from judge.yamlfile.words import quoted

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML can be built without its parser in C

# What no YAML text may hold, and line ends that YAML turns into "\n" but editors do not count as such. In plain ASCII
# that is a small set, and a quick one to compile.
_ILLEGAL_ASCII = "[^\t\n\r -~]|\r(?!\n)"
_ILLEGAL = "[^\t\n\r -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|\r(?!\n)"

_COLON = (
    "a `:` is not expected here: check the indentation, put a blank after the `:` of the key above, "
    "and quote a text that holds `: `"
)
_INDENT = "the line does not fit those above it: check its indentation"
_OPEN = "the file ends where a value is expected: close what was opened"
_ENDED = "the value has ended before this: quote the whole text once"


def parse(data: bytes) -> tuple[Node | None, list[Mistake]]:
    """Read a YAML file's bytes into nodes.

    Returns:
        The root, or None when the file is empty, and the mistakes that were stepped over.

    Raises:
        UnreadableError: not UTF-8, or not YAML.
    """
    text = _decoded(data)
    try:
        return compose(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        raise _explained(error, text) from error
    except yaml.YAMLError as error:
        raise UnreadableError(f"not readable as YAML: {error}") from error


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8: save the file as UTF-8"
        raise UnreadableError(message, _place_after(before)) from error
    text = text.removeprefix("\ufeff")
    if illegal := re.search(_ILLEGAL_ASCII if text.isascii() else _ILLEGAL, text):
        code = f"U+{ord(illegal[0]):04X}"
        message = f"the character {code} is not allowed here: write it as an escape in a double-quoted text"
        raise UnreadableError(message, _place_after(text[: illegal.start()]))
    return text


def _place_after(text: str) -> Place:
    return Place(text.count("\n") + 1, len(text) - text.rfind("\n"))


def _explained(error: yaml.MarkedYAMLError, text: str) -> UnreadableError:
    problem = error.problem or "no reason is given"
    here = _place(error.problem_mark) or _place(error.context_mark) or Place()
    opened = _place(error.context_mark) or here
    lines = text.splitlines()
    if tab := _tab(lines, here):
        return UnreadableError("a tab is used for indentation: replace it with blanks", tab)
    for pattern, place, message in _explanations(lines, here, opened):
        if re.search(pattern, problem):
            return UnreadableError(message, place)
    return UnreadableError(f"not readable as YAML: {problem}", here)


def _explanations(lines: list[str], here: Place, opened: Place) -> Iterator[tuple[str, Place, str]]:
    """Yield what each of PyYAML's complaints means, in C's words and in Python's."""
    first, opener = _rest(lines, here)[:1], _rest(lines, opened)[:1]
    rest = quoted(_rest(lines, opened))
    begins_line = not _line(lines, here)[: here.column - 1].strip()
    yield "could not find expected ':'", opened, f"{rest} is not followed by `:`: write `key: value`"
    yield "unexpected end of stream|unexpected document", opened, f"the text that begins with {opener} is never closed"
    yield "cannot start any token", here, f"a text cannot begin with {quoted(first)}: quote it"
    yield "expected alphabetic or numeric", opened, f"a text cannot begin with {quoted(opener)}: quote it"
    yield "mapping values are not allowed", here, _COLON
    yield "expected ',' or", opened, f"the {quoted(opener)} is not closed, or a comma is missing after it"
    yield "expected key|expected '-' indicator|expected <block end>", here, _INDENT if begins_line else _ENDED
    yield "unknown escape", here, "unknown escape in a double-quoted text: write `\\\\` for a backslash"
    yield "hexdecimal|hexadecimal", here, "an escape such as `\\x41` needs its hexadecimal digits"
    yield "invalid Unicode character", opened, HALF_CHARACTER
    yield "sequence entries are not allowed", here, "a list begins on the line below its key"
    yield "node content", here, f"expected a value, found {quoted(first)}: quote it" if first else _OPEN
    yield "comment or line break|chomping or indentation", here, "the text begins on the line below `|` or `>`"
    yield "<?document start>?", here, "nothing may follow the end of the document: remove it"


def _tab(lines: list[str], here: Place) -> Place | None:
    line = _line(lines, here)
    if leading := re.match(r" *\t", line):
        return Place(here.line, leading.end())
    return here if line[here.column - 1 : here.column] == "\t" else None


def _rest(lines: list[str], place: Place) -> str:
    return _line(lines, place)[place.column - 1 :]


def _line(lines: list[str], place: Place) -> str:
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


def _place(mark: object) -> Place | None:
    line, column = getattr(mark, "line", None), getattr(mark, "column", None)
    return Place(line + 1, column + 1) if isinstance(line, int) and isinstance(column, int) else None
