"""`judge stress`: a search for an input on which two programs differ, among what a generator makes."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.errors import UsageError
from judge.languages.build import read_source
from judge.languages.source import PLAIN, PROGRAM
from judge.model import DEFAULT_LIMITS, CheckerConfig, Problem
from judge.programs import JudgeProgram, Protocol
from judge.runner.options import NO_OVERRIDES, Overrides, ProblemSelection
from judge.search.functions import FunctionGenerator, Recipe, read_recipes
from judge.search.grammatical import GrammarFormat
from judge.search.search import Plan, Search
from judge.search.sources import ProgramGenerator, Source
from judge.search.values import Goal, NamedProgram, Report, SearchOptions, SearchResult, Target
from judge.workspace.hack_programs import Build, SearchPrograms, build_all, name_built, solution_builds
from judge.workspace.hack_request import HackRequest
from judge.workspace.match import check_source
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace


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
    """Return the problem of a repository or package that a file solves, with the file as its only solution.

    Returns:
        The problem, None if there is none; and what the user should know about it, a line each.

    Raises:
        UsageError: there is no such file.
        DataError: the problem's files are wrong.
    """
    check_source(suspect)
    found = workspace.select_source(suspect.absolute())
    if found.problem is None or found.problem.problem.folder is None:
        return None, ()
    problem = found.problem.problem
    applies = f"{suspect} is a solution of {problem.id}: its checker, validators and limits apply"
    return problem, (*found.notes, applies)


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
    notes: Sequence[str] = ()
    if programs.problem is None:
        built = _build_all(session, paths, has_quick=has_quick)
        target = Target(
            suspect=built["solution"],
            references=[built["reference"]] if programs.reference else [],
            checker=programs.overrides.override_checker(CheckerConfig()),
            limits=programs.overrides.override_limits(DEFAULT_LIMITS),
            group="stress",
        )
    else:
        of_problem = ("solution", "reference")
        others = {role: path for role, path in paths.items() if role not in of_problem}
        built = _build_all(session, others, has_quick=has_quick)
        target, notes = _target_of_problem(programs.problem, programs, session, has_quick=has_quick)
    if programs.checker is not None:
        target = _with_checker(target, programs.checker, session)
    if programs.validator is not None:
        target = replace(target, validators=[[built["validator"]]], grammar=None, grammar_decides=False)
    generator: Source
    if recipes:
        generator = FunctionGenerator(programs.generator.name, "stress", recipes, options.seed)
    else:
        called = replace(built["generator"], args=programs.generator_args)
        generator = ProgramGenerator(called.name, called, options.seed)
    plan = Plan(sources=[generator], learns_format=not target.decides_validity)
    result = Search(target, plan, options, session.executor, report).run()
    return replace(result, faults=(*notes, *result.faults))


def _target_of_problem(
    problem: Problem, programs: StressPrograms, session: Session, *, has_quick: bool
) -> tuple[Target, Sequence[str]]:
    """Build the programs of a problem, of its solutions only the suspect and the reference.

    Returns:
        The target, and what of the problem cannot be used, a sentence each.
    """
    references = (programs.reference.absolute(),) if programs.reference else ()
    alone = replace(problem, reference=None, independent=None)
    request = HackRequest(
        part=ProblemSelection(problem=alone, overrides=programs.overrides),
        whole=replace(alone, solutions=()),
        references=references,
    )
    building = SearchPrograms(request, session)
    target = building.target(has_quick=has_quick)
    grammar = problem.grammar
    target = replace(
        target,
        references=building.references(target, [], {}),
        grammar=None if grammar is None else GrammarFormat(grammar),
        grammar_decides=grammar is not None and not grammar.description.also,
    )
    return target, building.notes


def _with_checker(target: Target, path: Path, session: Session) -> Target:
    program = JudgeProgram(source=path, protocol=_protocol(path))
    config = CheckerConfig(name="program", program=program)
    problem = Problem(id="stress", name="stress", limits=target.limits, checker=config)
    checkers = session.store.judge_programs(problem)
    assert checkers is not None
    return replace(target, checker=config, ready_checker=session.executor.call(partial(checkers.require, program)))


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
