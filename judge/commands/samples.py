"""Write the files of a problem and report it, for `judge listen` and `judge import`."""

import sys
from pathlib import Path

from judge.online.samples.readers import Draft
from judge.online.samples.writer import write_problem
from judge.units import format_count


def write_draft(draft: Draft, root: Path, *, force: bool) -> str:
    """Write the files of a problem; return a sentence that says what was done.

    Raises:
        JudgeError: a file exists and differs, or cannot be written.
    """
    if draft.is_interactive:
        return f"{draft.id} is interactive, which this judge does not support; nothing was written"
    if not write_problem(draft, root, force=force):
        return f"{draft.id} is up to date"
    cases = format_count(len(draft.samples), "case") if draft.samples else "no cases yet (it has no samples)"
    return f"created {draft.id}: {cases}"


def print_result(draft: Draft, result: str, progress: str = "") -> None:
    """Print what was done, and how to go on."""
    print(with_progress(result, progress))
    if not draft.is_interactive:
        for note in draft.notes:
            print(f"  note: {note}")
        if draft.samples:
            print(f"  next: judge run {draft.id}")
    sys.stdout.flush()


def with_progress(text: str, progress: str) -> str:
    """Return a text followed by its progress in parentheses."""
    return f"{text} ({progress})" if progress else text
