"""`judge show`: a problem's statement and limits, or a case: its input and answer, and what a solution does on it."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec.structs import replace

from judge.base.data import write_data
from judge.base.errors import DataError, UsageError, make_safe
from judge.base.units import Seconds, format_bytes, format_count, format_seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import Argument, option, positional
from judge.cli.commands.session import open_archives, open_session, prepare_case, report_notes
from judge.languages.table import SUFFIXES
from judge.model import (
    Case,
    CaseData,
    CaseResult,
    Computed,
    External,
    Generated,
    InFile,
    Inline,
    Problem,
    ProblemType,
    Produced,
    Verdict,
    describe_call,
)
from judge.model.events import CaseJudged, Notice, RunEnded
from judge.problems.case_source import find_input, load_case_source
from judge.problems.folder import load_cases
from judge.problems.paths import find_package, is_archive, shown_path
from judge.reporters import log_glyphs, make_canvas, supports_unicode
from judge.reporters.cases import data_lines, part_lines
from judge.reporters.escape import PLAIN, UNICODE, Glyphs, one_line, safe_lines, safe_text, to_json
from judge.reporters.formatting import describe_judging, describe_points, describe_usage, format_limits
from judge.reporters.lines import Fit, Line, label_line, make_line, write_notice
from judge.workspace.packages import load_all
from judge.workspace.query import Query, absolute_path
from judge.workspace.select import Selection, with_solutions
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # completion loads nothing that runs programs
    from judge.workspace.session import Session

EPILOG = """\
examples:
  judge show uva131
  judge show uva131 --code cpp                     a program that reads the input
  judge show contest/roads --grammar               what the inputs look like
  judge show a.py --grammar                        what the samples beside a file show of them
  judge show a.py/tests/2 --solution b.py          a case of a file, and what b.py prints on it
  judge show uva131/edge/ace-low
  judge show uva131/ace-low --input >x.in
  judge show tests/1.in --picture                       the tree, graph, grid or points that the input is
  judge show contest/roads/sample/1 --picture roads.svg -s my.py    with what the answer and the output name marked
  judge show uva131/ace-low --solution poker.py
  judge show uva131/ace-low --solution poker.py --output >x.out
  judge show contest/hello/secret/1                a case of a package
  judge show run.html                              the report in a page that --html wrote
"""

_ANSWERLESS = frozenset({ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})


def _parse_code(text: str) -> str:
    from judge.inputs.reading import LANGUAGES

    language = shared.parse_language("--code", text)
    if language not in LANGUAGES:
        raise UsageError(f"--code {text}: expected one of {', '.join(LANGUAGES)}")
    return language


_TERMINAL = Path("-")  # where a picture goes without a file


def _parse_picture(text: str) -> Path:
    if Path(text).suffix.lower() != ".svg":
        raise UsageError(f"--picture {text}: expected a file.svg; the case comes first: judge show CASE --picture")
    return Path(text)


def _only(name: str, text: str) -> Argument:
    return option(text, name, excludes="only")


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge show` prints.

    Attributes:
        solution: a file to run on the case.
        code: the language of a program that reads the input; "" for none.
    """

    target: Annotated[
        str, positional("PROBLEM[/CASE]", "a problem, a file, a case of one, an input, or a page of --html")
    ]
    solution: Annotated[
        Path | None, option("run this file on the case, and show its complete output and standard error, too", "-s")
    ] = None
    input: Annotated[bool, _only("--input", "print only the case's input, byte for byte")] = False
    answer: Annotated[bool, _only("--answer", "print only the case's answer, byte for byte")] = False
    output: Annotated[bool, _only("--output", "print only the solution's output, byte for byte")] = False
    stderr: Annotated[bool, _only("--stderr", "print only its standard error, byte for byte")] = False
    grammar: Annotated[
        bool,
        _only(
            "--grammar",
            "print the section about the input that follows from the problem's grammar; without one, a grammar "
            "inferred from the cases and the validator",
        ),
    ] = False
    code: Annotated[
        str,
        option(
            "print a program that reads the input, by the problem's grammar, in Python, C++ or Java",
            excludes="only",
            type=_parse_code,
            metavar="LANGUAGE",
        ),
    ] = ""
    picture: Annotated[
        Path | None,
        option(
            "draw the input, with what the answer and the solution's output name marked: on the screen, or as a file",
            excludes="only",
            type=_parse_picture,
            nargs="?",
            const=_TERMINAL,
            metavar="FILE.svg",
        ),
    ] = None
    format: Annotated[
        str, option("of the report that a page of --html holds (default: text)", "-f", choices=("text", "json"))
    ] = "text"

    def __post_init__(self) -> None:
        if self.only in ("output", "stderr") and self.solution is None:
            raise UsageError(f"--{self.only} needs a solution: add --solution FILE")

    @property
    def only(self) -> str:
        """What alone is shown: "input", "answer", "output", "stderr", "grammar" or "picture"; "" for everything."""
        parts = ("input", "answer", "output", "stderr", "grammar", "picture")
        return next((part for part in parts if getattr(self, part)), "")


