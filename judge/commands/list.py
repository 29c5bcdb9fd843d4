"""`judge list`: the problems, or the cases and solutions of some."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from judge.commands.status import ExitStatus
from judge.errors import DataError, Diagnostic
from judge.model import External, Generated, InFile, Inline, InputSource, Problem
from judge.units import format_bytes, format_count, format_seconds
from judge.workspace.workspace import Workspace

EPILOG = """\
example:
  judge list uva131
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `judge list` shows: the details of some problems, or a line for each problem."""

    root: Path | None
    problems: tuple[str, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge list`."""
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="show the cases and solutions of this problem")


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(root=args.root, problems=tuple(args.problems))


def execute(options: Options) -> ExitStatus:
    """List; return the exit status.

    Raises:
        DataError: some problem's files are wrong; the others are listed first.
    """
    workspace = Workspace.find(options.root)
    diagnostics: list[Diagnostic] = []
    for each in workspace.require_problems(options.problems):
        try:
            problem = workspace.load_problem(each)
        except DataError as error:
            diagnostics.extend(error.diagnostics)
            continue
        print("\n".join(_detail_lines(problem) if options.problems else [_summary_line(problem)]))
    if diagnostics:
        raise DataError(diagnostics)
    return ExitStatus.SUCCESS


def _summary_line(problem: Problem) -> str:
    limits = f"{format_seconds(problem.limits.cpu)}, {format_bytes(problem.limits.memory)}"
    cases = format_count(len(problem.cases), "case")
    solutions = format_count(len(problem.solutions), "solution")
    return f"{problem.id:<12} {problem.name:<44} {problem.profile:<8} {limits:<18} {cases}, {solutions}"


def _detail_lines(problem: Problem) -> list[str]:
    lines = [_summary_line(problem), "", "cases"]
    lines += [f"  {case.id:<36} {_input_text(case.input):<30} {case.why}".rstrip() for case in problem.cases]
    lines += ["", "solutions"]
    lines += [f"  {solution.display_path}" for solution in problem.solutions]
    return lines


def _input_text(source: InputSource) -> str:
    match source:
        case Inline(data):
            return format_count(len(data.splitlines()), "line")
        case InFile(path):
            return path.name
        case Generated(function=function, seed=seed):
            return f"{function}, seed {seed}"
        case External(file=file):
            return f"external {file}"
