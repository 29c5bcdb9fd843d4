"""Find a problem that is already here, from whichever page of its judge it came, so that its folder is used again."""

import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from judge.base.files import read_regular
from judge.online.problem_ref import describe_problem, problem_ref
from judge.online.samples.layouts import place
from judge.online.samples.readers import Draft
from judge.problems.folder_file import upgrade
from judge.problems.yaml.scalars import text_yaml

_PROBLEM_FILES = {  # by layout
    "repository": ("problems/*/problem.yaml",),
    "folder": ("*/problem.yaml", "*/*/problem.yaml"),
    "contest": ("tests/*/problem.yaml", "*/tests/*/problem.yaml"),
}
_URL = re.compile(r'^ *url: *"?(\S+?)"?$', re.MULTILINE)
_NAME = re.compile(r"^name: (.*)$", re.MULTILINE)
_LIMITS = re.compile(rb"^limits:\n(?: .*\n)*", re.MULTILINE)


def settle(draft: Draft, root: Path, layout: str) -> tuple[Draft, bool, str]:
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
    return (_rename(draft) if taken else draft), False, taken


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


def _rename(draft: Draft) -> Draft:
    """Return a draft whose place no other problem has."""
    digest = sha256(f"{draft.url}\0{draft.title}".encode(errors="replace")).hexdigest()[:8]
    return replace(draft, id=f"{draft.id[:51]}-{digest}", index=draft.index and f"{draft.index}-{digest}")