def execute(options: Options) -> ExitStatus:
    """Print; return the exit status."""
    if Path(options.target).suffix == ".html" and Path(options.target).exists():
        return _show_page(options)
    if options.format != "text":
        raise UsageError(f"{options.target}: --format is for a page that `--html` wrote")
    workspace = Workspace.find_or_use(options.root)
    with open_archives() as unpack:
        query, problem, rest = _find(options, workspace, unpack)
        if options.code or options.only == "grammar":
            return _show_grammar(problem, options, rest, workspace)
        if rest:
            listed = problem.id if problem.folder is not None else " ".join(query.targets)
            return _show_case(problem, _find_case(problem, rest, listed), workspace, options, query)
    given = f"--{options.only}" if options.only else "--solution" if options.solution else ""
    if given:
        raise UsageError(f"{options.target}: {given} needs a case: judge show {options.target.rstrip('/')}/GROUP/NAME")
    _show_problem(problem)
    return ExitStatus.SUCCESS


def _show_page(options: Options) -> ExitStatus:
    """Print the report that a page holds: it may come from anyone, so its text is made safe again."""
    from judge.reporters.html.page import read_page

    if options.only or options.code or options.solution:
        raise UsageError(f"{options.target}: a page holds a report; it has no input, output or grammar of its own")
    report = read_page(Path(options.target))
    if options.format == "json":
        print(to_json(report.record, indent=1))
    else:
        print("\n".join(safe_lines(report.text, log_glyphs(sys.stdout))))
    return ExitStatus.SUCCESS


def _show_grammar(problem: Problem, options: Options, rest: str, workspace: Workspace) -> ExitStatus:
    """Print what follows from the grammar of the input: a section of the statement, or code that reads the input."""
    if rest:
        raise UsageError(f"{options.target}: --grammar and --code are about a problem or a source file, not a case")
    if options.code and problem.interactor:
        raise UsageError(f"{problem.id}: --code writes code that reads the input, which only the interactor reads here")
    grammar = problem.grammar
    if grammar is not None:
        print(grammar.reading_code(options.code) if options.code else grammar.statement(), end="")
        return ExitStatus.SUCCESS
    from judge.hack.hacking import guess_format, infer_grammar
    from judge.inputs import Grammar
    from judge.problems.yaml.scalars import grammar_yaml

    with open_session(workspace, options.session) as session:
        if problem.folder is None:  # from the samples of a file
            guess = guess_format(problem, session)
            value: Any = guess.notation
            print(f"input (guessed): {guess.outline()}; correct it with judge hack --input", file=sys.stderr)
        else:
            print(f"{problem.id} has no grammar: inferring one from its cases and its validator ...", file=sys.stderr)
            value = infer_grammar(problem, session, Seconds(20.0))
            if value is None:
                raise UsageError(f"{problem.id}: no grammar was found whose inputs its validator often accepts")
            print("this grammar is a guess: compare it with the statement", file=sys.stderr)
    print(Grammar.from_yaml(value).reading_code(options.code) if options.code else grammar_yaml(value), end="")
    return ExitStatus.SUCCESS


