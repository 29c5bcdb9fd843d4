"""The progress line: it fits every width, and its numbers are right."""

from hypothesis import given
from hypothesis import strategies as st

from judge.events import CaseJudged, Compiling, Event, Preparing, RunBegan
from judge.model import Level
from judge.reporters.escape import ASCII, UNICODE, Glyphs, width
from judge.reporters.lines import line_text
from judge.reporters.progress import Progress, bar_spans
from judge.units import Seconds
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
    shown = line_text(after(events[: judged[7] + 1]).line(2.0, 100))
    assert "uva131 accepted/try_all.py" in shown
    assert shown.endswith("8/30  4.0/s  0:06 left")


def test_narrow_screens_drop_the_bar_first_and_the_count_last() -> None:
    progress = after(all_as_expected()[:-20])
    texts = [line_text(progress.line(1.0, columns)) for columns in (100, 60, 36, 24)]
    assert ["─" in text for text in texts] == [True, False, False, False]
    assert ["left" in text for text in texts] == [True, True, False, False]
    assert all("/30" in text for text in texts)


def test_the_preparation_of_test_data_is_shown() -> None:
    shown = line_text(
        after([RunBegan(runs=5, workers=2, level=Level.FULL), Preparing(problem=problem(), done=3, total=12)]).line(
            0.0, 80
        )
    )
    assert "uva131 preparing test data 3/12" in shown


def test_a_solution_that_takes_long_to_compile_is_shown() -> None:
    which = problem()
    compiling = Compiling(problem=which, solution=solution(which, "accepted/slow.cpp"), elapsed=Seconds(12.3))
    assert "uva131 compiling slow.cpp, 12 s" in line_text(after([compiling]).line(0.0, 80))


def test_the_inputs_that_are_left_to_generate_are_shown() -> None:
    progress = after([Preparing(problem=problem(), done=0, total=2000, inputs_left=1234)])
    assert "uva131 generating inputs, 1,234 left" in line_text(progress.line(0.0, 80))


@given(st.floats(-1, 2), st.integers(1, 40), GLYPHS)
def test_a_bar_has_the_requested_width(share: float, columns: int, glyphs: Glyphs) -> None:
    assert width(line_text(bar_spans(share, columns, glyphs))) == columns
