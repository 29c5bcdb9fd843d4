"""The live line: it fits every width, and its numbers are right."""

from hypothesis import given
from hypothesis import strategies as st

from judge.events import CaseJudged, Event, Preparing, RunBegan
from judge.model import Level
from judge.reporters.escape import ASCII, UNICODE, Glyphs, width
from judge.reporters.lines import text_of
from judge.reporters.progress import Progress, bar_spans
from tests.report_scenarios import SCENARIOS, all_as_expected, problem

MARKS = st.sampled_from([UNICODE, ASCII])


def after(events: list[Event], marks: Glyphs = UNICODE, *, clock: float = 0.0) -> Progress:
    progress = Progress(marks=marks)
    for event in events:
        progress.listen(event, clock)
    return progress


@given(st.sampled_from(sorted(SCENARIOS)), MARKS, st.integers(20, 200), st.floats(0, 1e5))
def test_the_line_fits(scenario: str, marks: Glyphs, columns: int, clock: float) -> None:
    shown = text_of(after(SCENARIOS[scenario](), marks).line(clock, columns))
    assert width(shown) <= columns
    assert shown.isprintable()
    assert shown.isascii() or not marks.ascii_only


def test_it_says_what_is_running_how_much_is_done_how_fast_and_how_long_it_will_take() -> None:
    events = all_as_expected()
    judged = [index for index, event in enumerate(events) if isinstance(event, CaseJudged)]
    shown = text_of(after(events[: judged[7] + 1]).line(2.0, 100))
    assert "uva131 accepted/try_all.py" in shown
    assert shown.endswith("8/30  4.0/s  0:06 left")


def test_narrow_screens_lose_the_bar_first_and_the_count_last() -> None:
    progress = after(all_as_expected()[:-20])
    texts = [text_of(progress.line(1.0, columns)) for columns in (100, 60, 36, 24)]
    assert ["─" in text for text in texts] == [True, False, False, False]
    assert ["left" in text for text in texts] == [True, True, False, False]
    assert all("/30" in text for text in texts)


def test_test_data_being_made_is_shown() -> None:
    shown = text_of(
        after([RunBegan(runs=5, workers=2, level=Level.FULL), Preparing(problem=problem(), done=3, total=12)]).line(
            0.0, 80
        )
    )
    assert "uva131 making test data 3/12" in shown


def test_inputs_being_generated_are_counted_down() -> None:
    progress = after([Preparing(problem=problem(), done=0, total=2000, inputs_left=1234)])
    assert "uva131 making inputs, 1,234 left" in text_of(progress.line(0.0, 80))


@given(st.floats(-1, 2), st.integers(1, 40), MARKS)
def test_a_bar_has_the_width_that_was_asked_for(share: float, columns: int, marks: Glyphs) -> None:
    assert width(text_of(bar_spans(share, columns, marks))) == columns
