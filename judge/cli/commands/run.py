"""`judge run`: judge what is selected and report it."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from select import select
from stat import S_ISFIFO, S_ISREG, S_ISSOCK
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import asdict, replace

from judge.base.errors import DataError, UsageError
from judge.base.units import MIB
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, words_of
from judge.cli.commands.session import open_archives, open_session, report_notes
from judge.model import FileNames
from judge.model.events import NOTHING_RUN, RunEnded
from judge.model.programs import JudgeProgram, Protocol
from judge.reporters import OutputOptions, Reporter, Verbosity, default_format, make_reporter
from judge.runner.options import NO_OVERRIDES, Overrides, Repetitions
from judge.settings import FORMATS
from judge.workspace.select import Selection, describe_unsolved, keep_changed, keep_failed
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:
    from judge.reporters.html.page import PageFile
    from judge.workspace.session import Session

EPILOG = """\
TARGET is a file, a folder of files, or what a repository has: a problem's id, or a folder or file in solutions/,
problems/ or testcases/; problem/group and problem/group/case select cases. Without a target, all problems are judged;
in a package or a folder of packages, these; anywhere else, all files in this folder.

A contest package (ICPC, Kattis, DOMjudge, BAPCtools) is a target by its path: its folder, its zip file, a folder of
packages, or files and cases of one. It is judged where it is: nothing is written into it.

A file is judged on the cases beside it: a.in and a1.in for a.py, tests/, samples/, 1.in, in1.txt, and so on. A file in
solutions/ belongs to its problem. With a problem's id, files are judged as its solutions.

examples:
  judge run a.py                     on the cases beside it
  judge run abc300/                  every file of a contest
  judge run a.py --cases tests --time-limit 0.5 --memory-limit 64
  judge run a.py --float-tolerance 1e-6
  judge run a.py --cases 'tests/%s.in:%s.out'
  judge run a.py --checker check.py --save       a program that checks outputs, from now on
  judge run a.py --interactor talk.py
  judge run sum.cpp --input-file sum.in --output-file sum.out
  echo 3 4 | judge run a.py          no cases: show the output for this input
  judge run                          everything
  judge run uva131 handclear -j 2
  judge run uva131 ~/work/poker.py
  judge run solutions/uva131/wrong_answer/ace_high_only.py --case edge/ace-low
  judge run a.py --include ~/lib
  judge run contest/hello            a package; also hello.zip, or contest/ with all its packages
  judge run contest/hello/submissions/accepted/a.py --case 'secret/*'
  judge run contest/hello -s my.cpp  your file on the cases of a package
  judge run a.py --repeat 200        a solution with randomness: how often does it pass?
  judge run a.cpp --sanitize         is it accepted by luck? with sanitizers, its own line
  judge run --failed                 what was not as expected last time
  judge run --changed                what you edited since the last commit
  judge run -s poker.py --cases tests --show-output
  judge run -v uva131                each case: its verdict, time and memory
  judge run --fresh                  ignore the results of earlier runs
  judge run --format json > report.json
  judge run --html run.html          the report as one file for a browser, which `judge show` prints, too
  judge run --report report.json     the same, beside the usual report
  judge run -f junit > junit.xml     test results for Jenkins, GitLab and others; -f ctrf as JSON
  judge run a.py -f short            a.py:7:1: error: ..., for editors: judge editor --help

