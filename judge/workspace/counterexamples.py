"""`judge stress`: a search for an input on which two programs differ, among what a generator makes."""

from collections.abc import Mapping
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.errors import UsageError
from judge.languages.build import read_source
from judge.languages.source import PLAIN, PROGRAM
from judge.model import DEFAULT_LIMITS, CheckerConfig, Limits, Problem
from judge.programs import JudgeProgram, Protocol
from judge.search.functions import FunctionGenerator, Recipe, read_recipes
from judge.search.search import Plan, Search
from judge.search.sources import ProgramGenerator, Source
from judge.search.values import Goal, NamedProgram, Report, SearchOptions, SearchResult, Target
from judge.workspace.hack_programs import Build, build_all, name_built, solution_builds
from judge.workspace.match import check_source
from judge.workspace.session import Session


class StressPrograms(Struct, frozen=True, kw_only=True):
    """The programs of `judge stress`.

    Attributes:
        suspect: the program that may be wrong.
        reference: what its outputs are compared with; None to look for crashes and exceeded limits only.
        generator: prints an input, with a seed as its argument; or a file of functions.
        checker: a program that compares; None for the configured checker.
        validator: accepts valid inputs with exit status 42; None if every input that the generator makes is valid.
    """

    suspect: Path
    reference: Path | None
    generator: Path
    generator_args: tuple[str, ...] = ()
    checker: Path | None = None
    checker_config: CheckerConfig = field(default_factory=CheckerConfig)
    validator: Path | None = None
    limits: Limits = DEFAULT_LIMITS


def stress(
    programs: StressPrograms, options: SearchOptions, session: Session, report: Report = lambda _: None
) -> SearchResult:
    """Run a program and a reference on what a generator makes, until they differ.

    Raises:
        UsageError: a file does not exist.
        JudgeError: a program does not compile, or the generator, the reference or the checker fails.
    """
    paths: dict[str, Path] = {}
    for role, path in (
        ("solution", programs.suspect),
        ("reference", programs.reference),
        ("validator", programs.validator),
        ("generator", programs.generator),
    ):
        if path is not None:
            check_source(path)
            paths[role] = path.absolute()
    recipes: list[Recipe] = []
    if programs.generator.suffix == ".py" and not programs.generator_args:
        recipes = read_recipes(paths["generator"], session.store.build)
    if recipes:
        del paths["generator"]  # its functions are called
    built = _build_all(session, paths, has_quick=options.goal is Goal.FAILURE)
    config, ready = programs.checker_config, None
    if programs.checker is not None:
        program = JudgeProgram(source=programs.checker, protocol=_protocol(programs.checker))
        config = CheckerConfig(name="program", program=program)
        problem = Problem(id="stress", name="stress", limits=programs.limits, checker=config)
        checkers = session.store.judge_programs(problem)
        assert checkers is not None
        ready = session.executor.call(partial(checkers.require, program))
    target = Target(
        suspect=built["solution"],
        references=[built["reference"]] if programs.reference else [],
        validators=[[built["validator"]]] if programs.validator else [],
        checker=config,
        ready_checker=ready,
        limits=programs.limits,
        group="stress",
    )
    generator: Source
    if recipes:
        generator = FunctionGenerator(programs.generator.name, "stress", recipes, options.seed)
    else:
        called = replace(built["generator"], args=programs.generator_args)
        generator = ProgramGenerator(called.name, called, options.seed)
    plan = Plan(sources=[generator], learns_format=programs.validator is None)
    return Search(target, plan, options, session.executor, report).run()


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
