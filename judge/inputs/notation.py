"""The value of the key `input:` as YAML, the way a person writes it."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

SPECIAL_WORDS = ("yes", "no", "on", "off", "true", "false", "null")  # what YAML reads as something else

_PLAIN = re.compile(r"-?[A-Za-z0-9(][A-Za-z0-9_.^*/+()<>=% -]*(?<! )")


def write_notation(value: Any) -> str:
    """Return the value of `input:` as YAML: a line of the file for each line and each block of the input."""
    lines = ["input:"]
    if isinstance(value, dict):
        lines += ["  lines:", *_write_items(value["lines"], 4), f"  also: {_write_flow(value['also'])}"]
    else:
        lines += _write_items(value, 2)
    return "\n".join([*lines, ""])


def _write_items(items: Sequence[Any], indent: int) -> Iterator[str]:
    for item in items:
        head = " " * indent + "- "
        if isinstance(item, dict) and "lines" in item:
            for key, each in item.items():
                if key in ("lines", "else"):
                    yield f"{head}{key}:"
                    yield from _write_items(each, indent + 4)
                else:
                    yield f"{head}{key}: {_write_flow(each)}"
                head = " " * (indent + 2)
        elif isinstance(item, dict) and len(item) == 1:
            ((key, each),) = item.items()
            yield f"{head}{key}: {_write_flow(each)}"
        else:
            yield head + (_quote(item) if isinstance(item, str) else _write_flow(item))


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _write_flow(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "{" + ", ".join(f"{key}: {_write_flow(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_write_flow, value)) + "]"
        case str() if _PLAIN.fullmatch(value) and value.lower() not in SPECIAL_WORDS:
            return value
        case str():
            return _quote(value)
        case _:
            return str(value)