def _find(options: Options, workspace: Workspace, unpack: Callable[[Path], Path]) -> tuple[Query, Problem, str]:
    """Return a query for what the target names, its problem, and the words after it, which name a case.

    Raises:
        UsageError: there is no such problem, package or file, or the target names several.
        DataError: its files are wrong.
    """
    target, rest = options.target, ""
    while target and not os.path.lexists(target) and target not in workspace.packages:
        target, _, last = target.rpartition("/")
        rest = f"{last}/{rest}" if rest else last
    path = workspace.packages.get(target) or absolute_path(Path(target), workspace.root)
    query = Query(targets=(target,), unpack=unpack)
    if target in workspace.packages or (target and (is_archive(path) or find_package(path) is not None)):
        return _find_in_packages(options.target, query, rest, workspace)
    if path.suffix.lower() in SUFFIXES and path.is_file():
        found = workspace.select_source(path)
        report_notes(found.notes, found.diagnostics)
        if found.problem is None:
            raise UsageError(f"{target}: no case is beside it; to name its problem: judge show PROBLEM")
        problem = found.problem.problem
        return (query if problem.folder is None else Query(targets=(problem.target or problem.id,))), problem, rest
    if path.is_file() and not rest and (options.picture or options.solution or find_input(path)):
        return _find_input(path, options, workspace)
    if path.is_file() or not workspace.is_repository:
        raise UsageError(
            f"{options.target}: expected a problem, a package, a source file or an input, or a case of one; for a case "
            "of a file: judge show FILE/CASE"
        )
    head, _, rest = options.target.strip("/").partition("/")
    return Query(targets=(head,)), workspace.load_problem(head), rest


def _find_input(path: Path, options: Options, workspace: Workspace) -> tuple[Query, Problem, str]:
    """Return a query for an input or its answer, a problem with the inputs around it, and the id of its case."""
    path = find_input(path) or path
    if workspace.is_repository and path.is_relative_to(workspace.root / "testcases"):
        problem = workspace.load_problem(path.relative_to(workspace.root).parts[1])
        found = [case.id for case in problem.cases if case.input == InFile(path)]
        if found:
            return Query(targets=(problem.id,)), problem, found[0]
    (case, *more), _ = load_case_source(path, Problem())
    if more:
        raise UsageError(f"{options.target}: has {len(more) + 1:,} cases; expected the file of one input")
    others: Sequence[Case] = ()
    with suppress(UsageError):  # they only help to see what the input is
        others, _ = load_cases(path.parent, Problem(), lambda name: (path.parent / name).is_dir())
    cases = (case, *(each for each in others if each.input != case.input))
    solutions = () if options.solution is None else (options.solution,)
    return Query(solutions=solutions, case_source=path), Problem(cases=cases), case.id


def _find_in_packages(target: str, query: Query, rest: str, workspace: Workspace) -> tuple[Query, Problem, str]:
    resolved = workspace.resolve(query)
    if len(resolved.packages) != 1:
        raise UsageError(f"{target}: expected one package, found {len(resolved.packages)}")
    loaded, diagnostics = load_all(resolved.packages, resolved.archives, workspace.root)
    if not loaded:
        raise DataError(diagnostics)
    ((folder, package),) = loaded.items()
    report_notes(resolved.notes, [*diagnostics, *package.errors])
    patterns = resolved.packages[folder].cases  # of a file in `data`
    return query, package.problem, rest or (patterns[0] if patterns else "")


def _show_case(problem: Problem, case: Case, workspace: Workspace, options: Options, query: Query) -> ExitStatus:
    if options.solution is not None:
        return _show_run(problem, case, workspace, options, query)
    with open_session(workspace, options.session) as session:
        ready = prepare_case(session, problem, case)
        if options.picture:
            return _show_picture(problem, case, session, options)
    if options.only:
        data = ready.input if options.only == "input" else ready.answer
        if data is None:
            raise UsageError(f"{options.target}: the case has no answer")
        write_data(data, sys.stdout.buffer)
        return ExitStatus.SUCCESS
    canvas = make_canvas(sys.stdout)
    glyphs = canvas.display.glyphs
    canvas.write(*_case_lines(problem, case, workspace.root, glyphs))
    for label, part in (("input", ready.input), ("answer", ready.answer)):
        if part is not None:
            canvas.write(*part_lines(label, part, glyphs, 40))
    return ExitStatus.SUCCESS


