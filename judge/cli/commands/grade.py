"""`judge grade`: grade the files of a class, or a stream of submissions in JSON lines."""

import math
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from judge.base.errors import UsageError
from judge.base.units import format_count
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional, words_of
from judge.cli.commands.session import notify, open_archives, open_cluster, show_extracting
from judge.cli.commands.signals import StopHandler, stop_on_signal
from judge.grading.results import Finished, ResultFile, Shard, parse_shard, read_finished, repair
from judge.grading.stream import LineReader, Stream
from judge.grading.summary import PASS_AT, Summary
from judge.grading.values import GradeOptions
from judge.languages.options import BuildOptions
from judge.model import CHECKERS
from judge.reporters.grades import StreamProgress, render_summary
from judge.reporters.progress import StatusLine
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when something is graded: help and completion need none of them
    from judge.grading.cluster.grader import ClusterGrader
    from judge.grading.folder import SubmissionFolder
    from judge.grading.grader import Grader
    from judge.reporters.grades import CsvFile
    from judge.reporters.html.page import PageFile

EPILOG = """\
SUBMISSIONS is a folder or a zip file of a class, also as Moodle, Canvas and Gradescope make it, or a file of lines.

In a folder, the names say whose file it is, and for which problem: student/sums.py, sums/student.cpp,
student/sums/main.java, student_sums.py. The layout that was recognized is printed; `--as` names another one, with
{student}, {problem}, {id}, {number}, {late} (`late_` or nothing), * and **/. The last of several files of a student for
a problem counts, by the number in its name, else by its time. Zip files are read as folders.

Each line of a file is a JSON object: `code` or `path`, `language` (default: python3), and `problem` or `tests`.
Rows of APPS, TACO, CodeContests and LiveCodeBench need only `code` besides their own keys, those of HumanEval and MBPP
`completion`. `judge schema grade` describes the results. A submission stops at its first failure; Python starts warm,
and every verdict but a plain AC or WA is confirmed cold.

examples:
  judge grade class --csv grades.csv --html grades.html          the problems are those of the repository
  judge grade submissions.zip --problems problems.zip --all      the score is the share of passed tests
  judge grade class --as '{problem}/{student}-*.py'              another layout
  judge grade submissions.jsonl                                  results to standard output
  judge grade submissions.jsonl -o results.jsonl
  judge grade submissions.jsonl.gz -o results.jsonl --resume     go on after an interrupt or a crash
  zstd -dc big.jsonl.zst | judge grade - -o results.jsonl --summary
  judge grade submissions.jsonl -o 2.jsonl --shard 2/8           one of eight parts; see `judge merge`
  judge grade answers.jsonl --extract-code                       code inside Markdown fences
  judge grade submissions.jsonl -o results.jsonl --html grades.html    a table that can be sorted, for a browser
  judge grade submissions.jsonl -o results.jsonl --all           run all tests: the score is the share that passed

exit status: 0 if all rows have a score, 1 if some have none, 2 for wrong usage or an error of the judge, 130 after an
interrupt: then --resume goes on
"""


_MOST_SHOWN = 10_000  # results on a page, which a browser can show


def _parse_ks(text: str) -> tuple[int, ...]:
    if not all(each.isdecimal() and 0 < int(each) <= 1_000_000 for each in text.split(",")):
        raise UsageError(f"-k {text}: expected positive numbers, such as 1,10")
    return tuple(sorted({int(each) for each in text.split(",")}))


