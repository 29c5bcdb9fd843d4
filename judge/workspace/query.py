"""Queries: what to judge, in the words of a user, and what that means for each problem.

A target is a problem's id (`uva131`), some of its cases (`uva131/edge`, `uva131/edge/ace-low`), or a path in the
repository.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from judge.errors import UsageError
from judge.runner.options import NO_OVERRIDES, Overrides


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to judge; an empty query means every case of every solution of every problem.

    Attributes:
        targets: ids of problems, groups or cases, or paths in the repository.
        solutions: files to judge in place of the problem's own solutions.
        cases: glob patterns; a case matches by its name or by `group/name`.
        groups: glob patterns; a case matches by its group.
        case_folder: a folder of inputs and answers to judge against in place of the problem's own cases.
        overrides: limits and a checker that replace those of the cases.
    """

    targets: tuple[str, ...] = ()
    solutions: tuple[Path, ...] = ()
    cases: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    case_folder: Path | None = None
    overrides: Overrides = NO_OVERRIDES


@dataclass(slots=True)
class ProblemQuery:
    """What a query selects of one problem; an empty list means everything.

    Attributes:
        solutions: paths of files and folders.
        cases: glob patterns for `group/name`.
    """

    solutions: list[Path] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)

    def has_solution(self, path: Path) -> bool:
        """Return whether the solution with this path is selected."""
        return not self.solutions or any(path.is_relative_to(each) for each in self.solutions)

    def has_case(self, case_id: str) -> bool:
        """Return whether the case with this id is selected."""
        return not self.cases or any(fnmatchcase(case_id, pattern) for pattern in self.cases)


def split_name(words: Sequence[str], root: Path, *, what: str) -> tuple[str | None, tuple[str, ...]]:
    """Split words into an optional name, which comes first and is not a target, and targets; messages call it `what`.

    Raises:
        UsageError: a later word is not a target.
    """
    from judge.problems.paths import problem_ids

    known = problem_ids(root)
    are_targets = [_is_target(word, root, known) for word in words]
    has_name = bool(words) and not are_targets[0]
    for word, is_target in zip(words[1:], are_targets[1:], strict=True):
        if not is_target:
            raise UsageError(f"{word}: not a problem or a file; only the first word can be a {what}")
    return (words[0], tuple(words[1:])) if has_name else (None, tuple(words))


def resolve_query(query: Query, root: Path) -> dict[str, ProblemQuery]:
    """Return what a query selects of each problem.

    The result is empty for files that belong to no problem, against a folder of cases.

    Raises:
        UsageError: a target is unknown, or the problem of a file is.
    """
    from judge.problems.paths import problem_ids

    known = problem_ids(root)
    found: dict[str, ProblemQuery] = {}
    for target in query.targets:
        _resolve_target(target, root, known, found)
    if not query.targets:
        for solution in query.solutions:
            problem = guess_problem(solution, root, known)
            if problem is None and query.case_folder:
                return {}
            if problem is None:
                raise UsageError(
                    f"{solution}: which problem does it solve? Name it: judge run PROBLEM --solution {solution} "
                    f"(problems: {', '.join(known)})"
                )
            found.setdefault(problem, ProblemQuery()).solutions.append(solution)
    elif query.solutions:
        for each in found.values():
            each.solutions = list(query.solutions)
    if not found:
        found = {problem: ProblemQuery() for problem in known}
    if not found:
        raise UsageError(f"no problems in {root / 'problems'}; create one with `judge new ID`")
    return found


def guess_problem(solution: Path, root: Path, known: Sequence[str]) -> str | None:
    """Guess the problem that a file solves: by its place in solutions/, else by its own or its folder's name."""
    path = absolute_path(solution, root)
    if path.is_relative_to(root / "solutions"):
        named = path.relative_to(root / "solutions").parts[0]
        return named if named in known else None
    return next((name for name in (path.stem, path.parent.name) if name in known), None)


def absolute_path(path: Path, root: Path) -> Path:
    """Return the absolute path: relative to the current folder, else to the root, as our own reports write paths.

    Links are kept, unlike with `resolve()`.
    """
    here = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100
    return here if here.exists() or not (root / path).exists() else root / path


def _is_target(word: str, root: Path, known: Sequence[str]) -> bool:
    return word.partition("/")[0] in known or ("/" in word and absolute_path(Path(word), root).exists())


def _resolve_target(target: str, root: Path, known: Sequence[str], found: dict[str, ProblemQuery]) -> None:
    head, _, rest = target.partition("/")
    if head in known and not (Path(target).exists() and rest):
        entry = found.setdefault(head, ProblemQuery())
        if rest:
            entry.cases.append(rest if "/" in rest else f"{rest}/*")
        return
    path = absolute_path(Path(target), root)
    if not path.exists():
        from difflib import get_close_matches

        near = get_close_matches(target, known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"problems: {', '.join(known)}"
        raise UsageError(f"{target}: not a problem or a file; {hint}")
    if not _resolve_path(path, root, known, found):
        raise UsageError(f"{target}: not part of a problem in {root}; to judge any file: judge run PROBLEM -s {target}")


def _resolve_path(path: Path, root: Path, known: Sequence[str], found: dict[str, ProblemQuery]) -> bool:
    """Add what a path selects; return whether it selects anything."""
    if not path.is_relative_to(root):
        return False
    match path.relative_to(root).parts:
        case () | ("problems" | "testcases" | "solutions",):
            for problem in known:
                found.setdefault(problem, ProblemQuery())
        case ("testcases", problem, name) if problem in known and name.endswith(".yaml"):
            found.setdefault(problem, ProblemQuery()).cases.append(f"{Path(name).stem}/*")
        case ("solutions", problem, _, *_) if problem in known:
            found.setdefault(problem, ProblemQuery()).solutions.append(path)
        case (_, problem, *_) if problem in known:
            found.setdefault(problem, ProblemQuery())
        case _:
            return False
    return True
