"""Reporters show the events of a run to people and programs; they write only to the streams that they are given.

To add a reporter, write a module and add a case to `make_reporter`. Modules are imported when they are needed, so that
only the reporter for terminals loads `rich`.
"""

from typing import TextIO

from judge.reporters.reporter import OutputOptions, Reporter

__all__ = ["OutputOptions", "Reporter", "default_format", "make_reporter"]


def default_format(stdout: TextIO, options: OutputOptions) -> str:
    """Return `rich` for a terminal, `github` in GitHub Actions, and `plain` for any other stream."""
    if stdout.isatty():
        return "rich"
    return "github" if options.environment.get("GITHUB_ACTIONS") == "true" else "plain"


def make_reporter(name: str | None, stdout: TextIO, stderr: TextIO, options: OutputOptions | None = None) -> Reporter:
    """Make a reporter; without a name, the one that fits the stream."""
    options = options or OutputOptions()
    match name or default_format(stdout, options):
        case "rich":
            from judge.reporters.screen import ScreenReporter

            return ScreenReporter(stdout, stderr, options)
        case "plain":
            from judge.reporters.plain import PlainReporter

            return PlainReporter(stdout, stderr, options)
        case "json":
            from judge.reporters.json_report import JsonReporter

            return JsonReporter(stdout, stderr, options)
        case "jsonl":
            from judge.reporters.json_report import JsonLinesReporter

            return JsonLinesReporter(stdout, stderr, options)
        case "github":
            from judge.reporters.github import GitHubReporter

            return GitHubReporter(stdout, stderr, options)
        case unknown:
            raise ValueError(f"no reporter {unknown}")
