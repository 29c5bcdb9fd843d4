"""`judge hack`: a search for an input on which a solution of a problem fails, with all that the problem has.

Its accepted solutions answer; its validators decide what is valid; its cases, generators and limits suggest inputs.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.data import Data, read_small_file
from judge.errors import DataError, JudgeError, UsageError, describe_error
from judge.grammar import Grammar
from judge.judging.judge import run_submission
from judge.judging.programs import JudgePrograms, ReadyProgram, UnusableProgram
from judge.languages.build import CompileError, Program, build, read_source
from judge.languages.options import BuildOptions
from judge.languages.source import SourceOptions, solution_options
from judge.languages.table import SUFFIXES
from judge.model import Case, CheckerConfig, Ending, Generated, Inline, Problem, ProblemType, Produced, Solution
from judge.preparation.cases import InvalidCase, ReadyCase, diagnose
from judge.preparation.generate import copy_readable
from judge.preparation.programs import source_options
from judge.problems.generators import Signature
from judge.problems.paths import is_polygon
from judge.programs import Protocol
from judge.runner.options import ProblemSelection
from judge.sandbox.box import Box
from judge.search.constants import find_numbers, read_texts
from judge.search.functions import FunctionGenerator, Recipe, with_defaults
from judge.search.grammatical import GrammarFormat, grammar_sources
from judge.search.instances import Growing, Instances
from judge.search.joining import ManyTests, ShapeJoining
from judge.search.learned import Learned, learn
from judge.search.mutation import Mutations
from judge.search.search import Plan, Search
from judge.search.sources import FirstPass, Known, ProgramGenerator, Rotation, Source
from judge.search.values import Goal, Joining, NamedProgram, Report, SearchOptions, SearchResult, Target
from judge.search.whitespace import WhiteSpace
from judge.units import Seconds
from judge.workspace.query import Query
from judge.workspace.search_programs import Build, build_all, name_built, solution_builds
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # native problems do not need it
    from judge.problems.icpc.package_files import PackageFiles

_MAX_KNOWN = 1 << 20  # bytes of a known input
_MAX_CASES = 300  # known inputs
_FIRST_SHARE = 0.2  # of the time of a search, that the first inputs of a kind take at most
_FIRST_MANY = 3  # inputs with as many tests as the suspect mentions, likewise
_FIRST_SPACES = 24  # inputs with other white space that are tried before everything else has its turn
_MAX_REFERENCES = 3  # accepted solutions of which the fastest is chosen
_PYTHON_START = 0.012  # seconds of CPU time
_MAX_VARIANTS = 3  # ways to call the validators
_MAX_GENERATORS = 12
_PROBING = Seconds(1.5)
_PROBING_SHARE = 0.15  # of the time of a search
_MAX_TRIED = 5  # cases on which validators are tried
_DAMAGES: tuple[Callable[[bytes], bytes], ...] = (
    lambda _: b"",
    lambda data: data[: len(data) // 2],
    lambda data: b"\n\t ".join(data.split()),
    lambda data: b"\x00<?>" + data,
)
"""Changes after which an input is hardly valid; that all of them are is even less likely."""


class HackRequest(Struct, frozen=True, kw_only=True):
    """What to hack.

    Attributes:
        part: the problem with all its cases, and the suspect as its only solution.
        whole: the problem with all its solutions.
        references: solutions that are right, besides those of the problem.
        uses_cases: which known cases may be tried; None for all.
        sources: names of sources to use; None for all. For comparing them.
        notes: how the problem of the solution was found.
    """

    part: ProblemSelection
    whole: Problem
    references: tuple[Path, ...] = ()
    uses_cases: Callable[[Case], bool] | None = None
    sources: frozenset[str] | None = None
    notes: tuple[str, ...] = ()


def find_request(
    workspace: Workspace,
    solution: Path,
    problem: str | None = None,
    *,
    references: Sequence[Path] = (),
    case_source: Path | None = None,
    samples_only: bool = False,
) -> HackRequest:
    """Return what to hack: a solution, and the problem that it solves.

    Args:
        workspace: where the problem is.
        solution: the source file.
        problem: its id, or the folder of a package; None to find it.
        references: solutions that are right, besides those of the problem.
        case_source: cases to use instead of the problem's own.
        samples_only: of the cases, use only those of the group `sample`.

    Raises:
        UsageError: there is no such file or problem.
        DataError: the problem's files are wrong.
    """
    for each in references:
        if not each.is_file():
            raise UsageError(f"--reference {each}: no such file")
    query = Query(targets=(problem,) if problem else (), solutions=(solution,), case_source=case_source)
    selection = workspace.select(query)
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    if len(selection.problems) != 1 or len(selection.problems[0].problem.solutions) != 1:
        raise UsageError(f"{solution}: expected one solution of one problem")
    part = selection.problems[0]
    whole = part.problem
    if whole.folder is not None:  # a problem of the repository, or a package
        every = workspace.select(Query(targets=(whole.target or whole.id,)))
        whole = every.problems[0].problem if every.problems else whole
    return HackRequest(
        part=part,
        whole=whole,
        references=tuple(each.absolute() for each in references),
        uses_cases=_is_sample if samples_only else None,
        notes=selection.notes,
    )


def _is_sample(case: Case) -> bool:
    return case.group.startswith("sample")


def hack(
    request: HackRequest, options: SearchOptions, session: Session, report: Report = lambda _: None
) -> SearchResult:
    """Search for an input on which a solution fails.

    Raises:
        UsageError: the problem is of a type that cannot be hacked.
        JudgeError: the solution does not compile, or a program of the problem fails.
        DataError: the problem's files are wrong.
    """
    search, notes = prepare_hack(request, options, session, report)
    result = search.run()
    return replace(result, faults=(*notes, *result.faults))


def prepare_hack(
    request: HackRequest, options: SearchOptions, session: Session, report: Report = lambda _: None
) -> tuple[Search, list[str]]:
    """Build everything that a search needs; the search has not begun. The errors are those of `hack`.

    Returns:
        The search, and what of the problem it cannot use, a sentence each.
    """
    has_quick = options.goal is Goal.FAILURE
    ground = survey(request, session, Seconds(options.budget * _PROBING_SHARE), has_quick=has_quick)
    if ground.target.has_dialogue and not ground.target.references and ground.hacking.has_answers:
        raise UsageError(
            f"{request.part.problem.id}: the interactor or the checker may need the answer of an input, and no other "
            "accepted solution shows whether it does; name one with --reference"
        )
    if not ground.target.references:
        ground.notes.append(
            "no accepted solution is known: what is found may be the fault of the problem; name one with --reference"
            if ground.target.has_dialogue
            else "no accepted solution is known: only crashes and exceeded limits are found; name one with --reference"
        )
    left = Seconds(options.budget - ground.probing)
    return ground.search(replace(options, budget=left), report), ground.notes


class Ground(Struct, frozen=True, kw_only=True):
    """All that a problem gives to searches, for any number of them and of suspects.

    Attributes:
        target: with the solution of the request as the suspect.
        grammar: of the inputs; it may accept only a part of them.
        known: the inputs of the cases.
        learned: what they look like.
        probed: further valid inputs, with values at the limits of what the validators allow.
        probing: how long it took to find these.
    """

    request: HackRequest
    session: Session
    target: Target
    grammar: Grammar | None
    known: Sequence[bytes]
    learned: Learned | None
    probed: Sequence[bytes]
    probing: Seconds
    hacking: "_Hacking"

    @property
    def notes(self) -> list[str]:
        """What of the problem cannot be used, a sentence each."""
        return self.hacking.notes

    def search(
        self,
        options: SearchOptions,
        report: Report = lambda _: None,
        *,
        target: Target | None = None,
        tries_known: bool = True,
    ) -> Search:
        """Return a search that has not begun.

        Args:
            options: how long and how much.
            report: called with the progress.
            target: with another suspect.
            tries_known: try the inputs of the cases, too.
        """
        target = target or self.target
        grammar, wanted = self.grammar, self.request.sources
        joining, seed = target.joining, options.seed
        generators = list(self.hacking.generators(seed))
        sources: list[Source] = list(generators)
        share = Seconds(options.budget * _FIRST_SHARE)
        end = time.monotonic() + options.budget
        passes = [FirstPass(each, each.turns, share) for each in generators]
        if grammar is not None:
            hints = self.hacking.numbers()
            sources += grammar_sources(
                grammar, self.known, hints, seed, joins=joining is not None, is_over=lambda: time.monotonic() >= end
            )
        sources += self.hacking.shape_sources([*self.known, *self.probed], self.learned, joining, seed)
        if joining is not None:
            many = ManyTests(self.known, joining, [*self.hacking.own_numbers(), *self.hacking.numbers()], seed)
            sources.append(many)
            passes.insert(0, FirstPass(many, _FIRST_MANY, share))
        spaces = WhiteSpace(self.known, seed)
        sources.append(spaces)
        passes.append(FirstPass(spaces, _FIRST_SPACES, share))
        if wanted is not None:
            sources = [each for each in sources if each.name in wanted]
        first = [Known("known cases", self.known, is_trusted=True)] if tries_known else []
        first.append(Known("limits", self.probed))
        if target.validators or not self.known:
            first.append(Known("empty input", [b""]))
        plan = Plan(
            first=[*first, *(each for each in passes if wanted is None)],
            sources=sources,
            shape=self.learned.shape if self.learned else None,
            simpler=grammar.shrinks if grammar is not None else None,
        )
        return Search(target, plan, options, self.session.executor, report)


def survey(request: HackRequest, session: Session, probing: Seconds = _PROBING, *, has_quick: bool = False) -> Ground:
    """Build the programs of a problem, and find out what its inputs look like. The errors are those of `hack`.

    Args:
        request: what to hack.
        session: where programs run.
        probing: how long the validators are tried and asked what they allow.
        has_quick: the solution is the suspect of a search; see `NamedProgram.quick`.
    """
    problem = request.part.problem
    _check_type(problem)
    hacking = _Hacking(request, session)
    known = hacking.known_inputs()
    checker, suspect = hacking.checker(), hacking.suspect(has_quick=has_quick)
    validators = hacking.validators()
    limits = problem.cases[0].limits if problem.cases else problem.limits
    limits = request.part.overrides.override_limits(limits)
    target = Target(
        suspect=suspect,
        validators=validators,
        checker=checker.config,
        ready_checker=checker.ready,
        interactor=hacking.interactor(),
        passes=problem.passes,
        limits=limits,
        file_names=problem.cases[0].file_names if problem.cases else None,
    )
    target = replace(target, references=hacking.references(target, known))
    grammar, is_complete = hacking.grammar(known)
    if not validators and grammar is None:
        hacking.notes.append(
            "no validator is known: only inputs that look like the known ones count; what is found may not be valid"
        )
    learned = learn(known) if known else None
    probed: list[bytes] = []
    start = time.monotonic()
    if validators and known and grammar is None:
        hacking.try_validators(target, known, probing)
    if learned is not None and validators and not hacking.grammar_decides:
        left = Seconds(max(0.0, probing - (time.monotonic() - start)))
        learned, probed = hacking.probe(learned, known, target, left)
    spent = Seconds(time.monotonic() - start)
    target = replace(
        target,
        joining=None if target.has_dialogue else _find_joining(hacking, grammar, learned, known, target),
        format=learned if grammar is None and not validators else None,
        grammar=GrammarFormat(grammar) if grammar is not None and is_complete else None,
        grammar_decides=hacking.grammar_decides,
    )
    return Ground(
        request=request,
        session=session,
        target=target,
        grammar=grammar,
        known=known,
        learned=learned,
        probed=probed,
        probing=spent,
        hacking=hacking,
    )


def build_validators(problem: Problem, session: Session) -> tuple[list[list[NamedProgram]], list[str]]:
    """Return the input validators of a problem, in every way that its cases call them: all of one way must accept.

    Returns:
        The ways, and a sentence for each validator of a package that cannot be used.

    Raises:
        JudgeError: that of a problem of the repository does not compile or cannot be read.
    """
    hacking = _Hacking(HackRequest(part=ProblemSelection(problem=problem), whole=problem), session)
    return hacking.validators(), hacking.notes


def find_search_files(problem: Problem) -> list[Path]:
    """Return the files and folders that decide what a search finds, besides solutions and cases.

    These are the validators and generators, and the statement, whose numbers are tried.

    Raises:
        DataError: the files of a package are wrong.
    """
    found = {each for each in (problem.validator, problem.statement) if each is not None}
    found.update(each.parent for each in problem.generators)  # they may import modules beside them
    found.update(path for each in problem.cases if isinstance(each.input, Produced) for path in each.input.sources)
    if problem.is_package:
        found.update(each.path for each in _read_package_files(problem).input_validators)
    return sorted(found)


def _read_package_files(problem: Problem) -> "PackageFiles":
    folder = problem.folder
    assert folder is not None  # that of every package is known
    if is_polygon(folder):
        from judge.problems.polygon.package_files import read_polygon_files

        return read_polygon_files(folder, problem.cases, root_for_display=folder)[0]
    from judge.problems.icpc.package_files import read_package_files

    return read_package_files(folder, root_for_display=folder)[0]


def _find_joining(
    hacking: "_Hacking", grammar: Grammar | None, learned: Learned | None, known: Sequence[bytes], target: Target
) -> Joining | None:
    """Return how tests are joined to one input; None if that is not possible."""
    split = next((tests for each in known if (tests := grammar.split(each))), None) if grammar is not None else None
    if grammar is not None and split and grammar.join([split[0], split[-1]]) is not None:
        return GrammarFormat(grammar)
    if grammar is not None and not target.validators:  # it decides, and knows no tests
        return None
    joining = ShapeJoining.of(learned.shape) if learned is not None else None
    return joining if joining is not None and hacking.joins(joining, known, target) else None


def _check_type(problem: Problem) -> None:
    if ProblemType.SUBMIT_ANSWER in problem.types:
        raise UsageError(f"{problem.id} wants outputs, not programs; `judge hack` searches for inputs of programs")


class _Checker(Struct, frozen=True):
    config: CheckerConfig
    ready: ReadyProgram | None


class _Hacking:
    """Builds what a search needs from the files of a problem."""

    def __init__(self, request: HackRequest, session: Session) -> None:
        self.request = request
        self.problem = request.part.problem
        self.whole = request.whole
        self.session = session
        self._texts: list[Path] = []
        self._arguments: list[str] = []
        self.notes: list[str] = []
        self.has_answers = False  # a known case has an answer that is not empty
        self.grammar_decides = False  # it accepts exactly the valid inputs

    # ---- inputs ---------------------------------------------------------------------------------------------------

    def known_inputs(self) -> list[bytes]:
        """Return the inputs of the cases, without those that are large or cannot be prepared."""
        allowed = self.request.uses_cases
        cases = [each for each in self.problem.cases if (allowed is None or allowed(each)) and not each.is_static]
        if len(cases) > _MAX_CASES:
            cases = cases[:_MAX_CASES]
        inputs = []
        invalid = []
        for each in self.session.prepare(replace(self.problem, cases=tuple(cases)), cases):
            if isinstance(each, InvalidCase):
                invalid.append(each)
            elif isinstance(each, ReadyCase):
                self.has_answers = self.has_answers or _has_content(each.answer)
                data = each.input if isinstance(each.input, bytes) else read_small_file(each.input, _MAX_KNOWN)
                if data is not None and len(data) <= _MAX_KNOWN:
                    inputs.append(data)
        if invalid and not inputs:
            self.notes.append(f"no case can be used: {diagnose(invalid)[0].message}")
        return list(dict.fromkeys(inputs))

    def grammar(self, known: Sequence[bytes]) -> tuple[Grammar | None, bool]:
        """Return the grammar of the inputs, and whether it accepts all that are valid.

        That of a package is its `.ctd` file in our notation, unless it rejects a known input.
        """
        grammar = self.problem.grammar
        if grammar is not None:
            self.grammar_decides = not grammar.description.also
            return grammar, True
        if not self.problem.is_package:
            return None, False
        from judge.verification.grammars import find_package_grammar

        try:
            found = find_package_grammar(self.problem)
        except DataError as error:
            self.notes.append(f"the validator is not used as a grammar: {error}")
            return None, False
        if found is None:
            return None, False
        grammar, conversion = found.grammar, found.conversion
        if grammar is None:
            self.notes.append(f"{found.path.name} is not used as a grammar: {conversion.notes[-1]}")
        elif not conversion.accepts_less and (fault := next(filter(None, map(grammar.check, known)), None)):
            self.notes.append(
                f"{found.path.name} is not used as a grammar: a case of the package is not of it: {fault}"
            )
            grammar = None
        self.grammar_decides = grammar is not None and found.decides
        return grammar, not conversion.accepts_less

    def generators(self, seed: int) -> Iterator[FunctionGenerator | Rotation]:
        """Yield the problem's generators, with other seeds and smaller numbers."""
        recipes = {each.input for each in self.problem.cases if isinstance(each.input, Generated)}
        recipes = {each for each in recipes if not each.is_from_grammar}
        if recipes:
            ordered = sorted(recipes, key=lambda each: (each.function, repr(each.parameters)))
            copies = copy_readable(
                {str(at): each for at, each in enumerate(ordered)}, self.session.store.build, self.problem.id
            )
            wanted = [
                Recipe(file=each.file, function=each.function, parameters=each.parameters) for each in copies.values()
            ]
            files: dict[Path, list[Signature]] = {}
            varied = [with_defaults(each, files) for each in wanted]
            yield FunctionGenerator("generators", self.problem.id, varied, seed)
        produced = {each.input for each in self.whole.cases if isinstance(each.input, Produced)}
        if programs := list(self._produced(produced, seed)):
            yield Rotation("generators", programs)

    def shape_sources(
        self, known: Sequence[bytes], learned: Learned | None, joining: Joining | None, seed: int
    ) -> Iterator[Source]:
        """Yield neighbours of the known inputs, and random inputs of their shape."""
        joins = joining is not None
        numbers = self.numbers()
        yield Mutations("mutations", known, learned, numbers, seed)
        if joining is not None:
            singles = [test for each in known for test in joining.split(each) or ()]
            yield Mutations("mutated tests", singles, learned, numbers, seed, joins=True)
        if learned is not None and learned.values:
            yield Instances("smallest inputs", learned, numbers, seed, largest=4, style="tiny", joins=joins)
            yield Instances("small inputs", learned, numbers, seed, largest=12, joins=joins)
            yield Instances("usual values", learned, numbers, seed, largest=30, style="usual", joins=joins)
            yield Growing(learned, numbers, seed)

    def probe(
        self, learned: Learned, known: Sequence[bytes], target: Target, seconds: Seconds
    ) -> tuple[Learned, list[bytes]]:
        """Ask the validators what they allow; return what is known then, and inputs that they accept."""
        from judge.search.examine import Examiner
        from judge.search.pool import WarmPool
        from judge.search.probing import Probed, places_of, probe_item, probe_rules

        numbers = self.numbers()
        places = places_of(learned, known)
        with WarmPool() as pool:
            examiner = Examiner(target, pool, replace(self.problem.cases[0], input=Inline(b"")))
            examiner.deadline = time.monotonic() + seconds

            def accepts(data: bytes, box: Box) -> bool | None:
                is_valid = examiner.is_valid(data, box)
                return None if is_valid is None and examiner.is_over else bool(is_valid)

            def probe(box: Box, item: int) -> Probed:
                return probe_item(learned, item, places[item], numbers, partial(accepts, box=box))

            found = list(self.session.executor.map(probe, list(places)))
            (rules,) = self.session.executor.map(
                lambda box, _: probe_rules(learned, known, partial(accepts, box=box)), [0]
            )
        values = {**learned.values, **{each.item: each.values for each in found}}
        inputs = [data for each in found for data in each.inputs]
        return replace(learned, values=values, rules=rules), list(dict.fromkeys(inputs))

    def try_validators(self, target: Target, known: Sequence[bytes], seconds: Seconds) -> None:
        """Note if the validators accept whatever they are asked, damaged inputs included, or reject every case."""
        from judge.search.examine import Examiner
        from judge.search.pool import WarmPool

        small = sorted(known, key=len)[:_MAX_TRIED]
        damaged = [change(small[0]) for change in _DAMAGES]

        def ask(box: Box, _: int) -> str:
            if all(examiner.is_valid(each, box) for each in damaged):
                return "accepts everything that was tried: what is found may not be valid"
            if all(examiner.is_valid(each, box) is False for each in small):
                return "rejects every case that was tried: perhaps no input is valid for it"
            return "is too slow to be tried on damaged inputs; for more time: --time" if examiner.is_over else ""

        with WarmPool() as pool:
            examiner = Examiner(target, pool, replace(self.problem.cases[0], input=Inline(b"")))
            examiner.deadline = time.monotonic() + seconds
            (fault,) = self.session.executor.map(ask, [0])
        if fault:
            names = " with ".join(each.name for each in target.validators[0])
            self.notes.append(f"the validator {names} {fault}")

    def _produced(self, recipes: set[Produced], seed: int) -> Iterator[Source]:
        """Yield the generators of a package whose arguments contain a seed."""
        from judge.preparation.generator_files import build_generator, read_generator

        def build_in(box: Box, recipe: Produced) -> Program | CompileError:
            source = read_generator(recipe.sources, self.problem)
            return build_generator(source, self.problem, self.session.store, box)

        seeded = [each for each in recipes if any("{seed}" in word for word in each.args)]
        for each in sorted(seeded, key=lambda each: repr(each.args))[:_MAX_GENERATORS]:
            try:
                (built,) = self.session.executor.map(build_in, [each])
            except (JudgeError, OSError):  # `judge check` reports it
                continue
            if isinstance(built, Program):
                program = NamedProgram(name=each.sources[0].name, program=built, args=each.args)
                yield ProgramGenerator("generators", program, seed)

    # ---- programs -------------------------------------------------------------------------------------------------

    def suspect(self, *, has_quick: bool) -> NamedProgram:
        """Build the solution, and the quick one if it is wanted and can be built."""
        (solution,) = self.problem.solutions
        name = solution.display_path
        try:
            own = self._build(solution, self._build_options(), self.session.options.tools)
        except (JudgeError, OSError) as error:
            raise JudgeError(f"{name} cannot be built: {describe_error(error)}") from error
        has_quick = has_quick and self.problem.interactor is None and self.problem.passes == 1
        return name_built(name, name, build_all(solution_builds(own, has_quick=has_quick), self.session))

    def references(self, target: Target, known: Sequence[bytes]) -> list[NamedProgram]:
        """Return the accepted solutions that are right on small known inputs, the fastest first."""
        suspects = {each.path for each in self.problem.solutions}
        wanted = [each for each in self._accepted() if each.path not in suspects][:_MAX_REFERENCES]
        options = replace(self._build_options(), is_static=True)
        names: list[str] = []
        builds: list[Build] = []
        for each in wanted:
            with suppress(JudgeError, OSError):  # `judge run` reports it
                builds.append(self._build(each, options, {}))
                names.append(each.display_path)
        programs = [
            NamedProgram(name=name, program=built)
            for name, built in zip(names, build_all(builds, self.session), strict=True)
            if isinstance(built, Program)
        ]
        if len(programs) < 2 or not known or target.has_dialogue:
            return programs
        ordered_inputs = sorted(known, key=len)
        inputs = [*ordered_inputs[:1], *ordered_inputs[-1:]]

        def measure(box: Box, program: NamedProgram) -> float:
            is_forked = program.program.language.id == "python3"  # in the search: the interpreter is running
            total = 0.0
            for data in inputs:
                command = program.program.command(data, target.limits)
                outcome = run_submission(command, target.file_names, target.limits, box)
                if outcome.result.ending is not Ending.EXITED or outcome.result.exit_code != 0:
                    return float("inf")
                total += max(0.0, outcome.result.cpu - is_forked * _PYTHON_START)
            return total

        times = list(self.session.executor.map(measure, programs))
        ordered = sorted(zip(times, range(len(programs)), strict=True))
        return [programs[at] for time, at in ordered if time < float("inf")]

    def _accepted(self) -> Iterator[Solution]:
        by_path = {each.path: each for each in self.whole.solutions}
        for path in (*self.request.references, self.problem.reference, self.problem.independent):
            if path is not None:
                found = by_path.get(path)
                expectation = self.problem.solutions[0].expectation
                yield found or Solution(path=path, display_path=path.name, expectation=expectation)
        named = {*self.request.references, self.problem.reference, self.problem.independent}
        accepted = [each for each in self.whole.solutions if _is_accepted(each) and each.path not in named]
        yield from sorted(accepted, key=lambda each: (_speed(each.path), each.display_path))

    def _build(self, solution: Solution, options: BuildOptions, tools: Mapping[str, str]) -> Build:
        about = solution_options(solution, self.problem.folder)
        return Build(source=read_source(solution.path, about), about=about, options=options, tools=tools)

    def _build_options(self) -> BuildOptions:
        return self.session.build_options().add_flags(self.problem.compile_flags)

    def checker(self) -> _Checker:
        """Build the checker, if it is a program."""
        config = self.problem.cases[0].checker if self.problem.cases else self.problem.checker
        config = self.request.part.overrides.override_checker(config)
        if config.program is None:
            return _Checker(config, None)
        programs = self.session.store.judge_programs(self.problem)
        assert programs is not None
        (ready,) = self.session.executor.map(lambda box, wanted: programs.require(wanted, box), [config.program])
        return _Checker(config, ready)

    def interactor(self) -> ReadyProgram | None:
        """Build the interactor; None if the problem has none."""
        wanted = self.problem.interactor
        if wanted is None:
            return None
        programs = self.session.store.judge_programs(self.problem)
        assert programs is not None
        (ready,) = self.session.executor.map(lambda box, _: programs.require(wanted, box), [wanted])
        return ready

    def validators(self) -> list[list[NamedProgram]]:
        """Build the validators, in every way that the cases call them."""
        if self.problem.is_package:
            return self._package_validators()
        validator = self.problem.validator
        if validator is None:
            return []
        self._texts.append(validator)
        program = self._build_program(validator, source_options(self.problem, validator))
        ways = list(dict.fromkeys([(), *(case.validator_args for case in self.problem.cases)]))[:_MAX_VARIANTS]
        return [[NamedProgram(name=validator.name, program=program, args=args)] for args in ways]

    def _build_program(self, path: Path, options: SourceOptions) -> Program:
        store = self.session.store

        def build_in(box: Box, _: Path) -> Program | CompileError:
            flags = BuildOptions(flags=self.problem.compile_flags, is_static=True)
            return build(path, store.build, box, cache=store.programs, source_options=options, options=flags)

        (built,) = self.session.executor.map(build_in, [path])
        if isinstance(built, CompileError):
            raise JudgeError(f"the validator {path.name} does not compile: {built.message}")
        return built

    def _package_validators(self) -> list[list[NamedProgram]]:
        from judge.problems.icpc.package_files import GrammarKind
        from judge.verification.grammars import translate

        files = _read_package_files(self.whole)
        programs = JudgePrograms(
            self.problem, self.session.store.build, self.session.store.programs, self.session.store.testlib
        )
        ready: list[tuple[Path, NamedProgram, bool]] = []
        for each in files.input_validators:
            self._texts.append(each.path)
            program = each.program
            if program is None and each.grammar is GrammarKind.CHECKTESTDATA:
                try:
                    program = translate(each.path, each.path, self.session.store.build, self.problem.constants)
                except (DataError, OSError) as error:
                    self.notes.append(f"the validator {each.path.name} is not used: {error}")
            if program is None:
                continue
            (built,) = self.session.executor.map(lambda box, wanted: programs.get(wanted, box), [program])
            if isinstance(built, UnusableProgram):
                cause = built.cause.partition("\n")[0]
                self.notes.append(f"the validator {each.path.name} {cause}; it is not used")
                continue
            named = NamedProgram(
                name=each.path.name,
                program=built.program,
                limits=built.limits,
                accepts=0 if built.protocol is Protocol.TESTLIB else 42,
            )
            ready.append((each.path, named, each.grammar is not None))
        if not ready:
            return []
        secret = [case for case in self.whole.cases if not case.id.startswith("sample/")] or self.whole.cases
        ways: dict[tuple[tuple[str, ...], ...], int] = {}
        for case in secret:
            arguments = files.arguments.get(case.id)
            way = tuple(
                () if is_grammar else arguments.of_input_validator(path) if arguments else case.validator_args
                for path, _, is_grammar in ready
            )
            ways[way] = ways.get(way, 0) + 1
        common = sorted(ways, key=lambda way: -ways[way])[:_MAX_VARIANTS] or [tuple(() for _ in ready)]
        self._arguments = [word for way in ways for words in way for word in words]
        return [[replace(named, args=args) for (_, named, _), args in zip(ready, way, strict=True)] for way in common]

    def joins(self, joining: ShapeJoining, known: Sequence[bytes], target: Target) -> bool:
        """Return whether two known tests in one input are valid, and single tests are."""
        from judge.search.examine import Examiner
        from judge.search.pool import WarmPool

        tests = [test for each in sorted(known, key=len)[:5] for test in islice(joining.split(each) or (), 3)]
        if not tests:
            return False
        joined = joining.join([tests[0], tests[-1]])
        if joined is None or not target.validators:
            return joined is not None and len(known) > 1
        case = self.problem.cases[0]
        with WarmPool() as pool:
            examiner = Examiner(target, pool, replace(case, input=Inline(b"")))
            return all(self.session.executor.map(lambda box, data: examiner.is_valid(data, box), [tests[0], joined]))

    def constants(self) -> list[bytes]:
        """Return what validators are called with, and the named constants of the package: they may be limits."""
        words = [word for case in self.whole.cases[:_MAX_CASES] for word in case.validator_args]
        return [
            word.replace("=", " ").encode() for word in (*self._arguments, *words, *self.problem.constants.values())
        ]

    def numbers(self) -> list[int]:
        """Return the numbers that the problem or the suspect mentions."""
        return sorted({*find_numbers(read_texts(self.texts()), self.constants()), *self.own_numbers()})

    def own_numbers(self) -> list[int]:
        """Return the numbers that the suspect mentions."""
        return find_numbers(read_texts([each.path for each in self.problem.solutions]))

    def texts(self) -> list[Path]:
        """Return the files that mention limits."""
        paths = list(self._texts)
        if self.problem.statement is not None:
            paths.append(self.problem.statement)
        folder = self.problem.folder
        if folder is not None and self.problem.is_package:
            paths += [each for name in ("statement", "problem_statement") if (each := folder / name).is_dir()]
        return paths


def _has_content(data: Data | None) -> bool:
    return data.stat().st_size > 0 if isinstance(data, Path) else bool(data)


def _is_accepted(solution: Solution) -> bool:
    return solution.expectation.name == "accepted"


def _speed(path: Path) -> int:
    """Return a guess how fast solutions in a language start, the fastest first."""
    order = {".cpp": 0, ".cc": 0, ".c": 0, ".rs": 0, ".py": 1, ".go": 1}
    return order.get(path.suffix.lower(), 2 if path.suffix.lower() in SUFFIXES else 3)
