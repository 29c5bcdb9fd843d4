"""What people and programs see of a run: each reporter is a plain consumer of `events.Event` values.

A new reporter is one file and one row of `REPORTERS`. Reporters write only to the streams that they are given, and
import what they need when they are made: `rich` is not loaded for a log.
"""

from collections.abc import Callable
from typing import TextIO

from judge.reporters.reporter import OutputOptions, Reporter

__all__ = ["REPORTERS", "Factory", "OutputOptions", "Reporter", "make_reporter"]

Factory = Callable[[TextIO, TextIO, OutputOptions], Reporter]
"""Makes a reporter from the streams for results and for progress and notices."""


def _rich(stdout: TextIO, stderr: TextIO, options: OutputOptions) -> Reporter:
    from judge.reporters.screen import ScreenReporter

    return ScreenReporter(stdout, stderr, options)


def _plain(stdout: TextIO, stderr: TextIO, options: OutputOptions) -> Reporter:
    from judge.reporters.plain import PlainReporter

    return PlainReporter(stdout, stderr, options)


def _json(stdout: TextIO, stderr: TextIO, options: OutputOptions) -> Reporter:
    from judge.reporters.json_report import JsonReporter

    return JsonReporter(stdout, stderr, options)


def _jsonl(stdout: TextIO, stderr: TextIO, options: OutputOptions) -> Reporter:
    from judge.reporters.json_report import JsonLinesReporter

    return JsonLinesReporter(stdout, stderr, options)


REPORTERS: dict[str, Factory] = {
    "rich": _rich,
    "plain": _plain,
    "json": _json,
    "jsonl": _jsonl,
}


def make_reporter(name: str | None, stdout: TextIO, stderr: TextIO, options: OutputOptions | None = None) -> Reporter:
    """Make a reporter; without a name it is `rich` on a terminal, `plain` in pipes, files and logs."""
    chosen = name or ("rich" if stdout.isatty() else "plain")
    return REPORTERS[chosen](stdout, stderr, options or OutputOptions())
