"""`judge compare`: what changed since a baseline, a commit or an earlier run."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.commands import options as shared
from judge.commands.session import judge_records, open_session
from judge.commands.status import ExitStatus
from judge.events import Notice
from judge.history.changes import Change, changes
from judge.reporters.canvas import Canvas
from judge.reporters.changes import change_lines, change_record, is_regression
from judge.reporters.lines import Span, Style, make_line, write_notice
from judge.reporters.reporter import OutputOptions
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query, split_name
from judge.workspace.reference import Reference, find_reference, keep_selected
from judge.workspace.timing import SolutionKey, Timing, plan_timings
from judge.workspace.workspace import Workspace

EPILOG = """\
REFERENCE is a baseline's name, a commit, branch or tag, or run-N of the history. Without one it is the baseline
`main` if it exists, else the last commit. Solutions of both times are judged now, on this machine.

examples:
  judge compare                      what did my edits change?
  judge compare v1.2 uva131
  judge compare HEAD~3 solutions/uva131/accepted/try_all.py
  judge compare --timing             did my edits make it slower?

exit status: 0 if nothing that matters changed, 1 if a verdict or an output did, or with --timing a solution is slower,
2 for wrong usage or an error of the judge
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What `judge compare` does: `words` are a reference, then targets."""

    root: Path | None
    words: tuple[str, ...]
    timing: bool
    format: str
    session: SessionOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge compare`."""
    parser.add_argument("words", nargs="*", metavar="REFERENCE|TARGET", help="what to compare with; what to compare")
    parser.add_argument(
        "--timing", action="store_true",
        help="run the old and the new source of each edited solution in turn until it is clear whether it is slower",
    )  # fmt: skip
    parser.add_argument(
        "-f", "--format", choices=("text", "json"), default="text", help="the report's format (default: text)"
    )
    shared.add_jobs(parser)
    shared.add_required_level(parser)
    shared.add_data(parser)
    shared.add_profile(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(
        root=args.root,
        words=tuple(args.words),
        timing=args.timing,
        format=args.format,
        session=shared.session_options(
            jobs=args.jobs, data=args.data, level=args.require_sandbox, profile=args.profile
        ),
    )


def execute(options: Options) -> ExitStatus:
    """Judge both times, compare and report; return the exit status."""
    workspace = Workspace.find(options.root)
    name, targets = split_name(options.words, workspace.root, what="reference")
    query = Query(targets=targets)
    selection = workspace.select(query)
    problems = [each.problem for each in selection.problems]
    with open_session(workspace, options.session) as session:
        reference = find_reference(
            name,
            query,
            workspace=workspace,
            problems=[problem.id for problem in problems],
            session=session,
            judge=lambda old: judge_records(session, old),
        )
        if reference.warning:
            write_notice(Notice(text=reference.warning), sys.stderr)
        records = judge_records(session, selection)
        old = keep_selected(reference.records, query, workspace.root)
        found = list(changes(old, records, costs=reference.same_machine))
        timings: dict[SolutionKey, Timing] = {}
        if options.timing:
            for task in plan_timings(found, problems, reference.commit, session):
                print(f"timing {task.new.solution} ...", file=sys.stderr, flush=True)
                timings[task.key] = task.run(session)
    slower = sum(each.is_slower for each in timings.values())
    _report(options.format, reference, found, timings, slower)
    return ExitStatus.FAILURE if is_regression(found) or slower else ExitStatus.SUCCESS


def _report(
    kind: str, reference: Reference, found: Sequence[Change], timings: Mapping[SolutionKey, Timing], slower: int
) -> None:
    sentences = {key: str(timing) for key, timing in timings.items()}
    if kind == "json":
        document = {
            "version": 1,
            "compared_with": reference.title,
            "regression": is_regression(found) or slower > 0,
            "changes": [change_record(change, sentences) for change in found],
        }
        print(json.dumps(document, indent=1))
        return
    canvas = Canvas(sys.stdout, OutputOptions())
    costs = "" if reference.same_machine else " (another machine: times and memory are not compared)"
    canvas.write(
        make_line(Span(f"now against {reference.title}{costs}", Style.DIM)),
        *change_lines(found, canvas.display, sentences, slower=slower),
    )
