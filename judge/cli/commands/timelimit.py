"""`judge timelimit`: propose a time limit, and show the margins on both sides."""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Annotated

from judge.base.errors import DataError, make_safe
from judge.base.units import Seconds, format_seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import positional
from judge.cli.commands.session import open_session, show_progress
from judge.model import Verdict
from judge.model.events import CaseJudged
from judge.reporters import OutputOptions, log_glyphs, stream_width
from judge.reporters.escape import Glyphs, one_line, pad, shorten, width
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
        records = [
            {
                "id": each.problem.id,
                "time_limit_s": each.rule.given,
                "proposed_s": each.proposed,
                "ac_to_time_limit": each.rule.ac_to_time_limit,
                "time_limit_to_tle": each.rule.time_limit_to_tle,
                "time_resolution_s": each.rule.resolution,
                "in_time": [_run_to_json(run) for run in each.in_time],
                "too_slow": [_run_to_json(run) for run in each.too_slow],
                "problems": list(each.problems),
            }
            for each in found
        ]
        print(json.dumps({"version": 1, "problems": records}, indent=1))
    if has_failed:
        return ExitStatus.ERROR
    is_fine = all(each.limit is not None and not each.problems for each in found)
    return ExitStatus.SUCCESS if is_fine else ExitStatus.FAILURE


def _run_to_json(run: SlowestRun) -> dict[str, object]:
    return {
        "path": run.solution.display_path,
        "cpu_s": run.seconds,
        "case": run.case,
        "exceeds": run.is_cut,
        "trouble": run.trouble,
    }


def render_margins(margins: Margins, columns: int, glyphs: Glyphs) -> str:
    """Return the report as text."""
    given = margins.rule.given
    limit = "no time limit is given"
    if given is not None:
        limit = f"time limit {format_seconds(given)} ({margins.rule.origin})"
    bars = _bars(margins, columns, glyphs)
    lines = [f"{margins.problem.id}: {limit}", "", *bars, "", *_conclusions(margins)]
    return "".join(f"{make_safe(line.rstrip())}\n" for line in lines)


def _bars(margins: Margins, columns: int, glyphs: Glyphs) -> Iterator[str]:
    limit = margins.limit
    runs = [*margins.in_time, *margins.too_slow]
    name_width = min(max((width(_name(each, glyphs)) for each in runs), default=0), 40)
    bar_width = max(columns - name_width - 16, 10)
    longest = max([each.seconds or 0.0 for each in runs] + [limit or 0.0]) or 1.0
    scale = bar_width / longest

    def rows(title: str, part: Sequence[SlowestRun]) -> Iterator[str]:
        yield title
        for each in part:
            name = pad(shorten(_name(each, glyphs), name_width, glyphs.ellipsis), name_width)
            if each.seconds is None:
                yield f"  {name}  {each.trouble or 'not run'}"
                continue
            time = f"{'>' if each.is_cut else ''}{format_seconds(each.seconds)}"
            bar = glyphs.bar * max(int(each.seconds * scale), 1)
            if limit is not None:  # with a mark where it is
                at = max(int(limit * scale) - 1, 0)
                bar = f"{pad(bar, at)[:at]}|{bar[at + 1 :]}"
            yield f"  {name}  {time:>10}  {bar}"

    yield from rows("must be in time", margins.in_time)
    if limit is not None:
        mark = " " * (name_width + 16 + max(int(limit * scale) - 1, 0))
        yield f"{mark}^ limit {format_seconds(limit)}" if columns > len(mark) + 16 else f"{mark}^"
    if margins.too_slow:
        yield from rows("must be too slow", margins.too_slow)


def _conclusions(margins: Margins) -> Iterator[str]:
    rule = margins.rule
    for each in margins.in_time:
        if each.trouble:
            yield f"{each.solution.display_path}: {each.trouble}: its times say nothing"
    if margins.proposed is not None and margins.slowest is not None:
        worst = margins.in_time[-1]
        yield (
            f"proposed: {format_seconds(margins.proposed)}: {format_seconds(margins.slowest)} ({worst.case}) times "
            f"{rule.ac_to_time_limit:g}, rounded up to a multiple of {rule.resolution:g} s"
        )
    elif not margins.in_time:
        yield "no limit can be proposed: there is no accepted submission"
    else:
        yield "no limit can be proposed: a submission that must be in time takes too long or did not run"
    if margins.fastest is not None:
        yield f"upper bound: {format_seconds(Seconds(margins.fastest / rule.time_limit_to_tle))}"
    for text in margins.problems:
        yield f"problem: {text}"


def _name(run: SlowestRun, glyphs: Glyphs) -> str:
    return one_line("/".join(run.solution.display_path.split("/")[-2:]), glyphs)
