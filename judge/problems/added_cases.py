"""Adding cases to a case file: inputs that a search has found."""

from itertools import count
from pathlib import Path

from msgspec import Struct

from judge.base.files import write_atomically
from judge.problems.file_format import CASES_FILE
from judge.problems.yaml.document import read_document
from judge.problems.yaml.scalars import case_yaml, cases_head


class NewCase(Struct, frozen=True, kw_only=True):
    """A case to add; without an answer, the problem's reference computes it."""

    why: str
    input: bytes
    answer: bytes | None = None


class Added(Struct, kw_only=True):
    """What became of new cases.

    Attributes:
        known: how many inputs the file had.
        omitted: how many cases need files of their own, since their data are binary or too long.
    """

    names: list[str]
    known: int = 0
    omitted: int = 0


class LayoutError(ValueError):
    """A case file has a layout to which nothing can be appended; it stays as it is."""


def add_cases(path: Path, prefix: str, cases: list[NewCase]) -> Added:
    """Append cases to a case file, which is created if necessary; their names are `prefix-N`.

    Raises:
        LayoutError: the file is not one that ends with a list of cases indented by two spaces.
        OSError: the file cannot be read or written.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        text = cases_head(path)
    except UnicodeDecodeError as error:
        raise LayoutError("not UTF-8") from error
    known = _read(text, path) if text != cases_head(path) else []
    names, inputs = {name for name, _ in known}, {data for _, data in known}
    text += "" if text.endswith("\n") else "\n"
    added = Added(names=[])
    numbers = count(1)
    for each in cases:
        if each.input in inputs:
            added.known += 1
            continue
        name = next(found for number in numbers if (found := f"{prefix}-{number}") not in names)
        item = case_yaml(name, each.why, each.input, each.answer)
        if item is None:
            added.omitted += 1
            continue
        text += item
        names.add(name)
        inputs.add(each.input)
        added.names.append(name)
        known.append((name, each.input))
    if added.names:
        if _read(text, path) != known:
            raise LayoutError("expected a list of cases, indented by two spaces, at the end of the file")
        write_atomically(path, text.encode())
    return added


def _read(text: str, path: Path) -> list[tuple[str, bytes | None]]:
    """Return the names of the cases of a file and their inputs; None for an input that is not in the file.

    Raises:
        LayoutError: it is not a case file.
    """
    document = read_document(text.encode(), path, CASES_FILE)
    if document.value is None or document.diagnostics:
        raise LayoutError(document.diagnostics[0].message if document.diagnostics else "expected a list of `cases`")
    cases = [each for each in document.value.cases or () if each]
    return [(each.name or "", None if each.input is None else each.input.encode()) for each in cases]
