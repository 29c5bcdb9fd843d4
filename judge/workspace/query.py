"""Queries: what to judge, in the words of a user, and what that means for each problem.

A target is a problem's id (`uva131`), some of its cases (`uva131/edge`, `uva131/edge/ace-low`), or a path: of the
repository, of a package or its files, of a folder of packages, or of a source or a folder of sources anywhere.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from glob import escape
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct, field

from judge.base.errors import UsageError
from judge.languages.table import SOME_SUFFIXES, SUFFIXES
from judge.problems.paths import archives_in, contest_folders, find_package, is_archive, is_package, is_polygon
from judge.runner.options import NO_OVERRIDES, Overrides
from judge.workspace.resolution import ProblemQuery, Resolution

NO_PACKAGES: Mapping[str, Path] = MappingProxyType({})


class Query(Struct, frozen=True, kw_only=True):
    """What to judge; an empty query means every case of every solution of every problem.

    Attributes:
        targets: ids of problems, groups or cases, or paths in the repository.
        solutions: files to judge in place of the problem's own solutions.
        cases: glob patterns; a case matches by its name or by `group/name`.
        groups: glob patterns; a case matches by its group.
        case_source: the cases to judge against in place of the problem's own (`judge.problems.case_source`).
        standard_input: reads the input for files without cases; returns None if there is none.
        unpack: extracts a zip file with a package, or a folder of packages, and returns the folder; None where that is
            not possible.
        overrides: limits and a checker that replace those of the cases.
    """

    targets: tuple[str, ...] = ()
    solutions: tuple[Path, ...] = ()
    cases: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    case_source: Path | None = None
    standard_input: Callable[[], bytes | None] | None = None
    unpack: Callable[[Path], Path] | None = None
    overrides: Overrides = NO_OVERRIDES


def split_name(
    words: Sequence[str], root: Path, *, what: str, packages: Mapping[str, Path] = NO_PACKAGES
) -> tuple[str | None, tuple[str, ...]]:
    """Split words into an optional name, which comes first and is not a target, and targets; messages call it `what`.

    Raises:
        UsageError: a later word is not a target.
    """
    from judge.problems.paths import problem_ids

    known = [*problem_ids(root), *packages]
    are_targets = [_is_target(word, root, known) for word in words]
    has_name = bool(words) and not are_targets[0]
    for word, is_target in zip(words[1:], are_targets[1:], strict=True):
        if not is_target:
            raise UsageError(f"{word}: not a problem or a file; only the first word can be a {what}")
    return (words[0], tuple(words[1:])) if has_name else (None, tuple(words))


def resolve_query(query: Query, root: Path, known: Sequence[str], packages: Mapping[str, Path]) -> Resolution:
    """Return what a query selects.

    `known` are the ids of the repository's problems; a target may name the `packages` by their names alone.

    Raises:
        UsageError: a target is unknown, or the problem of a file is.
        DataError: the cases that the query names cannot be read.
    """
    found = Resolution()
    targets = _Targets(root, known, packages, query.unpack, found)
    for target in query.targets:
        targets.add(target)
    files = [absolute_path(path, root) for path in query.solutions]
    if targets.has_problem or (files and (found.problems or found.packages)):
        for each in found.problems.values():
            each.solutions = [*(files or each.solutions), *targets.files]
        for folder, each in found.packages.items():
            # reports write the path of a solution relative to the package, too
            paths = [(folder / path, absolute_path(path, root)) for path in query.solutions]
            inside = [one if os.path.lexists(one) and not os.path.lexists(other) else other for one, other in paths]
            each.solutions = [*(inside or each.solutions), *targets.files]
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
        matcher.match([*files, *targets.files], found)
    elif not query.targets:
        found.problems = {problem: ProblemQuery() for problem in known}
        found.packages = {folder: ProblemQuery() for folder in packages.values()}
        if not (found.problems or found.packages):
            raise UsageError(f"no problems in {root / 'problems'}; create one with `judge new ID`")
    return found


def absolute_path(path: Path, root: Path) -> Path:
    """Return the absolute path: relative to the current folder, else to the root, as our own reports write paths.

    Links are kept, unlike with `resolve()`.
    """
    here = Path(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111 - Path.expanduser raises for `~nobody`
    return here if os.path.lexists(here) or not os.path.exists(root / path) else root / path  # noqa: PTH110 - a long name


def _is_target(word: str, root: Path, known: Sequence[str]) -> bool:
    path = absolute_path(Path(word), root)
    if word.partition("/")[0] in known or ("/" in word and path.exists()):
        return True
    return path.is_dir() and (find_package(path) is not None or bool(contest_folders(path)))


class _Targets(Struct):
    """What the targets select: parts of problems, or files that may belong to none.

    Attributes:
        has_problem: a target names a problem or its cases, and not only a solution.
        files: sources outside of solutions/, to be matched with a problem.
        named: those of them that a target names, and not only their folder.
    """

    root: Path
    known: Sequence[str]
    packages: Mapping[str, Path]
    unpack: Callable[[Path], Path] | None
    found: Resolution
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
        if (head in self.known or head in self.packages) and not (Path(target).exists() and rest):
            entry = self.found.problem(head) if head in self.known else self.found.package(self.packages[head])
            entry.cases += [rest] if rest else []
            self.has_problem = True
            return
        path = absolute_path(Path(target), self.root)
        if not os.path.lexists(path):
            if self._add_cases(path):
                return
            raise UsageError(self._explain_unknown(target))
        if self._add_part(path) or self._add_package_part(path):
            return
        if path.is_dir():
            from judge.problems.nearby import list_sources

            sources = list_sources(path)
            archives = [] if sources else archives_in(path)
            if not sources and not archives:
                raise UsageError(f"{target}: no sources in this folder; expected files with {SOME_SUFFIXES}")
            for archive in archives:
                self._add_archive(archive)
            self.files += sources
        elif is_archive(path):
            self._add_archive(path)
        else:
            from judge.workspace.match import check_source

            check_source(path)
            self.files.append(path)
            self.named |= {path}

    def _add_cases(self, path: Path) -> bool:
        """Add cases of a package, named by its path and theirs in it: `sum/secret/1`; return whether they may be."""
        folder = find_package(path)
        if folder is None:
            return False
        parts = path.relative_to(folder).parts
        if parts[0] in ("data", "submissions"):  # a file that does not exist
            return False
        self.found.package(folder).cases.append("/".join(parts))
        self.has_problem = True
        return True

    def _add_part(self, path: Path) -> bool:
        """Add a part of the repository; return whether the path is one."""
        if not self.known or not path.is_relative_to(self.root):
            return False
        match path.relative_to(self.root).parts:
            case () | ("problems" | "testcases" | "solutions",):
                for problem in self.known:
                    self.found.problem(problem)
                for folder in self.packages.values():
                    self.found.package(folder)
                self.has_problem = True
            case ("testcases", problem, name) if problem in self.known and name.endswith(".yaml"):
                self.found.problem(problem).cases.append(f"{Path(name).stem}/*")
                self.has_problem = True
            case ("solutions", problem, _, *_) if problem in self.known:
                self.found.problem(problem).solutions.append(path)
            case ("problems" | "testcases" | "solutions", problem, *_) if problem in self.known:
                self.found.problem(problem)
                self.has_problem = True
            case _:
                return False
        return True

    def _add_package_part(self, path: Path) -> bool:
        """Add a package, a part of one, or a folder of packages; return whether the path is one."""
        if (folder := find_package(path)) is None:
            return path.is_dir() and self._add_contests(path)
        match is_polygon(folder), path.relative_to(folder).parts:
            case (False, ("submissions", _, *_)) | (True, ("solutions", _)):
                self.found.package(folder).solutions.append(path)
                return True
            case (False, ("data", *names)):
                pattern = _pattern_of(path, names)
                self.found.package(folder).cases += [pattern] if pattern else []
            case (True, ("tests", name)):
                self.found.package(folder).cases.append(f"*/{escape(name.partition('.')[0])}")
            case _ if path.suffix.lower() in SUFFIXES and path.is_file():
                return False  # a source elsewhere in the package
            case _:
                self.found.package(folder)
        self.has_problem = True
        return True

    def _add_contests(self, path: Path) -> bool:
        """Add the packages in a folder, or in its subfolders; return whether there are any."""
        folders = contest_folders(path)
        for folder in folders:
            self._add_contest(folder)
        return bool(folders)

    def _add_contest(self, path: Path) -> None:
        from judge.problems.contest import read_contest

        contest = read_contest(path)
        for name in contest.packages:
            self.found.package(path / name)
        if contest.left_out:
            self.found.notes.append(
                f"not judged, since {contest.file} does not list them: {', '.join(contest.left_out)}; "
                "name a package to judge it"
            )
        self.found.diagnostics += contest.diagnostics
        self.has_problem = True

    def _add_archive(self, path: Path) -> None:
        if self.unpack is None:
            raise UsageError(f"{path}: this command does not read a package in a zip file; extract it first")
        folder = self.unpack(path)
        before = set(self.found.packages)
        if is_package(folder):
            self.found.package(folder)
        else:
            self._add_contests(folder)
        self.found.archives |= dict.fromkeys(self.found.packages.keys() - before, path)
        self.has_problem = True

    def _explain_unknown(self, target: str) -> str:
        from judge.workspace.match import suggest_file

        known = [*self.known, *self.packages]
        file = suggest_file(absolute_path(Path(target), self.root)) if "/" in target or not known else ""
        if file or not known:
            return f"{target}: no such file or folder{file}"
        from difflib import get_close_matches

        near = get_close_matches(target, known, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else f"problems: {', '.join(known)}"
        return f"{target}: not a problem or a file; {hint}"


def _pattern_of(path: Path, names: Sequence[str]) -> str:
    """Return a pattern for the cases of a file or a folder in `data`, "" for all; `names` are the parts of its path."""
    if path.is_dir():
        return escape("/".join(names))
    *groups, name = names
    is_of_group = name.endswith((".yaml", ".yml")) and not path.with_suffix(".in").exists()
    return escape("/".join(groups)) if is_of_group else escape("/".join([*groups, Path(name).stem]))
