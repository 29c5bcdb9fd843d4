"""Pages: whatever programs print stays text, the report that a page holds is the one that is printed, and sizes."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from platform import python_version
from typing import Any

import pytest
from markupsafe import escape

from judge.base.errors import UsageError
from judge.cli.main import run_cli
from judge.model import CaseResult, RunResult
from judge.model.events import Event, RunEnded, SolutionJudged
from judge.reporters import OutputOptions
from judge.reporters.html.page import PageFile, Report, code, read_page, render, shown_text
from judge.reporters.html.run import HtmlReporter
from tests.golden_files import report
from tests.report_scenarios import (
    SCENARIOS,
    accepted,
    hostile,
    interrupted,
    judged,
    problem,
    problem_events,
    run,
    solution,
    wrong_answer,
)

OPTIONS = OutputOptions(environment={})


def write_page(folder: Path, events: Sequence[Event]) -> Path:
    """Write the page about a run."""
    path = folder / "run.html"
    with HtmlReporter(PageFile(path, ("judge", "run", "a b.py"))) as reporter:
        for event in events:
            reporter.handle(event)
    return path


class Elements(HTMLParser):
    """The names of the elements of a page, and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.text += data


KNOWN = frozenset(
    re.findall(
        r"\w+",
        "html head meta link title style body header main footer section div h1 h2 h3 p span code pre br a "
        "dl dt dd table thead tbody tr th td svg rect details summary label input mark script",
    )
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_page_has_its_own_elements_only_and_holds_what_is_printed(scenario: str, tmp_path: Path) -> None:
    events = SCENARIOS[scenario]()
    path = write_page(tmp_path, events)
    elements = Elements(path.read_text(encoding="utf-8"))
    assert elements.names <= KNOWN
    assert not [name for name in elements.attributes if name.startswith("on") or name in ("style", "src")]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", elements.text)
    held = read_page(path)
    assert held.record == json.loads(report("json", events, OPTIONS, "ascii")[0])
    assert held.text == report("plain", events, OPTIONS)[0]
    for each in (event.result for event in events if isinstance(event, SolutionJudged)):
        assert each.solution.path.name.isprintable() <= (each.solution.path.name in elements.text)


def test_a_run_that_is_not_finished_shows_what_is_known(tmp_path: Path) -> None:
    events = [event for event in wrong_answer() if not isinstance(event, SolutionJudged | RunEnded)]
    for known in (events, interrupted()):
        text = write_page(tmp_path, known).read_text(encoding="utf-8")
        assert "<h1>Interrupted run" in text
        assert "interrupted" in text
    assert "not finished" in write_page(tmp_path, events).read_text(encoding="utf-8")
    assert read_page(tmp_path / "run.html").record["interrupted"] is True


def test_a_long_text_is_cut_with_a_note() -> None:
    shown = str(shown_text("x" * 50_000_000))
    assert len(shown) < 21_000
    assert shown.endswith("more characters)")


@pytest.mark.parametrize("path", ["a.py", "a.cpp", "a.unknown"])
def test_code_stays_text(path: str) -> None:
    shown = str(escape(code("</pre><b>x = '<i>'\u202e\x1b  # <script>", path)))
    assert re.findall(r"<(?!/?span\b)", shown) == []
    assert "\\xe2\\x80\\xae\\x1b" in re.sub("<.*?>", "", shown)


def make_run(solutions: int, cases: int) -> list[Event]:
    """Return a run whose times, memory and verdicts vary."""
    which = problem()
    late = next(event.result for event in wrong_answer() if isinstance(event, SolutionJudged)).failures[0]

    def result(number: int, row: int) -> CaseResult:
        name = f"secret/{number:05}-some-name"
        good = accepted(name, cpu=0.001 * (number * 7919 % 2999), memory=9 + number * 31 % 97 / 10)
        is_wrong = row % 3 and number * row % 11 == 5
        return CaseResult(case=good.case, verdict=late.verdict, reason=late.reason, run=good.run) if is_wrong else good

    names = [f"{('accepted', 'wrong_answer', 'wrong_answer')[row % 3]}/number_{row}.py" for row in range(solutions)]
    rows = [
        (solution(which, name), [result(number, row) for number in range(cases)], "") for row, name in enumerate(names)
    ]
    return run(*problem_events(which, rows))


@pytest.mark.parametrize(
    ("solutions", "cases", "most"),
    [(20, 50, 300_000), pytest.param(20, 5_000, 5_000_000, marks=pytest.mark.thorough)],
)
def test_a_page_is_small(solutions: int, cases: int, most: int, tmp_path: Path) -> None:
    path = write_page(tmp_path, make_run(solutions, cases))
    assert path.stat().st_size < most
    text = path.read_text(encoding="utf-8")
    assert text.count("<tr") >= 2 * solutions
    assert ("share a column" in text) == (cases > 100)


def test_a_report_that_is_too_large_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_MAX_HELD", "_MAX_REPORT"):
        with monkeypatch.context() as patched:
            patched.setattr(f"judge.reporters.html.page.{limit}", 100)
            path = write_page(tmp_path, wrong_answer())
            assert "The report for programs is left out: it takes" in path.read_text(encoding="utf-8")
            with pytest.raises(UsageError, match="holds no report: it was too large"):
                read_page(path)


def test_a_file_that_is_no_page_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    PageFile(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("mine")
    with pytest.raises(UsageError, match=r"page\.html: exists, and is not a page of judge; --force overwrites it"):
        PageFile(path)
    assert path.read_text() == "mine"
    PageFile(path, is_forced=True)
    write_page(tmp_path, wrong_answer()).rename(path)
    PageFile(path)
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="exists"):
        PageFile(path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
    with pytest.raises(UsageError, match="cannot be written; choose another folder"):
        PageFile(tmp_path / "page.html")


@pytest.mark.parametrize(
    ("name", "message"),
    [("missing/page.html", "missing is not a folder"), (".", "is a folder; expected a file"), ("a/b.html", "a is not")],
)
def test_a_place_that_cannot_be_written_is_named_before_the_work(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(UsageError, match=message):
        PageFile(tmp_path / name)


def damaged(page: bytes) -> dict[str, tuple[bytes, str]]:
    """Return files that are no pages, each with the message about it."""
    start, _, rest = page.partition(b'id="report">')
    end = rest[rest.index(b"</script>") :]
    bomb = render("grade.html", Report(text="", record=[]), **EMPTY).replace(b'id="report">', b'id="report">AA')
    return {
        "other": (b"<html>", "not a page of judge"),
        "empty": (b"", "not a page of judge"),
        "cut": (start, "holds no report"),
        "none": (start + b'id="report">' + end, "holds no report"),
        "base64": (bomb, "is damaged"),
        "text": (render("grade.html", Report(text=5, record=[]), **EMPTY), "is damaged"),  # type: ignore[arg-type]
    }


EMPTY: dict[str, Any] = {
    "title": "",
    "text": "",
    "command": "",
    "verdicts": [],
    "notes": [],
    "table": None,
    "rows": [],
    "more": 0,
    "is_interrupted": False,
}


@pytest.mark.parametrize("kind", ["other", "empty", "cut", "none", "base64", "text"])
def test_what_is_no_page_is_one_clear_error(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    content, message = damaged(write_page(tmp_path, wrong_answer()).read_bytes())[kind]
    Path("x.html").write_bytes(content)
    assert run_cli(["show", "x.html"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"judge: x.html: {message}" in err or message in err


def test_a_page_of_another_version_says_which(tmp_path: Path) -> None:
    path = tmp_path / "x.html"
    path.write_bytes(render("grade.html", Report(text="", record=[], version=2), **EMPTY))
    with pytest.raises(UsageError, match=r"whose report has version 2; this is judge .*, which reads version 1"):
        read_page(path)


def test_show_prints_what_a_page_holds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_page(tmp_path, hostile())
    assert run_cli(["show", "run.html"]) == 0
    assert capsys.readouterr().out == report("plain", hostile(), OPTIONS)[0].rstrip("\n") + "\n"
    assert run_cli(["show", "run.html", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["version"] == 1
    for words, message in ((["--input"], "a page holds a report"), (["-f", "json"], "--format is for a page")):
        assert run_cli(["show", "run.html" if words == ["--input"] else "x", *words]) == 2
        assert message in capsys.readouterr().err


def test_a_run_writes_a_page_with_what_changed(
    judged_sums: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from shutil import copytree

    copytree(judged_sums, tmp_path / "sums")
    monkeypatch.chdir(tmp_path / "sums")
    assert run_cli(["run", "--html", "run.html"]) == 0
    out = capsys.readouterr().out
    text = Path("run.html").read_text(encoding="utf-8")
    assert "judge run --html run.html" in text
    assert f"<dt>languages</dt><dd>Python 3 {python_version()}</dd>" in text
    assert "Since the last run" not in text
    assert read_page(Path("run.html")).text.splitlines()[:3] == out.splitlines()[:3]
    assert run_cli(["run", "--html", "run.html"]) == 0
    assert "Since the last run: " in Path("run.html").read_text(encoding="utf-8")
    Path("other.html").write_text("mine")
    capsys.readouterr()
    assert run_cli(["run", "--html", "other.html"]) == 2
    assert capsys.readouterr().err.startswith("judge: --html other.html: exists")
    assert run_cli(["run", "--force"]) == 2
    assert "without --html" in capsys.readouterr().err


def test_a_time_beyond_its_limit_fills_the_bar(tmp_path: Path) -> None:
    late = accepted("sample/first", cpu=30)
    assert isinstance(late.run, RunResult)
    which = problem()
    mine = solution(which, "time_limit_exceeded/slow.py")
    events = run(*problem_events(which, [(mine, [late], "")]))
    assert judged(mine, [late]).slowest == late
    assert '<rect width="100"' in write_page(tmp_path, events).read_text(encoding="utf-8")


def test_a_page_replaces_no_device_and_no_other_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="is not a regular file"):
        PageFile(Path("/dev/null"), is_forced=True)
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("print(1)\n")
    Path("a.in").write_text("")
    for words in ("run a.py --report", "scale a.py --gen a.py --svg", "grade a.in --output"):
        assert run_cli([*words.split(), "x", "--html", "./x"]) == 2
        assert f"{words.split()[-1]} and --html name the same file: x\n" in capsys.readouterr().err