A result comes from the cache until something that decides it changes: the solution, its language's tools, the case,
the checker, the limits, the sandbox, or the judge.
"""

_FOR_PROGRAMS = ("json", "jsonl", "junit", "ctrf")  # formats in which a report is never empty


def _parse_repeat(text: str) -> Repetitions:
    if text == "until-sure":
        return "until-sure"
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 100_000):
        raise UsageError(f"--repeat {text}: expected `until-sure` or a number from 1 to 100000")
    return int(text)


class Options(shared.SelectionArguments, frozen=True, kw_only=True):
    """What `judge run` does.

    Attributes:
        failed, changed, since: restrict what is selected to what failed last, or to what changed since a commit.
        format: of the report; None chooses by the terminal.
    """

    cases: Annotated[Path | None, shared.cases_option(", or - for standard input, which may be typed")] = None
    scheduler: shared.Scheduler = None
    workers: shared.Workers = None
    failed: Annotated[bool, option("only solutions that failed when they were judged last")] = False
    changed: Annotated[bool, option("only what differs from the last commit")] = False
    since: Annotated[str | None, option("only what differs from this commit, branch or tag", metavar="COMMIT")] = None
    save: Annotated[
        bool, option("keep the limits, the checker, the interactor and the file names: in problem.yaml beside the file")
    ] = False
    fresh: Annotated[bool, option("ignore the results of earlier runs")] = False
    show_output: Annotated[
        bool, option("run each case again, and show its complete input, answer, output and standard error")
    ] = False
    quiet: Annotated[bool, option("show no progress", "-q", excludes="loudness")] = False
    verbose: Annotated[bool, option("show each case: its verdict, time and memory", "-v", excludes="loudness")] = False
    fail_fast: Annotated[bool, option("stop at the first unexpected verdict", "-x")] = False
    lazy: Annotated[bool, option("stop each solution at the first case that is not accepted, as contests do")] = False
    repeat: Annotated[
        Repetitions,
        option(
            "judge each solution N more times, or `until-sure`: does it always pass?", type=_parse_repeat, metavar="N"
        ),
    ] = 0
    sanitize: Annotated[
        bool, option("run accepted solutions again with sanitizers, or sets in other orders: were they lucky?")
    ] = False
    format: Annotated[
        str | None,
        option(
            "the report's format (default: rich on a terminal, github in its Actions, plain elsewhere)",
            "-f",
            choices=FORMATS,
        ),
    ] = None
    page: shared.PageArguments
    report: Annotated[Path | None, option("also write the JSON report to this file")] = None
    python: shared.Python = None
    warm: Annotated[
        bool,
        option("fork Python solutions from a running interpreter: faster, but official verdicts come from cold runs"),
    ] = False
    include: shared.Include = ()

    @property
    def verbosity(self) -> Verbosity:
        """How much the report shows."""
        if self.quiet:
            return Verbosity.QUIET
        return Verbosity.VERBOSE if self.verbose or self.show_output else Verbosity.NORMAL


def execute(options: Options) -> ExitStatus:
    """Judge and report; return the exit status."""
    with open_archives(is_quiet=options.quiet) as unpack:
        return _execute(options, unpack)


def _execute(options: Options, unpack: Callable[[Path], Path]) -> ExitStatus:
    page = options.page.open(report=options.report)
    workspace = Workspace.find_or_use(options.root)
    if options.format is None:
        settings = workspace.load_settings(options.session.profile)
        options = replace(options, format=settings.get("format", str))
    selection = _select(options, workspace, unpack)
    if not selection.problems:
        return _report_nothing(options, selection, page)
    if options.save:
        if options.overrides == NO_OVERRIDES:
            raise UsageError(
                "--save: nothing to save; add --checker, --interactor, --input-file, --time-limit or the like"
            )
        from judge.cli.commands.keeping import save_keys_beside

        problems = [each.problem for each in selection.problems]
        save_keys_beside(problems, partial(_to_yaml, options.overrides), has_own_cases=options.cases is None)
    with open_session(workspace, options.session) as session:
        ended: RunEnded | None = None
        is_whole = options.report is not None or page is not None or options.format in (*_FOR_PROGRAMS, "short")
        needs_cases = is_whole or options.verbosity is Verbosity.VERBOSE
        run_options = replace(
            session.run_options(),
            fail_fast=options.fail_fast,
            lazy=options.lazy,
            sanitize=options.sanitize,
            repeat=options.repeat,
            fresh=options.fresh,
            skips_cases=None if needs_cases else lambda *_: True,
            keeps_data=options.show_output,
            rerun_args=options.rerun_args,
        )
        # the words that select the same again; --problem is only how a target was written
        command = (*options.targets, *words_of(options, "--solution", "--case", "--group"), *options.rerun_args)
        events = session.run(selection, run_options, command=command)
        with _open_reporters(options, page, session) as reporters, closing(events):
            for event in events:
                for reporter in reporters:
                    reporter.handle(event)
                if isinstance(event, RunEnded):
                    ended = event
        assert ended is not None
        if ended.interrupted:
            return ExitStatus.INTERRUPTED
        if ended.had_errors:
            return ExitStatus.ERROR
        return ExitStatus.SUCCESS if ended.as_expected else ExitStatus.FAILURE


@contextmanager
def _open_reporters(
    options: Options, page: "PageFile | None", session: "Session | None" = None
) -> Iterator[list[Reporter]]:
    """Open what reports: on the screen, and in files if the user names them.

    Raises:
        OSError: one cannot be written.
    """
    output = OutputOptions(verbosity=options.verbosity)
    with ExitStack() as stack:
        reporters = [stack.enter_context(make_reporter(options.format, sys.stdout, sys.stderr, output))]
        if options.report is not None:
            file = stack.enter_context(options.report.open("w", encoding="utf-8"))
            reporters.append(stack.enter_context(make_reporter("json", file, io.StringIO(), output)))
        if page is not None:
            from judge.reporters.html.run import HtmlReporter

            reporters.append(stack.enter_context(HtmlReporter(page, session)))
        yield reporters


def _to_yaml(overrides: Overrides, folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the keys of a problem.yaml in a folder that mean the same, and those of `limits`.

    Raises:
        UsageError: a program is not in the folder.
    """
    from judge.problems.yaml.scalars import text_yaml

    def program(given: JudgeProgram) -> str:
        if not given.source.is_relative_to(folder):
            raise UsageError(f"--save: {given.source.name} is not in {folder}: put it there, beside problem.yaml")
        protocol = "" if given.protocol is Protocol.ICPC else f", protocol: {given.protocol}"
        return f"{{program: {text_yaml(str(given.source.relative_to(folder)))}{protocol}}}"

    keys, limits = dict[str, str](), dict[str, str]()
    if overrides.tolerance is not None:
        keys["checker"] = f"{{name: tokens, float_tolerance: {overrides.tolerance!r}}}"
    elif overrides.program or overrides.checker:
        keys["checker"] = program(overrides.program) if overrides.program else str(overrides.checker)
    if overrides.interactor:
        keys["interactor"] = program(overrides.interactor)
    names = overrides.file_names or FileNames()
    keys |= {f"{key}_file": text_yaml(name) for key, name in asdict(names).items() if name}
    if overrides.cpu is not None:
        limits["time"] = f"{overrides.cpu:.10g} s"
    if overrides.memory is not None:
        limits["memory"] = f"{overrides.memory / MIB:.10g} MiB"
    return keys, limits


