"""`judge merge`: merge the results of shards that `judge grade --shard` wrote."""

import sys
from pathlib import Path
from typing import Annotated

from judge.base.errors import UsageError
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.options import Arguments
from judge.cli.commands.signals import raise_on_signal
from judge.grading.results import merge
from judge.grading.summary import PASS_AT, Summary
from judge.reporters.grades import render_summary

EPILOG = """\
The files may be given in any order; the results are sorted by the lines of the submissions. A shard that is missing,
incomplete or given twice is an error, and nothing is written.

examples:
  judge merge results-*.jsonl -o results.jsonl
  judge merge results-*.jsonl -o results.jsonl --summary

exit status: 0 if the file was written, 2 for wrong usage or shards that do not fit together
"""


class Options(Arguments, frozen=True, kw_only=True):
    """What `judge merge` merges."""

    files: Annotated[tuple[Path, ...], positional("RESULTS", "the results of all shards")]
    output: Annotated[Path, option("the file to write", "-o")]
    force: Annotated[bool, option("overwrite it")] = False
    summary: Annotated[bool, option("print pass@k, verdicts, the slowest, and the faults")] = False


def execute(options: Options) -> ExitStatus:
    """Merge the files; return the exit status."""
    if str(options.output) == "-":
        raise UsageError("-o -: the results are sorted in a file; name it")
    if options.output.exists() and not options.force:
        raise UsageError(f"{options.output} exists: --force overwrites it")
    summary = Summary(keeps_tasks=options.summary)
    with raise_on_signal():
        count = merge(options.files, options.output, summary.add)
    shards = format_count(len(options.files), "shard")
    print(f"{options.output}: {format_count(count, 'result')} of {shards}")
    if options.summary:
        print(render_summary(summary, PASS_AT, sys.stdout))
    return ExitStatus.SUCCESS
