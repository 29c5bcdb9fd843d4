"""The files of a problem into a repository: nothing that is there is overwritten unless that is asked for."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.errors import StoreError, UsageError
from judge.files import write_atomically
from judge.languages.table import SUFFIXES
from judge.online.samples.draft import Draft, Sample
from judge.problems.yaml.scalars import resolve

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
    is_plain = bool(_WORDS.fullmatch(text)) and resolve(text) is None
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


STARTER = "solution.py"
_STARTER_TEXT = """\
import sys

lines = sys.stdin.read().splitlines()
print("not solved yet:", len(lines), "lines")
"""
_PLAIN_ADDRESS = re.compile(r"https?://[A-Za-z0-9/._~?=&+-]+")
_INDENT = 4  # of the keys of a case


def files_of(draft: Draft) -> dict[str, bytes]:
    """Return the files of a problem by their paths in the repository, problem.yaml last.

    Whoever writes them in this order leaves nothing that looks like a whole problem when writing fails in between.
    """
    files: dict[str, bytes] = {}
    cases = [_case(draft, sample, files) for sample in draft.samples]
    if cases:
        files[f"testcases/{draft.id}/sample.yaml"] = ("cases:\n" + "".join(cases)).encode()
    if draft.program:
        name, text = draft.program
        files[f"solutions/{draft.id}/accepted/{name}"] = text
    files[f"problems/{draft.id}/statement.md"] = _statement(draft).encode()
    files[f"problems/{draft.id}/problem.yaml"] = _problem(draft).encode()
    return files


def starter_of(draft: Draft) -> tuple[str, bytes]:
    """Return the path and the text of a solution to begin with, for a problem that has none yet."""
    return f"solutions/{draft.id}/accepted/{STARTER}", _STARTER_TEXT.encode()


def _problem(draft: Draft) -> str:
    lines = [f"name: {text_yaml(draft.title)}"]
    if draft.source:
        lines += ["source:", f"  name: {text_yaml(draft.source)}"]
        lines += [f"  url: {_address(draft.url)}"] if draft.url else []
    lines.append(f"profile: {draft.profile}")
    if draft.cpu or draft.memory:
        lines.append("limits:")
        lines += [f"  time: {round(draft.cpu * 1000)} ms"] if draft.cpu else []
        lines += [f"  memory: {draft.memory >> 20} MiB"] if draft.memory else []
    return "\n".join(lines) + "\n"


def _statement(draft: Draft) -> str:
    where = f"The statement: <{draft.url}>\n" if draft.url else "Where the statement is was not told.\n"
    count = len(draft.samples)
    which = "There are no samples yet" if not count else "The sample is" if count == 1 else f"The {count} samples are"
    place = f"{which} in `testcases/{draft.id}/sample.yaml`." if count else f"{which}."
    return f"# {draft.title}\n\n{where}\n{place}\n"


def _address(url: str) -> str:
    return url if _PLAIN_ADDRESS.fullmatch(url) else text_yaml(url)


def _case(draft: Draft, sample: Sample, files: dict[str, bytes]) -> str:
    name = text_yaml(sample.name)
    parts = [f"  - name: {name}\n"]
    for key, data, suffix in (("input", sample.input, "in"), ("answer", sample.answer, "ans")):
        written = data_yaml(data, _INDENT)
        if written is None:
            file = f"data/{sample.name}.{suffix}"
            files[f"testcases/{draft.id}/{file}"] = data
            parts.append(f"    {key}_file: {text_yaml(file)}\n")
        else:
            parts.append(f"    {key}: {written}\n")
    return "".join(parts)


_MOST_NAMED = 6  # files that a message lists


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What became of a draft: the paths, within the repository, that were written; empty when all was there before."""

    written: tuple[str, ...]


def place(draft: Draft, root: Path, *, force: bool = False) -> Placed:
    """Write a problem's files; a solution to begin with only where the problem has none.

    Args:
        draft: the problem.
        root: the repository's root.
        force: replace files that are there with another content. Solutions are never replaced.

    Raises:
        UsageError: files are there with another content; nothing was written.
        StoreError: a file cannot be read or written.
    """
    files = files_of(draft)
    if not _has_solution(root, draft.id) and not draft.program:
        path, text = starter_of(draft)
        files = {path: text, **files}
    try:
        changed = {path: text for path, text in files.items() if _differs(root / path, text)}
        _refuse_replacing(draft, root, changed, force=force)
        for path, text in changed.items():
            write_atomically(root / path, text)
    except OSError as error:
        raise StoreError(f"{error.filename or root}: {error.strerror}") from error
    return Placed(written=tuple(changed))


def _refuse_replacing(draft: Draft, root: Path, changed: Mapping[str, bytes], *, force: bool) -> None:
    taken = [path for path in changed if os.path.lexists(root / path)]
    if solutions := [path for path in taken if path.startswith("solutions/")]:
        raise UsageError(
            f"{solutions[0]} is there already with another text, and solutions are never replaced; nothing was "
            "written. Rename yours, or import under another id: --id ID"
        )
    if taken and not force:
        more = f" and {len(taken) - _MOST_NAMED} more" if len(taken) > _MOST_NAMED else ""
        raise UsageError(
            f"{draft.id} is there already and not the same ({', '.join(taken[:_MOST_NAMED])}{more}); "
            "nothing was written. --force replaces just these files"
        )


def _differs(path: Path, text: bytes) -> bool:
    try:
        return path.read_bytes() != text
    except FileNotFoundError:
        return True


def _has_solution(root: Path, problem: str) -> bool:
    try:
        return any(path.suffix.lower() in SUFFIXES for path in (root / "solutions" / problem).glob("*/*"))
    except OSError:
        return False
