"""Queries: what to judge, in the words of a user, and what that means for each problem.

A target is a problem's id (`uva131`), some of its cases (`uva131/edge`, `uva131/edge/ace-low`), or a path: of the
repository, or of a source or a folder of sources anywhere.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from judge.errors import Diagnostic, UsageError
from judge.languages.table import SUFFIXES
from judge.runner.options import NO_OVERRIDES, Overrides

if TYPE_CHECKING:  # imported when a query is resolved: the help of a command needs none of it
    from judge.workspace.match import LooseProblem, Matches


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to judge; an empty query means every case of every solution of every problem.

    Attributes:
        targets: ids of problems, groups or cases, or paths in the repository.
        solutions: files to judge in place of the problem's own solutions.
        cases: glob patterns; a case matches by its name or by `group/name`.
        groups: glob patterns; a case matches by its group.
        case_source: the cases to judge against in place of the problem's own (`judge.problems.case_source`).
        standard_input: reads the input for files without cases; returns None if there is none.
        overrides: limits and a checker that replace those of the cases.
    """

    targets: tuple[str, ...] = ()
    solutions: tuple[Path, ...] = ()
    cases: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    case_source: Path | None = None
    standard_input: Callable[[], bytes | None] | None = None
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


@dataclass(slots=True)
class Resolution:
    """What a query selects.

    Attributes:
        problems: of the repository, by id.
        loose: files that belong to no problem, with the cases beside them.
        notes: what the user should know, a line each.
        diagnostics: errors in files that are left out.
    """

    problems: dict[str, ProblemQuery] = field(default_factory=dict)
    loose: "list[LooseProblem]" = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def resolve_query(query: Query, root: Path, known: Sequence[str] | None = None) -> Resolution:
    """Return what a query selects.

    Args:
        query: what the user asks for.
        root: the repository, or any folder.
        known: the ids of its problems; default: those in `root`.

    Raises:
        UsageError: a target is unknown, or the problem of a file is.
        DataError: the cases that the query names cannot be read.
    """
    if known is None:
        from judge.problems.paths import problem_ids

        known = problem_ids(root)
    found = Resolution()
    targets = _Targets(root, known, found.problems)
    for target in query.targets:
        targets.add(target)
    files = [absolute_path(path, root) for path in query.solutions]
    if targets.has_problem or (files and found.problems):
        for each in found.problems.values():
            each.solutions = [*(files or each.solutions), *targets.files]
        return found
    if files or targets.files:
        from judge.workspace.match import Matcher

        matcher = Matcher(
            root=root,
            known=known,
            overrides=query.overrides,
            case_source=query.case_source,
            standard_input=query.standard_input,
            named=frozenset(files) | targets.named,
        )
        _add_matches(matcher.match([*files, *targets.files]), found)
    elif not query.targets:
        found.problems = {problem: ProblemQuery() for problem in known}
        if not found.problems:
            raise UsageError(f"no problems in {root / 'problems'}; create one with `judge new ID`")
    return found


def _add_matches(matches: "Matches", found: Resolution) -> None:
    for problem, paths in matches.problems.items():
        found.problems.setdefault(problem, ProblemQuery()).solutions += paths
    found.loose += matches.loose
    found.notes += matches.notes
    found.diagnostics += matches.diagnostics


def absolute_path(path: Path, root: Path) -> Path:
    """Return the absolute path: relative to the current folder, else to the root, as our own reports write paths.

    Links are kept, unlike with `resolve()`.
    """
    here = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100
    return here if os.path.lexists(here) or not os.path.exists(root / path) else root / path  # noqa: PTH110 - a long name


def _is_target(word: str, root: Path, known: Sequence[str]) -> bool:
    return word.partition("/")[0] in known or ("/" in word and absolute_path(Path(word), root).exists())


@dataclass(slots=True)
class _Targets:
    """What the targets select: parts of problems, or files that may belong to none.

    Attributes:
        has_problem: a target names a problem or its cases, and not only a solution.
        files: sources outside of solutions/, to be matched with a problem.
        named: those of them that a target names, and not only their folder.
    """

    root: Path
    known: Sequence[str]
    found: dict[str, ProblemQuery]
    has_problem: bool = False
    files: list[Path] = field(default_factory=list)
    named: frozenset[Path] = frozenset()

    def add(self, target: str) -> None:
        """Add what a target selects.

        Raises:
            UsageError: there is nothing of this name.
        """
        if not target:
            raise UsageError("a target is empty, perhaps an unset variable of the shell; `.` is the current folder")
        head, _, rest = target.partition("/")
        if head in self.known and not (Path(target).exists() and rest):
            entry = self._entry(head)
            if rest:
                entry.cases.append(rest if "/" in rest else f"{rest}/*")
            self.has_problem = True
            return
        path = absolute_path(Path(target), self.root)
        if not os.path.lexists(path):
            raise UsageError(self._explain_unknown(target))
        if self._add_part(path):
            return
        if path.is_dir():
            self.files += _list_sources(target, path)
        else:
            from judge.workspace.match import check_source

            check_source(path)
            self.files.append(path)
            self.named |= {path}

    def _entry(self, problem: str) -> ProblemQuery:
        return self.found.setdefault(problem, ProblemQuery())

    def _add_part(self, path: Path) -> bool:
        """Add a part of the repository; return whether the path is one."""
        if not self.known or not path.is_relative_to(self.root):
            return False
        match path.relative_to(self.root).parts:
            case () | ("problems" | "testcases" | "solutions",):
                for problem in self.known:
                    self._entry(problem)
                self.has_problem = True
            case ("testcases", problem, name) if problem in self.known and name.endswith(".yaml"):
                self._entry(problem).cases.append(f"{Path(name).stem}/*")
                self.has_problem = True
            case ("solutions", problem, _, *_) if problem in self.known:
                self._entry(problem).solutions.append(path)
            case ("problems" | "testcases" | "solutions", problem, *_) if problem in self.known:
                self._entry(problem)
                self.has_problem = True
            case _:
                return False
        return True

    def _explain_unknown(self, target: str) -> str:
        if not self.known:
            from judge.workspace.match import suggest_file

            return f"{target}: no such file or folder{suggest_file(absolute_path(Path(target), self.root))}"
        from difflib import get_close_matches

        near = get_close_matches(target, self.known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"problems: {', '.join(self.known)}"
        return f"{target}: not a problem or a file; {hint}"


def _list_sources(target: str, path: Path) -> list[Path]:
    from judge.problems.nearby import list_sources

    sources = list_sources(path)
    if not sources:
        raise UsageError(f"{target}: no sources in this folder; expected files with {', '.join(sorted(SUFFIXES))}")
    return sources
