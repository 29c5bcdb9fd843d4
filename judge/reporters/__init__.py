"""Reporters show the events of a run to people and programs; they write only to the streams that they are given.

To add a reporter, write a module and add a row to `REPORTERS`. Modules are imported when they are needed, so that only
the reporter for terminals loads `rich`.
"""

from collections.abc import Callable
from typing import TextIO

from judge.reporters.reporter import OutputOptions, Reporter

__all__ = ["REPORTERS", "Factory", "OutputOptions", "Reporter", "make_reporter"]

Factory = Callable[[TextIO, TextIO, OutputOptions], Reporter]
"""Makes a reporter from the stream for results and the stream for progress and notices."""


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


REPORTERS: dict[str, Factory] = {"rich": _rich, "plain": _plain, "json": _json, "jsonl": _jsonl}


def make_reporter(name: str | None, stdout: TextIO, stderr: TextIO, options: OutputOptions | None = None) -> Reporter:
    """Make a reporter; without a name, `rich` for a terminal and `plain` for any other stream."""
    chosen = name or ("rich" if stdout.isatty() else "plain")
    return REPORTERS[chosen](stdout, stderr, options or OutputOptions())
