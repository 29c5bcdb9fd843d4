"""Pages in Chromium: no errors, no requests, readable by keyboard and screen reader, on a phone, dark, and printed."""

import importlib
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.grading.values import Failure, Grade
from judge.model import CaseResult, DiffRow, Excerpt, Mismatch, Solution, Verdict
from judge.model.events import Event, Notice, RunBegan, RunEnded
from judge.problems.statement import Statement
from judge.reporters.grades import make_table
from judge.reporters.html.page import PageFile, Report, render
from judge.reporters.html.statement import Sample, StatementPart, write_statements
from tests.report_scenarios import SCENARIOS, case, problem, problem_events, ran, run, solution, wrong
from tests.reporters.test_html import make_run, write_page
from tests.watch.watch_process import WatchProcess
from tests.watch.watch_process import replace as replace_file

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PAPER = {"width": 1032, "height": 703}  # A4, landscape, without margins of 12 mm
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1200, "height": 900}

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

EVIL = (
    "x  y<script>fail()</script><img src=x onerror=fail()>\"'><a href=javascript:fail()>x</a>"
    "</pre></table></details></script><!-- </style>{{ 7*7 }}{% raw %}&lt;b&gt;\x00\x07\x1b[31m\u202e\u2066\u200b"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return a browser for all tests of the module."""
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield chromium
        chromium.close()


class Opened:
    """A page in the browser, and what it complained about or asked for."""

    def __init__(self, browser: Any, place: Path | str, *, refused: str = "", **options: Any) -> None:
        self._address = place if isinstance(place, str) else place.as_uri()
        self.page = browser.new_context(**{"viewport": DESK, **options}).new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.on("request", self._note_request)
        if refused:
            self.page.route(refused, lambda route: route.abort())
        self.page.goto(self._address)

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith((self._address, "data:,")):
            self.complaints.append(request.url)

    def violations(self) -> list[str]:
        """Return what axe finds."""
        axe = importlib.import_module("axe_playwright_python.sync_playwright").Axe()
        found = axe.run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found]

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the screen."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        return width

    def visible(self, selector: str) -> int:
        """Return how many elements are shown."""
        script = "selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility()).length"
        count: int = self.page.evaluate(script, selector)
        return count

    def focused(self) -> str:
        """Return the element that has the focus: its tag, its role, and how its text begins."""
        script = "e => [e.tagName, e.getAttribute('role') ?? '', (e.innerText || e.type || '').slice(0, 12)].join(' ')"
        text: str = self.page.evaluate_handle("document.activeElement").evaluate(script)
        return text.strip()


def joined(*names: str) -> list[Event]:
    """Return one run with the events of several scenarios."""
    parts = [event for name in names for event in SCENARIOS[name]()]
    return run(*(event for event in parts if not isinstance(event, RunBegan | RunEnded)))


def hostile_run() -> list[Event]:
    """Return a run in which all that others write is hostile."""
    data = EVIL.encode() + b"\xff\xfe" + b"x" * 3_000
    which = problem(f"p{EVIL[:60]}", EVIL)
    mine = Solution(
        path=Path("a.py"), display_path=f"solutions/{EVIL}.py", expectation=solution(which, "accepted/a").expectation
    )
    row = DiffRow(expected_line=1, expected=data, found_line=1, found=data[::-1])
    mismatch = Mismatch(line=1, column=1, token=1, expected=data, found=data[::-1], rows=(row,), hints=(EVIL,))
    excerpt = Excerpt(first_line=1, lines=(data, data), total_lines=2, focus=1)
    failure = wrong("sample/first", mismatch, why=EVIL, reason=EVIL, excerpt=excerpt)
    named = replace(failure, case=replace(case("sample/second"), name=EVIL), run=ran(stderr=data * 3), message=EVIL)
    long = CaseResult(case=case("sample/long"), verdict=failure.verdict, reason="x" * 50_000_000, run=ran())
    return run(Notice(text=EVIL), *problem_events(which, [(mine, [failure, named, long], EVIL)]))


def class_page(folder: Path) -> Path:
    """Write the page of a class whose students and programs are hostile."""
    grades = [
        Grade(
            id=f"{student}/{task}", line=number, task=task, verdict=verdict, score=0.5, cpu_s=1.5, memory_bytes=1 << 24,
            first_failure=Failure(case="1", verdict=verdict, reason=EVIL),
        )
        for number, (student, task, verdict) in enumerate(
            (f"{student}{EVIL}", f"{task}{EVIL[:40]}", verdict)
            for student in "ab"
            for task, verdict in (("one", Verdict.WA), ("two", Verdict.TLE), ("three", Verdict.CE))
        )
    ]  # fmt: skip
    table = make_table(grades, late={grades[0].id})
    values: dict[str, Any] = {
        "title": EVIL, "text": EVIL, "command": EVIL, "notes": [EVIL, EVIL], "is_interrupted": True, "table": table,
        "verdicts": [("WA", 2)], "total": 2, "rows": grades, "more": 0,
    }  # fmt: skip
    path = folder / "class.html"
    path.write_bytes(render("grade.html", Report(text="", record=[grade.to_dict() for grade in grades]), **values))
    return path


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the pages that the tests look at."""
    few = joined("all_as_expected", "wrong_answer", "debug_output", "interactive", "judge_error")
    runs: dict[str, Sequence[Event]] = {
        "few": few,
        "hostile": hostile_run(),
        "all": joined(*sorted(SCENARIOS)),
        "map": make_run(9, 60),
    }
    found = {name: write_page(tmp_path_factory.mktemp(name), events) for name, events in runs.items()}
    found["statement"] = tmp_path_factory.mktemp("statement") / "page.html"
    text = f"# Sums\n\n{EVIL}\n\n## Input\n\n$a_i \\le 10^5$ and `code`\n\n$${'+'.join('a' * 90)}$$\n\n"
    text += f"|a|b|\n|-|-|\n|c|{'x' * 300}|\n\n```\n{'x' * 300}\n```\n"
    statement = Statement(text=text, folder=tmp_path_factory.mktemp("pictures"))
    samples = [Sample(input=b"1 2\n" * 3, answer=b"x" * 300), Sample(dialogue=[(True, b"1"), (False, b"2")])]
    part = StatementPart(name="Sums", language="en", facts="time limit 1 s", statement=statement, samples=samples)
    write_statements(PageFile(found["statement"]), "Contest", [part, replace(part, name="Other")])
    found["class"] = class_page(tmp_path_factory.mktemp("class"))
    return found


ON_A_PHONE, AT_A_DESK = {"viewport": PHONE, "color_scheme": "dark"}, {"color_scheme": "light"}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("few", ON_A_PHONE),
        ("hostile", AT_A_DESK),
        *(
            pytest.param(name, options, marks=pytest.mark.thorough)
            for name in ("all", "class", "hostile", "map", "statement")
            for options in (ON_A_PHONE, AT_A_DESK)
            if (name, options) != ("hostile", AT_A_DESK)
        ),
    ],
)
def test_a_page_is_accessible_and_fits_the_screen(
    name: str, options: dict[str, Any], browser: Any, pages: dict[str, Path]
) -> None:
    opened = Opened(browser, pages[name], **options)
    opened.page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    assert opened.overflow() <= 0
    assert opened.violations() == []
    opened.page.set_viewport_size(PHONE)
    assert opened.overflow() <= 0
    assert opened.complaints == []


