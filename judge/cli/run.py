"""`judge run`: choose what to judge, have it judged, report it."""

import argparse
import sys

from judge.cli.python import find_python
from judge.cli.select import select
from judge.cli.workspace import workshop
from judge.events import RunEnded


def run_command(args: argparse.Namespace) -> int:
    """Carry out `judge run`; return the exit status."""
    from judge.reporters import make_reporter
    from judge.runner import Options, run

    chosen = select(args)
    tools = {"python": find_python(args.python)} if args.python else {}
    with workshop(args, chosen.root) as (executor, shelf):
        ended: RunEnded | None = None
        options = Options(
            shelf=shelf, fail_fast=args.fail_fast, tools=tools, findings=chosen.findings, words=_words(args)
        )
        with make_reporter(args.format, sys.stdout, sys.stderr) as reporter:
            for event in run(chosen.selections, executor, options):
                reporter.handle(event)
                if isinstance(event, RunEnded):
                    ended = event
    assert ended is not None
    return _status(ended)


def _words(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the options that a command which judges a part again needs too."""
    given = {"--cases": args.cases, "--data": args.data, "--python": args.python, "--root": args.root}
    words = [(option, str(value)) for option, value in given.items() if value]
    return tuple(word for pair in words for word in pair)


def _status(ended: RunEnded) -> int:
    from judge.cli import AS_EXPECTED, FAULT, INTERRUPTED, NOT_AS_EXPECTED

    if ended.interrupted:
        return INTERRUPTED
    if ended.had_errors:
        return FAULT
    return AS_EXPECTED if ended.as_expected else NOT_AS_EXPECTED
