"""`judge submit`: judge a file and submit it to its online judge."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError, make_safe
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.session import open_session
from judge.model.events import Event
from judge.online.submit.values import JUDGES, SubmitOptions, SubmitResult
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when a file is judged
    from judge.online.lint.check import CheckReport

EPILOG = """\
Kattis (~/.kattisrc) and DOMjudge (~/.netrc) receive the file and report the verdict. UVa, Codeforces, AtCoder and
Project Euler have no API: the source, or the answer, is copied to the clipboard, and the right page is opened.

examples:
  judge submit solutions/kattis-hello/accepted/hello.py
  judge submit hello.py --problem kattis-hello --yes
  judge submit hello.py --problem kattis-hello --follow    wait again for the verdict
  judge submit b.cpp --problem sums --to domjudge --url https://judge.example --contest demo --as B
  judge submit solutions/uva131/accepted/packed_ranks.py
"""

_MAX_SECONDS = 24 * 60 * 60


class Options(Struct, frozen=True, kw_only=True):
    """What `judge submit` does; `yes` submits without asking."""

    root: Path | None
    yes: bool
    submit: SubmitOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge submit`."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the source file")
    parser.add_argument("--to", choices=JUDGES, help="the judge (default: that of the problem's URL or profile)")
    shared.add_problem(parser)
    parser.add_argument("--as", dest="name", metavar="NAME", help="the judge's name of the problem")
    parser.add_argument("--contest", metavar="CID", help="the judge's contest (DOMjudge: if there are several)")
    parser.add_argument("--language", metavar="NAME", help="the judge's name of the language")
    parser.add_argument("--url", metavar="URL", help="DOMjudge's URL (default: $SUBMITBASEURL)")
    parser.add_argument(
        "--kattisrc", type=Path, metavar="FILE", help="default: $KATTISRC, the settings, or ~/.kattisrc"
    )
    parser.add_argument("--netrc", type=Path, metavar="FILE", help="default: $NETRC, the settings, or ~/.netrc")
    parser.add_argument("--force", action="store_true", help="submit even if the file fails here")
    parser.add_argument("--again", action="store_true", help="submit the same source once more")
    parser.add_argument("-y", "--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--follow", action="store_true", help="submit nothing; wait for the verdict of the earlier submission"
    )
    parser.add_argument("--no-wait", action="store_true", help="do not wait for the verdict")
    parser.add_argument(
        "--patience", type=float, default=600, metavar="S", help="seconds to wait for the verdict (default: 600)"
    )
    parser.add_argument(
        "--timeout", type=float, default=30, metavar="S", help="seconds to wait for each response (default: 30)"
    )
    parser.add_argument("--allow-http", action="store_true", help="allow sending passwords without encryption")
    shared.add_jobs(parser)
    shared.add_data(parser)
    shared.add_profile(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    for option, value in (("--timeout", args.timeout), ("--patience", args.patience)):
        if not 0 < value <= _MAX_SECONDS:
            raise UsageError(f"{option} {value:g}: expected seconds, at most {_MAX_SECONDS}")
    options = SubmitOptions(
        file=args.file,
        problem_id=args.problem,
        cases=args.cases,
        session=shared.session_from(args),
        judge=args.to,
        name=args.name,
        contest=args.contest,
        language=args.language,
        url=args.url,
        kattisrc=args.kattisrc,
        netrc=args.netrc,
        force=args.force,
        again=args.again,
        follow=args.follow,
        wait=not args.no_wait,
        patience=args.patience,
        timeout=args.timeout,
        allow_http=args.allow_http,
    )
    return Options(root=args.root, yes=args.yes, submit=options)


def execute(options: Options) -> ExitStatus:
    """Judge and submit; return the exit status."""
    from judge.cli.commands.signals import raise_on_signal
    from judge.online.submit.flow import submit

    workspace = Workspace.find_or_use(options.root)
    settings = workspace.load_settings(options.submit.session.profile)
    submit_options = replace(
        options.submit,
        kattisrc=options.submit.kattisrc or settings.kattisrc,
        netrc=options.submit.netrc or settings.netrc,
    )
    ui = _Terminal(asks=not options.yes)
    with raise_on_signal():
        result = submit(submit_options, workspace=workspace, open_session=partial(open_session, workspace), ui=ui)
    is_success = result in (SubmitResult.ACCEPTED, SubmitResult.SUBMITTED)
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
