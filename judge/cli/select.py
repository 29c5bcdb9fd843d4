"""From what a command line wants to the problems, solutions and cases that are judged."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from judge.cli.overrides import overrides_of
from judge.cli.targets import Wanted, absolute, wanted_of
from judge.cli.workspace import root_of
from judge.errors import DataError, Diagnostic, UsageError
from judge.languages.table import SUFFIXES
from judge.model import DEFAULT_LIMITS, EXPECTATIONS, Case, CheckerConfig, Problem, Solution
from judge.problems.folder import load_cases
from judge.problems.native import load_problem
from judge.problems.paths import find_file_error
from judge.runner import Selection
from judge.runner.options import NO_OVERRIDES


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What a command line asks for.

    Attributes:
        findings: what is wrong with files that are left out; the rest is judged all the same.
    """

    root: Path
    selections: Sequence[Selection]
    diagnostics: Sequence[Diagnostic] = ()


def select(args: argparse.Namespace, load: Callable[[Path, str], Problem] = load_problem) -> Chosen:
    """Return what is to be judged.

    Args:
        args: the command line.
        load: reads a problem of a repository.

    Raises:
        UsageError: a word means nothing, or nothing is left to judge.
        DataError: nothing is left to judge since the files of all wanted problems are wrong.
    """
    if args.cases and args.solution and not args.targets and not _has_root(args):
        return _without_problem(args, Path.cwd())
    root = root_of(args)
    wanted = wanted_of(args, root)
    if not wanted:
        return _without_problem(args, root)
    overrides = overrides_of(args)
    problems, diagnostics = _load(root, wanted, load)
    if args.cases:
        problems = [overrides.problem(problem) for problem in problems]
        overrides = NO_OVERRIDES
        cases, missing = _folder_cases(args.cases, problems)
        diagnostics.extend(missing)
        problems = [_with_cases(problem, cases[problem.id]) for problem in problems]
    if not diagnostics:  # a pattern may have meant a problem that could not be read
        _check_patterns(problems, wanted, args)
    selections = [
        replace(_selection(problem, wanted[problem.id], args, root), overrides=overrides) for problem in problems
    ]
    selections = [each for each in selections if each.problem.cases and each.problem.solutions]
    if overrides != NO_OVERRIDES:
        for case in _cases([each.problem for each in selections]):
            overrides.config(case.checker)  # raises where the two do not fit
    if not selections and diagnostics:
        raise DataError(diagnostics)
    if not selections:
        raise UsageError(_nothing(problems, args))
    return Chosen(root=root, selections=selections, diagnostics=diagnostics)


def _has_root(args: argparse.Namespace) -> bool:
    try:
        root_of(args)
    except UsageError:
        return False
    return True


def _load(
    root: Path, wanted: Iterable[str], load: Callable[[Path, str], Problem]
) -> tuple[list[Problem], list[Diagnostic]]:
    problems: list[Problem] = []
    diagnostics: list[Diagnostic] = []
    for each in wanted:
        try:
            problems.append(load(root, each))
        except DataError as error:
            diagnostics.extend(error.diagnostics)
    return problems, diagnostics


def _selection(problem: Problem, wanted: Wanted, args: argparse.Namespace, root: Path) -> Selection:
    paths = [absolute(path, root) for path in wanted.solutions]
    named = frozenset(path for path in paths if not path.is_dir())
    solutions = _solutions(problem, paths, root) if paths else problem.solutions
    cases = problem.cases
    if wanted.cases or args.case or args.group:
        cases = tuple(case for case in problem.cases if wanted.has_case(case.id) and _matches(case, args))
    complete = len(cases) == len(problem.cases) and not args.cases
    return Selection(problem=replace(problem, cases=cases, solutions=solutions), complete=complete, named=named)


def _folder_cases(
    folder: Path, problems: Sequence[Problem]
) -> tuple[dict[str, Sequence[Case]], tuple[Diagnostic, ...]]:
    """Return a folder's cases with every problem's limits and checker, and what is wrong with the folder."""
    cases: dict[str, Sequence[Case]] = {}
    diagnostics: tuple[Diagnostic, ...] = ()
    for problem in problems:
        cases[problem.id], diagnostics = load_cases(folder, limits=problem.limits, checker=problem.checker)
    return cases, diagnostics


def _with_cases(problem: Problem, cases: Sequence[Case]) -> Problem:
    """Return the problem with other cases for its own; what its programs would confirm is the user's word now."""
    return replace(problem, cases=cases, validator=None, reference=None, independent=None, lock=None)


