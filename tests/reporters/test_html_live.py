"""The live page: what a tab gets, from whom it is refused, and that it is the page of the run."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPResponse
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from judge.history.recorder import Collector
from judge.history.records import SolutionRecord
from judge.languages.table import LANGUAGES
from judge.model import CaseResult, Problem
from judge.model.events import CaseJudged, Event, ProblemBegan, RunEnded, SolutionBegan, SolutionJudged
from judge.reporters import OutputOptions
from judge.reporters.html.live import LivePage
from judge.reporters.pictures import Drawn
from judge.reporters.watch import WatchLog
from judge.runner.executors import Interrupted
from judge.watch.view import Batch, Status
from judge.workspace.session import Session
from tests.report_scenarios import SCENARIOS, all_as_expected, wrong_answer
from tests.reporters.test_html import write_page


def make_page(session: Session | None = None) -> LivePage:
    """Return a page that is served, beside a log."""
    options = OutputOptions(environment={})
    return LivePage(
        "Watch of <b>",
        ("judge", "watch"),
        lambda address: WatchLog(StringIO(), StringIO(), options, "a", "plain", address=address),
        session,
    )


@pytest.fixture
def page() -> Iterator[LivePage]:
    """A page without a session."""
    with closing(make_page()) as page:
        yield page


def batch(page: LivePage, events: list[Event], *, waiting: int = 0) -> Status:
    """Show a batch; return the status at its end."""
    results = [(event.problem, event.result) for event in events if isinstance(event, SolutionJudged)]
    stale = frozenset(event.solution.display_path for event in events if isinstance(event, SolutionBegan))
    page.start_batch(Batch(edited=sorted(stale), solutions=len(stale)), Status(waiting=1, stale=stale))
    for event in events:
        page.handle(event)
    status = Status(results=results, as_expected=all(each.as_expected for _, each in results), waiting=waiting)
    page.end_batch(status)
    return status


def get(page: LivePage, path: str = "", **headers: str) -> HTTPResponse:
    """Ask for something below the address of the page, or for an absolute path."""
    url = urlsplit(page.address)
    connection = HTTPConnection(url.netloc, timeout=60)
    connection.putrequest("GET", path if path.startswith("/") else url.path + path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    return connection.getresponse()


def message(stream: HTTPResponse) -> tuple[dict[str, str], Any]:
    """Read the next message of a stream: its fields, and its parts with the order of all."""
    fields: dict[str, str] = {}
    while line := stream.readline().decode().rstrip("\n"):
        name, _, value = line.partition(":")
        fields[name] = value.strip()
    return fields, json.loads(fields.get("data") or "{}")


@pytest.mark.parametrize(
    ("path", "headers", "status", "text"),
    [
        ("", {}, 200, "Watch of &lt;b&gt;"),
        ("?x", {}, 200, "Watch of &lt;b&gt;"),
        ("other", {}, 404, "no such page; open the address that the terminal shows"),
        ("/", {}, 404, "no such page"),
        ("/events", {}, 404, "no such page"),
        (f"/{'A' * 22}/", {}, 404, "no such page"),
        ("/%ff/", {}, 404, "no such page"),
        ("", {"Host": "rebound.example"}, 403, "expected the Host localhost"),
        ("events", {"Host": "rebound.example"}, 403, "expected the Host localhost"),
        ("", {"Origin": "https://example.com"}, 403, "found the web page 'https://example.com'"),
    ],
)
def test_only_who_knows_the_address_gets_the_page(
    path: str, headers: dict[str, str], status: int, text: str, page: LivePage
) -> None:
    response = get(page, path, **headers)
    content = response.read().decode()
    assert (response.status, text in content) == (status, True)
    assert response.headers["Cache-Control"] == "no-store"
    assert (page.token in content) is False
    assert page._server.queue.empty(), "which nobody empties"


class EarlierRun:
    """Stands for a session and its history, which has one run."""

    def __init__(self) -> None:
        self.history = self
        self.collector = Collector()

    def runs_of_solution(self, _: str | None, solution: str, limit: int) -> list[tuple[None, SolutionRecord]]:
        """Return the records of a solution."""
        return [(None, each) for each in self.collector.records[::-1] if each.solution == solution][:limit]


def test_a_batch_shows_pictures_versions_and_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    texts: list[str] = []

    def draw(_: Problem, failure: CaseResult, __: object) -> Drawn:
        drawn.append(failure.case.id)
        if len(drawn) > 1:
            raise Interrupted  # by a save
        return Drawn(notes=["a picture"])

    monkeypatch.setattr("judge.reporters.pictures.draw_failure", draw)
    monkeypatch.setattr("judge.reporters.html.run.find_version", lambda *_: "9.9")
    monkeypatch.setattr("judge.reporters.html.run.LANGUAGES", [replace(LANGUAGES[0], name="python")])
    events = [replace(each, tools={}) if isinstance(each, ProblemBegan) else each for each in wrong_answer()]
    earlier = EarlierRun()
    with closing(make_page(cast("Session", earlier))) as page:
        for _ in range(3):
            batch(page, events)
            texts.append(get(page).read().decode())
            for event in events:
                earlier.collector.handle(event)
            was_better = replace(earlier.collector.records[-1], as_expected=True)
            earlier.collector.records += [was_better] * (len(texts) == 2)
    shown = [re.findall("Since the last run.*?<span.*?>(.*?)</span>", text) for text in texts]
    assert shown == [[], ["1 unchanged"], []]
    assert "<h2>Since the last run</h2>" in texts[2]
    assert all(" · python 9.9</p>" in text for text in texts)
    assert ([text.count("a picture") for text in texts], len(drawn)) == ([1, 0, 0], 3)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_problem_looks_as_on_the_page_of_a_run(scenario: str, tmp_path: Path, page: LivePage) -> None:
    events = SCENARIOS[scenario]()
    is_open = not isinstance(events[-1], RunEnded) or events[-1].interrupted
    batch(page, events, waiting=int(is_open))
    pages = get(page).read().decode(), write_page(tmp_path, events).read_text(encoding="utf-8")
    live, run = (re.findall(r'<section id="p.*?</section>', text, re.DOTALL) for text in pages)
    judged = {event.problem.id for event in events if isinstance(event, SolutionJudged)}
    assert len(live) == len(judged)
    assert is_open or live == [each for each in run if "<tbody>\n<tr" in each]


def test_a_tab_gets_the_present_state_and_then_what_changes(page: LivePage) -> None:
    batch(page, all_as_expected())
    with get(page, "events?since=0") as stream:
        fields, update = message(stream)
        parts = dict(update["parts"])
        assert update["order"] == list(parts)
        assert {"head", "p1"} <= set(parts)
        first = fields["id"]
        batch(page, wrong_answer())
        now = get(page).read().decode()
        while not all(parts[part] in now for part in update["order"]):  # it may come in several messages
            fields, update = message(stream)
            parts |= update["parts"]
    with get(page, f"events?since={fields['id']}", Last_Event_ID=first) as again:  # asleep in between
        assert message(again)[1] == {"order": ["head", "p1"], "parts": {part: parts[part] for part in ("head", "p1")}}


def test_a_result_that_was_interrupted_is_not_shown(page: LivePage) -> None:
    events = wrong_answer()
    batch(page, events)
    before = get(page).read().decode()
    assert ">unexpected<td>" in before
    first = next(number for number, event in enumerate(events) if isinstance(event, CaseJudged))
    page.start_batch(Batch(solutions=1), Status(waiting=1))
    for event in events[: first + 1]:
        page.handle(event)
    assert ">judging<td><td>" in get(page).read().decode()
    results = [(event.problem, event.result) for event in events if isinstance(event, SolutionJudged)]
    page.end_batch(Status(results=results, waiting=1))
    after = get(page).read().decode()
    cells = "<td class=[^>]*>[A-Z]+<"
    assert re.findall(cells, after) == re.findall(cells, before) != []
    page.end_batch(Status())
    assert "<section" not in get(page).read().decode()


def test_the_cases_that_failed_last_have_an_early_note(page: LivePage) -> None:
    events = wrong_answer()
    batch(page, events)
    for event in events:
        page.handle_early(event)
    assert ">still failing<td>" in get(page).read().decode()
    batch(page, events)
    assert ">still failing<td>" not in get(page).read().decode()


def test_a_tab_that_reads_nothing_delays_nobody(page: LivePage) -> None:
    def report() -> None:
        for _ in range(30):
            batch(page, wrong_answer())
            page.show_message("x" * 1_000_000)

    slow = get(page, "events?since=0")
    thread = Thread(target=report, daemon=True)
    thread.start()
    thread.join(timeout=120)
    assert not thread.is_alive()
    with get(page, "events?since=0") as stream:
        assert "xxx" in message(stream)[1]["parts"]["head"]
    slow.close()


def test_every_tab_is_told_the_end(page: LivePage) -> None:
    tabs = [get(page, "events?since=0") for _ in range(2)]
    for tab in tabs:
        message(tab)
    page.close()
    for tab in tabs:
        assert message(tab)[0] == {"event": "end", "data": ""}
        assert tab.read() == b""
    with pytest.raises(OSError, match="refused"):
        get(page)
