"""Write a draft's files in a layout; existing files are not overwritten unless the user asks for it.

A problem that is already there, from whichever page of its judge it came, keeps its folder.
"""

import os
import re
from collections.abc import Container, Iterable
from contextlib import suppress
from enum import Enum, auto
from hashlib import sha256
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.files import read_regular, write_atomically
from judge.base.links import check_inside
from judge.online.problem_ref import describe_problem, problem_ref
from judge.online.samples.layouts import Placement, place
from judge.online.samples.readers import Draft
from judge.online.samples.starter import Starter
from judge.problems.folder_file import upgrade
from judge.problems.yaml.scalars import text_yaml


class SolutionState(Enum):
    """Whether a problem has a solution."""

    KEPT = auto()  # the user's own
    WRITTEN = auto()
    MISSING = auto()


class Written(Struct, frozen=True, kw_only=True):
    """What was written; paths are relative to the folder that was written to.

    Attributes:
        draft: with the id and the place that it got.
        files: what was written or removed; none if all files exist with the same contents.
        removed: the samples that the problem no longer has.
        sketch: the program that the user completes; "" if there is none.
        cases: the file or folder with the cases.
        solution: the solution to edit, or, if there is none, the path where one belongs, without its suffix.
        state: whether that solution was there before, was written now, or is missing.
    """

    draft: Draft
    files: tuple[str, ...]
    removed: tuple[str, ...] = ()
    sketch: str = ""
    cases: str
    solution: str
    state: SolutionState


def write_problem(
    draft: Draft, root: Path, *, layout: str = "repository", starter: Starter | None = None, force: bool = False
) -> Written:
    """Write a problem's files, and the starter of a solution if it has none.

    Args:
        draft: the problem.
        root: the repository, or the folder for plain files.
        layout: one of `judge.settings.LAYOUTS`.
        starter: for a new solution; None to write none.
        force: replace files that exist with other contents; solutions are never replaced.

    Raises:
        UsageError: files exist with other contents; nothing was written.
        OSError: a file cannot be read or written.
    """
    if not draft.contest and draft.group and (root / draft.group).is_dir():
        draft = replace(draft, contest=draft.group)
    if root.name == draft.contest:  # the user is in the contest's folder
        draft = replace(draft, contest="")
    draft, is_known, beside = _settle(draft, root, layout)
    if beside:
        note = f"{beside} has another problem: this one is kept beside it"
        draft = replace(draft, notes=(*draft.notes, note))
    placement = place(draft, layout)
    solution, solutions, state = _choose_solution(draft, root, placement, starter)
    wanted = solutions if is_known else {**solutions, **placement.files}
    changed = {path: data for path, data in wanted.items() if _differs(root / path, data)}
    _check_replaced(draft, root, changed, solutions, force=force)
    changed |= {path: data for path, data in placement.sketch.items() if not os.path.lexists(root / path)}
    for folder in {(root / path).parent for path in changed}:
        check_inside(folder, root)
    for path, data in changed.items():
        write_atomically(root / path, data)
    removed = _remove_samples(root, placement) if force and draft.cases and draft.package is None else ()
    return Written(
        draft=draft, files=(*changed, *removed), removed=removed, sketch=next(iter(placement.sketch), ""),
        cases=placement.cases, solution=solution, state=state,
    )  # fmt: skip


def _remove_samples(root: Path, placement: Placement) -> tuple[str, ...]:
    """Remove the samples of an earlier import that are not in a placement; the user's own cases have other names."""
    found = {str(path.relative_to(root)) for path in root.glob(placement.samples) if _SAMPLE.fullmatch(path.name)}
    old = sorted(found.difference(placement.files))
    for path in old:
        check_inside((root / path).parent, root)
        (root / path).unlink()
    return tuple(old)


_SAMPLE = re.compile(r"sample-\d+\.(?:in|out|ans)")


def _choose_solution(
    draft: Draft, root: Path, placement: Placement, starter: Starter | None
) -> tuple[str, dict[str, bytes], SolutionState]:
    """Return the solution to edit, the solutions to write, and whether the problem has one."""
    if draft.programs:
        solutions = {
            placement.programs.format(expectation=program.expectation, name=program.name): program.data
            for program in draft.programs
        }
        return next(iter(solutions)), solutions, SolutionState.WRITTEN
    if existing := placement.find_solution(root):
        return existing, {}, SolutionState.KEPT
    if starter is None:
        return placement.solution, {}, SolutionState.MISSING
    path = placement.solution + starter.suffix
    return path, {path: starter.fill(id=draft.id, name=draft.title, url=draft.url)}, SolutionState.WRITTEN


