"""Searches for counterexamples in a session: of loose programs (`judge stress`), or of a problem (`judge hack`)."""

from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.errors import JudgeError, UsageError
from judge.languages.build import CompileError, Program, build, read_source
from judge.languages.source import PLAIN, PROGRAM, SourceOptions
from judge.model import DEFAULT_LIMITS, CheckerConfig, Limits, Problem
from judge.programs import JudgeProgram, Protocol
from judge.sandbox.box import Box
from judge.search.functions import FunctionGenerator, read_recipes
from judge.search.search import Plan, Search
from judge.search.sources import ProgramGenerator, Source
from judge.search.values import NamedProgram, Report, SearchOptions, SearchResult, Target
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
    suspect = _build(session, programs.suspect, "solution")
    references = [_build(session, programs.reference, "reference")] if programs.reference else []
    validators = [[_build(session, programs.validator, "validator")]] if programs.validator else []
    config, ready = programs.checker_config, None
    if programs.checker is not None:
        program = JudgeProgram(source=programs.checker, protocol=_protocol(programs.checker))
        config = CheckerConfig(name="program", program=program)
        problem = Problem(id="stress", name="stress", limits=programs.limits, checker=config)
        built = session.store.judge_programs(problem)
        assert built is not None
        (ready,) = session.executor.map(lambda box, wanted: built.require(wanted, box), [program])
    target = Target(
        suspect=suspect,
        references=references,
        validators=validators,
        checker=config,
        ready_checker=ready,
        limits=programs.limits,
        group="stress",
    )
    source = _find_generator(programs, options, session)
    plan = Plan(sources=[source], learns_format=not validators)
    return Search(target, plan, options, session.executor, report).run()


def _find_generator(programs: StressPrograms, options: SearchOptions, session: Session) -> Source:
    path = _check_file(programs.generator)
    if path.suffix == ".py" and not programs.generator_args and (recipes := read_recipes(path, session.store.build)):
        return FunctionGenerator(path.name, "stress", recipes, options.seed)
    program = _build(session, path, "generator")
    return ProgramGenerator(path.name, replace(program, args=programs.generator_args), options.seed)


def _check_file(path: Path) -> Path:
    """Return the absolute path of a source file.

    Raises:
        UsageError: there is none.
    """
    from judge.workspace.match import check_source

    check_source(path)
    return path.absolute()


def _build(session: Session, path: Path, role: str, options: SourceOptions | None = None) -> NamedProgram:
    """Build a program of the user.

    Raises:
        UsageError: there is no such file.
        JudgeError: it does not compile, or its compiler is missing.
    """
    path = _check_file(path)
    chosen = options or (PLAIN if role in ("solution", "reference", "generator") else PROGRAM)
    return build_named(session, path, role, path.name, chosen)


def build_named(session: Session, path: Path, role: str, name: str, options: SourceOptions) -> NamedProgram:
    """Build a program in some worker.

    Raises:
        JudgeError: it does not compile, or its compiler is missing.
        OSError: it cannot be read.
    """
    source = read_source(path, options)
    is_suspect = role == "solution"  # it runs as in `judge run`
    tools = session.options.tools if is_suspect else {}

    def build_in(box: Box, _: Path) -> Program | CompileError:
        return build(
            path,
            session.store.build,
            box,
            tools,
            session.store.programs,
            source=source,
            source_options=options,
            options=replace(session.build_options(), is_static=not is_suspect),
        )

    (built,) = session.executor.map(build_in, [path])
    if isinstance(built, CompileError):
        raise JudgeError(f"the {role} {name} does not compile: {built.message}")
    return NamedProgram(name=name, program=built)


def _protocol(path: Path) -> Protocol:
    """Return how a checker is called: as testlib does if it uses that, else as in ICPC packages."""
    try:
        return Protocol.TESTLIB if b"testlib.h" in path.read_bytes() else Protocol.ICPC
    except OSError as error:
        raise UsageError(f"--checker {path}: {error.strerror}") from error