def _show_run(problem: Problem, case: Case, workspace: Workspace, options: Options, query: Query) -> ExitStatus:
    """Run a solution on a case and show the data; the cache has no outputs, so the case is run again if it is known.

    Raises:
        UsageError: there is no such file, or it cannot be run on the case.
    """
    assert options.solution is not None
    query = replace(query, cases=(escape(case.id),))
    if problem.folder is None:
        selection = with_solutions(workspace.select(query), [absolute_path(options.solution, workspace.root)])
    else:
        selection = workspace.select(replace(query, solutions=(options.solution,)))
    if not selection.problems:
        raise DataError(selection.diagnostics)
    canvas = make_canvas(sys.stdout)
    glyphs = canvas.display.glyphs
    with open_session(workspace, options.session) as session:
        result = _judge(session, selection)
        if options.picture and result is not None and result.data is not None:
            return _show_picture(problem, case, session, options, result.data)
    if result is None or result.data is None or result.run is None:
        reason = f"{result.verdict}: {result.reason}" if result else "it was not run"
        print("\n".join(safe_lines(f"judge: {options.solution}: {reason}", glyphs)), file=sys.stderr)
        is_compile_error = result is not None and result.verdict is Verdict.CE
        return ExitStatus.FAILURE if is_compile_error else ExitStatus.ERROR
    if options.only == "output" and result.transcript is not None:
        raise UsageError(
            f"{options.target}: the solution wrote its output in a dialogue or in several passes; "
            "without --output, all of it is shown with what it answers"
        )
    if options.only:
        write_data(getattr(result.data, options.only), sys.stdout.buffer)
        return ExitStatus.SUCCESS
    verdict = f"{result.verdict}: {result.reason}" if result.reason else result.verdict.value
    canvas.write(
        *_case_lines(problem, case, workspace.root, glyphs),
        label_line("solution", f"{one_line(f'{options.solution}: {verdict}', glyphs)} (run now)"),
        label_line("used", describe_usage(result.run, result.limits)),
        *data_lines(result, canvas.display),
    )
    return ExitStatus.SUCCESS


def _judge(session: "Session", selection: Selection) -> CaseResult | None:
    """Return the result of a selection of one solution and one case, with its data."""
    result = None
    for event in session.run(selection, replace(session.run_options(), keeps_data=True)):
        match event:
            case CaseJudged():
                result = event.result
            case Notice(is_error=True):
                write_notice(event, sys.stderr)
            case RunEnded(interrupted=True):
                raise KeyboardInterrupt
            case _:
                pass
    return result


def _show_picture(
    problem: Problem, case: Case, session: "Session", options: Options, data: CaseData | None = None
) -> ExitStatus:
    """Draw a case, with what the answer and an output name, on the screen or into a file."""
    from judge.inputs.pictures import MOST_BYTES
    from judge.reporters.html.page import OutputFile
    from judge.reporters.pictures import draw_case
    from judge.reporters.pictures.svg import MARK, render_file
    from judge.reporters.pictures.terminal import drawn_lines

    path = options.picture
    file = None
    if path is not None and path != _TERMINAL:
        file = OutputFile("--picture", path, "picture", [MARK], advice="choose another file")
    drawn = draw_case(problem, case, session, data=data, output=None if data is None else data.output)
    for note in drawn.notes:
        write_notice(Notice(text=note), sys.stderr)
    if not drawn.drawings and not drawn.images:
        raise UsageError(
            f"{options.target}: nothing to draw: expected a tree, a graph, a grid, a permutation, points, intervals or "
            f"numbers, of at most {MOST_BYTES:,} bytes; the grammar of the input may say it (docs/input-grammar.md)"
        )
    if file is None:
        canvas = make_canvas(sys.stdout)
        canvas.write(*drawn_lines(drawn, canvas.display))
    else:
        file.write_bytes(render_file(drawn))
        print(make_safe(f"wrote {file.path}"), file=sys.stderr)
    return ExitStatus.SUCCESS


