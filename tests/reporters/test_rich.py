"""The screen: golden files at fixed widths, and laws for every width, encoding and setting."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from judge.model.events import CaseJudged, Event, Notice, RunEnded
from judge.reporters import OutputOptions, make_reporter, stream_width, supports_unicode, wants_colour
from judge.reporters.escape import width
from tests.golden_files import Encoded, Terminal, check_golden, report
from tests.report_scenarios import SCENARIOS, all_as_expected, hostile, long_names, skipped, wrong_answer


def options(columns: int = 80, *, has_colour: bool = False) -> OutputOptions:
    colour = {"FORCE_COLOR": "1"} if has_colour else {"NO_COLOR": "1"}
    return OutputOptions(environment={"TERM": "xterm", "COLUMNS": str(columns), **colour})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_screen_matches_its_golden_file(scenario: str) -> None:
    check_golden(f"rich-80/{scenario}", report("rich", SCENARIOS[scenario](), options(80)))


@pytest.mark.parametrize("columns", [40, 120])
@pytest.mark.parametrize("scenario", ["all_as_expected", "wrong_answer", "trailing_spaces", "long_line", "skipped"])
def test_a_narrow_and_a_wide_screen_match_their_golden_files(scenario: str, columns: int) -> None:
    check_golden(f"rich-{columns}/{scenario}", report("rich", SCENARIOS[scenario](), options(columns)))


@pytest.mark.parametrize("scenario", ["all_as_expected", "wrong_answer", "trailing_spaces", "wide_names", "hostile"])
def test_a_screen_that_knows_only_ascii_matches_its_golden_file(scenario: str) -> None:
    check_golden(f"rich-80-ascii/{scenario}", report("rich", SCENARIOS[scenario](), options(80), "ascii"))


@pytest.mark.parametrize("scenario", ["all_as_expected", "wrong_answer", "short_lines", "judge_error", "interrupted"])
def test_the_colours_match_their_golden_file(scenario: str) -> None:
    check_golden(f"rich-100-colour/{scenario}", report("rich", SCENARIOS[scenario](), options(100, has_colour=True)))


# ---- at every width, in every encoding ----------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252"])
@pytest.mark.parametrize("columns", [20, 79])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_raw_reaches_a_terminal(scenario: str, columns: int, encoding: str) -> None:
    for text in report("rich", SCENARIOS[scenario](), options(columns), encoding):
        assert all(character.isprintable() or character == "\n" for character in text)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_colours_change_nothing_else(scenario: str) -> None:
    plain, coloured = (report("rich", SCENARIOS[scenario](), options(100, has_colour=each)) for each in (False, True))
    for without, with_colours in zip(plain, coloured, strict=True):
        stripped = re.sub(r"\x1b\[[0-9;]*m", "", with_colours)
        assert [line.rstrip() for line in stripped.splitlines()] == without.splitlines()


@pytest.mark.parametrize("columns", [40, 80, 120, 300])
def test_only_commands_are_wider_than_the_screen(columns: int) -> None:
    for scenario in SCENARIOS.values():
        for line in report("rich", scenario(), options(columns))[0].splitlines():
            assert width(line) <= columns or line.startswith(("  rerun    judge run ", "  hack     judge hack ")), line


@pytest.mark.parametrize("columns", [40, 120])
def test_markup_in_names_is_shown_and_not_interpreted(columns: int) -> None:
    text, notice = report("rich", hostile(), options(columns, has_colour=True))
    assert "[/bold] [link=https://example.org]x" in re.sub(r"\n +", " ", text)
    assert "[red]why[/red]" in text
    assert "[bold]notice" in notice


def test_a_long_name_is_shown_whole_in_the_table() -> None:
    text, _ = report("rich", long_names(), options(60))
    lines = text.partition("solution  ")[2].splitlines()
    parts = [line.split("  ")[0] for line in lines[1 : lines.index("")]]
    assert "a_very_long_name_that_goes_on_and_on_" * 3 in "".join(parts)


# ---- colours and terminals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "is_terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_the_environment_then_the_stream_decide_about_colours(
    environment: dict[str, str], is_terminal: bool, expected: bool
) -> None:
    stream = Terminal() if is_terminal else Encoded("utf-8")
    assert wants_colour(stream, OutputOptions(environment=environment)) is expected


def test_the_width_is_that_of_columns_then_eighty() -> None:
    stream = Encoded("utf-8")
    assert stream_width(stream, OutputOptions(environment={"COLUMNS": "44"})) == 44
    assert stream_width(stream, OutputOptions(environment={"COLUMNS": "x"})) == 80


@pytest.mark.parametrize(
    ("encoding", "environment", "expected"),
    [
        ("utf-8", {}, True),
        ("ascii", {}, False),
        ("latin-1", {"LANG": "de_DE.UTF-8"}, False),
        ("utf-8", {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, False),
        ("utf-8", {"LC_ALL": "POSIX"}, False),
        ("utf-8", {"LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"}, True),
        ("utf-8", {"LC_ALL": "C", "PYTHONIOENCODING": "utf-8"}, True),
        ("utf-8", {"LC_ALL": "C", "PYTHONUTF8": "1"}, True),
    ],
)
def test_the_encoding_and_the_locale_decide_about_symbols(
    encoding: str, environment: dict[str, str], expected: bool
) -> None:
    assert supports_unicode(Encoded(encoding), environment) is expected


@pytest.mark.parametrize("name", ["rich", "plain"])
def test_skipped_data_is_reported_once(name: str) -> None:
    out, err = report(name, skipped(), options(80))
    assert (out + err).count("judge fetch euler54") == 1


def test_without_a_name_the_reporter_is_rich_on_a_terminal_and_plain_elsewhere() -> None:
    assert type(make_reporter(None, Terminal(), Terminal(), options(80))).__name__ == "ScreenReporter"
    assert type(make_reporter(None, Encoded("utf-8"), Terminal(), options(80))).__name__ == "PlainReporter"


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_progress_is_shown_only_on_a_terminal_that_can_redraw(term: str) -> None:
    stderr = Terminal()
    with make_reporter(
        "rich", Encoded("utf-8"), stderr, OutputOptions(environment={"TERM": term, "NO_COLOR": "1"})
    ) as reporter:
        for event in all_as_expected():
            reporter.handle(event)
    assert ("\x1b[?25l" in stderr.getvalue()) == (term == "xterm")


def test_progress_never_goes_to_standard_output() -> None:
    stdout, stderr = Terminal(), Terminal()
    with make_reporter("rich", stdout, stderr, options(80)) as reporter:
        for event in all_as_expected():
            reporter.handle(event)
    assert "\x1b" not in stdout.getvalue()
    assert "/30" in stderr.getvalue()


def until(events: list[Event], count: int) -> list[Event]:
    """Return the events up to the given number of judged cases."""
    judged = [index for index, event in enumerate(events) if isinstance(event, CaseJudged)]
    return events[: judged[count] + 1]


def show_and_raise(stderr: Terminal, error: type[BaseException]) -> None:
    with make_reporter("rich", Encoded("utf-8"), stderr, options(80)) as reporter:
        for event in until(all_as_expected(), 7):
            reporter.handle(event)
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError, BrokenPipeError])
def test_the_cursor_is_shown_and_the_line_removed_after_any_exit(error: type[BaseException]) -> None:
    stderr = Terminal()
    with pytest.raises(error):
        show_and_raise(stderr, error)
    last_shown, last_hidden = stderr.getvalue().rfind("\x1b[?25h"), stderr.getvalue().rfind("\x1b[?25l")
    assert last_shown > last_hidden > -1
    assert stderr.getvalue().endswith("\x1b[2K")  # erasing the line is the last output


def test_the_progress_line_is_removed_before_a_notice() -> None:
    stderr = Terminal()
    with make_reporter("rich", Encoded("utf-8"), stderr, options(80)) as reporter:
        for event in until(all_as_expected(), 7):
            reporter.handle(event)
        reporter.handle(Notice(text="look here"))
    before = stderr.getvalue().partition("note: look here\n")[0]
    assert before.endswith("\x1b[2K")


SCRIPT = """
import sys
from judge.reporters import make_reporter
from tests.report_scenarios import SCENARIOS
with make_reporter(None, sys.stdout, sys.stderr) as reporter:
    for number, event in enumerate(SCENARIOS["wrong_answer"]()):
        reporter.handle(event)
        if sys.argv[1] == "interrupt" and number == 3:
            raise KeyboardInterrupt
