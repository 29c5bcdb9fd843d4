"""From a query to the problems, solutions and cases that are judged."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.languages.table import SOME_SUFFIXES, SUFFIXES
from judge.model import EXPECTATIONS, Case, Problem, Solution
from judge.problems.paths import is_archive, is_ignored, shown_path, submission_folder
from judge.runner.options import NO_OVERRIDES, ProblemSelection
from judge.workspace.query import NO_PACKAGES, Query, absolute_path, resolve_query
from judge.workspace.resolution import LooseProblem, ProblemQuery, matches_pattern

if TYPE_CHECKING:  # few selections ask the history
    from judge.history.history import History

_MAX_NAMED = 3  # problems or cases in a message
_FOLDERS_OF_A_PROBLEM = ("problems", "testcases")  # a file there affects every solution of its problem

LoadProblem = Callable[[Path, str], Problem]
"""Reads a problem of a repository, like `judge.problems.native.load_problem`."""

_Part = tuple[Problem, ProblemQuery]


class Selection(Struct, frozen=True, kw_only=True):
    """What a query selects.

    Attributes:
        root: the repository's root, or the folder that relative paths start from.
        problems: the selected part of each problem.
        diagnostics: errors in files that are left out; the rest can be judged.
        notes: what the user should know before the results, such as how the problem of a file was found; a line each.
        unsolved: selected problems that have no solution, which is no error.
        warnings: what is unusual in packages.
        warning_notes: the first of these for each package.
    """

    root: Path
    problems: Sequence[ProblemSelection]
    diagnostics: Sequence[Diagnostic] = ()
    notes: tuple[str, ...] = ()
    unsolved: tuple[Problem, ...] = ()
    warnings: Sequence[Diagnostic] = ()
    warning_notes: tuple[str, ...] = ()


def select(
    query: Query,
    root: Path,
    *,
    known: Sequence[str] = (),
    packages: Mapping[str, Path] = NO_PACKAGES,
    load: LoadProblem | None = None,
) -> Selection:
    """Return what a query selects.

    `root` is the repository, or any folder; `known` are the ids of its problems, which `load` reads. A target may name
    `packages` by their names alone.

    Raises:
        UsageError: a word of the query is unknown, or nothing is selected.
        DataError: the files of all selected problems are wrong.
    """
    resolved = resolve_query(query, root, known, packages)
    parts, diagnostics = _load_all(root, resolved.problems, load)
    warnings: list[Diagnostic] = []
    warning_notes: list[str] = []
    if resolved.packages:
        from judge.workspace import packages as reading  # few selections have packages

        loaded, errors = reading.load_all(resolved.packages, resolved.archives, root)
        diagnostics += errors
        for folder, package in loaded.items():
            diagnostics += package.errors
            warnings += package.warnings
            warning_notes += reading.describe_warnings(package)
            parts.append((package.problem, resolved.packages[folder]))
    notes = list(resolved.notes)
    diagnostics += resolved.diagnostics
    overrides = query.overrides
    if query.case_source and parts:
        parts = [(overrides.override_problem(problem), wanted) for problem, wanted in parts]
        overrides = NO_OVERRIDES
        parts, found = _replace_cases(query.case_source, parts)
        diagnostics += found
    parts = [(query.overrides.override_programs(problem), wanted) for problem, wanted in parts]
    problems = [*(problem for problem, _ in parts), *(each.problem for each in resolved.loose)]
    if not diagnostics:  # else a pattern may refer to a problem that cannot be read
        _check_patterns(parts, problems, query)
    selected = [replace(_select_part(problem, wanted, query, root), overrides=overrides) for problem, wanted in parts]
    unsolved = tuple(each.problem for each in selected if not each.problem.solutions)
    notes += [describe_unsolved(unsolved)] if unsolved else []
    notes += [f"{problem.id}: not judged, since it has no cases" for problem, _ in parts if not problem.cases]
    selected += [_select_loose(each, query, root) for each in resolved.loose]
    selected = [each for each in selected if each.problem.cases and each.problem.solutions]
    for each in selected:
        if each.overrides != NO_OVERRIDES:
            for case in each.problem.cases:
                each.overrides.override_checker(case.checker)  # raises UsageError if the two do not fit
    if not selected and not unsolved and diagnostics:
        raise DataError(diagnostics)
    if not selected and not unsolved:
        words = " ".join([*query.cases, *query.groups])  # each of which matches something
        reason = f"no case matches all of {words}; `judge list` shows the cases of a problem or a file"
        named = ", ".join(each.id for each in problems)
        raise UsageError(reason if words else f"nothing to judge: no cases or no solutions in {named}")
    return Selection(
        root=root,
        problems=selected,
        diagnostics=diagnostics,
        notes=tuple(notes),
        unsolved=unsolved,
        warnings=warnings,
        warning_notes=tuple(warning_notes),
    )


def describe_unsolved(problems: Sequence[Problem]) -> str:
    """Return that problems have no solution."""
    first, *others = problems
    if not others:
        folder = first.folder if first.is_package else None
        place = f"{submission_folder(folder).name}/" if folder else f"solutions/{first.id}"
        return f"{first.id} is unsolved: there is no solution in {place}"
    from judge.workspace.match import name_some

    return f"{name_some([each.id for each in problems])} are unsolved: they have no solutions"


def with_solutions(selection: Selection, files: Sequence[Path]) -> Selection:
    """Return a selection of one problem with these files as its solutions.

    Raises:
        UsageError: a file is no source.
    """
    (part,) = selection.problems
    solutions = {path: _external_solution(part.problem, path, selection.root) for path in files}
    problem = replace(part.problem, solutions=tuple(solutions.values()))
    return replace(selection, problems=[replace(part, problem=problem, named=frozenset(solutions))])


def _select_loose(loose: LooseProblem, query: Query, root: Path) -> ProblemSelection:
    """Return the selected part of files that belong to no problem of the repository."""
    problem = query.overrides.override_programs(loose.problem)
    part = _select_part(problem, ProblemQuery(solutions=list(loose.files)), query, root)
    overrides = NO_OVERRIDES if query.case_source else query.overrides
    return replace(part, named=frozenset(loose.named), overrides=overrides)


def _load_all(
    root: Path, wanted: Mapping[str, ProblemQuery], load: LoadProblem | None
) -> tuple[list[_Part], list[Diagnostic]]:
    parts: list[_Part] = []
    diagnostics: list[Diagnostic] = []
    for problem_id, query in wanted.items():
        assert load is not None  # whoever knows problems can read them
        try:
            parts.append((load(root, problem_id), query))
        except DataError as error:
            diagnostics.extend(error.diagnostics)
    return parts, diagnostics


def _replace_cases(source: Path, parts: Sequence[_Part]) -> tuple[list[_Part], tuple[Diagnostic, ...]]:
    """Return problems with the cases that --cases names, and the errors in their files.

    These cases are trusted: the problem's validator and reference do not run.
    """
    from judge.problems.case_source import load_case_source

    replaced: list[_Part] = []
    diagnostics: tuple[Diagnostic, ...] = ()
    for each, wanted in parts:
        cases, diagnostics = load_case_source(source, each)
        problem = replace(
            each, cases=cases, validator=None, reference=None, independent=None, lock=None, groups=None, time_rule=None
        )
        replaced.append((problem, wanted))
    return replaced, diagnostics


def _select_part(problem: Problem, wanted: ProblemQuery, query: Query, root: Path) -> ProblemSelection:
    paths = [each for path in wanted.solutions for each in _list_sources(problem, absolute_path(path, root))]
    named = frozenset(path for path in paths if not path.is_dir())
    solutions = _find_solutions(problem, paths, root) if paths else problem.solutions
    cases = problem.cases
    if wanted.cases or query.cases or query.groups:
        cases = tuple(case for case in problem.cases if wanted.has_case(case.id) and _matches(case, query))
    is_complete = len(cases) == len(problem.cases) and not query.case_source
    tools: Mapping[str, str] = {}
    if problem.prefers_pypy:
        from judge.workspace.packages import contest_tools

        tools = contest_tools()
    return ProblemSelection(
        problem=replace(problem, cases=cases, solutions=solutions),
        is_complete=is_complete,
        named=named,
        tools=tools,
        whole=problem if problem.time_rule is not None and not query.case_source else None,
    )


def _matches(case: Case, query: Query) -> bool:
    if query.groups and not any(fnmatchcase(case.group, pattern) for pattern in query.groups):
        return False
    return not query.cases or any(
        fnmatchcase(case.name, pattern) or fnmatchcase(case.id, pattern) for pattern in query.cases
    )


def _list_sources(problem: Problem, path: Path) -> list[Path]:
    """Return a file, or all source files in a folder, such as what a class hands in; not in one of the problem.

    Raises:
        UsageError: there are none.
    """
    if not path.is_dir() or any(
        path.is_relative_to(each.path) or each.path.is_relative_to(path) for each in problem.solutions
    ):
        return [path]
    found: list[Path] = []
    has_archive = False
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(each for each in folders if not is_ignored(each))
        found += [
            Path(folder, each)
            for each in sorted(names)
            if Path(each).suffix.lower() in SUFFIXES and not is_ignored(each)
        ]
        has_archive |= any(is_archive(Path(each)) for each in names)
    if not found:
        fix = "; unzip the zip files in it first" if has_archive else ""
        raise UsageError(f"{path}: this folder has no solutions; expected source files ({SOME_SUFFIXES}){fix}")
    return found


def _find_solutions(problem: Problem, paths: Sequence[Path], root: Path) -> tuple[Solution, ...]:
    """Return the solutions at some paths: the problem's own keep their expectation, any other file should be AC."""
    found: dict[Path, Solution] = {}
    for path in paths:
        own = [each for each in problem.solutions if path.is_relative_to(each.path) or each.path.is_relative_to(path)]
        for each in own or [_external_solution(problem, path, root)]:
            found.setdefault(each.path, each)
    return tuple(found.values())


