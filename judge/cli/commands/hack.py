"""`judge hack`: search for an input on which a solution of a problem fails, and shrink it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from judge.base.errors import UsageError
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.counterexample import SearchArguments, search_and_report
from judge.cli.commands.keeping import save_keys_beside
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when the search starts: help and completion need none of them
    from judge.hack.values import Report, SearchResult
    from judge.workspace.session import Session

EPILOG = """\
No generator is needed: inputs come from the problem's cases, which are mutated and recombined, from its generators,
and from the shape that its inputs have: small ones first, then boundaries and large ones. Only what the problem's
validators accept counts. An accepted solution computes the answer, and a second one confirms it before a failure is
reported. Without one, crashes, exceeded limits and undefined behavior are found: see `judge run --sanitize`.

examples:
  judge hack solutions/uva131/wrong_answer/in_place.py
  judge hack uva131 --solution my.py
  judge hack ~/contest/sums -s submissions/wrong_answer/greedy.cpp --time 30
  judge hack my.py --keep
  judge hack my.py --html hack.html            what was found, as one file for a browser
  judge hack my.cpp                            no reference: with sanitizers
  judge hack my.py --reference brute.py        a file with its cases beside it
  judge hack my.py --reference brute.py --input '1 <= n <= 100' --save

exit status: 1 if a counterexample was found, 0 if not, 2 for wrong usage or an error of another program or the judge
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge hack` searches.

    Attributes:
        target: the solution, or the problem if the solution is named apart.
        input_format: what is valid, in words of a statement or as notation; "" if nothing is said.
        samples_only: of the known cases, use only those in the group `sample`.
    """

    target: Annotated[str, positional("FILE|PROBLEM", "the solution; or its problem, with --solution")]
    solution: Annotated[Path | None, option("the solution that may be wrong", "-s")] = None
    problem: shared.Problem = None
    cases: shared.Cases = None
    references: Annotated[
        tuple[Path, ...], option("a solution that is right, besides those of the problem (repeatable)", "--reference")
    ] = ()
    input_format: Annotated[
        str,
        option(
            "what is valid, in a statement's words: '1 <= n <= 2*10^5, -10^9 <= a_i <= 10^9'; or as in `input:` "
            "of problem.yaml; or a file with it",
            "--input",
            metavar="TEXT|FILE",
        ),
    ] = ""
    save: Annotated[bool, option("keep --input for the folder: as `input:` in problem.yaml beside the file")] = False
    samples_only: Annotated[bool, option("of the known cases, start from the samples only")] = False
    search: SearchArguments
    python: shared.Python = None
    scheduler: shared.Scheduler = None
    workers: shared.Workers = None
    include: shared.Include = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.save and not self.input_format:
            raise UsageError("--save: nothing to save; add --input")
        if self.search.slowest and self.scheduler is not None:
            raise UsageError("--slowest compares CPU times: it needs workers of one machine; use -j or --workers")


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
    judged = request.part.problem

    def search(session: "Session", report: "Report") -> "SearchResult":
        if options.save:
            from judge.hack.hack_inputs import known_inputs, read_format
            from judge.problems.yaml.scalars import grammar_yaml

            *_, value = read_format(options.input_format, known_inputs(request, session).inputs)
            keys = {"input": grammar_yaml(value).removeprefix("input:").rstrip()}
            save_keys_beside([judged], lambda _: (keys, {}), has_own_cases=options.cases is None)
        return hack(request, options.search.search_options(), session, report)

    return search_and_report(
        options,
        options.search,
        workspace,
        request,
        search,
        suspect=judged.solutions[0].display_path,
        kept=judged,
        helpers=request.references,
    )


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