"""


@pytest.mark.parametrize("end", ["interrupt", "well"])
def test_a_real_terminal_is_restored(end: str) -> None:
    ours, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", SCRIPT, end]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = read_all(ours)
    os.close(ours)
    assert (process.returncode == 0) == (end == "well")
    assert shown.rfind(b"\x1b[?25h") > shown.rfind(b"\x1b[?25l") > -1
    assert (b"full-house" in shown) == (end == "well")


def read_all(descriptor: int) -> bytes:
    """Read until the other side of a terminal is closed; Linux says so with EIO."""
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(descriptor, 65536)
        except OSError:
            part = b""
        if not part:
            return b"".join(parts)
        parts.append(part)


# ---- content --------------------------------------------------------------------------------------------------------


def test_a_command_is_on_one_line_at_every_width() -> None:
    text, _ = report("rich", wrong_answer(), options(40))
    assert "  rerun    judge run solutions/uva131/accepted/keeps_pairs.py --case sample/second" in text.splitlines()


def test_skipped_data_is_reported_with_the_command_that_downloads_it() -> None:
    assert "`judge fetch euler54` gets it" in report("rich", skipped(), options(80))[0]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_unexpected_solution_has_its_own_block(scenario: str) -> None:
    events = SCENARIOS[scenario]()
    (end,) = [event for event in events if isinstance(event, RunEnded)]
    lines = report("rich", events, options(120))[0].splitlines()
    assert sum(line.startswith("✗ ") and " in 1.25 s" not in line for line in lines) == end.unexpected


@pytest.mark.parametrize(
    ("name", "expected"), [("plain", "False"), ("json", "False"), ("jsonl", "False"), ("rich", "True")]
)
def test_only_the_reporter_for_terminals_loads_rich(name: str, expected: str) -> None:
    script = (
        "import sys; from judge.reporters import make_reporter; "
        f"make_reporter({name!r}, sys.stdout, sys.stderr); print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{expected}\n"
