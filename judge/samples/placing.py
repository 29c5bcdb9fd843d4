"""The files of a problem into a repository: nothing that is there is overwritten unless that is asked for."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.errors import StoreError, UsageError
from judge.files import write_atomically
from judge.languages import SUFFIXES
from judge.samples.draft import Draft
from judge.samples.files import files_of, starter_of

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