class Options(shared.LimitArguments, frozen=True, kw_only=True):
    """What `judge grade` does.

    Attributes:
        submissions: the file; `-` is standard input.
        output: the file of results; `-` is standard output.
        k: those of pass@k in the summary; None for the usual ones.
    """

    submissions: Annotated[
        Path,
        positional("SUBMISSIONS", "a folder or zip file; or JSON lines: a file, .gz, .zst, or - for standard input"),
    ]
    output: Annotated[
        Path | None,
        option("the file of results (default: -, standard output; of a folder: none)", "-o", metavar="RESULTS"),
    ] = None
    problems: Annotated[
        Path | None,
        option(
            "the problems of a folder: packages, folders of cases, or a zip file (default: the repository)",
            metavar="DIR",
        ),
    ] = None
    layout: Annotated[
        str | None,
        option(
            "how a folder names its files, such as '{student}_{problem}.*' (default: recognized)",
            "--as",
            metavar="PATTERN",
        ),
    ] = None
    csv: Annotated[
        Path | None, option("write the results as a table for spreadsheets, too: a row for each student")
    ] = None
    allow_paths: Annotated[
        tuple[Path, ...],
        option(
            "let rows name files and problems in DIR, too, not only in the folder of SUBMISSIONS; can be repeated",
            metavar="DIR",
        ),
    ] = ()
    resume: Annotated[bool, option("keep the results that RESULTS has, and grade the rest")] = False
    force: Annotated[bool, option("overwrite RESULTS, and the files of --csv and --html")] = False
    html: shared.Html = None
    command_line: tuple[str, ...] = ()
    runs_all: Annotated[bool, option("run all tests, not only those up to the first failure", "--all")] = False
    in_order: Annotated[bool, option("run the tests in their order, not first those that rejected most")] = False
    extract_code: Annotated[
        bool, option("grade only what is between the last Markdown fences (```) of a source that has some")
    ] = False
    cold: Annotated[bool, option("start an interpreter for each run of Python")] = False
    shard: Annotated[str | None, option("grade only part I of N", metavar="I/N")] = None
    summary: Annotated[bool, option("print pass@k, verdicts, the slowest, and the faults")] = False
    k: Annotated[
        tuple[int, ...] | None,
        option("the k of pass@k in the summary (default: 1,5,10,100)", type=_parse_ks, metavar="K,..."),
    ] = None
    quiet: Annotated[bool, option("show no progress", "-q")] = False
    time_limit: Annotated[
        str | None, option("CPU seconds per test, in rows with tests that do not say it (default: 2)", metavar="TIME")
    ] = None
    memory_limit: Annotated[
        str | None, option("MiB per test, in rows with tests that do not say it (default: 256)", metavar="SIZE")
    ] = None
    checker: Annotated[str | None, option("the checker, in rows with tests that do not name one", choices=CHECKERS)] = (
        None
    )
    float_tolerance: Annotated[
        float | None,
        option(
            "accept numbers within X, such as 1e-6, in rows with tests that do not say it",
            type=shared.parse_tolerance,
            metavar="X",
        ),
    ] = None
    python: shared.Python = None
    scheduler: shared.Scheduler = None
    workers: shared.Workers = None
    data: Path | None = None

    @property
    def is_folder(self) -> bool:
        """Whether the submissions are those of a class."""
        return self.submissions.is_dir() or self.submissions.suffix.lower() == ".zip"

    @property
    def results(self) -> Path:
        """The file of results."""
        return self.output or Path(os.devnull if self.is_folder else "-")

    @property
    def report_stream(self) -> TextIO:
        """Where reports for people go: to standard error if the results are on standard output."""
        return sys.stderr if str(self.results) == "-" else sys.stdout

    @property
    def decisive(self) -> tuple[str, ...]:
        """The options of the command line that can change a verdict."""
        limits = ("--time-limit", "--memory-limit", "--checker", "--float-tolerance")
        return words_of(self, *limits, "--python", "--profile", "--all", "--in-order", "--cold", "--extract-code")


def execute(options: Options) -> ExitStatus:
    """Grade the submissions; return the exit status."""
    # to the end: a signal stops no report
    with open_archives(is_quiet=options.quiet) as unpack, stop_on_signal() as stop:
        return _execute(options, unpack, stop)


