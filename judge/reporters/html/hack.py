"""The page about a search: each counterexample as the page about a run shows a failure, with the whole input."""

from typing import Any

from msgspec import Struct

from judge.hack.values import Counterexample, SearchResult
from judge.reporters.counterexample import (
    counterexample_facts,
    counterexample_title,
    other_lines,
    result_lines,
    summary_line,
)
from judge.reporters.escape import UNICODE, one_line
from judge.reporters.html.page import PageFile, Report, plain_text
from judge.reporters.html.run import ShownFailure, show_failure
from judge.reporters.lines import Line


class _Finding(Struct, frozen=True, kw_only=True):
    title: Line
    shown: ShownFailure
    facts: list[Line]
    texts: list[tuple[str, str]]


def write_hack(page: PageFile, result: SearchResult, suspect: str, record: Any) -> None:
    """Write what a search found; `record` is the report for programs."""
    name = one_line(suspect, UNICODE)
    page.write(
        "hack.html",
        Report(text=plain_text(lambda display: result_lines(result, suspect, display)), record=record),
        title=f"Search for a counterexample of {suspect}",
        outcome=summary_line(result, name),
        findings=[_finding(each, name) for each in result.found],
        lines=list(other_lines(result, name, UNICODE)),
    )


def _finding(found: Counterexample, name: str) -> _Finding:
    texts = {"Input": found.input, "Expected": found.expected, "Output": found.output}
    return _Finding(
        title=counterexample_title(found, name, UNICODE),
        shown=show_failure(found.result),
        facts=list(counterexample_facts(found, UNICODE)),
        texts=[(label, text.decode(errors="backslashreplace")) for label, text in texts.items() if text is not None],
    )
