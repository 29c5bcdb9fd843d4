"""The page of `judge watch --browser`: that of a run, kept up to date over server-sent events.

A thread serves each tab: it sends what has changed since what the tab shows, and never an older state. It renders
without the lock, so that a slow tab delays neither the judging nor the other tabs.
"""

import json
import math
import secrets
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from threading import Condition, Event, Lock
from typing import cast
from urllib.parse import parse_qs, urlsplit

from markupsafe import Markup
from msgspec.structs import replace

from judge.model import Problem, SolutionResult
from judge.model.events import Event as RunEvent
from judge.model.events import Notice, RunBegan, RunEnded, SolutionBegan, SolutionJudged
from judge.online.loopback import LoopbackHandler, LoopbackServer, RejectedError
from judge.reporters import formatting
from judge.reporters.escape import UNICODE
from judge.reporters.html.page import render, render_part
from judge.reporters.html.run import MOST_DETAILS, Judged, ProblemView, Results, Section
from judge.reporters.lines import Line, notice_lines
from judge.reporters.watch import describe_changes
from judge.watch.view import Batch, Status, WatchView
from judge.workspace.session import Session

_HEAD = "head"  # the part of the page above the problems


class LivePage(WatchView):
    """Shows a watch in a browser, besides another view, which gets the address of the page.

    The session is as for `Results`.

    Raises:
        UsageError: this machine has no free port.
    """

    def __init__(
        self,
        title: str,
        command: Sequence[str],
        make_view: Callable[[str], WatchView],
        session: Session | None = None,
    ) -> None:
        self._title = title
        self._command = " ".join(map(formatting.quote_word, command))
        self._results = Results(session)
        self._head: dict[str, object] = {
            "status": Status(), "is_judging": True, "changes": "", "level": "", "clock": "", "effort": "",
            "versions": [], **self._results.differences(),
        }  # fmt: skip
        self._notices: list[Notice] = []
        self._replaced: tuple[Section, Judged] | None = None  # by the solution that is being judged
        self._versions = {_HEAD: 1}  # of the parts of the page
        self._version = 1  # the highest of them
        self._news = Condition()  # guards everything above
        self._rendered: dict[str, tuple[int, str]] = {}  # the parts, with their versions
        self._rendering = Lock()  # guards these
        self._tabs = 0
        self._is_closed = Event()
        self.token = secrets.token_urlsafe(16)
        self._server = _PageServer(self)
        self.address = f"http://127.0.0.1:{self._server.server_port}/{self.token}/"
        self._view = make_view(self.address)
        self._server.listen()
        self._server.__enter__()

    # ---- what the main thread reports --------------------------------------------------------------------------------

    def start_batch(self, batch: Batch, status: Status) -> None:
        """Show the changes, and which results are old."""
        self._view.start_batch(batch, status)
        with self._news:
            self._notices = list(batch.notices)
            for section in self._results.sections.values():
                for judged in section.judged.values():
                    if judged.solution.display_path in status.stale:
                        judged.note = "judging"
                        self._touch(section.anchor)
            changes = "; ".join(describe_changes(batch)) or self._head["changes"]
            self._touch(_HEAD, status=status, is_judging=batch.solutions > 0, changes=changes)

    def handle_early(self, event: RunEvent) -> None:
        """Show a new result on the cases that failed last."""
        self._view.handle_early(event)
        if not isinstance(event, SolutionJudged):
            return
        with self._news:
            section = self._results.sections.get((event.problem.id, event.problem.name))
            if section and (judged := section.judged.get(event.result.solution.path)):
                judged.note = "the failing case passes now" if event.result.as_expected else "still failing"
                self._touch(section.anchor)

    def handle(self, event: RunEvent) -> None:
        """Show an event of the batch."""
        self._view.handle(event)
        with self._news:
            if isinstance(event, SolutionBegan):
                old = self._results.section.judged.get(event.solution.path)
                self._replaced = (self._results.section, old) if old else None
            self._results.handle(event)
            match event:
                case Notice():
                    self._notices.append(event)
                    self._touch(_HEAD)
                case RunBegan(level=level):
                    self._touch(_HEAD, level=formatting.describe_level(level))
                case RunEnded():
                    self._touch(_HEAD, effort=formatting.describe_effort(event))
                case SolutionBegan():
                    self._results.current.note = "judging"
                    self._touch(self._results.section.anchor)
                case _ if self._results.sections:
                    self._touch(self._results.section.anchor)
                case _:
                    pass

    def end_batch(self, status: Status) -> None:
        """Show the status; an incomplete result is not shown."""
        self._view.end_batch(status)
        with self._news:
            if self._replaced is not None and self._results.current.result is None:
                section, old = self._replaced
                section.judged[old.solution.path] = old
                self._touch(section.anchor)
            self._replaced = None
            self._arrange(status.results, has_more=status.waiting > 0)
            differences = self._results.differences()
            clock = time.strftime("%H:%M:%S")
            self._touch(_HEAD, status=status, is_judging=status.waiting > 0, clock=clock, **differences)
        if status.waiting:
            return
        for section in self._results.draw():  # the results are shown before
            with self._news:
                self._touch(section.anchor)
        versions = self._results.versions()
        with self._news:
            self._touch(_HEAD, versions=versions)

    def show_message(self, text: str) -> None:
        """Show a message in place of the changes."""
        self._view.show_message(text)
        with self._news:
            self._touch(_HEAD, changes=text)

    def redraw(self) -> None:
        """Draw the other view again."""
        self._view.redraw()

    def close(self) -> None:
        """Tell the tabs that the watch has ended, and stop serving."""
        self._view.close()
        if self._is_closed.is_set():
            return
        with self._news:
            self._is_closed.set()
            self._news.notify_all()
            self._news.wait_for(lambda: not self._tabs, 0.5)  # for telling the tabs that the watch has ended
        self._server.__exit__()

    def _touch(self, part: str, **head: object) -> None:
        """Note that a part of the page has changed."""
        self._head |= head
        self._version += 1
        self._versions[part] = self._version
        self._news.notify_all()

    def _arrange(self, results: Sequence[tuple[Problem, SolutionResult]], *, has_more: bool) -> None:
        """Sort problems and solutions as results are; drop those without one, unless more are to come."""
        order = {(each.id, each.name, result.solution.path): at for at, (each, result) in enumerate(results)}
        first: dict[tuple[str, str], float] = {}
        for key, section in self._results.sections.items():
            places = {path: order.get((*key, path), math.inf) for path in section.judged}
            kept = sorted((path for path in places if has_more or places[path] < math.inf), key=places.__getitem__)
            if kept != list(section.judged):
                section.judged = {path: section.judged[path] for path in kept}
                self._touch(section.anchor)
            if kept:
                first[key] = places[kept[0]]
        self._results.sections = {key: self._results.sections[key] for key in sorted(first, key=first.__getitem__)}

    # ---- what the threads of tabs get --------------------------------------------------------------------------------

    def render(self) -> bytes:
        """Return the whole page as it is now."""
        version, order, parts = self._render_since(0)
        return render(
            "live.html",
            None,
            scripts=("page.js", "live.js"),
            title=self._title,
            seen=version,
            parts=[Markup(parts[each]) for each in order],  # noqa: S704 - made by templates
            command=self._command,
        )

    def stream(self, seen: int, send: Callable[[str], object]) -> None:
        """Send what has changed since a version of the page, and later changes, until the watch ends.

        Raises:
            OSError: the tab has gone.
        """
        with self._news:
            self._tabs += 1
        try:
            while not self._is_closed.is_set() or self._version > seen:
                if self._version > seen:
                    seen, order, parts = self._render_since(seen)
                    send(f"id: {seen}\ndata: {json.dumps({'order': order, 'parts': parts})}\n\n")
                    self._is_closed.wait(0.1)  # between two updates of a tab, which has to draw them
                    continue
                with self._news:
                    # so often, a message notices that a tab has gone
                    has_news = self._news.wait(15.0) if self._version <= seen else True
                if not has_news:
                    send(":\n\n")
            send("event: end\ndata:\n\n")
        finally:
            with self._news:
                self._tabs -= 1
                self._news.notify_all()

    def _render_since(self, seen: int) -> tuple[int, list[str], dict[str, str]]:
        """Return the version of the page, the order of its parts, and those that are newer than a version."""
        with self._news:
            version, versions, head = self._version, dict(self._versions), dict(self._head)
            notices = list(self._notices)
            sections = {  # what the main thread does not change any more
                each.anchor: replace(
                    each, judged={path: replace(old, cases=list(old.cases)) for path, old in each.judged.items()}
                )
                for each in self._results.sections.values()
            }
        order = [_HEAD, *sections]
        changed = [part for part in order if versions[part] > seen]
        has_details = sum(len(j.cases) for s in sections.values() for j in s.judged.values()) <= MOST_DETAILS
        with self._rendering:
            for part in changed:
                if self._rendered.get(part, (0, ""))[0] >= versions[part]:
                    continue
                if part == _HEAD:
                    lines: list[Line] = [line for each in notices for line in notice_lines(each, UNICODE)]
                    text = render_part("live_head.html", **head, notices=lines)
                else:
                    text = render_part("problem.html", problem=ProblemView(sections[part], has_details=has_details))
                self._rendered[part] = versions[part], text
            return version, order, {part: self._rendered[part][1] for part in changed}