def _execute(options: Options, unpack: Callable[[Path], Path], stop: StopHandler) -> ExitStatus:
    if options.resume and (options.output is None or str(options.output) == "-"):
        raise UsageError("--resume needs a file of results: -o FILE")
    shard = parse_shard(options.shard) if options.shard else None
    tables = _open_tables(options)
    keeps_all = options.is_folder or options.csv
    summary = Summary(
        keeps_tasks=options.summary or options.is_folder or options.html is not None,
        most_results=math.inf if keeps_all else _MOST_SHOWN if options.html else 0,
    )
    source = None if str(options.submissions) == "-" else options.submissions
    with (
        _open_source(options, unpack) as reader,
        ResultFile(options.results, is_resumed=options.resume, is_forced=options.force, source=source) as output,
    ):
        finished = _read_finished(options, summary, shard)
        complete = finished.shard if finished is not None else ""
        if complete and complete != str(shard or ""):
            raise UsageError(f"{options.results} has all results of the shard {complete}; expected --shard {complete}")
        settings = Workspace.find_or_use(options.root).with_settings(options.session)
        for text in BuildOptions(flags=settings.flags, flags_from=settings.flags_from).describe_flags():
            notify(f"note: {text}, in rows that name a problem")  # they may change a verdict
        with _open_grader(options, stop, reader) as grader:
            output.begin()
            stream = Stream(grader, reader, finished, shard, str(options.results))
            stop.attach(stream)
            try:
                _write_results(stream, output, summary, options, reader.share_read, complete=complete)
            finally:
                stop.start_clean_up()
            if shard is not None and not complete and not stream.is_stopping:
                output.end_shard(str(shard), summary.rows, shlex.join(options.decisive))
            if finished is not None and not stream.is_stopping and (more := len(finished) - stream.skipped) > 0:
                were = format_count(more, "result")
                notify(f"note: {options.results} has {were} of rows that {options.submissions} does not have")
    if options.is_folder or any(tables):
        _write_tables(options, summary, reader, *tables, is_interrupted=stream.is_stopping)
    return _report(options, summary, shard, is_interrupted=stream.is_stopping)


def _open_source(options: Options, unpack: Callable[[Path], Path]) -> "LineReader | SubmissionFolder":
    """Open the submissions.

    Raises:
        UsageError: there are none, or a problem is missing.
        DataError: a zip file could do harm.
    """
    if not options.is_folder:
        if options.problems or options.layout:
            raise UsageError("--problems and --as are for a folder or a zip file; rows name their problems themselves")
        return LineReader(options.submissions)
    from judge.grading.folder import SubmissionFolder
    from judge.grading.problems import find_problems

    root = options.problems
    if root is not None and root.is_file():
        root = unpack(root)
    problems = find_problems(root or options.root)
    with show_extracting(options.submissions, is_quiet=options.quiet) as report:
        folder = SubmissionFolder(options.submissions, problems, options.layout, report)
    for note in folder.notes:
        notify(note)
    return folder


def _open_tables(options: Options) -> "tuple[CsvFile | None, PageFile | None]":
    """Return the files of the tables, for spreadsheets and for a browser.

    Raises:
        UsageError: a file cannot be written, or has two uses.
    """
    named = {
        "SUBMISSIONS": options.submissions,
        "--output": options.output,
        "--csv": options.csv,
        "--html": options.html,
    }
    files = [(name, path) for name, path in named.items() if path is not None and str(path) != "-"]
    for (one, path), (other, second) in combinations(files, 2):
        if other != "--output" and os.path.realpath(path) == os.path.realpath(second):
            raise UsageError(f"{one} and {other} name the same file: {path}")
    if not (options.csv or options.html):
        return None, None
    from judge.reporters.grades import CsvFile

    spreadsheet = None if options.csv is None else CsvFile(options.csv, is_forced=options.force)
    page = shared.PageArguments(
        html=options.html, force=options.force and options.html is not None, command_line=options.command_line
    ).open()
    return spreadsheet, page


def _write_tables(
    options: Options,
    summary: Summary,
    source: "LineReader | SubmissionFolder",
    spreadsheet: "CsvFile | None",
    page: "PageFile | None",
    *,
    is_interrupted: bool,
) -> None:
    from judge.reporters.grades import make_table, table_lines

    table = make_table(summary.results, source.students, source.problems, source.late)
    if options.is_folder and table is not None:
        print("\n".join(table_lines(table)), file=options.report_stream)
    if spreadsheet is not None:
        spreadsheet.write(summary.results, table)
    if page is None:
        return
    results = summary.results[:_MOST_SHOWN]
    text = render_summary(summary, options.k or (() if table else PASS_AT), StringIO())
    page.write(
        "grade.html",
        text,
        [each.to_dict() for each in results],
        title=f"Grades of {options.submissions.name}",
        text=text,
        notes=source.notes,
        is_interrupted=is_interrupted,
        verdicts=summary.verdicts.most_common(),
        total=summary.rows,
        table=table,
        rows=results,
        more=summary.rows - len(results),
    )


