"""`judge hack`: search for an input on which a solution of a problem fails, and shrink it."""

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from judge.commands import options as shared
from judge.commands.counterexample import SearchArguments, add_search, report_result, search_from
from judge.commands.session import open_session, report_notes
from judge.commands.status import ExitStatus
from judge.errors import DataError, UsageError
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when a search runs: help and completion need none of it
    from judge.workspace.hacking import HackRequest

EPILOG = """\
No generator is needed: inputs come from the problem's cases, which are mutated and recombined, from its generators, and
from the shape that its inputs have: small ones first, then boundaries and large ones. Only what the problem's validators
accept counts. The accepted solutions of the problem answer; a second one confirms the answer before it is reported.

examples:
  judge hack solutions/uva131/wrong_answer/in_place.py
  judge hack uva131 --solution my.py
  judge hack ~/contest/sums --solution submissions/wrong_answer/greedy.cpp --time 30
  judge hack my.py --keep
  judge hack my.py --reference brute.py        a file with its cases beside it

exit status: 1 if a counterexample was found, 0 if not, 2 for wrong usage or an error of another program or the judge
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `judge hack` searches.

    Attributes:
        target: the solution, or the problem if the solution is named apart.
        samples_only: of the known cases, use only those in the group `sample`.
    """

    root: Path | None
    target: str
    solution: Path | None
    problem: str | None
    cases: Path | None
    references: tuple[Path, ...]
    samples_only: bool
    search: SearchArguments
    session: SessionOptions
    python: str | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge hack`."""
    parser.add_argument("target", metavar="FILE|PROBLEM", help="the solution; or its problem, with --solution")
    parser.add_argument("-s", "--solution", type=Path, metavar="FILE", help="the solution that may be wrong")
    shared.add_problem(parser)
    parser.add_argument(
        "--reference", action="append", default=[], type=Path, metavar="FILE",
        help="a solution that is right, besides those of the problem (repeatable)",
    )  # fmt: skip
    parser.add_argument("--samples-only", action="store_true", help="of the known cases, start from the samples only")
    parser.add_argument(
        "--keep", action="store_true", help="write what is found: a case of the problem, or stress/1.in"
    )
    add_search(parser)
    parser.add_argument("--python", metavar="VERSION", help="the Python that runs the solution; then starts are slower")
    shared.add_jobs(parser)
    shared.add_include(parser)
    shared.add_data(parser)
    shared.add_required_level(parser)
    shared.add_profile(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options.

    Raises:
        UsageError: a value is not valid.
    """
    return Options(
        root=args.root,
        target=args.target,
        solution=args.solution,
        problem=args.problem,
        cases=args.cases,
        references=tuple(each.absolute() for each in args.reference),
        samples_only=args.samples_only,
        search=search_from(args),
        session=shared.session_options(
            jobs=args.jobs, data=args.data, level=args.require_sandbox, profile=args.profile, include=args.include
        ),
        python=args.python,
    )


def execute(options: Options) -> ExitStatus:
    """Search and report; return the exit status."""
    from judge.reporters.counterexample import SearchProgress
    from judge.workspace.hacking import hack

    workspace, request = find_request(options)
    session_options = shared.with_python(options.session, options.python)
    progress = SearchProgress(sys.stderr)
    with open_session(workspace, session_options) as session:
        try:
            result = hack(request, options.search.search_options(), session, progress)
        finally:
            progress.stop()
    status = report_result(result, request.part.problem.solutions[0].display_path, options.search)
    if options.search.keeps:
        from judge.commands.keep import keep_result

        keep_result(result, request.part.problem)
    return status


def find_request(options: Options) -> "tuple[Workspace, HackRequest]":
    """Return the workspace and what is searched.

    Raises:
        UsageError: there is no such file or problem.
        DataError: the problem's files are wrong.
    """
    from judge.workspace.hacking import HackRequest

    problem, solution = options.problem, options.solution
    if solution is None:
        solution = Path(options.target)
        if not solution.is_file():
            raise UsageError(
                f"{options.target}: expected a solution; to name a problem: judge hack {options.target} --solution FILE"
            )
    elif problem is None:
        problem = options.target
    else:
        raise UsageError(f"{options.target} and --problem {problem}: name the problem once")
    for each in options.references:
        if not each.is_file():
            raise UsageError(f"--reference {each}: no such file")
    workspace = Workspace.find_or_use(options.root)
    query = Query(targets=(problem,) if problem else (), solutions=(solution,), case_source=options.cases)
    selection = workspace.select(query)
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    report_notes(selection.notes)
    if not selection.problems or len(selection.problems) > 1 or len(selection.problems[0].problem.solutions) != 1:
        raise UsageError(f"{options.target}: expected one solution of one problem")
    part = selection.problems[0]
    whole = part.whole or part.problem
    if part.problem.folder is not None:  # a problem of the repository, or a package
        target = part.problem.target or part.problem.id
        every = workspace.select(Query(targets=(target,)))
        if every.problems:
            whole = every.problems[0].problem
    uses = (lambda case: case.group.startswith("sample")) if options.samples_only else None
    return workspace, HackRequest(part=replace(part), whole=whole, references=options.references, uses_cases=uses)