def _external_solution(problem: Problem, path: Path, root: Path) -> Solution:
    """Return a solution from anywhere; in submissions/ of an ICPC package, its folder says what is expected.

    It gets the included files and the constants that the problem's own submissions get.
    """
    from judge.workspace.match import check_source

    check_source(path)
    folder = path.parent.name
    is_in_package = path.parent.parent.name == "submissions" and folder in EXPECTATIONS
    expectation = EXPECTATIONS[folder if is_in_package else "accepted"]
    return Solution(
        path=path,
        display_path=str(shown_path(path, root)),
        expectation=expectation,
        include=problem.include,
        constants=problem.constants,
        is_for_windows=problem.is_for_windows,
    )


def _check_patterns(parts: Sequence[_Part], problems: Sequence[Problem], query: Query) -> None:
    """Check that each pattern matches a case by itself.

    Raises:
        UsageError: one does not; the message suggests the nearest words.
    """
    for problem, wanted in parts:
        for pattern in wanted.cases:
            if not any(matches_pattern(case.id, pattern) for case in problem.cases):
                words = {f"{problem.id}/{case.name}": f"{problem.id}/{case.id}" for case in problem.cases}
                for case in problem.cases:
                    words |= {word: word for word in (f"{problem.id}/{case.id}", f"{problem.id}/{case.group}")}
                raise UsageError(_explain_no_match(f"{problem.id}/{pattern.removesuffix('/*')}", words))
    for pattern in query.groups:
        if not any(fnmatchcase(case.group, pattern) for case in _all_cases(problems)):
            raise UsageError(_explain_no_match(pattern, {case.group: case.group for case in _all_cases(problems)}))
    for pattern in query.cases:
        if not any(fnmatchcase(case.name, pattern) or fnmatchcase(case.id, pattern) for case in _all_cases(problems)):
            names = [name for case in _all_cases(problems) for name in (case.name, case.id)]
            raise UsageError(_explain_no_match(pattern, {name: name for name in names}))


