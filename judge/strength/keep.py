"""Writes inputs that kill survivors as cases of a problem, in the format of case files."""

import json
from collections.abc import Sequence
from pathlib import Path

from judge.files import write_atomically
from judge.strength.results import Killer
from judge.units import format_count

_HEADER = "# yaml-language-server: $schema=../../judge/schemas/testcases.schema.json\ncases:\n"


def keep_killers(path: Path, killers: Sequence[tuple[str, Killer]]) -> str:
    """Add a case for each input to a file, unless it has the input already; return how many, for messages.

    Args:
        path: the case file.
        killers: the mutant that each input kills, and the input.

    Raises:
        OSError: the file cannot be read or written.
    """
    text = path.read_text() if path.exists() else _HEADER
    number = text.count("\n  - name: killer-")
    added = 0
    for mutant, killer in killers:
        given = _block(killer.input)
        if f"input: {given}" in text:
            continue
        added += 1
        why = json.dumps(f"kills the mutant {mutant}", ensure_ascii=False)
        lines = (
            f"  - name: killer-{number + added}",
            f"why: {why}",
            f"input: {given}",
            f"answer: {_block(killer.answer)}",
        )
        text = text.rstrip("\n") + "\n" + "\n    ".join(lines) + "\n"
    if added:
        write_atomically(path, text.encode())
    return format_count(added, "case")


def _block(data: bytes) -> str:
    """Return data as YAML: a block of lines where that is possible, else a quoted text."""
    text = data.decode("utf-8", errors="surrogateescape")
    lines = text.split("\n")
    is_plain = lines.pop() == "" and all(each.isprintable() for each in lines)
    if is_plain and lines and not any(each != each.strip() or not each for each in lines):
        return "|\n" + "\n".join(f"      {each}" for each in lines)
    return json.dumps(text)
