"""`judge submit`: judge a file and submit it to its online judge."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import convert
from msgspec.structs import replace

from judge.base.errors import UsageError, make_safe
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import open_session
from judge.model.events import Event
from judge.online.submit.values import JUDGES, SubmitOptions
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when a file is judged
    from judge.online.lint.check import CheckReport

EPILOG = """\
Kattis (~/.kattisrc) and DOMjudge (~/.netrc) receive the file and report the verdict. For Codeforces, CSES and AtCoder,
`--browser` hands it to an extension of your own browser (cph-submit, or CPH-NG Submit for C++), which submits it where
you are logged in. Otherwise, and for UVa and Project Euler, the source, or the answer, is copied to the clipboard, and
the right page is opened.

examples:
  judge submit solutions/kattis-hello/accepted/hello.py
  judge submit hello.py --problem kattis-hello --yes
  judge submit hello.py --problem kattis-hello --follow    wait again for the verdict
  judge submit b.cpp --problem sums --to domjudge \\
      --url https://judge.example --contest demo --as B
  judge submit solutions/uva131/accepted/packed_ranks.py
  judge submit a.py --url https://codeforces.com/contest/1900/problem/A
  judge submit a.py --browser                              through the browser
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge submit` does."""

    file: Annotated[Path, positional("FILE", "the source file")]
    to: Annotated[str | None, option("the judge (default: that of the problem's URL or profile)", choices=JUDGES)] = (
        None
    )
    problem: shared.Problem = None
    cases: shared.Cases = None
    name: Annotated[str | None, option("the judge's name of the problem", "--as", metavar="NAME")] = None
    contest: Annotated[str | None, option("the judge's contest (DOMjudge: if there are several)", metavar="CID")] = None
    language: Annotated[str | None, option("the judge's name of the language", metavar="NAME")] = None
    url: Annotated[
        str | None, option("the problem's page, or DOMjudge's URL (default: $SUBMITBASEURL)", metavar="URL")
    ] = None
    kattisrc: Annotated[Path | None, option("default: $KATTISRC, the settings, or ~/.kattisrc")] = None
    netrc: Annotated[Path | None, option("default: $NETRC, the settings, or ~/.netrc")] = None
    force: Annotated[bool, option("submit even if the file fails here")] = False
    again: Annotated[bool, option("submit the same source once more")] = False
    yes: Annotated[bool, option("do not ask", "-y")] = False
    follow: Annotated[bool, option("submit nothing; wait for the verdict of the earlier submission")] = False
    no_wait: Annotated[bool, option("do not wait for the verdict")] = False
    browser: Annotated[bool, option("hand it to an extension of your browser, which submits it", excludes="way")] = (
        False
    )
    no_browser: Annotated[
        bool,
        option("copy it for you to paste, in spite of the settings", "--no-browser", "--clipboard", excludes="way"),
    ] = False
    patience: Annotated[
        float | None,
        option("seconds to wait for the verdict (default: 600), or for a browser (default: 20)", metavar="S"),
    ] = None
    timeout: Annotated[float, option("seconds to wait for each response (default: 30)", metavar="S")] = 30
    allow_http: Annotated[bool, option("allow sending passwords without encryption")] = False

    def __post_init__(self) -> None:
        for name, value in (("--timeout", self.timeout), ("--patience", self.patience)):
            if value is not None and not 0 < value <= 24 * 60 * 60:
                raise UsageError(f"{name} {value:g}: expected seconds, at most 86400")


def execute(options: Options) -> ExitStatus:
    """Judge and submit; return the exit status."""
    from judge.cli.commands.signals import raise_on_signal
    from judge.online.submit.flow import submit

    workspace = Workspace.find_or_use(options.root)
    settings = workspace.load_settings(options.profile)
    submit_options = replace(
        convert(options, SubmitOptions, from_attributes=True),
        kattisrc=options.kattisrc or settings.get("credentials.kattisrc", Path),
        netrc=options.netrc or settings.get("credentials.netrc", Path),
        browser=options.browser or (None if settings.get("submit-browser", bool) and not options.no_browser else False),
    )
    ui = _Terminal(asks=not options.yes)
    with raise_on_signal():
        is_success = submit(submit_options, workspace=workspace, open_session=partial(open_session, workspace), ui=ui)
    return ExitStatus.SUCCESS if is_success else ExitStatus.FAILURE


class _Terminal:
    """Shows results on standard output, everything else on standard error, and asks on the terminal."""

    def __init__(self, *, asks: bool) -> None:
        self._asks = asks

    def show_events(self, events: Iterable[Event]) -> Iterator[Event]:
        from judge.reporters import make_reporter

        with make_reporter(None, sys.stderr, sys.stderr) as reporter:
            for event in events:
                reporter.handle(event)
                yield event

    def show_report(self, report: "CheckReport") -> None:
        from judge.reporters.check_report import render_text

        print(render_text(report), end="", file=sys.stderr)

    def notify(self, text: str) -> None:
        print(make_safe(f"judge: {text}"), file=sys.stderr, flush=True)

    def check_can_confirm(self) -> None:
        if self._asks and not sys.stdin.isatty():
            raise UsageError(
                "cannot ask for confirmation: standard input is not a terminal; use --yes to submit anyway"
            )

    def confirm(self, summary: Sequence[tuple[str, str]]) -> bool:
        for label, value in summary:
            print(make_safe(f"{label:<9} {value}"), file=sys.stderr)
        if not self._asks:
            return True
        print("submit it? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() in ("y", "yes"):
            return True
        print("judge: nothing was submitted", file=sys.stderr)
        return False

    def is_on_terminal(self) -> bool:
        return sys.stdin.isatty()

    def show(self, label: str, value: str) -> None:
        print(make_safe(f"{label:<9} {value}"), flush=True)

    def copy(self, data: bytes) -> str:
        from judge.online.desktop import clipboard_sequence, copy_to_clipboard

        tool = copy_to_clipboard(data)
        sequence = clipboard_sequence(data) if sys.stderr.isatty() else ""
        if sequence:
            sys.stderr.write(sequence)
            sys.stderr.flush()
        ways = [f"with {tool}"] * bool(tool)
        ways += ["through the terminal (OSC 52, if the terminal supports it)"] * bool(sequence)
        return " and ".join(ways)
