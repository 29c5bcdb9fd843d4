"""`judge stress`: a search for an input on which two programs differ, among what a generator makes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import shorten
from judge.hack.functions import call_generators, read_recipes
from judge.hack.hack_programs import SearchPrograms
from judge.hack.hack_request import HackRequest
from judge.hack.search import Plan, Search
from judge.hack.sources import Proposal, Source, run_generator
from judge.hack.values import Goal, Report, SearchOptions, SearchResult
from judge.inputs import Grammar
from judge.model import DEFAULT_LIMITS, EXPECTATIONS, CheckerConfig, Problem, Solution
from judge.preparation.generate import GENERATOR_LIMITS
from judge.runner.options import NO_OVERRIDES, Overrides, ProblemSelection
from judge.workspace.match import check_source
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

_SHOWN = 60  # characters of an input


def find_stress_request(
    workspace: Workspace,
    submission: Path,
    reference: Path | None,
    *,
    validator: Path | None = None,
    overrides: Overrides = NO_OVERRIDES,
) -> HackRequest:
    """Return what to hack: a program, and the problem of a repository or package in which it is a solution, if any.

    Of the problem's solutions, only this one and the reference count. Without a reference, only crashes and exceeded
    limits are looked for. A given validator replaces those of the problem; without any, every input is valid.

    Raises:
        UsageError: there is no such file.
        DataError: the problem's files are wrong.
    """
    for path in (submission, reference, validator):
        if path is not None:
            check_source(path)
    own = submission.absolute()
    found = workspace.select_source(own, needs_cases=False)
    problem = found.problem.problem if found.problem is not None else None
    if problem is not None and _is_solution(own, problem):
        notes = (*found.notes, f"{submission} is a solution of {problem.id}, whose programs and limits apply")
    else:
        solution, notes = Solution(path=own, display_path=own.name, expectation=EXPECTATIONS["accepted"]), ()
        if problem is None or problem.folder is not None:
            problem = Problem(id="stress", name="stress", limits=DEFAULT_LIMITS, checker=CheckerConfig())
        problem = replace(problem, id="stress", name="stress", solutions=(solution,))
    return HackRequest(
        part=ProblemSelection(problem=problem, overrides=overrides),
        whole=replace(problem, solutions=(), reference=None, independent=None),
        references=() if reference is None else (reference.absolute(),),
        validator=None if validator is None else validator.absolute(),
        notes=notes,
    )


def _is_solution(path: Path, problem: Problem) -> bool:
    """Return whether a file is where a problem of a repository or package has its solutions."""
    if problem.folder is None:
        return False
    place = problem.folder if problem.is_package else problem.folder.parent.parent / "solutions" / problem.id
    return path.is_relative_to(place)


def stress(
    request: HackRequest,
    generator: Sequence[str],
    options: SearchOptions,
    session: Session,
    report: Report = lambda _: None,
) -> SearchResult:
    """Run a program and a reference on what a generator makes, until they differ.

    `generator` is the path of a program that prints an input, with a seed as an argument, and its other arguments; or
    the path of a file of functions.

    Raises:
        UsageError: a file does not exist.
        JudgeError: a program does not compile, or the generator, the reference or the checker fails.
    """
    path, args = Path(generator[0]).absolute(), tuple(generator[1:])
    check_source(Path(generator[0]))
    programs = SearchPrograms(request, session, report)
    target = programs.target(is_static=options.goal is Goal.FAILURE)
    target = replace(target, references=programs.build_references(), group="stress")
    proposals: Iterator[Proposal]
    most = options.budget
    limits = replace(GENERATOR_LIMITS, cpu=min(GENERATOR_LIMITS.cpu, most), wall=min(GENERATOR_LIMITS.wall, most))
    if recipes := read_recipes(path, session.store.build) if path.suffix == ".py" and not args else []:
        proposals = call_generators(path.name, "stress", recipes, options.seed, limits=limits)
    else:
        program = programs.build_generator(path)
        proposals = run_generator(replace(program, args=args), options.seed, limits=limits)
    problem = request.part.problem
    grammar, simpler = problem.grammar if request.validator is None else None, None
    if grammar is not None:
        decides, simpler = not grammar.description.also, grammar.shrinks
        target = replace(target, grammar=grammar, grammar_decides=decides)
    plan = Plan(
        sources=[Source(path.name, proposals)],
        simpler=simpler,
        learns_format=grammar is None or not target.decides_validity,
    )
    result = Search(target, plan, options, session.executor, report).run()
    rejections = () if problem.folder is None and grammar is None else _explain_rejections(result, problem, grammar)
    return replace(result, faults=(*programs.notes, *rejections, *result.faults))


def _explain_rejections(result: SearchResult, problem: Problem, grammar: Grammar | None) -> Iterator[str]:
    """Yield why the inputs are not valid, if none is."""
    if result.first_rejected is None or result.rejected < result.inputs:
        return
    shown = shorten(repr(result.first_rejected.decode(errors="backslashreplace")), _SHOWN)
    fault = None if grammar is None else grammar.check(result.first_rejected)
    place = "`input` in problem.yaml" if problem.folder is None else f"the grammar of {problem.id}"
    why = f"{place} says: {fault}" if fault else f"the validators of {problem.id} reject them"
    yield f"no input of the generator is valid, such as {shown}: {why}"