@contextmanager
def _open_grader(
    options: Options, stop: StopHandler, source: "LineReader | SubmissionFolder"
) -> "Iterator[Grader | ClusterGrader]":
    """Open what grades the rows: this machine, or a cluster.

    Raises:
        UsageError: the sandbox is weaker than required, or no worker is fit.
        JudgeError: nothing can be run, or there is no worker.
    """
    if not options.session.has_cluster:
        from judge.grading.grader import Grader

        with Grader(_grade_options(options, source)) as grader:
            yield grader
        return
    with open_cluster(options.session, stop) as client:
        from judge.grading.cluster.grader import ClusterGrader

        with stop.raise_meanwhile():  # it waits for workers
            remote = ClusterGrader(client, _grade_options(options, source), notify)
        with remote:
            yield remote


def _grade_options(options: Options, source: "LineReader | SubmissionFolder") -> GradeOptions:
    session, python = options.session, ""
    if session.python:
        from judge.languages.interpreters import find_interpreter

        python = find_interpreter(session.python).path
    beside = Path() if str(options.submissions) == "-" else options.submissions.absolute().parent
    named = tuple(source.problems.values())
    return GradeOptions(
        root=options.root if options.problems is None else named[0],
        folders=tuple(folder.absolute() for folder in (beside, *named, *options.allow_paths)),
        jobs=session.jobs,
        runs_all=options.runs_all,
        in_order=options.in_order,
        extracts_code=options.extract_code,
        is_warm=not options.cold,
        cpu=options.overrides.cpu,
        memory=options.overrides.memory,
        checker=options.overrides.checker,
        tolerance=options.overrides.tolerance,
        python=python,
        required_level=session.required_level,
        profile=session.profile,
    )


def _read_finished(options: Options, summary: Summary, shard: Shard | None) -> Finished | None:
    """Return the rows that have results already, after a repair of the file; None without --resume.

    Raises:
        UsageError: the file is not one of results of this version.
    """
    if not options.resume:
        return None
    if not options.results.is_file():
        raise UsageError(f"{options.results} is not a regular file: --resume has nothing to read")
    if removed := repair(options.results):
        notify(f"{options.results}: removed an incomplete last line of {format_count(removed, 'byte')}")
    finished = read_finished(options.results, summary.add, shard)
    notify(f"{options.results} has {format_count(len(finished), 'result')}; grading the rest")
    return finished


def _write_results(
    stream: Stream,
    output: ResultFile,
    summary: Summary,
    options: Options,
    share: Callable[[], float | None],
    *,
    complete: str,
) -> None:
    """Write the results as they become known.

    Raises:
        UsageError: there is another result, and the file has the `complete` shard already.
    """
    progress = StreamProgress(share)
    with StatusLine(sys.stderr) as line:
        if not options.quiet:
            line.show(progress.line)
        for grade in stream.results():
            if complete:
                raise UsageError(f"{options.results} has all results of the shard {complete}, but none of {grade.id}")
            output.write(grade)
            summary.add(grade)
            progress.add(grade.verdict.value)
            if not options.quiet:
                line.show(progress.line)


def _report(options: Options, summary: Summary, shard: Shard | None, *, is_interrupted: bool) -> ExitStatus:
    if options.summary:
        print(render_summary(summary, options.k or PASS_AT, options.report_stream), file=options.report_stream)
    if is_interrupted:
        if options.output is not None and str(options.output) != "-" and str(options.submissions) != "-":
            words = [word for word in options.command_line if word not in ("--force", "--resume")]
            notify(f"interrupted; to go on: {shlex.join([*words, '--resume'])}")
        else:
            notify("interrupted; to go on, repeat the command with --resume and a file of results")
        return ExitStatus.INTERRUPTED
    if not summary.rows and shard is None:
        raise UsageError(f"{options.submissions} has no submissions")
    if summary.without_score and not options.summary:
        row_id, fault = summary.faults[0]
        have = f"of {format_count(summary.rows, 'row')} {'has' if summary.without_score == 1 else 'have'} no score"
        notify(f"{summary.without_score:,} {have}; the first is {row_id!r:.80}: {fault}")
    return ExitStatus.FAILURE if summary.without_score else ExitStatus.SUCCESS