def _select(options: Options, workspace: Workspace, unpack: Callable[[Path], Path]) -> Selection:
    read = partial(_read_input, is_asked=str(options.cases) == "-")
    query = replace(options.query, standard_input=read, unpack=unpack)
    try:
        selection = workspace.select(query)
    except DataError as error:
        output = OutputOptions()
        if (options.format or default_format(sys.stdout, output)) == "github":
            from judge.reporters.github import diagnostic_commands

            print("\n".join(diagnostic_commands(error.diagnostics, output.environment)))
        raise
    if options.failed:
        with workspace.open_history() as history:
            selection = keep_failed(selection, history)
            report_notes([history.warning] if history.warning else [])
    if options.changed or options.since:
        selection = keep_changed(selection, options.since or "HEAD")
    return selection


def _report_nothing(options: Options, selection: Selection, page: "PageFile | None") -> ExitStatus:
    """Say why nothing is judged, which is not an error; programs that read the report get an empty one."""
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    if selection.unsolved:
        reason = describe_unsolved(selection.unsolved)
    elif options.failed:
        reason = "everything selected was as expected when it was judged last, or was never judged"
    else:
        reason = f"nothing selected differs from {options.since or 'HEAD'}"
    print(f"nothing to judge: {reason}", file=sys.stderr)
    with _open_reporters(options, page) as reporters:
        for reporter in reporters if options.format in _FOR_PROGRAMS else reporters[1:]:
            reporter.handle(replace(NOTHING_RUN, as_expected=True))
    return ExitStatus.SUCCESS


def _read_input(*, is_asked: bool) -> bytes | None:
    """Return what is piped or redirected into this process; None for a terminal, a device, or nothing at all.

    An empty input counts as nothing: that is what a program gets that no person started, such as a CI job. If
    `is_asked`, ask for an input on the terminal.
    """
    if is_asked and sys.stdin.isatty():
        print("type or paste the input, then Ctrl-D:", file=sys.stderr, flush=True)
        return sys.stdin.buffer.read()
    try:
        file = sys.stdin.fileno()
        mode = os.fstat(file).st_mode
    except (OSError, ValueError):  # replaced
        return None
    if not (S_ISFIFO(mode) or S_ISREG(mode) or S_ISSOCK(mode)):
        return None
    if not select([file], [], [], 1.0)[0]:  # seconds
        print("judge: reading the input from standard input", file=sys.stderr, flush=True)
    return sys.stdin.buffer.read() or None
