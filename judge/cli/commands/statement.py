"""`judge statement`: the statements of problems as a page or a PDF file, with samples from the data."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from judge.base.data import read_data
from judge.base.errors import DataError, UsageError
from judge.base.files import read_regular
from judge.base.units import format_bytes, format_seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import find_problems, open_archives, open_session, report_notes
from judge.model import Problem
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when a statement is written: help and completion need none of them
    from judge.reporters.html.statement import Sample, StatementPart
    from judge.workspace.session import Session

EPILOG = """\
A statement is Markdown, with formulas between `$` or `$$`; of a package also LaTeX, as far as Markdown has a form for
it. What is left out is printed. Samples come from the data, and the section about the input from the grammar if the
statement has none. `judge show PROBLEM` prints a statement on the terminal.

examples:
  judge statement uva131 --html uva131.html
  judge statement uva131 holdem --html contest.html     several problems in one file
  judge statement ~/contest --html contest.html         all packages in a folder
  judge statement ~/contest/sums --html sums.html --language sv
  judge statement uva131 --pdf uva131.pdf               needs the extra `pdf`
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge statement` does; `command_line` makes the page again."""

    problems: Annotated[tuple[str, ...], positional("PROBLEM", "an id, a package, or a folder of packages: a contest")]
    html: Annotated[Path | None, option("write a page: one file for a browser")] = None
    pdf: Annotated[Path | None, option("write a PDF file, typeset by Typst")] = None
    language: Annotated[
        str | None, option("the language, such as sv (default: en, else the first one)", metavar="CODE")
    ] = None
    force: Annotated[bool, option("overwrite the file, even if judge did not write it")] = False
    command_line: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.html is None and self.pdf is None:
            raise UsageError("nothing to write: --html FILE or --pdf FILE; `judge show PROBLEM` prints a statement")


def execute(options: Options) -> ExitStatus:
    """Write the statements."""
    from judge.reporters.html.page import OutputFile, PageFile
    from judge.reporters.html.statement import write_statements
    from judge.reporters.statement_pdf import PDF_MARK, write_pdf

    page = None if options.html is None else PageFile(options.html, options.command_line, is_forced=options.force)
    pdf = None
    if options.pdf is not None:
        if find_spec("typst") is None:
            raise UsageError("--pdf needs Typst: pip install 'judge-harness[pdf]'")
        pdf = OutputFile("--pdf", options.pdf, "PDF file", [PDF_MARK], is_forced=options.force)
    workspace = Workspace.find_or_use(options.root)
    with open_archives() as unpack:
        problems = find_problems(workspace, Query(targets=options.problems, unpack=unpack))
        with open_session(workspace, options.session) as session:
            parts = [_make_part(each, session, options.language) for each in problems]
        title = parts[0].title
        if len(parts) > 1:
            title = Path(options.problems[0]).resolve().stem if len(options.problems) == 1 else "Problems"
        notes = [f"{each.name}: {left} is left out" for each in parts for left in each.statement.left_out]
        if page is not None:
            notes += write_statements(page, title, parts)
        if pdf is not None:
            notes += write_pdf(pdf, parts)
    report_notes(list(dict.fromkeys(notes)))
    return ExitStatus.SUCCESS


def _make_part(problem: Problem, session: "Session", language: str | None) -> "StatementPart":
    """Return the statement of a problem with its samples.

    Raises:
        UsageError: it has none in the language, or only one that cannot be converted.
        DataError: a sample is wrong.
    """
    from judge.problems.statement import find_statements, read_statement
    from judge.reporters.html.statement import StatementPart

    found = find_statements(problem)
    if not found:
        file = problem.statement and problem.show_file(problem.statement)
        kind = f"only {file}" if file else "none"
        raise UsageError(f"{problem.id}: expected a statement in Markdown or LaTeX, found {kind}")
    chosen = language or next(iter(found))
    if chosen not in found:
        raise UsageError(f"--language {chosen}: the statement of {problem.id} is in {', '.join(found)} only")
    statement = read_statement(found[chosen])
    if problem.grammar is not None and not statement.has_input:
        statement = replace(statement, text=f"{statement.text.rstrip()}\n\n{problem.grammar.statement()}")
    limits = problem.limits
    time = "" if problem.needs_time_limit else f"time limit {format_seconds(limits.cpu)} · "
    return StatementPart(
        name=problem.name or problem.id,
        language=chosen,
        facts=f"{time}memory limit {format_bytes(limits.memory)}",
        statement=statement,
        samples=list(_samples(problem, session)),
        keeps_samples=problem.interactor is not None and not problem.is_package,
    )


def _samples(problem: Problem, session: "Session") -> "Iterator[Sample]":
    """Yield what teams see of the samples.

    Raises:
        DataError: one is wrong.
    """
    from judge.preparation.cases import InvalidCase, ReadyCase
    from judge.reporters.html.statement import Sample

    folder = problem.folder / "data/sample" if problem.folder and problem.is_package else None
    talks = sorted(folder.glob("*.interaction")) if folder else []
    for talk in talks:
        lines = (_read(talk) or b"").splitlines()
        yield Sample(dialogue=[(line[:1] == b">", line[1:]) for line in lines if line[:1] in (b"<", b">")])
    if talks or problem.interactor is not None:
        return
    for prepared in session.prepare(problem, [each for each in problem.cases if each.is_sample]):
        match prepared:
            case InvalidCase(diagnostic=diagnostic):
                raise DataError([diagnostic])
            case ReadyCase(case=case, input=source, answer=answer):
                shown = [folder and _read(folder / f"{case.name}{kind}.statement") for kind in (".in", ".ans")]
                answer = shown[1] or answer
                yield Sample(input=shown[0] or read_data(source), answer=None if answer is None else read_data(answer))
            case _:
                pass


def _read(path: Path) -> bytes | None:
    """Return the content of a file of a package; None if it has no such file."""
    is_inside = path.resolve().is_relative_to(path.parent.parent.parent.resolve())
    return read_regular(path) if is_inside and path.is_file() else None