def _without_problem(args: argparse.Namespace, root: Path) -> Chosen:
    """Judge files against a folder of cases with nothing but the default limits and checker."""
    bare = Problem(id=args.cases.absolute().name, name=str(args.cases), limits=DEFAULT_LIMITS, checker=CheckerConfig())
    bare = overrides_of(args).problem(bare)
    cases, diagnostics = load_cases(args.cases, limits=bare.limits, checker=bare.checker)
    _check_patterns([_with_cases(bare, cases)], {}, args)
    selection = _selection(_with_cases(bare, cases), Wanted(solutions=list(args.solution)), args, root)
    if not selection.problem.cases:
        raise DataError(diagnostics) if diagnostics else UsageError(_nothing([bare], args))
    return Chosen(root=root, selections=[selection], diagnostics=diagnostics)


def _matches(case: Case, args: argparse.Namespace) -> bool:
    """Whether --case and --group both want a case."""
    if args.group and not any(fnmatchcase(case.group, pattern) for pattern in args.group):
        return False
    return not args.case or any(
        fnmatchcase(case.name, pattern) or fnmatchcase(case.id, pattern) for pattern in args.case
    )


def _solutions(problem: Problem, wanted: Sequence[Path], root: Path) -> tuple[Solution, ...]:
    """Return the named solutions: those of the problem keep their expectation, any other file should be accepted."""
    chosen: dict[Path, Solution] = {}
    for path in wanted:
        own = [each for each in problem.solutions if each.path == path or each.path.is_relative_to(path)]
        for each in own or [_foreign(path, root)]:
            chosen.setdefault(each.path, each)
    return tuple(chosen.values())


def _foreign(path: Path, root: Path) -> Solution:
    if path.is_dir():
        raise UsageError(f"{path}: a folder without solutions; expected a source file ({', '.join(sorted(SUFFIXES))})")
    if not path.exists():
        from difflib import get_close_matches

        near = get_close_matches(path.name, [each.name for each in path.parent.glob("*")], n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(f"{path}: there is no such file{hint}")
    if reason := find_file_error(path):
        raise UsageError(f"{path} {reason}; expected a source file")
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(sorted(SUFFIXES))
        raise UsageError(f"{path}: no language has the suffix `{path.suffix}`; known are {known}")
    shown = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
    return Solution(path=path, shown=shown, expectation=EXPECTATIONS["accepted"])


# ---- nothing ------------------------------------------------------------------------------------------------------


def _check_patterns(problems: Sequence[Problem], wanted: Mapping[str, Wanted], args: argparse.Namespace) -> None:
    """See to it that each pattern matches something by itself.

    Raises:
        UsageError: one does not; the message names what is nearest.
    """
    for problem in problems:
        for pattern in wanted[problem.id].cases if problem.id in wanted else ():
            if not any(fnmatchcase(case.id, pattern) for case in problem.cases):
                word = f"{problem.id}/{pattern.removesuffix('/*')}"
                raise UsageError(_no_match(word, _words(problem)))
    for pattern in args.group:
        if not any(fnmatchcase(case.group, pattern) for case in _cases(problems)):
            raise UsageError(_no_match(pattern, {case.group: case.group for case in _cases(problems)}))
    for pattern in args.case:
        if not any(fnmatchcase(case.name, pattern) or fnmatchcase(case.id, pattern) for case in _cases(problems)):
            names = [name for case in _cases(problems) for name in (case.name, case.id)]
            raise UsageError(_no_match(pattern, {name: name for name in names}))


def _cases(problems: Sequence[Problem]) -> Iterator[Case]:
    """Yield the cases of problems, one after the other: a list of those of a large folder would fill the memory."""
    return chain.from_iterable(problem.cases for problem in problems)


def _words(problem: Problem) -> dict[str, str]:
    """Return the words that mean cases of a problem, and those that nearly do with what they could mean."""
    words = {}
    for case in problem.cases:
        words[f"{problem.id}/{case.name}"] = f"{problem.id}/{case.id}"
    for case in problem.cases:
        words |= {word: word for word in (f"{problem.id}/{case.id}", f"{problem.id}/{case.group}")}
    return words


def _no_match(word: str, meant: Mapping[str, str]) -> str:
    """Return that a word matches no case, with what is nearest; `meant` has what to suggest for which word."""
    from difflib import get_close_matches

    near = dict.fromkeys(meant[text] for text in get_close_matches(word, meant, n=3, cutoff=0.5))
    hint = f"did you mean {' or '.join(near)}?" if near else "`judge list PROBLEM` lists the cases"
    return f"no case matches {word}; {hint}"


def _nothing(problems: Sequence[Problem], args: argparse.Namespace) -> str:
    """Say why nothing is left to judge, though each pattern matches something."""
    if patterns := [*args.case, *args.group]:
        return f"no case matches all of {' '.join(patterns)}; `judge list PROBLEM` lists the cases"
    return f"nothing to judge: no cases or no solutions in {', '.join(problem.id for problem in problems)}"
