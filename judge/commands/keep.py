"""Keeping counterexamples: as cases of a problem of the repository, or as files in the current folder."""

import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from judge.errors import StoreError

if TYPE_CHECKING:
    from judge.model import Problem
    from judge.search.values import Counterexample, SearchResult

FILE = "hacks.yaml"
_HEAD = "# yaml-language-server: $schema=../../judge/schemas/testcases.schema.json\ncases:\n"
_LONGEST_INLINE = 100  # lines
_FOLDER = Path("stress")


def keep_result(result: "SearchResult", problem: "Problem | None" = None) -> None:
    """Write what was found: into the problem if it is in our own layout, else to `stress/1.in` and so on.

    Raises:
        StoreError: that is not possible; the message has the inputs that are not kept.
    """
    pending: list[tuple[bytes, bytes | None, Counterexample | None]]
    pending = [(found.input, found.expected, found) for found in result.found]
    if result.slowest is not None:
        pending.append((result.slowest.input, None, None))
    lost: list[str] = []
    for data, answer, found in pending:
        try:
            if problem is None:
                _keep_files(data, answer)
            else:
                _keep(data, answer, problem, found)
        except OSError as error:
            lost.append(f"an input cannot be kept: {error.strerror}; it is:\n{data.decode(errors='backslashreplace')}")
    if lost:
        raise StoreError("\n".join(lost))


def _keep(data: bytes, answer: bytes | None, problem: "Problem", found: "Counterexample | None") -> None:
    from judge.files import write_atomically
    from judge.model import Inline

    if any(case.input == Inline(data) for case in problem.cases):
        print("not kept: the problem has a case with this input", file=sys.stderr)
        return
    folder = problem.folder
    if found is not None and folder is not None and not problem.is_package and _is_plain(data, answer):
        path = folder.parent.parent / "testcases" / problem.id / FILE
        number, text = _add_case(path, data, answer, problem, found)
        write_atomically(path, text)
        print(f"kept: case hacks/case-{number} in {path}", file=sys.stderr)
        return
    _keep_files(data, answer)


def _keep_files(data: bytes, answer: bytes | None) -> None:
    """Write an input and its answer under the first free number: both, or none."""
    from judge.files import write_atomically

    number = 1
    while (_FOLDER / f"{number}.in").exists() or (_FOLDER / f"{number}.ans").exists():
        number += 1
    path, answer_path = _FOLDER / f"{number}.in", _FOLDER / f"{number}.ans"
    try:
        if answer is not None:
            write_atomically(answer_path, answer)
        write_atomically(path, data)
    except BaseException:  # Ctrl-C, too
        for each in (path, answer_path):
            each.unlink(missing_ok=True)
        raise
    print(f"kept: {path}" + (f" and {answer_path}" if answer is not None else ""), file=sys.stderr)


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
    number = next(each for each in count(1) if f"case-{each}" not in names and f"case-{each}\n" not in text)
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
