"""`judge show`: a problem's statement and limits, or a case's input, answer and source."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.commands import options as shared
from judge.commands.session import open_session
from judge.commands.status import ExitStatus
from judge.errors import DataError, UsageError
from judge.model import Case, External, Generated, InFile, Inline, Problem
from judge.problems.paths import shown_path
from judge.reporters.escape import escape_text
from judge.units import format_bytes, format_count, format_seconds
from judge.workspace.options import SessionOptions
from judge.workspace.workspace import Workspace

EPILOG = """\
examples:
  judge show uva131
  judge show uva131/edge/ace-low
  judge show uva131/ace-low --input >x.in
"""

_MAX_LINES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `judge show` prints: `only` is "input", "answer", or "" for everything."""

    root: Path | None
    target: str
    only: str
    session: SessionOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge show`."""
    parser.add_argument("target", metavar="PROBLEM[/CASE]", help="a problem, or one of its cases")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--input", action="store_true", help="print only the case's input, byte for byte")
    only.add_argument("--answer", action="store_true", help="print only the case's answer, byte for byte")
    shared.add_data(parser)
    shared.add_profile(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    only = "input" if args.input else "answer" if args.answer else ""
    return Options(
        root=args.root,
        target=args.target,
        only=only,
        session=shared.session_options(data=args.data, profile=args.profile),
    )


def execute(options: Options) -> ExitStatus:
    """Print; return the exit status."""
    from judge.preparation.cases import InvalidCase, ReadyCase, SkippedCase

    workspace = Workspace.find(options.root)
    head, _, rest = options.target.strip("/").partition("/")
    problem = workspace.load_problem(head)
    if not rest:
        if options.only:
            raise UsageError(f"{options.target}: --{options.only} needs a case: judge show {head}/GROUP/NAME")
        _show_problem(problem)
        return ExitStatus.SUCCESS
    from judge.data import read_data

    case = _find_case(problem, rest)
    with open_session(workspace, options.session) as session:
        (prepared,) = session.prepare(problem, [case])
    match prepared:
        case InvalidCase(diagnostic=diagnostic):
            raise DataError([diagnostic])
        case SkippedCase(reason=reason):
            raise UsageError(f"{options.target}: {reason}")
        case ReadyCase() if options.only:
            data = prepared.input if options.only == "input" else prepared.answer
            assert data is not None  # a case of a problem has an answer
            sys.stdout.buffer.write(read_data(data))
        case ReadyCase():
            lines = _case_lines(problem, case, workspace.root)
            assert prepared.answer is not None  # a case of a problem has one
            for title, data in (("input", read_data(prepared.input)), ("answer", read_data(prepared.answer))):
                lines += ["", f"--- {title}, {format_bytes(len(data))}", *_first_lines(data)]
            print("\n".join(lines))
    return ExitStatus.SUCCESS


def _find_case(problem: Problem, wanted: str) -> Case:
    """Return the case with the id `group/name`, or with the name if it is unique."""
    found = [case for case in problem.cases if wanted in (case.id, case.name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{wanted} is ambiguous: {' or '.join(case.id for case in found)}")
    from difflib import get_close_matches

    names = [case.id for case in problem.cases] + [case.name for case in problem.cases]
    near = get_close_matches(wanted, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"list the cases with `judge list {problem.id}`"
    raise UsageError(f"{problem.id} has no case {wanted}; {hint}")


def _show_problem(problem: Problem) -> None:
    limits = problem.limits
    print(f"{problem.id}: {problem.name}")
    if problem.source:
        print(f"source    {problem.source.name} {problem.source.url}".rstrip())
    print(f"profile   {problem.profile}, checker {problem.checker.name}")
    print(
        f"limits    {format_seconds(limits.cpu)} of CPU time, {format_bytes(limits.memory)} of memory, "
        f"{format_bytes(limits.output)} of output"
    )
    groups = format_count(len({case.group for case in problem.cases}), "group")
    print(f"cases     {len(problem.cases):,} in {groups}")
    print(f"solutions {len(problem.solutions)}\n")
    if problem.statement is None:
        return
    try:
        statement = problem.statement.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{problem.statement}: cannot be read: {error}") from error
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(statement))
    else:
        print(statement, end="")


def _case_lines(problem: Problem, case: Case, root: Path) -> list[str]:
    return [
        f"{problem.id}/{case.id}" + (f": {case.why}" if case.why else ""),
        f"from      {_input_text(case, root)}",
        f"answer    {_answer_text(problem, case)}",
        f"limits    {format_seconds(case.limits.cpu)}, {format_bytes(case.limits.memory)}",
    ]


def _first_lines(data: bytes) -> Sequence[str]:
    rows = data.splitlines()
    lines = [escape_text(row) for row in rows[:_MAX_LINES]]
    if len(rows) > _MAX_LINES:
        lines.append(f"... {len(rows) - _MAX_LINES} more lines; --input or --answer prints everything")
    return lines


def _input_text(case: Case, root: Path) -> str:
    place = f"{shown_path(case.origin, root)}:{case.line}" if case.line else str(shown_path(case.origin, root))
    match case.input:
        case Inline():
            return place
        case InFile(path):
            return f"{shown_path(path, root)}, named in {place}"
        case External(file=file, url=url):
            return f"{file} from {url}, named in {place}"
        case Generated() as generated:
            parameters = "".join(f", {name}={value!r}" for name, value in generated.parameters)
            file = str(shown_path(generated.file, root))
            return f"generator `{generated.function}` in {file} (seed {generated.seed}{parameters}), named in {place}"


def _answer_text(problem: Problem, case: Case) -> str:
    match case.answer:
        case None:
            assert problem.reference is not None
            return f"computed by the reference solution {problem.reference.parent.name}/{problem.reference.name}"
        case InFile(path):
            return f"given in {path.name}"
        case Inline():
            return "given in the case file"
