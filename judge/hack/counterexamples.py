"""`judge stress`: a search for an input on which two programs differ, among what a generator makes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError, shorten
from judge.hack.functions import FunctionGenerator, Recipe, read_recipes
from judge.hack.hack_programs import (
    Build,
    BuiltChecker,
    SearchPrograms,
    build_all,
    name_built,
    solution_builds,
)
from judge.hack.hack_request import HackRequest
from judge.hack.search import Plan, Search
from judge.hack.sources import ProgramGenerator, Source
from judge.hack.values import Goal, NamedProgram, Report, SearchOptions, SearchResult, Target
from judge.inputs import Grammar
from judge.languages.build import read_source
from judge.languages.source import PLAIN, PROGRAM
from judge.model import DEFAULT_LIMITS, CheckerConfig, Problem
from judge.model.programs import JudgeProgram, Protocol
from judge.runner.options import NO_OVERRIDES, Overrides, ProblemSelection
from judge.workspace.match import check_source
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

_SHOWN = 60  # characters of an input


class StressPrograms(Struct, frozen=True, kw_only=True):
    """The programs of `judge stress`.

    Attributes:
        suspect: the program that may be wrong.
        reference: what its outputs are compared with; None to look for crashes and exceeded limits only.
        generator: prints an input, with a seed as its argument; or a file of functions.
        checker: a program that compares; None for that of the problem, or of the overrides.
        validator: accepts valid inputs with exit status 42; None for those of the problem. If there are none, every
            input that the generator makes is valid.
        problem: the problem of the suspect, which is its only solution; None if it is not known.
    """

    suspect: Path
    reference: Path | None
    generator: Path
    generator_args: tuple[str, ...] = ()
    checker: Path | None = None
    validator: Path | None = None
    problem: Problem | None = None
    overrides: Overrides = NO_OVERRIDES


def find_problem(workspace: Workspace, suspect: Path) -> tuple[Problem | None, Sequence[str]]:
    """Return the problem of a repository or package in which a file is a solution, with it as the only one.

    Returns:
        The problem, None if there is none; and what the user should know about it, a line each.

    Raises:
        UsageError: there is no such file.
        DataError: the problem's files are wrong.
    """
    check_source(suspect)
    found = workspace.select_source(suspect.absolute())
    problem = found.problem.problem if found.problem is not None else None
    if problem is None or problem.folder is None:
        return None, ()
    place = problem.folder if problem.is_package else problem.folder.parent.parent / "solutions" / problem.id
    if not suspect.absolute().is_relative_to(place):  # its name suggests the problem
        return None, ()
    return problem, (*found.notes, f"{suspect} is a solution of {problem.id}, whose programs and limits apply")


def stress(
    programs: StressPrograms, options: SearchOptions, session: Session, report: Report = lambda _: None
) -> SearchResult:
    """Run a program and a reference on what a generator makes, until they differ.

    Raises:
        UsageError: a file does not exist.
        JudgeError: a program does not compile, or the generator, the reference or the checker fails.
    """
    named = {
        "solution": programs.suspect,
        "reference": programs.reference,
        "validator": programs.validator,
        "generator": programs.generator,
    }
    paths = {role: path.absolute() for role, path in named.items() if path is not None}
    for path in named.values():
        if path is not None:
            check_source(path)
    recipes: list[Recipe] = []
    if programs.generator.suffix == ".py" and not programs.generator_args:
        recipes = read_recipes(paths["generator"], session.store.build)
    if recipes:
        del paths["generator"]  # its functions are called
    has_quick = options.goal is Goal.FAILURE
    own = ("solution", "reference") if programs.problem is not None else ()  # built with the problem
    built = _build_all(session, {role: path for role, path in paths.items() if role not in own}, has_quick=has_quick)
    checker = _build_checker(programs, session)
    validators = None if programs.validator is None else [[built["validator"]]]
    generator: Source
    if recipes:
        generator = FunctionGenerator(programs.generator.name, "stress", recipes, options.seed)
    else:
        called = replace(built["generator"], args=programs.generator_args)
        generator = ProgramGenerator(called.name, called, options.seed)
    if programs.problem is None:
        checker = checker or BuiltChecker(programs.overrides.override_checker(CheckerConfig()), None)
        target = Target(
            suspect=built["solution"],
            references=[built["reference"]] if programs.reference else [],
            validators=validators or [],
            checker=checker.config,
            ready_checker=checker.ready,
            limits=programs.overrides.override_limits(DEFAULT_LIMITS),
            group="stress",
        )
        return Search(target, Plan(sources=[generator], learns_format=True), options, session.executor, report).run()
    building = SearchPrograms(_request(programs.problem, programs), session)
    target = building.target(has_quick=has_quick, checker=checker, validators=validators)
    target = replace(target, references=building.references(target, [], {}), group="stress")
    grammar = programs.problem.grammar if validators is None else None
    simpler = None
    if grammar is not None:
        decides, simpler = not grammar.description.also, grammar.shrinks
        target = replace(target, grammar=grammar, grammar_decides=decides)
    plan = Plan(sources=[generator], simpler=simpler, learns_format=grammar is None or not target.decides_validity)
    result = Search(target, plan, options, session.executor, report).run()
    notes = [*building.notes, *_explain_rejections(result, programs.problem, grammar)]
    return replace(result, faults=(*notes, *result.faults))


def _request(problem: Problem, programs: StressPrograms) -> HackRequest:
    """Return what is asked of a problem: of its solutions, only the suspect and the named reference count."""
    alone = replace(problem, reference=None, independent=None)
    return HackRequest(
        part=ProblemSelection(problem=alone, overrides=programs.overrides),
        whole=replace(alone, solutions=()),
        references=(programs.reference.absolute(),) if programs.reference else (),
    )


def _explain_rejections(result: SearchResult, problem: Problem, grammar: Grammar | None) -> Iterator[str]:
    """Yield why the inputs are not valid, if none is."""
    if result.first_rejected is None or result.rejected < result.inputs:
        return
    shown = shorten(repr(result.first_rejected.decode(errors="backslashreplace")), _SHOWN)
    fault = None if grammar is None else grammar.check(result.first_rejected)
    why = f"the grammar of {problem.id} says: {fault}" if fault else f"the validators of {problem.id} reject them"
    yield f"no input of the generator is valid, such as {shown}: {why}"


def _build_checker(programs: StressPrograms, session: Session) -> BuiltChecker | None:
    """Build the checker that is named, if it is a program."""
    path = programs.checker
    if path is None:
        return None
    program = JudgeProgram(source=path, protocol=_protocol(path))
    config = CheckerConfig(name="program", program=program)
    problem = Problem(id="stress", name="stress", limits=DEFAULT_LIMITS, checker=config)
    checkers = session.store.judge_programs(problem)
    assert checkers is not None
    return BuiltChecker(config, session.executor.call(partial(checkers.require, program)))


def _build_all(session: Session, paths: Mapping[str, Path], *, has_quick: bool) -> dict[str, NamedProgram]:
    """Build programs of the user on all workers.

    The paths are absolute, by what each is, such as `solution`. For `has_quick`, see `NamedProgram.quick`.

    Raises:
        JudgeError: one does not compile, or its compiler is missing.
        OSError: one cannot be read.
    """
    options = session.build_options()
    builds: dict[str, list[Build]] = {}
    for role, path in paths.items():
        about = PROGRAM if role == "validator" else PLAIN
        own = Build(source=read_source(path, about), about=about, options=options)
        if role == "solution":
            builds[role] = solution_builds(replace(own, tools=session.options.tools), has_quick=has_quick)
        else:
            builds[role] = [replace(own, options=replace(options, is_static=True))]
    built = iter(build_all([each for ways in builds.values() for each in ways], session))
    programs = {}
    for role, ways in builds.items():
        name = paths[role].name
        programs[role] = name_built(name, f"the {role} {name}", list(islice(built, len(ways))))
    return programs


def _protocol(path: Path) -> Protocol:
    """Return how a checker is called: as testlib does if it uses that, else as in ICPC packages."""
    try:
        return Protocol.TESTLIB if b"testlib.h" in path.read_bytes() else Protocol.ICPC
    except OSError as error:
        raise UsageError(f"--checker {path}: {error.strerror}") from error