def _find_case(problem: Problem, wanted: str, listed: str) -> Case:
    """Return the case with the id `group/name`, or with the name if it is unique; `judge list` takes `listed`."""
    found = [case for case in problem.cases if wanted in (case.id, case.name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{wanted} is ambiguous: {' or '.join(case.id for case in found)}")
    names = [case.id for case in problem.cases] + [case.name for case in problem.cases]
    near = get_close_matches(wanted, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"list the cases with `judge list {listed}`"
    raise UsageError(f"{problem.id} has no case {wanted}; {hint}")


def _show_problem(problem: Problem) -> None:
    limits = problem.limits
    glyphs = UNICODE if supports_unicode(sys.stdout) else PLAIN
    print(one_line(f"{problem.id}: {problem.name}", glyphs))
    if problem.source:
        print(one_line(f"source    {problem.source.name} {problem.source.url}".rstrip(), glyphs))
    layout = f"package   {problem.format}" if problem.is_package else f"profile   {problem.profile}"
    print(f"{layout}, {describe_judging(problem)}")
    time = "no time limit given" if problem.needs_time_limit else f"{format_seconds(limits.cpu)} of CPU time"
    print(f"limits    {time}, {format_bytes(limits.memory)} of memory, {format_bytes(limits.output)} of output")
    groups = format_count(len({case.group for case in problem.cases}), "group")
    print(f"cases     {len(problem.cases):,} in {groups}")
    if problem.groups is not None and problem.has_scores:
        print(f"points    {describe_points(problem.groups)}")
    print(f"solutions {len(problem.solutions)}\n")
    if problem.statement is None:
        return
    from judge.problems.statement import read_statement

    if problem.statement.suffix not in (".md", ".tex"):
        print(one_line(f"statement in {shown_path(problem.statement, Path.cwd())}", glyphs))
        return
    found = read_statement(problem.statement)
    report_notes([f"{left} is left out" for left in found.left_out])
    statement = safe_text(found.text, glyphs)
    if sys.stdout.isatty() and supports_unicode(sys.stdout):
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(statement))
    else:
        print(statement, end="")


def _case_lines(problem: Problem, case: Case, root: Path, glyphs: Glyphs) -> Iterator[Line]:
    title = "/".join(filter(None, (problem.id, case.id))) + (f": {case.why}" if case.why else "")
    yield make_line(one_line(title, glyphs), fit=Fit.WRAP)
    if problem.folder and problem.is_package:  # of a zip file, it is a temporary one
        root = problem.folder
    origin = f"{_input_text(case, root)}; answer {_answer_text(problem, case)}"
    yield label_line("from", one_line(origin, glyphs))
    yield label_line("limits", format_limits(case.limits))


def _input_text(case: Case, root: Path) -> str:
    place = f"{shown_path(case.origin, root)}:{case.line}" if case.line else str(shown_path(case.origin, root))
    match case.input:
        case Inline():
            return place
        case InFile(path) if path == case.origin:
            return str(shown_path(path, root))
        case InFile(path):
            return f"{shown_path(path, root)}, named in {place}"
        case External(file=file, url=url):
            return f"{file} from {url}, named in {place}"
        case Generated() as generated:
            parameters = "".join(f", {name}={value!r}" for name, value in generated.parameters)
            file = str(shown_path(generated.file, root))
            return f"generator `{generated.function}` in {file} (seed {generated.seed}{parameters}), named in {place}"
        case Produced() as produced:
            return f"output of `{describe_call(produced)}`, named in {place}"


def _answer_text(problem: Problem, case: Case) -> str:
    match case.answer:
        case None if _ANSWERLESS & problem.types:
            return "none: the problem's program decides"
        case None if problem.reference is None:
            return "made with the input" if isinstance(case.input, Produced) else "none"
        case None:
            assert problem.reference is not None
            return f"computed by the reference solution {problem.reference.parent.name}/{problem.reference.name}"
        case Computed(solution):
            return f"computed by {solution.parent.name}/{solution.name}, unless it is made with the input"
        case InFile(path):
            return f"given in {path.name}"
        case Inline():
            return "given in the case file"