class _PageServer(LoopbackServer):
    def __init__(self, page: LivePage) -> None:
        super().__init__(0, _Handler, in_use="")
        self.page = page


class _Handler(LoopbackHandler):
    server_version = "judge-watch"

    def do_GET(self) -> None:  # noqa: N802 - http.server's names
        page = cast("_PageServer", self.server).page
        url = urlsplit(self.path)
        token, _, name = url.path[1:].partition("/")
        is_known = secrets.compare_digest(token.encode(), page.token.encode())
        try:
            self.check_sender()
        except RejectedError as error:
            self.send(error.status, str(error))  # without `reject`: nobody empties the queue
            self.drain()
            return
        if is_known and not name:
            self.send(HTTPStatus.OK, page.render().decode(), "text/html; charset=utf-8")
        elif is_known and name == "events":
            self._stream(page, self.headers.get("Last-Event-ID") or parse_qs(url.query).get("since", ["0"])[-1])
        else:
            self.send(HTTPStatus.NOT_FOUND, "judge watch: no such page; open the address that the terminal shows")

    def _stream(self, page: LivePage, since: str) -> None:
        """Send server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        seen = int(since) if since.isascii() and since.isdecimal() and len(since) < 18 else 0
        page.stream(seen, lambda text: self.wfile.write(text.encode()))