def test_hostile_text_stays_text(browser: Any, pages: dict[str, Path]) -> None:
    opened = Opened(browser, pages["hostile"])
    assert opened.page.query_selector_all("img, body script:not([id]) ~ *, a[href^=javascript], main script") == []
    assert "x  y" in opened.page.inner_text("main dl")
    text = opened.page.text_content("main")
    assert text.count("<script>fail()</script>") > 5
    assert text.count("</pre></table></details></script><!-- </style>{{ 7*7 }}{% raw %}&lt;b&gt;\\x00\\x07\\x1b") > 3
    assert not re.search("[\u200b\u202e\u2066\x00\x07\x1b]", text)
    assert "more characters)" in text
    assert pages["hostile"].stat().st_size < 1_000_000
    assert opened.complaints == []


def test_a_class_is_sorted_and_its_cells_lead_to_what_failed(browser: Any, pages: dict[str, Path]) -> None:
    opened = Opened(browser, pages["class"])
    assert opened.page.query_selector_all("img, a[href^=javascript], main script") == []
    rows = "table >> nth=0 >> tbody th"
    before = opened.page.locator(rows).all_inner_texts()
    for _ in range(2):
        opened.page.click("button:text('student')")
    assert opened.page.locator(rows).all_inner_texts() == before[::-1]
    opened.page.click("table >> nth=0 >> tbody a >> nth=1")
    assert opened.page.inner_text("tr:target").startswith("b")
    assert opened.complaints == []


def test_the_content_security_policy_stops_what_would_slip_through(browser: Any, pages: dict[str, Path]) -> None:
    path = pages["map"].with_name("slipped.html")
    slipped = '<script>document.title = "slipped"</script><img src="http://127.0.0.1:9/x"><p style="color: red">x</p>'
    path.write_text(pages["map"].read_text(encoding="utf-8").replace("<main>", f"<main>{slipped}"), encoding="utf-8")
    opened = Opened(browser, path)
    assert opened.page.title().startswith("Run in")
    assert sum("Content Security Policy" in each for each in opened.complaints) == 3