def _all_cases(problems: Sequence[Problem]) -> Iterator[Case]:
    """Yield the cases of all problems; a list of those of a large folder would fill the memory."""
    return chain.from_iterable(problem.cases for problem in problems)


def _explain_no_match(word: str, suggestions: Mapping[str, str]) -> str:
    from difflib import get_close_matches

    near = dict.fromkeys(suggestions[text] for text in get_close_matches(word, suggestions, n=3, cutoff=0.5))
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    else:
        ids = [each for each in dict.fromkeys(suggestions.values()) if "/" in each] or list(suggestions)
        hint = f"try {', '.join(ids[:_MAX_NAMED])}{' ...' if len(ids) > _MAX_NAMED else ''}"
    return f"no case matches {word}; {hint}"


# ---- what failed in the last run, or changed since a commit ---------------------------------------------------------


def keep_failed(selection: Selection, history: "History") -> Selection:
    """Return the solutions that did not do what was expected when they were judged last; there may be none."""
    failed = history.failed()
    paths = {path for _, path in failed}

    def keeps(problem: Problem, solution: Solution) -> bool:
        # the id of a problem without a folder depends on how many files share its cases
        is_known = (problem.id, solution.display_path) in failed
        return is_known or (problem.folder is None and solution.display_path in paths)

    return _filter(selection, keeps)


