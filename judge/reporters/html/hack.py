"""The page about a search: each counterexample as the page about a run shows a failure, with the whole input."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from judge.hack.values import SearchResult
from judge.reporters.counterexample import (
    counterexample_facts,
    counterexample_title,
    other_lines,
    result_lines,
    summary_line,
)
from judge.reporters.escape import UNICODE, one_line
from judge.reporters.html.page import PageFile, plain_text
from judge.reporters.html.run import show_failure

if TYPE_CHECKING:  # only what is found has pictures
    from judge.reporters.pictures import Drawn


def write_hack(page: PageFile, result: SearchResult, suspect: str, record: Any, drawn: "Sequence[Drawn]" = ()) -> None:
    """Write what a search found; `record` is the report for programs, `drawn` are the pictures of what was found."""
    name = one_line(suspect, UNICODE)
    page.write(
        "hack.html",
        plain_text(lambda display: result_lines(result, suspect, display, drawn)),
        record,
        title=f"Search for a counterexample of {suspect}",
        outcome=summary_line(result, name),
        findings=result.found,
        drawn=drawn,
        title_of=partial(counterexample_title, name=name, glyphs=UNICODE),
        facts_of=partial(counterexample_facts, glyphs=UNICODE),
        show_failure=show_failure,
        lines=list(other_lines(result, name, UNICODE)),
    )