def test_a_page_is_complete_without_scripts(browser: Any, pages: dict[str, Path]) -> None:
    opened = Opened(browser, pages["map"], java_script_enabled=False)
    assert opened.visible("table.map tbody tr") == 9
    assert opened.visible("table.map tbody tr:first-child td") == 60
    opened = Opened(browser, pages["few"], java_script_enabled=False)
    before = opened.visible("table.map tbody tr")
    opened.page.check("#only", timeout=5_000)
    assert 0 < opened.visible("table.map tbody tr") < before


def test_everything_is_reached_with_the_keyboard(browser: Any, pages: dict[str, Path]) -> None:
    opened = Opened(browser, pages["few"])
    reached = []
    for _ in range(30):
        opened.page.keyboard.press("Tab")
        reached.append(opened.focused().split()[0])
    assert reached[:4] == ["INPUT", "DIV", "BUTTON", "BUTTON"]
    assert {"A", "SUMMARY"} <= set(reached)
    opened.page.focus("table.sort button")
    rows = "table.sort >> nth=0 >> tbody th"
    before = opened.page.locator(rows).all_inner_texts()
    opened.page.keyboard.press("Enter")
    ascending = opened.page.locator(rows).all_inner_texts()
    opened.page.keyboard.press("Enter")
    assert ascending == sorted(before) == opened.page.locator(rows).all_inner_texts()[::-1]
    assert opened.page.get_attribute("table.sort th", "aria-sort") == "descending"


def test_a_page_is_dark_where_the_reader_wants_that_and_light_on_paper(browser: Any, pages: dict[str, Path]) -> None:
    def paper(opened: Opened) -> int:
        rgb = re.findall(r"\d+", opened.page.evaluate("getComputedStyle(document.body).backgroundColor"))
        return sum(map(int, rgb[:3]))

    light, dark = (Opened(browser, pages["few"], color_scheme=scheme) for scheme in ("light", "dark"))
    assert paper(dark) < 150
    assert paper(light) > 600
    dark.page.emulate_media(media="print")
    assert paper(dark) > 600
    assert dark.visible("table.map td") == dark.page.locator("table.map td").count()
    wide = Opened(browser, pages["map"], viewport=PAPER)
    wide.page.emulate_media(media="print")
    assert wide.overflow() <= 0
    assert dark.page.pdf().startswith(b"%PDF")


def test_a_live_page_follows_each_save_in_every_tab_and_catches_up_after_sleep(
    browser: Any, judged_sums: Path, tmp_path: Path
) -> None:
    root = tmp_path / "sums"
    shutil.copytree(judged_sums, root)
    mine = root / "solutions/sums/accepted/mine.py"
    right = mine.with_name("count.py").read_text()
    mine.write_text(right)

    def shows(tab: Opened, text: str) -> None:
        tab.page.wait_for_function("text => document.title.startsWith(text)", arg=text, timeout=90_000)

    with WatchProcess(root, "--browser") as watch:
        address = re.search(r"page: (http\S+)", watch.until("waiting for changes"))
        assert address
        tabs = [Opened(browser, address[1], **options) for options in (ON_A_PHONE, AT_A_DESK)]
        for tab in tabs:
            shows(tab, "✓ 4 solutions as expected")
        tabs[1].page.click("text=accepted/count.py: ok")
        tabs[1].page.click("button:text('passed')")
        replace_file(mine, "print(1)\n")
        for tab in tabs:
            shows(tab, "✗ 3 of 4 solutions as expected")
        row = tabs[1].page.locator("table.sort >> nth=0 >> tbody tr >> nth=0")
        assert row.inner_text().split()[:3] == ["accepted/mine.py", "unexpected", "WA"]
        assert tabs[1].page.get_attribute("th:has-text('passed')", "aria-sort") == "ascending"
        tabs[1].page.wait_for_selector("#head h2:text('Since the last run')")
        tabs[1].page.wait_for_selector("#head p:text('· Python 3 ')")
        assert tabs[1].page.locator("details[open] > summary").all_inner_texts() == [
            "accepted/count.py: ok",
            "accepted/mine.py: WA, expected AC",
        ]
        for tab in tabs:
            assert tab.overflow() <= 0
            assert tab.violations() == []
        tabs[0].page.context.close()
        asleep = tabs[1].page.context.new_cdp_session(tabs[1].page)
        asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
        replace_file(mine, right)
        watch.until("4 solutions as expected; waiting for changes")
        asleep.send("Page.setWebLifecycleState", {"state": "active"})
        cut = Opened(browser, address[1], refused="**/events*")
        cut.page.wait_for_selector("text=no connection to judge watch; trying again")
        replace_file(mine, "raise SystemExit(1)\n")
        cut.page.unroute("**/events*")
        for tab in (cut, tabs[1]):
            shows(tab, "✗ 3 of 4 solutions as expected")
        assert watch.stop() == 1
        for tab in (cut, tabs[1]):
            tab.page.wait_for_selector("text=judge watch has ended")
        assert tabs[1].complaints == []
