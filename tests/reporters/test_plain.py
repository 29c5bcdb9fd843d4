"""The reporter for logs: whole lines that a search can find, the same on every stream."""

import io

import pytest

from judge.model.events import RunEnded, SolutionJudged
from judge.reporters import OutputOptions, make_reporter
from tests.golden_files import Terminal, check_golden, report
from tests.report_scenarios import SCENARIOS, long_line, long_names, wrong_answer

OPTIONS = OutputOptions(environment={})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_log_matches_its_golden_file(scenario: str) -> None:
    check_golden(f"plain/{scenario}", report("plain", SCENARIOS[scenario](), OPTIONS))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_raw_reaches_a_log(scenario: str, encoding: str) -> None:
    for text in report("plain", SCENARIOS[scenario](), OPTIONS, encoding):
        assert all(character.isprintable() or character == "\n" for character in text)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_width_colour_and_terminal_change_nothing(scenario: str) -> None:
    stdout = Terminal()
    forced = OutputOptions(environment={"FORCE_COLOR": "1", "COLUMNS": "30"})
    with make_reporter("plain", stdout, io.StringIO(), forced) as reporter:
        for event in SCENARIOS[scenario]():
            reporter.handle(event)
    assert stdout.getvalue() == report("plain", SCENARIOS[scenario](), OPTIONS)[0]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_solution_has_one_line_with_its_status(scenario: str) -> None:
    events = SCENARIOS[scenario]()
    lines = report("plain", events, OPTIONS)[0].splitlines()
    judged = [event.result for event in events if isinstance(event, SolutionJudged)]
    (end,) = [event for event in events if isinstance(event, RunEnded)]
    assert sum(
        line.startswith(("  ok  ", "  undecided ", "  skipped  ", "  not judged  ", "  failed  ", "  UNEXPECTED  "))
        and " passed" in line
        for line in lines
    ) == len(judged)
    bad = ("  failed  ", "  UNEXPECTED  ")
    assert sum(line.startswith(bad) and " passed" in line for line in lines) == end.unexpected


def test_a_line_is_written_as_soon_as_a_solution_is_judged() -> None:
    stdout = io.StringIO()
    events = wrong_answer()
    with make_reporter("plain", stdout, io.StringIO(), OPTIONS) as reporter:
        for event in events:
            reporter.handle(event)
            if isinstance(event, SolutionJudged):
                assert "UNEXPECTED  solutions/uva131/accepted/keeps_pairs.py" in stdout.getvalue().splitlines()[-1]


def test_nothing_is_cut_or_broken() -> None:
    assert " 108 109 ..." in report("plain", long_line(), OPTIONS)[0]
    assert "word " * 39 + "word\n" in report("plain", long_names(), OPTIONS)[0]
