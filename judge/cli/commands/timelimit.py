"""`judge timelimit`: propose a time limit, and show the margins on both sides."""

import json
import sys
from typing import Annotated

from judge.base.errors import DataError
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import positional
from judge.cli.commands.session import open_session, show_progress
from judge.model import Verdict
from judge.model.events import CaseJudged
from judge.reporters import OutputOptions, log_glyphs, stream_width
from judge.reporters.margins import render_margins
from judge.timing.time_limit import Margins, MarginsCollector, SlowestRun
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

EPILOG = """\
The accepted submissions run on all cases, and so do those that must be too slow. The proposed limit is the slowest
accepted time, times the multiplier of the problem's format (2 unless given), rounded up to its resolution (1 s).

examples:
  judge timelimit uva131
  judge timelimit ~/contest/sums            a problem package
  judge timelimit uva131 -f json

exit status: 0 if the time limit is within its margins, 1 if it is not or none can be proposed, 2 for wrong usage or an
error of the judge
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge timelimit` does."""

    problems: Annotated[tuple[str, ...], positional("PROBLEM", "an id or a package (default: all problems)")] = ()
    format: shared.Format = "text"


def execute(options: Options) -> ExitStatus:
    """Time the submissions and report; return the exit status."""
    workspace = Workspace.find_or_use(options.root)
    selection = workspace.select(Query(targets=options.problems))
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    found: list[Margins] = []
    has_failed = False
    with open_session(workspace, options.session) as session:
        for part in selection.problems:
            collector = MarginsCollector(part.problem)
            for event in show_progress(session.run(collector.select(selection)), options.format):
                collector.handle(event)
                has_failed |= isinstance(event, CaseJudged) and event.result.verdict is Verdict.JE
            found.append(collector.result())
            if options.format == "text":
                columns = stream_width(sys.stdout, OutputOptions())
                text = render_margins(found[-1], columns, log_glyphs(sys.stdout))
                sys.stdout.write(f"\n{text}" if len(found) > 1 else text)
    if options.format == "json":
        print(json.dumps({"version": 1, "problems": [_to_json(each) for each in found]}, indent=1))
    if has_failed:
        return ExitStatus.ERROR
    is_fine = all(each.limit is not None and not each.problems for each in found)
    return ExitStatus.SUCCESS if is_fine else ExitStatus.FAILURE


def _to_json(margins: Margins) -> dict[str, object]:
    rule = margins.rule
    return {
        "id": margins.problem.id,
        "time_limit_s": rule.given,
        "proposed_s": margins.proposed,
        "ac_to_time_limit": rule.ac_to_time_limit,
        "time_limit_to_tle": rule.time_limit_to_tle,
        "time_resolution_s": rule.resolution,
        "in_time": [_run_to_json(each) for each in margins.in_time],
        "too_slow": [_run_to_json(each) for each in margins.too_slow],
        "problems": list(margins.problems),
    }


def _run_to_json(run: SlowestRun) -> dict[str, object]:
    return {
        "path": run.solution.display_path,
        "cpu_s": run.seconds,
        "case": run.case,
        "exceeds": run.is_cut,
        "trouble": run.trouble,
    }
