"""The progress line: it fits every width, and its numbers are right."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.model.events import CaseJudged, Compiling, Event, Preparing
from judge.reporters import OutputOptions, Verbosity, make_reporter
from judge.reporters import progress as module
from judge.reporters.escape import ASCII, UNICODE, Glyphs, width
from judge.reporters.lines import Line, line_text
from judge.reporters.progress import Progress, RunProgress, bar_spans
from tests.golden_files import Terminal
from tests.report_scenarios import SCENARIOS, all_as_expected, problem, solution

GLYPHS = st.sampled_from([UNICODE, ASCII])


def after(events: list[Event], glyphs: Glyphs = UNICODE, *, clock: float = 0.0) -> Progress:
    progress = Progress(glyphs=glyphs)
    for event in events:
        progress.handle(event, clock)
    return progress


@given(st.sampled_from(sorted(SCENARIOS)), GLYPHS, st.integers(20, 200), st.floats(0, 1e5))
def test_the_line_fits(scenario: str, glyphs: Glyphs, columns: int, clock: float) -> None:
    shown = line_text(after(SCENARIOS[scenario](), glyphs).line(clock, columns))
    assert width(shown) <= columns
    assert shown.isprintable()
    assert shown.isascii() or not glyphs.ascii_only


def test_the_line_shows_the_solution_the_count_the_speed_and_the_time_left() -> None:
    events = all_as_expected()
    judged = [index for index, event in enumerate(events) if isinstance(event, CaseJudged)]
    shown = line_text(after(events[: judged[11] + 1]).line(3.0, 100))
    assert "uva131 " in shown
    assert shown.endswith("12/30  4.0/s  0:04 left")


def test_the_first_runs_which_wait_for_compilers_say_nothing_about_the_time_left() -> None:
    events = all_as_expected()
    judged = [index for index, event in enumerate(events) if isinstance(event, CaseJudged)]
    assert line_text(after(events[: judged[7] + 1]).line(2.0, 100)).endswith("8/30")


def test_narrow_screens_drop_the_bar_first_and_the_count_last() -> None:
    progress = after(all_as_expected()[:-20])
    texts = [line_text(progress.line(1.0, columns)) for columns in (100, 60, 36, 24)]
    assert ["─" in text for text in texts] == [True, False, False, False]
    assert ["left" in text for text in texts] == [True, True, False, False]
    assert all("/30" in text for text in texts)


def test_the_preparation_of_test_data_is_shown() -> None:
    preparing = Preparing(problem=problem(), done=3, total=12)
    assert "uva131 preparing test data 3/12" in line_text(after([preparing]).line(0.0, 80))
    generating = replace(preparing, inputs_left=1234)
    assert "uva131 generating inputs, 1,234 left" in line_text(after([generating]).line(0.0, 80))


def test_a_solution_that_takes_long_to_compile_is_shown() -> None:
    which = problem()
    compiling = Compiling(problem=which, solution=solution(which, "accepted/slow.cpp"), elapsed=Seconds(12.3))
    assert "uva131 compiling slow.cpp, 12 s" in line_text(after([compiling]).line(0.0, 80))

    events = all_as_expected()
    first = next(index for index, event in enumerate(events) if isinstance(event, CaseJudged))
    assert "compiling" in line_text(after([*events[:first], compiling]).line(0.0, 80))
    assert "compiling" not in line_text(after([*events[:first], compiling, events[first]]).line(0.0, 80))


@given(st.floats(-1, 2), st.integers(1, 40), GLYPHS)
def test_a_bar_has_the_requested_width(share: float, columns: int, glyphs: Glyphs) -> None:
    assert width(line_text(Line(bar_spans(share, columns, glyphs)))) == columns


# ---- in a log ------------------------------------------------------------------------------------------------------


def log_of(events: list[Event], seconds_per_case: float) -> list[str]:
    """Return what a log says while cases take so long."""
    stream, now = io.StringIO(), 0.0
    log = RunProgress(stream, OutputOptions(environment={}), clock=lambda: now)
    for event in events:
        if isinstance(event, CaseJudged):
            now += seconds_per_case
        log.handle(event)
    return stream.getvalue().splitlines()


def test_a_log_has_a_line_every_five_seconds_and_none_for_a_short_run() -> None:
    assert log_of(all_as_expected(), 0.1) == []
    lines = log_of(all_as_expected(), 2)
    assert lines[0] == "running 3/30: uva131 accepted/packed_ranks.py"
    assert lines[3] == "running 12/30, about 35 s left: uva131 compile_error/python_two.py"
    assert [re.split("[,:]", line)[0] for line in lines if line.startswith("running")][:-1] == [
        f"running {number}/30" for number in range(3, 30, 3)
    ]
    assert lines[-1] == "running 30/30: uva131 wrong_answer/no_low_ace.py"


def test_a_long_run_announces_once_how_long_it_takes() -> None:
    announced = "note: these 30 cases take about 1 min; later runs judge only what changed"
    assert [line for line in log_of(all_as_expected(), 2) if not line.startswith("running")] == [announced]
    assert all(line.startswith("running") for line in log_of(all_as_expected(), 0.9))


def test_results_from_the_cache_do_not_count_for_the_speed() -> None:
    case = next(event for event in all_as_expected() if isinstance(event, CaseJudged))
    cached = replace(case, result=replace(case.result, is_cached=True))
    progress = Progress(glyphs=ASCII, total=1000, start=0.0)
    for _ in range(900):
        progress.handle(cached, 1.0)
    for _ in range(50):
        progress.handle(case, 50.0)
    assert progress.seconds_left(50.0) == 50
    assert "1.0/s  0:50 left" in line_text(progress.line(50.0, 80))


@pytest.mark.parametrize("name", ["plain", "rich", "json", "jsonl"])
@pytest.mark.parametrize("verbosity", [Verbosity.NORMAL, Verbosity.QUIET])
@pytest.mark.parametrize("is_terminal", [True, False])
def test_who_gets_progress(name: str, verbosity: Verbosity, is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOG_INTERVAL_S", 0)
    stdout, stderr = io.StringIO(), Terminal() if is_terminal else io.StringIO()
    options = OutputOptions(verbosity=verbosity, environment={"TERM": "dumb"})
    with make_reporter(name, stdout, stderr, options) as reporter:
        for event in all_as_expected():
            reporter.handle(event)
    is_expected = verbosity is Verbosity.NORMAL and (is_terminal or name in ("plain", "rich"))
    assert ("running 8/30" in stderr.getvalue()) == is_expected
    assert "running" not in stdout.getvalue()
