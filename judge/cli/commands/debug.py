"""`judge debug`: run a solution on one case, on the user's own terminal, without limits and without the sandbox."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from fcntl import ioctl
from pathlib import Path
from typing import Annotated

from msgspec.structs import replace

from judge.base.data import read_data
from judge.base.errors import DataError, JudgeError, UsageError, make_safe
from judge.base.files import as_word
from judge.base.units import signal_name
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import open_session, prepare_case
from judge.cli.commands.signals import raise_on_signal
from judge.judging.judge import check_output
from judge.languages.build import CompileError, Program, build
from judge.languages.source import solution_options
from judge.languages.tools import debug_command
from judge.model import CaseResult, CheckResult, FileNames, Problem, Verdict
from judge.model.events import CaseJudged, Notice
from judge.preparation.cases import ReadyCase
from judge.reporters.escape import escape_text
from judge.runner.options import ProblemSelection
from judge.sandbox.box import Box
from judge.workspace.query import Query
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

EPILOG = """\
Without CASE, the first case that fails is debugged; the solution is judged first if necessary. The program reads the
case's input and writes to this terminal:

  Python     with -X dev (all warnings, checks of the interpreter); --pdb runs it in the debugger
  C and C++  built with -g and the sanitizers for addresses and undefined behavior; --gdb runs that in the debugger
  Java       with assertions

The program is NOT sandboxed and has no limits: it can do whatever you can do. Debug only code that you have read.

examples:
  judge debug poker.py
  judge debug poker.py edge/ace-low --problem uva131
  judge debug poker.cpp --cases tests --gdb
  judge debug poker.py 3 --cases tests --pdb

