"""`judge hack`: search for an input on which a solution of a problem fails, and shrink it."""

import argparse
from pathlib import Path

from msgspec import Struct

from judge.base.errors import UsageError
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.counterexample import (
    SearchArguments,
    add_search,
    report_result,
    search_from,
    show_search_progress,
)
from judge.cli.commands.session import open_session, report_notes
from judge.workspace.options import ClusterOptions, SessionOptions
from judge.workspace.workspace import Workspace

EPILOG = """\
No generator is needed: inputs come from the problem's cases, which are mutated and recombined, from its generators,
and from the shape that its inputs have: small ones first, then boundaries and large ones. Only what the problem's
validators accept counts. An accepted solution computes the answer, and a second one confirms it before a failure is
reported.

examples:
  judge hack solutions/uva131/wrong_answer/in_place.py
  judge hack uva131 --solution my.py
  judge hack ~/contest/sums --solution submissions/wrong_answer/greedy.cpp --time 30
  judge hack my.py --keep
  judge hack my.py --reference brute.py        a file with its cases beside it
  judge hack my.py --reference brute.py --input '1 <= n <= 100, 0 <= a_i <= 10^9'

exit status: 1 if a counterexample was found, 0 if not, 2 for wrong usage or an error of another program or the judge
"""


class Options(Struct, frozen=True, kw_only=True):
    """What `judge hack` searches.

    Attributes:
        target: the solution, or the problem if the solution is named apart.
        input_format: what is valid, in words of a statement or as notation; "" if nothing is said.
        samples_only: of the known cases, use only those in the group `sample`.
    """

    root: Path | None
    target: str
    solution: Path | None
    problem: str | None
    cases: Path | None
    references: tuple[Path, ...]
    input_format: str
    samples_only: bool
    search: SearchArguments
    session: SessionOptions
    cluster: ClusterOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge hack`."""
    parser.add_argument("target", metavar="FILE|PROBLEM", help="the solution; or its problem, with --solution")
    parser.add_argument("-s", "--solution", type=Path, metavar="FILE", help="the solution that may be wrong")
    shared.add_problem(parser)
    parser.add_argument(
        "--reference", action="append", default=[], type=Path, metavar="FILE",
        help="a solution that is right, besides those of the problem (repeatable)",
    )  # fmt: skip
    parser.add_argument(
        "--input", default="", metavar="TEXT|FILE", dest="input_format",
        help="what is valid, in a statement's words: '1 <= n <= 2*10^5, -10^9 <= a_i <= 10^9'; or as in `input:` of "
        "problem.yaml; or a file with it",
    )  # fmt: skip
    parser.add_argument("--samples-only", action="store_true", help="of the known cases, start from the samples only")
    parser.add_argument("--keep", action="store_true", help="write what is found: to the problem, or stress/1.in")
    add_search(parser)
    shared.add_python(parser, "runs the solution, without warm starts")
    shared.add_jobs(parser)
    shared.add_cluster(parser)
    shared.add_include(parser)
    shared.add_data(parser)
    shared.add_required_level(parser)
    shared.add_profile(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    cluster = shared.cluster_from(args)
    if args.slowest and cluster.scheduler is not None:
        raise UsageError("--slowest compares CPU times: it needs workers of one machine; use -j or --workers")
    return Options(
        root=args.root,
        target=args.target,
        solution=args.solution,
        problem=args.problem,
        cases=args.cases,
        references=tuple(args.reference),
        input_format=args.input_format,
        samples_only=args.samples_only,
        search=search_from(args),
        session=shared.session_from(args),
        cluster=cluster,
    )


def execute(options: Options) -> ExitStatus:
    """Search and report; return the exit status."""
    from judge.hack.hack_request import find_request
    from judge.hack.hacking import hack

    problem, solution = _name(options)
    workspace = Workspace.find_or_use(options.root)
    request = find_request(
        workspace,
        solution,
        problem,
        references=options.references,
        input_format=options.input_format,
        case_source=options.cases,
        samples_only=options.samples_only,
    )
    report_notes(request.notes)
    with open_session(workspace, options.session, options.cluster) as session, show_search_progress() as report:
        result = hack(request, options.search.search_options(), session, report)
    judged = request.part.problem
    return report_result(result, judged.solutions[0].display_path, options.search, judged)


def _name(options: Options) -> tuple[str | None, Path]:
    """Return the problem, if it is named, and the solution.

    Raises:
        UsageError: the two do not fit.
    """
    if options.solution is None:
        solution = Path(options.target)
        if not solution.is_file():
            raise UsageError(
                f"{options.target}: expected a solution; to name a problem: judge hack {options.target} --solution FILE"
            )
        return options.problem, solution
    if options.problem is not None:
        raise UsageError(f"{options.target} and --problem {options.problem}: name the problem once")
    return options.target, options.solution
