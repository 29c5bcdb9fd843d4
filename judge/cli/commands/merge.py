"""`judge merge`: merge the results of shards that `judge grade --shard` wrote."""

import argparse
import sys
from pathlib import Path

from msgspec import Struct

from judge.base.errors import UsageError
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands.signals import raise_on_signal

EPILOG = """\
The files may be given in any order; the results are sorted by the lines of the submissions. A shard that is missing,
incomplete or given twice is an error, and nothing is written.

examples:
  judge merge results-*.jsonl -o results.jsonl
  judge merge results-*.jsonl -o results.jsonl --summary

exit status: 0 if the file was written, 2 for wrong usage or shards that do not fit together
"""


class Options(Struct, frozen=True, kw_only=True):
    """What `judge merge` merges."""

    files: tuple[Path, ...]
    output: Path
    force: bool
    summary: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge merge`."""
    parser.add_argument("files", type=Path, nargs="+", metavar="RESULTS", help="the results of all shards")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the file to write")
    parser.add_argument("--force", action="store_true", help="overwrite it")
    parser.add_argument("--summary", action="store_true", help="print pass@k, verdicts, the slowest, and the faults")


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(files=tuple(args.files), output=args.output, force=args.force, summary=args.summary)


def execute(options: Options) -> ExitStatus:
    """Merge the files; return the exit status."""
    from judge.grading.results import merge
    from judge.grading.summary import PASS_AT, Summary
    from judge.reporters.stream import render_summary

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
