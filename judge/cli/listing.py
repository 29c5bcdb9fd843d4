"""`judge list`: the problems, or one problem's cases and solutions, a line each."""

import argparse

from judge.cli.workspace import root_of
from judge.errors import DataError, Diagnostic, UsageError
from judge.model import External, Generated, InFile, Inline, InputSource, Problem
from judge.problems.native import load_problem, problem_ids
from judge.reporters import formatting
from judge.units import format_bytes, format_seconds


def list_command(args: argparse.Namespace) -> int:
    """Carry out `judge list`; return the exit status."""
    root = root_of(args)
    known = problem_ids(root)
    if not known:
        raise UsageError(f"there is no problem in {root / 'problems'}; `judge new ID` makes one")
    diagnostics: list[Diagnostic] = []
    for each in args.problems or known:
        try:
            problem = load_problem(root, each)
        except DataError as error:
            diagnostics.extend(error.diagnostics)
            continue
        lines = _details(problem) if args.problems else [_summary(problem)]
        print("\n".join(lines))
    if diagnostics:
        raise DataError(diagnostics)
    return 0


def _summary(problem: Problem) -> str:
    limits = f"{format_seconds(problem.limits.cpu)}, {format_bytes(problem.limits.memory)}"
    counts = f"{len(problem.cases)} cases, {len(problem.solutions)} solutions"
    return f"{problem.id:<12} {problem.name:<44} {problem.profile:<8} {limits:<18} {counts}"


def _details(problem: Problem) -> list[str]:
    lines = [_summary(problem), "", "cases"]
    lines += [f"  {case.id:<36} {_origin(case.input):<30} {case.why}".rstrip() for case in problem.cases]
    lines += ["", "solutions"]
    lines += [f"  {solution.display_path}" for solution in problem.solutions]
    return lines


def _origin(source: InputSource) -> str:
    match source:
        case Inline(data):
            return formatting.pluralize(len(data.splitlines()), "line")
        case InFile(path):
            return path.name
        case Generated(function=function, seed=seed):
            return f"{function}, seed {seed}"
        case External(file=file):
            return f"external {file}"
