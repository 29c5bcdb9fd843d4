"""What `judge stress` and `judge hack` share: options, the report, and the exit status."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.commands import options as shared
from judge.commands.status import ExitStatus
from judge.errors import UsageError
from judge.units import Seconds

if TYPE_CHECKING:  # imported when a search runs: help and completion need none of it
    from judge.search.values import Counterexample, Progress, SearchOptions, SearchResult

_LOG_INTERVAL_S = 5.0  # between two lines of progress in a log
_MAX_FINDINGS = 100
_MAX_SEED = 2**31


class SearchArguments(Struct, frozen=True, kw_only=True):
    """How to search, and how to report.

    Attributes:
        keeps: write what is found.
    """

    budget: Seconds
    findings: int
    seed: int
    is_for_slowest: bool
    keeps: bool
    format: str

    def search_options(self) -> "SearchOptions":
        """Return the options of the search."""
        from judge.search.values import Goal, SearchOptions

        return SearchOptions(
            budget=self.budget,
            findings=self.findings,
            seed=self.seed,
            goal=Goal.SLOWEST if self.is_for_slowest else Goal.FAILURE,
        )


def add_search(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a search."""
    parser.add_argument("--time", default="10", metavar="TIME", help="how long to search (default: 10 s)")
    parser.add_argument(
        "--findings", type=int, default=1, metavar="N", help="stop after so many distinct failures (default: 1)"
    )
    parser.add_argument(
        "--slowest", action="store_true", help="look for the input that takes the most CPU time instead"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="propose other inputs (default: 1)")
    shared.add_format(parser)


def search_from(args: argparse.Namespace) -> SearchArguments:
    """Return what `add_search` parsed.

    Raises:
        UsageError: a number is out of range.
    """
    if not 1 <= args.findings <= _MAX_FINDINGS:
        raise UsageError(f"--findings {args.findings}: expected a number from 1 to {_MAX_FINDINGS}")
    if not 0 <= args.seed < _MAX_SEED:
        raise UsageError(f"--seed {args.seed}: expected a number from 0 to {_MAX_SEED - 1}")
    return SearchArguments(
        budget=shared.parse_time("--time", args.time),
        findings=args.findings,
        seed=args.seed,
        is_for_slowest=args.slowest,
        keeps=args.keep,
        format=args.format,
    )


@contextmanager
def show_search_progress() -> "Iterator[Callable[[Progress], None]]":
    """Yield what shows how far a search is, on standard error; leaving the context removes it."""
    from judge.reporters.counterexample import describe_progress
    from judge.reporters.status_line import StatusLine

    with StatusLine(sys.stderr, _LOG_INTERVAL_S) as line:
        yield lambda progress: line.show(lambda: describe_progress(progress))


def report_result(result: "SearchResult", suspect: str, arguments: SearchArguments) -> ExitStatus:
    """Print what was found; return the exit status."""
    if arguments.format == "json":
        json.dump(to_json(result), sys.stdout, indent=1)
        print()
    else:
        _print_text(result, suspect)
    if result.found:
        return ExitStatus.FAILURE
    if any(each.is_certain for each in result.disagreements):
        return ExitStatus.ERROR
    return ExitStatus.INTERRUPTED if result.was_interrupted else ExitStatus.SUCCESS


def _print_text(result: "SearchResult", suspect: str) -> None:
    from judge.reporters import OutputOptions, can_redraw, log_glyphs, stream_width
    from judge.reporters.counterexample import result_lines
    from judge.reporters.lines import DisplayOptions, line_text

    options = OutputOptions()
    if can_redraw(sys.stdout, options):
        from judge.reporters.canvas import Canvas

        canvas = Canvas(sys.stdout, options)
        canvas.write(*result_lines(result, suspect, canvas.display))
        return
    width = stream_width(sys.stdout, options) if sys.stdout.isatty() else None
    display = DisplayOptions(width=width, glyphs=log_glyphs(sys.stdout))
    for line in result_lines(result, suspect, display):
        print(line_text(line))


def to_json(result: "SearchResult") -> dict[str, object]:
    """Return the report for programs."""
    first = result.found[0] if result.found else None
    return {
        "version": 1,
        "found": bool(result.found),
        **_counterexample_to_json(first),
        "findings": [_counterexample_to_json(each) for each in result.found],
        "disagreements": [
            {
                "input": _text(each.input),
                "programs": list(each.names),
                "outputs": list(map(_text, each.outputs)),
                "is_certain": each.is_certain,
            }
            for each in result.disagreements
        ],
        "slowest": result.slowest
        and {
            "input": _text(result.slowest.input),
            "cpu_s": result.slowest.cpu,
            "memory_bytes": result.slowest.memory,
            "strategy": result.slowest.strategy,
        },
        "inputs": result.inputs,
        "rejected": result.rejected,
        "runs": result.runs,
        "seconds": round(result.seconds, 3),
        "seed": result.seed,
        "notes": list(result.faults),
    }


def _counterexample_to_json(found: "Counterexample | None") -> dict[str, object]:
    if found is None:
        return {"verdict": None, "input": None, "expected": None, "output": None, "tokens": None}
    return {
        "verdict": found.kind.verdict.value,
        "reason": found.result.reason,
        "input": _text(found.input),
        "expected": None if found.expected is None else _text(found.expected),
        "output": _text(found.output),
        "tokens": found.tokens,
        "strategy": found.strategy,
        "is_confirmed": found.is_cold,
    }


def _text(data: bytes) -> str:
    """Return bytes as text; those that are not UTF-8 as escapes."""
    return data.decode(errors="backslashreplace")