def keep_changed(selection: Selection, since: str = "HEAD") -> Selection:
    """Return the solutions that a change since a commit affects; there may be none.

    Raises:
        UsageError: git does not know the commit, or there is no repository of git.
    """
    files = _changed_files(selection.root, since)
    return _filter(selection, lambda problem, solution: _affects(files, selection.root, problem, solution))


def find_unchanged(root: Path, problems: Iterable[Problem], known: Collection[str], since: str) -> frozenset[str]:
    """Return the ids of the problems of which no file differs from a commit.

    A file that is in the folder of no `known` problem may belong to any of them.
    """
    files = _changed_files(root, since)
    trees = (*_FOLDERS_OF_A_PROBLEM, "solutions")
    touched = {"/".join(path.parts[1:2]) for path in files if path.parts[0] in trees}
    if not touched <= set(known):
        return frozenset()
    return frozenset(
        each.id
        for each in problems
        if each.id not in touched and not any(_affects(files, root, each, solution) for solution in each.solutions)
    )


def _filter(selection: Selection, keeps: Callable[[Problem, Solution], bool]) -> Selection:
    problems = []
    for each in selection.problems:
        kept = tuple(solution for solution in each.problem.solutions if keeps(each.problem, solution))
        if kept:
            problems.append(replace(each, problem=replace(each.problem, solutions=kept)))
    return replace(selection, problems=problems, notes=(), unsolved=())


def _changed_files(root: Path, since: str) -> Collection[Path]:
    from judge.base.git import list_changed_files, resolve_commit  # few runs ask git

    commit = resolve_commit(root, since)
    files = list_changed_files(root, commit) if commit else None
    if files is None:
        if resolve_commit(root, "HEAD") is None:
            raise UsageError(f"{root} is not a git repository with a commit; --changed and --since compare with one")
        raise UsageError(f"--since {since}: {root} has no such commit, branch or tag")
    return [
        path for path in files if not (path.parts[:1] == ("testcases",) and fnmatchcase(path.name, "baseline*.lock"))
    ]


def _affects(files: Collection[Path], root: Path, problem: Problem, solution: Solution) -> bool:
    """Return whether a file is, lies in, or contains (as a submodule does) what decides about a solution."""
    if problem.is_package and problem.folder is not None:
        return _affects_package([root / file for file in files], problem.folder, solution)
    real = solution.path.resolve()  # a link changes with the file that it leads to
    own = [solution.path, *(root / folder / problem.id for folder in _FOLDERS_OF_A_PROBLEM)]
    if real.is_relative_to(root.resolve()):
        own.append(root / real.relative_to(root.resolve()))
    return any((root / file).is_relative_to(path) or path.is_relative_to(root / file) for file in files for path in own)


def _affects_package(files: Collection[Path], folder: Path, solution: Solution) -> bool:
    """Return whether a file decides about a submission of a package: it is part of it, or no submission at all."""
    submissions = submission_folder(folder)
    for file in files:
        if file.is_relative_to(solution.path) or folder.is_relative_to(file):
            return True
        if file.is_relative_to(folder) and (not file.is_relative_to(submissions) or file.parent == submissions):
            return True
    return False