exit status: 0 if the output and the exit status are right, 1 if not, 2 for wrong usage; in a debugger, 0
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge debug` runs."""

    file: Annotated[Path, positional("FILE", "the solution")]
    case: Annotated[str | None, positional("CASE", "its name or group/name (default: the first that fails)")] = None
    case_option: Annotated[str | None, option("the same as CASE", "--case", metavar="CASE")] = None
    problem: shared.Problem = None
    cases: shared.Cases = None
    pdb: Annotated[bool, option("debug Python", excludes="debugger")] = False
    gdb: Annotated[bool, option("debug C and C++", excludes="debugger")] = False
    python: shared.Python = None
    include: shared.Include = ()

    @property
    def query(self) -> Query:
        """The solution and its cases."""
        return Query(
            targets=(self.problem,) if self.problem else (),
            solutions=(self.file,),
            cases=tuple(case for case in (self.case, self.case_option) if case),
            case_source=self.cases,
        )

    @property
    def debugger(self) -> str:
        """The name of an interactive debugger, or ""."""
        return "pdb" if self.pdb else "gdb" if self.gdb else ""


class _DoesNotCompileError(JudgeError):
    """The solution does not compile, which is its own fault."""


def execute(options: Options) -> ExitStatus:
    """Choose a case, build, and run; return the exit status."""
    try:
        return _execute(options)
    except _DoesNotCompileError as error:
        print(make_safe(f"judge: {error}"), file=sys.stderr)
        return ExitStatus.FAILURE


def _execute(options: Options) -> ExitStatus:
    if options.debugger and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"--{options.debugger} needs a terminal; without it, the program just runs")
    workspace = Workspace.find_or_use(options.root)
    selection = workspace.select(options.query)
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    for note in selection.notes:
        print(make_safe(f"note: {note}"), file=sys.stderr)
    part = selection.problems[0]
    _check_kind(part.problem, options.query)
    with open_session(workspace, options.session) as session:
        part, before = _choose_case(part, session, is_named=bool(options.query.cases))
        ready = prepare_case(session, part.problem, part.problem.cases[0])
        program = _build(part, session, options.debugger)
        given = ready.input if isinstance(ready.input, Path) else program.place / "input"  # the user's own, as it is
        if not isinstance(ready.input, Path):
            given.write_bytes(ready.input)
        print(make_safe(f"{part.problem.id}/{ready.case.id}{before}; not sandboxed, no limits"), file=sys.stderr)
        programs = session.store.judge_programs(part.problem)

        def check(output: bytes) -> CheckResult:
            def check_in(box: Box) -> CheckResult:
                config = ready.case.checker
                checker = programs.require(config.program, box) if programs else None
                return check_output(config, checker, box, given=ready.input, answer=ready.answer, output=output)

            return session.executor.call(check_in)

        return _run(program, ready, given, options.debugger, check)


def _check_kind(problem: Problem, query: Query) -> None:
    """Say what a single run cannot show.

    Raises:
        UsageError: the problem is interactive.
    """
    if problem.interactor is not None:
        case = query.cases[0] if query.cases else problem.cases[0].id if problem.cases else "CASE"
        solution = as_word(problem.solutions[0].display_path)
        case = shlex.quote(f"{solution if problem.folder is None else problem.target or problem.id}/{case}")
        solution = shlex.quote(solution)
        raise UsageError(
            f"{problem.id} is interactive, and nothing would answer the program on this terminal; "
            f"`judge show {case} --solution {solution}` shows the whole dialogue"
        )
    if problem.passes > 1:
        print(f"note: only the first of at most {problem.passes} passes is run and checked", file=sys.stderr)


def _choose_case(part: ProblemSelection, session: Session, *, is_named: bool) -> tuple[ProblemSelection, str]:
    """Return the selection of one case, and how the solution did on it, for the message."""
    cases = part.problem.cases
    if is_named:
        if len(cases) > 1:
            names = " or ".join(case.id for case in cases[:5])
            raise UsageError(f"the pattern matches {len(cases)} cases; name one: {names}")
        return part, ""
    found = _find_failure(part, session)
    if found is None:
        chosen, text = cases[0], ", since no case fails"
    elif found.verdict is Verdict.CE:
        raise _DoesNotCompileError(
            f"{part.problem.solutions[0].display_path} does not compile: {found.reason}\n{found.message}".rstrip()
        )
    else:
        chosen, text = found.case, f", {found.verdict}: {found.reason}"
    return replace(part, problem=replace(part.problem, cases=(chosen,)), is_complete=False), text


def _find_failure(part: ProblemSelection, session: Session) -> CaseResult | None:
    """Judge until a case fails; results of earlier runs are used."""
    from judge.workspace.select import Selection

    events = session.run(Selection(root=session.root, problems=[part]))
    with closing(events):
        for event in events:
            match event:
                case CaseJudged(result=result) if result.verdict is Verdict.JE:
                    raise JudgeError(result.reason)
                case CaseJudged(result=result) if result.verdict not in (Verdict.AC, Verdict.SK, Verdict.NA):
                    return result
                case Notice(is_error=True, text=text):
                    raise JudgeError(text)
                case _:
                    pass
    return None


def _build(part: ProblemSelection, session: Session, debugger: str) -> Program:
    """Build the solution for debugging, in the sandbox.

    Raises:
        _DoesNotCompileError: it does not compile.
    """
    (solution,) = part.problem.solutions
    options = session.build_options().add_flags(part.problem.compile_flags)
    options = replace(options, is_debug=True, debugger=debugger)
    built = session.executor.call(
        lambda box: build(
            solution.path,
            session.store.build,
            box,
            session.options.tools,
            source_options=solution_options(solution, part.problem.folder),
            options=options,
        )
    )
    if isinstance(built, CompileError):
        raise _DoesNotCompileError(
            f"{solution.display_path} does not compile for debugging: {built.message}\n{built.text}".rstrip()
        )
    return built


def _run(
    program: Program, ready: ReadyCase, given: Path, debugger: str, check: Callable[[bytes], CheckResult]
) -> ExitStatus:
    words = debug_command(program.language, debugger)  # only they may name the file with the input
    argv = tuple(word.replace("{input}", str(given)) if word in words else word for word in program.argv)
    environment = {**program.language.debug.environment, **program.environment}
    names = ready.case.file_names or FileNames()
    folder = program.place / "files" if names.used else None
    if folder:
        folder.mkdir(exist_ok=True)
        if names.input:
            shutil.copyfile(given, folder / names.input)
    if debugger:
        answer = "none"
        if ready.answer is not None:
            first, _, more = read_data(ready.answer).partition(b"\n")
            answer = escape_text(first[:200]) + (" ..." if more else "")
        print(f"input: {shlex.quote(str(given))}; answer: {answer}", file=sys.stderr)
        with raise_on_signal(), _restore_terminal():
            sys.stdout.flush()
            process = subprocess.Popen(argv, env={**os.environ, **environment}, cwd=folder)
            with _leave_keyboard_to(process):
                process.wait()
        return ExitStatus.SUCCESS
    status, output = _run_program(argv, environment, Path(os.devnull) if names.input else given, folder)
    if folder and names.output:
        output = (folder / names.output).read_bytes() if (folder / names.output).is_file() else b""
        sys.stdout.buffer.write(output)
        sys.stdout.buffer.flush()
    if output and not output.endswith(b"\n"):
        print(flush=True)
    ending = f"killed by signal {-status} ({signal_name(-status)})" if status < 0 else f"exit status {status}"
    ending = f"{Verdict.RTE}: {ending}" if status else ending
    is_right = False
    if len(output) >= _MAX_KEPT:
        result = "the output is too long to be compared"
    elif ready.answer is None and ready.case.checker.program is None:
        result, is_right = "no answer to compare the output with", True
    else:
        checked = check(output)
        is_right = checked.verdict is Verdict.AC
        verdict = "" if status else f"{checked.verdict}: "  # a crash decides before the output does
        result = "the output is right" if is_right else f"{verdict}{checked.reason}"
    print(make_safe(f"{ending}; {result}"), file=sys.stderr)
    if is_right and status == 0:
        return ExitStatus.SUCCESS
    return ExitStatus.INTERRUPTED if -status == signal.SIGINT else ExitStatus.FAILURE


# ---- the user's own terminal: no sandbox, no limits; Ctrl-C is for the program, and the judge waits for its end ------

_MAX_KEPT = 64 << 20  # bytes of output


def _run_program(
    argv: Sequence[str], environment: Mapping[str, str], given: Path, folder: Path | None
) -> tuple[int, bytes]:
    """Run a program on an input; return its exit status, or minus the number of a signal, and its output.

    The output appears at once: on a terminal, the program's output is a terminal, too, so that it writes line by line.
    """
    with raise_on_signal(), _restore_terminal(), given.open("rb") as stdin:
        sys.stdout.flush()
        ours, theirs = _open_terminal() if sys.stdout.isatty() else os.pipe()
        try:
            try:
                process = subprocess.Popen(
                    argv, stdin=stdin, stdout=theirs, env={**os.environ, **environment}, cwd=folder
                )
            finally:
                os.close(theirs)
            with _leave_keyboard_to(process):
                output = _show(ours)
                return process.wait(), output
        finally:
            os.close(ours)


def _show(source: int) -> bytes:
    """Copy what a program writes to standard output until it ends; return the beginning of it."""
    kept = bytearray()
    while True:
        try:
            data = os.read(source, 1 << 16)
        except OSError:  # Linux reports the end of a terminal's other side as an error (EIO)
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        kept += data[: _MAX_KEPT - len(kept)]
    return bytes(kept)


def _open_terminal() -> tuple[int, int]:
    """Return both sides of a terminal that changes no byte and has the size of ours."""
    ours, theirs = os.openpty()
    attributes = termios.tcgetattr(theirs)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(theirs, termios.TCSANOW, attributes)
    size = ioctl(sys.stdout.fileno(), termios.TIOCGWINSZ, bytes(8))
    ioctl(theirs, termios.TIOCSWINSZ, size)
    return ours, theirs


@contextmanager
def _leave_keyboard_to(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    """Ignore the signals of the keyboard, which the program gets, too; if the judge must end, end the program."""
    before = {each: signal.signal(each, signal.SIG_IGN) for each in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _restore_terminal() -> Iterator[None]:
    """Restore the modes of the terminal: a debugger that is killed leaves its own."""
    try:
        before = termios.tcgetattr(sys.stdin.fileno())
    except (termios.error, OSError, ValueError):  # no terminal
        yield
        return
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal was closed
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, before)
