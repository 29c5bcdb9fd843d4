"""From the words of a command line to what is wanted of which problem.

A word is a problem's id (`uva131`), cases of it (`uva131/edge`, `uva131/edge/ace-low`), or a path of the repository.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from judge.errors import UsageError
from judge.problems.native import problem_ids


@dataclass(slots=True)
class Wanted:
    """What the command line wants of one problem; nothing listed means everything.

    Attributes:
        solutions: absolute paths of files and folders.
        cases: patterns of ids.
    """

    solutions: list[Path] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)

    def has_solution(self, path: Path) -> bool:
        """Whether a solution with this path is wanted."""
        return not self.solutions or any(path.is_relative_to(each) for each in self.solutions)

    def has_case(self, name: str) -> bool:
        """Whether a case with this id is wanted."""
        return not self.cases or any(fnmatchcase(name, pattern) for pattern in self.cases)


def words_as_targets(words: Sequence[str], root: Path, *, what: str) -> tuple[str | None, list[str]]:
    """Take a first word that is no target for a name; return the name, or None, and the targets.

    Args:
        words: as typed.
        root: the repository's root.
        what: what the name would name, for the message.

    Raises:
        UsageError: a later word is no target either.
    """
    known = problem_ids(root)
    targets = [_is_target(word, root, known) for word in words]
    name, rest = (words[0], list(words[1:])) if words and not targets[0] else (None, list(words))
    for word, is_target in zip(words[1:], targets[1:], strict=True):
        if not is_target:
            raise UsageError(
                f"{word}: neither a problem nor a file; the first word may be a {what}, all others are not"
            )
    return name, rest


def _is_target(word: str, root: Path, known: Sequence[str]) -> bool:
    return word.partition("/")[0] in known or ("/" in word and absolute(Path(word), root).exists())


def wanted_of(args: argparse.Namespace, root: Path) -> dict[str, Wanted]:
    """Return what is wanted of which problem; empty for a file against a folder of cases without any problem."""
    known = problem_ids(root)
    wanted: dict[str, Wanted] = {}
    for word in args.targets:
        _understand(word, root, known, wanted)
    if not args.targets and args.solution:
        for solution in args.solution:
            found = problem_of_file(solution, root, known)
            if found is None and args.cases:
                return {}
            if found is None:
                raise UsageError(
                    f"{solution}: which problem is it for? Name it: judge run PROBLEM --solution {solution} "
                    f"(problems: {', '.join(known)})"
                )
            wanted.setdefault(found, Wanted()).solutions.append(solution)
    elif args.solution:
        for each in wanted.values():
            each.solutions = list(args.solution)
    if not wanted:
        wanted = {problem: Wanted() for problem in known}
    if not wanted:
        raise UsageError(f"there is no problem in {root / 'problems'}; `judge new ID` makes one")
    return wanted


def _understand(word: str, root: Path, known: Sequence[str], wanted: dict[str, Wanted]) -> None:
    """Add what one word means."""
    head, _, rest = word.partition("/")
    if head in known and not (Path(word).exists() and rest):
        entry = wanted.setdefault(head, Wanted())
        if rest:
            entry.cases.append(rest if "/" in rest else f"{rest}/*")
        return
    path = absolute(Path(word), root)
    if not path.exists():
        from difflib import get_close_matches

        near = get_close_matches(word, known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"problems: {', '.join(known)}"
        raise UsageError(f"{word}: neither a problem nor a file; {hint}")
    if not _understand_path(path, root, known, wanted):
        raise UsageError(f"{word}: not part of a problem in {root}; to judge any file: judge run PROBLEM -s {word}")


def _understand_path(path: Path, root: Path, known: Sequence[str], wanted: dict[str, Wanted]) -> bool:
    """Add what a path of the repository means; return whether it means anything."""
    if not path.is_relative_to(root):
        return False
    match path.relative_to(root).parts:
        case () | ("problems" | "testcases" | "solutions",):
            for problem in known:
                wanted.setdefault(problem, Wanted())
        case ("testcases", problem, name) if problem in known and name.endswith(".yaml"):
            wanted.setdefault(problem, Wanted()).cases.append(f"{Path(name).stem}/*")
        case ("solutions", problem, _, *_) if problem in known:
            wanted.setdefault(problem, Wanted()).solutions.append(path)
        case (_, problem, *_) if problem in known:
            wanted.setdefault(problem, Wanted())
        case _:
            return False
    return True


def problem_of_file(solution: Path, root: Path, known: Sequence[str]) -> str | None:
    """Guess a file's problem: from its place in solutions/, else from its own or its folder's name."""
    path = absolute(solution, root)
    if path.is_relative_to(root / "solutions"):
        named = path.relative_to(root / "solutions").parts[0]
        return named if named in known else None
    return next((name for name in (path.stem, path.parent.name) if name in known), None)


def absolute(path: Path, root: Path) -> Path:
    """Return where a path leads: from here, else from the root, as our own reports write it.

    Not `resolve()`: a link stays where it stands.
    """
    here = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100
    return here if here.exists() or not (root / path).exists() else root / path
