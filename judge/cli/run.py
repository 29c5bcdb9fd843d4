"""`judge run`: choose what to judge, have it judged, report it."""

import argparse
import sys
from collections.abc import Mapping
from contextlib import closing

from judge.cli import AS_EXPECTED, FAULT, INTERRUPTED, NOT_AS_EXPECTED
from judge.cli.narrow import narrowed, nothing_left
from judge.cli.overrides import words_of_overrides
from judge.cli.select import Chosen, select
from judge.cli.workspace import cache_of, workshop
from judge.errors import DataError
from judge.events import Notice, RunEnded
from judge.executors import LocalExecutor
from judge.languages.interpreters import find_interpreter
from judge.preparation.cases import DataStore
from judge.units import Seconds

_FOR_PROGRAMS = ("json", "jsonl")


def run_command(args: argparse.Namespace) -> int:
    """Carry out `judge run`; return the exit status."""
    chosen = narrowed(select(args), args)
    if not chosen.selections:
        if chosen.diagnostics:
            raise DataError(chosen.diagnostics)
        print(nothing_left(args), file=sys.stderr)
        if args.format in _FOR_PROGRAMS:
            _report_nothing(args.format)
        return AS_EXPECTED
    tools = {"python": find_interpreter(args.python).path} if args.python else {}
    with workshop(args, chosen.root) as (executor, store):
        return _status(_judged(args, chosen, executor, store, tools))


def _judged(
    args: argparse.Namespace, chosen: Chosen, executor: LocalExecutor, store: DataStore, tools: Mapping[str, str]
) -> RunEnded:
    from judge.history.history import History
    from judge.history.recorder import Recorder
    from judge.history.results import ResultStore
    from judge.reporters import make_reporter
    from judge.runner import RunOptions, run

    with (
        closing(ResultStore(cache_of(chosen.root) / "results.sqlite")) as results,
        closing(History(cache_of(chosen.root) / "history.sqlite")) as history,
        closing(Recorder(history, chosen.root, _asked(args))) as recorder,
    ):
        ended: RunEnded | None = None
        options = RunOptions(
            store=store,
            fail_fast=args.fail_fast,
            results=results,
            fresh=args.fresh,
            tools=tools,
            diagnostics=chosen.diagnostics,
            words=words_of(args),
        )
        with make_reporter(args.format, sys.stdout, sys.stderr) as reporter:
            for event in run(chosen.selections, executor, options):
                recorder.handle(event)
                if isinstance(event, RunEnded) and history.warning:
                    reporter.handle(Notice(text=history.warning))
                reporter.handle(event)
                if isinstance(event, RunEnded):
                    ended = event
    assert ended is not None
    return ended


def _report_nothing(kind: str) -> None:
    """Write a report in which nothing was judged: who reads it asked for one."""
    from judge.reporters import make_reporter

    with make_reporter(kind, sys.stdout, sys.stderr) as reporter:
        reporter.handle(RunEnded(solutions=0, surprises=0, runs=0, as_expected=True, had_errors=False, wall=Seconds(0)))


def words_of(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the options that a command which judges a part again needs too."""
    given = {"--cases": args.cases, "--data": args.data, "--python": args.python, "--root": args.root}
    given |= words_of_overrides(args)
    words = [(option, str(value)) for option, value in given.items() if value]
    return tuple(word for pair in words for word in pair)


def _asked(args: argparse.Namespace) -> list[str]:
    """Return what stood on the command line and decides what is judged, for the history."""
    repeated = {"--solution": args.solution, "--case": args.case, "--group": args.group}
    words = [word for option, values in repeated.items() for value in values for word in (option, str(value))]
    return [*args.targets, *words, *words_of(args)]


def _status(ended: RunEnded) -> int:
    if ended.interrupted:
        return INTERRUPTED
    if ended.had_errors:
        return FAULT
    return AS_EXPECTED if ended.as_expected else NOT_AS_EXPECTED
