"""Keeping a counterexample: as a case of a problem of the repository, or as files beside the solution."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from judge.commands.counterexample import keep_path
from judge.errors import StoreError

if TYPE_CHECKING:
    from judge.model import Problem
    from judge.search.values import Counterexample, SearchResult

FILE = "hacks.yaml"
_HEAD = "# yaml-language-server: $schema=../../judge/schemas/testcases.schema.json\ncases:\n"
_LONGEST_INLINE = 100  # lines


def keep_result(result: "SearchResult", problem: "Problem") -> None:
    """Write what was found: into the problem if it is in our own layout, else to `stress/1.in` and so on.

    Raises:
        StoreError: that is not possible; the message has the input.
    """
    for found in result.found:
        _keep(found.input, found.expected, problem, found)
    if result.slowest is not None:
        _keep(result.slowest.input, None, problem, None)


def _keep(data: bytes, answer: bytes | None, problem: "Problem", found: "Counterexample | None") -> None:
    from judge.files import write_atomically
    from judge.model import Inline

    if any(case.input == Inline(data) for case in problem.cases):
        print("not kept: the problem has a case with this input", file=sys.stderr)
        return
    folder = problem.folder
    try:
        if found is not None and folder is not None and not problem.is_package and _is_plain(data, answer):
            path = folder.parent.parent / "testcases" / problem.id / FILE
            number, text = _add_case(path, data, answer, problem, found)
            write_atomically(path, text)
            print(f"kept: case hacks/case-{number} in {path}", file=sys.stderr)
            return
        path = keep_path(Path("stress"))
        if answer is not None:
            write_atomically(path.with_suffix(".ans"), answer)
        write_atomically(path, data)
        print(f"kept: {path}" + (f" and {path.with_suffix('.ans')}" if answer is not None else ""), file=sys.stderr)
    except OSError as error:
        text_of_input = data.decode(errors="backslashreplace")
        raise StoreError(f"the input cannot be kept: {error.strerror}; it is:\n{text_of_input}") from error


def _is_plain(data: bytes, answer: bytes | None) -> bool:
    """Return whether a case can be written as literal blocks of YAML."""
    return all(
        text.endswith(b"\n")
        and text.isascii()
        and text.count(b"\n") <= _LONGEST_INLINE
        and not any(line != line.strip() or not line for line in text[:-1].split(b"\n"))
        and all(32 <= byte < 127 or byte == 10 for byte in text)
        for text in (data, answer or b"x\n")
    )


def _add_case(
    path: Path, data: bytes, answer: bytes | None, problem: "Problem", found: "Counterexample"
) -> tuple[int, bytes]:
    """Return the number of a new case, and the file with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = _HEAD
    names = {case.name for case in problem.cases if case.group == "hacks"}
    number = next(
        each for each in range(1, len(names) + 2) if f"case-{each}" not in names and f"case-{each}\n" not in text
    )
    why = f"{problem.solutions[0].path.name}: {found.kind.verdict} ({found.strategy})"
    lines = [f"  - name: case-{number}", f"    why: {_quoted(why)}", *_block("input", data)]
    if answer is not None and problem.reference is None:
        lines += _block("answer", answer)
    separator = "" if text.endswith("\n") else "\n"
    return number, (text + separator + "\n".join(lines) + "\n").encode()


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _block(key: str, data: bytes) -> list[str]:
    return [f"    {key}: |", *(f"      {line}" for line in data.decode().splitlines())]
