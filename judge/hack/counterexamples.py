"""`judge stress`: a search for an input on which two programs differ, among what a generator makes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError, shorten
from judge.hack.functions import FunctionGenerator, read_recipes
from judge.hack.grammatical import GrammarFormat
from judge.hack.hack_programs import (
    SearchPrograms,
)
from judge.hack.hack_request import HackRequest
from judge.hack.search import Plan, Search
from judge.hack.sources import ProgramGenerator, Source
from judge.hack.values import Goal, Report, SearchOptions, SearchResult
from judge.inputs import Grammar
from judge.languages.source import PLAIN
from judge.model import DEFAULT_LIMITS, EXPECTATIONS, CheckerConfig, Problem, Solution
from judge.model.programs import JudgeProgram, Protocol
from judge.runner.options import NO_OVERRIDES, Overrides, ProblemSelection
from judge.workspace.match import check_source
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

_SHOWN = 60  # characters of an input


class StressPrograms(Struct, frozen=True, kw_only=True):
    """The programs of `judge stress`.

    Attributes:
        submission: the program that may be wrong.
        reference: what its outputs are compared with; None to look for crashes and exceeded limits only.
        generator: prints an input, with a seed as its argument; or a file of functions.
        checker: a program that compares; None for that of the problem, or of the overrides.
        validator: accepts valid inputs with exit status 42; None for those of the problem. If there are none, every
            input that the generator makes is valid.
        problem: the problem of the submission, which is its only solution; None if it is not known.
    """

    submission: Path
    reference: Path | None
    generator: Path
    generator_args: tuple[str, ...] = ()
    checker: Path | None = None
    validator: Path | None = None
    problem: Problem | None = None
    overrides: Overrides = NO_OVERRIDES


def find_problem(workspace: Workspace, submission: Path) -> tuple[Problem | None, Sequence[str]]:
    """Return the problem of a repository or package in which a file is a solution, with it as the only one.

    Returns:
        The problem, None if there is none; and what the user should know about it, a line each.

    Raises:
        UsageError: there is no such file.
        DataError: the problem's files are wrong.
    """
    check_source(submission)
    found = workspace.select_source(submission.absolute())
    problem = found.problem.problem if found.problem is not None else None
    if problem is None or problem.folder is None:
        return None, ()
    place = problem.folder if problem.is_package else problem.folder.parent.parent / "solutions" / problem.id
    if not submission.absolute().is_relative_to(place):  # its name suggests the problem
        return None, ()
    return problem, (*found.notes, f"{submission} is a solution of {problem.id}, whose programs and limits apply")


def stress(
    programs: StressPrograms, options: SearchOptions, session: Session, report: Report = lambda _: None
) -> SearchResult:
    """Run a program and a reference on what a generator makes, until they differ.

    Raises:
        UsageError: a file does not exist.
        JudgeError: a program does not compile, or the generator, the reference or the checker fails.
    """
    for path in (programs.submission, programs.reference, programs.validator, programs.generator):
        if path is not None:
            check_source(path)
    building = SearchPrograms(_request(programs), session, report)
    target = building.target(is_static=options.goal is Goal.FAILURE)
    target = replace(target, references=building.references(target, [], {}), group="stress")
    source: Source
    name, path = programs.generator.name, programs.generator.absolute()
    is_script = path.suffix == ".py" and not programs.generator_args
    if recipes := read_recipes(path, session.store.build) if is_script else []:
        source = FunctionGenerator(name, "stress", recipes, options.seed)
    else:
        generator = building.build_program("generator", path, PLAIN, session.build_options())
        source = ProgramGenerator(name, replace(generator, args=programs.generator_args), options.seed)
    grammar = building.problem.grammar if programs.validator is None else None
    simpler = None
    if grammar is not None:
        decides, simpler = not grammar.description.also, grammar.shrinks
        target = replace(target, grammar=GrammarFormat(grammar), grammar_decides=decides)
    plan = Plan(sources=[source], simpler=simpler, learns_format=grammar is None or not target.decides_validity)
    result = Search(target, plan, options, session.executor, report).run()
    notes = (
        building.notes
        if programs.problem is None
        else [*building.notes, *_explain_rejections(result, programs.problem, grammar)]
    )
    return replace(result, faults=(*notes, *result.faults))


def _request(programs: StressPrograms) -> HackRequest:
    """Return what is asked of a problem: of its solutions, only the submission and the named reference count."""
    problem, path = programs.problem, programs.submission.absolute()
    if problem is None:
        own = Solution(path=path, display_path=path.name, expectation=EXPECTATIONS["accepted"])
        problem = Problem(id="stress", name="stress", limits=DEFAULT_LIMITS, checker=CheckerConfig(), solutions=(own,))
    checker = None
    if programs.checker is not None:
        program = JudgeProgram(source=programs.checker, protocol=_protocol(programs.checker))
        checker = CheckerConfig(name="program", program=program)
    alone = replace(problem, reference=None, independent=None)
    return HackRequest(
        part=ProblemSelection(problem=alone, overrides=programs.overrides),
        whole=replace(alone, solutions=()),
        references=(programs.reference.absolute(),) if programs.reference else (),
        checker=checker,
        validator=None if programs.validator is None else programs.validator.absolute(),
    )


def _explain_rejections(result: SearchResult, problem: Problem, grammar: Grammar | None) -> Iterator[str]:
    """Yield why the inputs are not valid, if none is."""
    if result.first_rejected is None or result.rejected < result.inputs:
        return
    shown = shorten(repr(result.first_rejected.decode(errors="backslashreplace")), _SHOWN)
    fault = None if grammar is None else grammar.check(result.first_rejected)
    why = f"the grammar of {problem.id} says: {fault}" if fault else f"the validators of {problem.id} reject them"
    yield f"no input of the generator is valid, such as {shown}: {why}"


def _protocol(path: Path) -> Protocol:
    """Return how a checker is called: as testlib does if it uses that, else as in ICPC packages."""
    try:
        return Protocol.TESTLIB if b"testlib.h" in path.read_bytes() else Protocol.ICPC
    except OSError as error:
        raise UsageError(f"--checker {path}: {error.strerror}") from error