def _check_replaced(
    draft: Draft, root: Path, changed: Iterable[str], solutions: Container[str], *, force: bool
) -> None:
    existing = [path for path in changed if os.path.lexists(root / path)]
    if mine := [path for path in existing if path in solutions]:
        raise UsageError(
            f"{mine[0]} exists with other contents, and solutions are never replaced; nothing was written. "
            "Rename your file, or import under another id with --id ID"
        )
    if existing and not force:
        more = f" and {len(existing) - 6} more" if len(existing) > 6 else ""
        raise UsageError(
            f"{draft.id} exists with other contents ({', '.join(existing[:6])}{more}); nothing was written. "
            "Use --force to replace these files"
        )


def _differs(path: Path, data: bytes) -> bool:
    try:
        return read_regular(path) != data
    except FileNotFoundError:
        return True


# ---- where a problem is already --------------------------------------------------------------------------------------

_PROBLEM_FILES = {  # by layout
    "repository": ("problems/*/problem.yaml",),
    "folder": ("*/problem.yaml", "*/*/problem.yaml"),
    "contest": ("tests/*/problem.yaml", "*/tests/*/problem.yaml"),
}
_URL = re.compile(r'^ *url: *"?(\S+?)"?$', re.MULTILINE)
_NAME = re.compile(r"^name: (.*)$", re.MULTILINE)
_LIMITS = re.compile(rb"^limits:\n(?: .*\n)*", re.MULTILINE)


def _settle(draft: Draft, root: Path, layout: str) -> tuple[Draft, bool, str]:
    """Find where a problem belongs: in the folder that it has, or beside one whose name it would get.

    Returns:
        The draft with the id, the contest and the index of its place; whether it is there already, with the same
        samples and limits; and the problem.yaml of another problem at its usual place, "" if there is none.

    Raises:
        OSError: a sample cannot be read.
    """
    if not draft.key:
        return draft, False, ""
    usual, taken = place(draft, layout).problem_file, ""
    found = []
    for path in (path for pattern in _PROBLEM_FILES[layout] for path in root.glob(pattern)):
        below, text = path.relative_to(root), ""
        with suppress(OSError):
            text = read_regular(path).decode(errors="replace")
        url, name = _URL.search(text), _NAME.search(text)
        if url is None or (layout == "folder" and "tests" in below.parts):
            continue
        title = name[1] if name else ""
        is_one = problem_ref(url[1]) is not None or title == text_yaml(draft.title)  # not one of several on its page
        if is_one and describe_problem(url[1], title.strip('"')).key == draft.key:
            found.append(str(below))
        elif str(below) == usual:
            taken = usual
    moved = [_move(draft, path, layout) for path in sorted(found, key=lambda path: path != usual)]
    if same := next((each for each in moved if _is_same(each, root, layout)), None):
        return same, True, ""
    if moved:
        return moved[0], False, ""
    if taken:  # no other problem has this place
        digest = sha256(f"{draft.url}\0{draft.title}".encode(errors="replace")).hexdigest()[:8]
        draft = replace(draft, id=f"{draft.id[:51]}-{digest}", index=draft.index and f"{draft.index}-{digest}")
    return draft, False, taken


def _is_same(draft: Draft, root: Path, layout: str) -> bool:
    """Return whether the samples and limits at the place of a draft are those of the draft."""
    placement = place(draft, layout)
    for path, data in placement.files.items():
        if path == f"problems/{draft.id}/statement.md":
            continue
        if not (root / path).is_file():
            return False
        there = read_regular(root / path)
        is_problem = path == placement.problem_file
        if _LIMITS.findall(upgrade(there)) != _LIMITS.findall(data) if is_problem else there != data:
            return False
    return True


def _move(draft: Draft, path: str, layout: str) -> Draft:
    """Return a draft whose place is that of a problem.yaml."""
    *folders, index, _ = Path(path).parts
    if layout == "repository":
        return replace(draft, id=index)
    if layout == "contest":
        folders.pop()
    return replace(draft, contest=folders[0] if folders else "", index=index)
