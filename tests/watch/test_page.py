"""The page of a watch: it fills every window exactly, whatever stands on it."""

import pytest
from rich.console import Console

from judge.model.events import Notice, RunEnded, SolutionJudged
from judge.reporters.escape import ASCII, UNICODE, Glyphs, width
from judge.reporters.watch import KEYS, Page, describe_changes, render_page
from judge.watch.view import Batch, Status
from tests.report_scenarios import SCENARIOS


def page(scenario: str, *, judging: str = "") -> Page:
    """Return the page after the events of a scenario."""
    events = list(SCENARIOS[scenario]())
    results = [(event.problem, event.result) for event in events if isinstance(event, SolutionJudged)]
    ended = next((event for event in events if isinstance(event, RunEnded)), None)
    notices = [event for event in events if isinstance(event, Notice)]
    good = all(result.as_expected for _, result in results)
    return Page(
        heading="all problems, inotify",
        keys=KEYS,
        status=Status(results=results, as_expected=good),
        changes="changed: solutions/p/accepted/a-file-with-quite-a-long-name-that-fits-no-screen-at-all.py",
        clock="12:00:00",
        current=judging,
        notices=notices,
        ended=ended,
    )


def rows_of(page: Page, columns: int, rows: int, glyphs: Glyphs = UNICODE) -> list[str]:
    """Return the text of each row of the screen."""
    console = Console(width=columns, height=rows)
    return [line.rstrip(" ") for line in render_page(page, console, glyphs).plain.split("\n")]


@pytest.mark.parametrize("glyphs", [ASCII, UNICODE])
@pytest.mark.parametrize("size", [(20, 5), (40, 12), (80, 24), (200, 60), (80, 1)])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_there_are_as_many_lines_as_rows_and_the_keys_are_the_last(
    scenario: str, size: tuple[int, int], glyphs: Glyphs
) -> None:
    shown = rows_of(page(scenario), *size, glyphs)
    assert len(shown) == max(size[1], 2)
    assert shown[-1] == KEYS


@pytest.mark.parametrize("judging", ["", "sums accepted/a.py  12/49"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_stands_at_the_top_fits_the_width(scenario: str, judging: str) -> None:
    assert all(width(line) <= 40 for line in rows_of(page(scenario, judging=judging), 40, 24)[:3])


def test_a_surprise_has_its_line_and_below_that_its_block() -> None:
    shown = rows_of(page("wrong_answer"), 80, 40)
    bad = next(number for number, text in enumerate(shown) if number > 1 and text.startswith("✗"))
    block = next(number for number, text in enumerate(shown) if text.startswith("  verdict"))
    assert bad < block


def test_what_happened_is_said_once_for_each_name() -> None:
    batch = Batch(edited=["a.py", "b.py"], new=["b.py"], gone=["c.py", "d.py", "e.py", "f.py"])
    assert describe_changes(batch) == ["changed: a.py", "added: b.py", "removed: c.py, d.py, e.py and 1 more"]


def test_a_standing_counts_no_old_result() -> None:
    results = page("all_as_expected").status.results
    stale = frozenset({results[0][1].solution.display_path})
    status = Status(results=results, waiting=1, stale=stale)
    good = len([1 for _, result in results if result.solution.display_path not in stale])
    assert status.headline().startswith(f"{good:,} of {good + 1:,} solution")
    assert "1 pending" in status.headline()
