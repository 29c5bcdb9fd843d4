"""Building the programs of a problem for a search: the submission, the accepted solutions, checker and validators."""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, JudgeError, UsageError, describe_error
from judge.base.files import find_program
from judge.base.units import Seconds
from judge.hack.hack_request import HackRequest
from judge.hack.values import NamedProgram, Progress, Report, Target, VariedProgram
from judge.judging.judge import check_output, run_submission
from judge.judging.programs import JudgePrograms, ReadyProgram, UnusableProgram, find_testlib, needs_testlib
from judge.languages.build import Program, build, static_variant
from judge.languages.options import BuildOptions, copy_file
from judge.languages.source import PLAIN, SourceOptions, solution_options
from judge.languages.table import SUFFIXES
from judge.model import CheckResult, Ending, Problem, ProblemType, Solution, Verdict
from judge.model.programs import JudgeProgram
from judge.runner.cache import draws_chance
from judge.runner.options import ProblemSelection, find_judge_program
from judge.runner.solution import SolutionBuild
from judge.sandbox.box import Box
from judge.workspace.packages import read_package_files
from judge.workspace.session import Session

_TICK = Seconds(0.1)  # how often progress is reported


class Build(Struct, frozen=True, kw_only=True):
    """A program to build, with the user's tools if it is one that users submit."""

    path: Path
    about: SourceOptions
    options: BuildOptions
    tools: Mapping[str, str] = field(default_factory=dict)


def build_all(wanted: Sequence[Build], session: Session, report: Report = lambda _: None) -> list[Program | str]:
    """Build programs on all workers; return why one cannot be built in its place. Equal ones are built once."""
    start = time.monotonic()
    unique = [each for at, each in enumerate(wanted) if each not in wanted[:at]]

    def build_one(box: Box, each: Build) -> Program | str:
        store, about = session.store, each.about
        try:
            built = build(
                each.path, store.build, box, each.tools, store.programs, source_options=about, options=each.options
            )
        except (JudgeError, OSError) as error:
            return f"cannot be built: {describe_error(error)}"
        return built if isinstance(built, Program) else f"does not compile: {built.message}"

    built = []
    for each in session.executor.map(build_one, unique, patience=_TICK):
        names = ", ".join(dict.fromkeys(one.path.name for one in unique))
        seconds = Seconds(time.monotonic() - start)
        report(Progress(phase=f"compiling {names}", seconds=seconds, inputs=0, strategy=""))
        built += [each] if each is not None else []
    return [built[unique.index(each)] for each in wanted]


_MAX_REFERENCES = 3  # accepted solutions of which the fastest is chosen
_SLOW, _VERY_SLOW = 0.5, 1e6  # seconds of CPU time, after which a solution is known to be slow; of one that is cut
_LEAST_TIME = 0.2  # seconds of a run
_MEASURED = Seconds(1.0)  # of CPU time; a solution that needs more for a small input is not measured further
_COMPARED = 3  # small known inputs on which they are compared with the answers, and measured
_MAX_VARIANTS = 3  # ways to call the validators


def build_validators(problem: Problem, session: Session) -> tuple[list[list[NamedProgram]], list[str]]:
    """Return the input validators of a problem, in every way that its cases call them: all of one way must accept.

    Return a sentence for each validator of a package that cannot be used, too. Raises JudgeError if that of a problem
    of the repository cannot be built.
    """
    programs = SearchPrograms(HackRequest(part=ProblemSelection(problem=problem), whole=problem), session)
    return programs.validators(), programs.notes


class SearchPrograms:
    """Builds the programs of a problem that a search needs.

    `report` is called with the progress while programs are compiled.

    Attributes:
        texts: the files of the validators that were built: they mention limits.
        arguments: what the validators of a package are called with.
        notes: what cannot be used, a sentence each.
    """

    def __init__(self, request: HackRequest, session: Session, report: Report = lambda _: None) -> None:
        self._report = report
        self.request = request
        self.problem = request.part.problem
        self.whole = request.whole
        self.session = session
        store = session.store
        self._judge_programs = JudgePrograms(self.problem, store.build, store.programs, store.testlib)
        self.texts: list[Path] = []
        self.arguments: list[str] = []
        self.notes: list[str] = []

    def target(self, *, is_static: bool) -> Target:
        """Build what decides whether the solution fails, without references.

        Args:
            is_static: build the solution statically, too; see `NamedProgram.static`.

        Raises:
            UsageError: the problem wants outputs, not programs.
            JudgeError: a program does not compile or cannot be read.
        """
        problem, overrides = self.problem, self.request.part.overrides
        if ProblemType.SUBMIT_ANSWER in problem.types:
            raise UsageError(
                f"{problem.id} wants outputs, not programs; `judge hack` and `stress` search for inputs of programs"
            )
        # elsewhere, single cases may differ from the problem
        first = problem.cases[0] if problem.cases and (problem.is_package or problem.folder is None) else None
        checker = overrides.override_checker(first.checker if first else problem.checker)
        submission, variants = self._submission(is_static=is_static)
        return Target(
            submission=submission,
            variants=variants,
            validators=self.validators(),
            checker=checker,
            ready_checker=self._require(checker.program),
            interactor=self._require(problem.interactor),
            passes=problem.passes,
            limits=overrides.override_limits(first.limits if first else problem.limits),
            file_names=problem.cases[0].file_names if problem.cases else None,
        )

    def _submission(self, *, is_static: bool) -> tuple[NamedProgram, list[VariedProgram]]:
        """Build the solution, and statically, too, if that is wanted, possible and of use; return its variants, too.

        A solution that should fail has none: they would hide how it does. Neither has C++ beside a reference.
        """
        (solution,) = self.problem.solutions
        name = solution.display_path
        links_both = is_static and self.problem.interactor is None and self.problem.passes == 1
        options = replace(self._build_options(), links_both=links_both)
        builds = [self._build(solution, options, self.session.options.tools)]
        plain = SolutionBuild(solution, self.problem, self.session.run_options(use_cache=False), None)
        has_variants = is_static and Verdict.AC in solution.expectation.required
        variants = [each for each in plain.variants if has_variants and plain.has_chance(each) and not each.language]
        variants = [each for each in variants if all(map(find_program, each.tools.values()))]
        if plain.language == "C++" and self._references():  # it finds more than variants that take seconds to compile
            variants = []
        for each in variants:
            varied = plain.vary(each).options
            builds.append(self._build(solution, varied.build.add_flags(self.problem.compile_flags), varied.tools))
        program, *others = build_all(builds, self.session, self._report)
        if isinstance(program, str):
            raise JudgeError(f"{name} {program}")
        found = []
        for each, built in zip(variants, others, strict=True):
            if isinstance(built, Program):
                found.append(
                    VariedProgram(
                        name=each.name,
                        program=built,
                        largest_input=each.largest_input,
                        may_crash=bool(each.tools),
                        may_differ=draws_chance(plain),
                    )
                )
            elif not each.tools:
                self.notes.append(f"{name} with {each.name} {built}")
        return NamedProgram(name=name, program=program, static=static_variant(program) if links_both else None), found

    def choose_references(
        self,
        programs: list[NamedProgram],
        target: Target,
        known: Sequence[bytes],
        answers: Mapping[bytes, bytes],
        deadline: float,
    ) -> list[NamedProgram]:
        """Return the references that are right on small known inputs, the fastest first.

        One that contradicts a known answer is noted, and is used only if there is no other one. No run continues after
        the deadline, by `time.monotonic`.

        Raises:
            JudgeError: the checker fails on all that they print.
        """
        if not known or target.has_dialogue:
            return programs
        ordered_inputs = sorted(known, key=len)
        inputs = [*ordered_inputs[:_COMPARED], *ordered_inputs[_COMPARED:][-1:]]
        checks: list[CheckResult] = []

        def measure(box: Box, program: NamedProgram) -> tuple[float, str]:
            return _measure(box, program, inputs, target=target, answers=answers, deadline=deadline, checks=checks)

        measured = list(self.session.executor.map(measure, programs))
        if checks and all(each.verdict is Verdict.JE for each in checks):
            raise JudgeError(f"no output can be checked: {checks[0].reason}")
        for program, (_, wrong) in zip(programs, measured, strict=True):
            if wrong:
                self.notes.append(f"the accepted solution {program.name} is wrong on a known case: {wrong}")
        ordered = sorted((bool(wrong), cpu, at) for at, (cpu, wrong) in enumerate(measured))
        right = [programs[at] for is_wrong, cpu, at in ordered if cpu < float("inf") and not is_wrong]
        return right or [programs[at] for _, cpu, at in ordered if cpu < float("inf")] or programs[:1]

    def build_references(self) -> list[NamedProgram]:
        """Return the first accepted solutions that can be built. Raises JudgeError for one that the user named."""
        named, wanted = self.request.references, self._references()
        options = replace(self._build_options(), is_static=True)
        builds = [self._build(each, options, {}) for each in wanted]
        programs = []
        for each, built in zip(wanted, build_all(builds, self.session, self._report), strict=True):
            if isinstance(built, Program):
                programs.append(NamedProgram(name=each.display_path, program=built))
            elif each.path in named:
                raise JudgeError(f"the reference {each.display_path} {built}")
            else:
                self.notes.append(f"the accepted solution {each.display_path} {built}")
        return programs

    def _references(self) -> list[Solution]:
        """Return the first accepted solutions, without the submission unless the user names it."""
        submitted, named = {each.path for each in self.problem.solutions}, self.request.references
        wanted = [each for each in self._accepted() if each.path not in submitted or each.path in named]
        return wanted[:_MAX_REFERENCES]

    def _accepted(self) -> Iterator[Solution]:
        by_path = {each.path: each for each in self.whole.solutions}
        for path in (*self.request.references, self.whole.reference, self.whole.independent):
            if path is not None:
                found = by_path.get(path)
                expectation = self.problem.solutions[0].expectation
                yield found or Solution(
                    path=path,
                    display_path=path.name,
                    expectation=expectation,
                    include=self.problem.include,
                    constants=self.problem.constants,
                    is_for_windows=self.problem.is_for_windows,
                )
        named = {*self.request.references, self.whole.reference, self.whole.independent}
        accepted = [
            each for each in self.whole.solutions if each.expectation.name == "accepted" and each.path not in named
        ]
        yield from sorted(accepted, key=lambda each: (_speed(each.path), each.display_path))

    def _build(self, solution: Solution, options: BuildOptions, tools: Mapping[str, str]) -> Build:
        about = solution_options(solution, self.problem.folder)
        return Build(path=solution.path, about=about, options=options, tools=tools)

    def _build_options(self) -> BuildOptions:
        return self.session.build_options().add_flags(self.problem.compile_flags)

    def _require(self, program: JudgeProgram | None) -> ReadyProgram | None:
        """Build a program that judges; None for none. Raises DataError if it cannot be used."""
        found = None if program is None else self._get(program)
        if isinstance(found, UnusableProgram):
            raise DataError([found.diagnostic])
        return found

    def _get(self, program: JudgeProgram) -> ReadyProgram | UnusableProgram:
        self._report(Progress(phase=f"compiling {program.source.name}", seconds=Seconds(0.0), inputs=0, strategy=""))
        return self.session.executor.call(lambda box: self._judge_programs.get(program, box))

    def validators(self) -> list[list[NamedProgram]]:
        """Build the validators, in every way that the cases call them."""
        named = self.request.validator
        if named is None and self.problem.is_package:
            return self._package_validators()
        validator = self.problem.validator if named is None else find_judge_program(named)
        if validator is None:
            return []
        self.texts.append(validator.source)
        ready = self._get(validator)
        if isinstance(ready, UnusableProgram):
            raise JudgeError(f"the validator {validator.source.name} {ready.cause}")
        program = NamedProgram(name=ready.name, program=ready.program, protocol=ready.protocol)
        if named is not None:
            return [[program]]
        ways = list(dict.fromkeys([(), *(case.validator_args for case in self.problem.cases)]))[:_MAX_VARIANTS]
        return [[replace(program, args=args)] for args in ways]

    def build_generator(self, path: Path) -> NamedProgram:
        """Build a generator. Raises JudgeError if it cannot be built."""
        options, store = replace(self.session.build_options(), is_static=True), self.session.store
        if needs_testlib([(path.name, path.read_bytes())]):
            header = find_testlib(path, self.problem.folder, store.testlib)
            options = replace(options, include=(copy_file(header, store.build),))
        (built,) = build_all([Build(path=path, about=PLAIN, options=options)], self.session, self._report)
        if isinstance(built, str):
            raise JudgeError(f"the generator {path.name} {built}")
        return NamedProgram(name=path.name, program=built)

    def _package_validators(self) -> list[list[NamedProgram]]:
        from judge.preparation.checktestdata import translate
        from judge.problems.icpc.data_settings import arguments_of

        files = read_package_files(self.whole)
        ready: list[tuple[Path, NamedProgram]] = []
        for each in files.input_validators:
            self.texts.append(each.path)
            program = each.program
            if program is None:
                try:
                    program = translate(each.path, each.path, self.session.store.build, self.problem.constants)
                except (DataError, OSError) as error:
                    self.notes.append(f"the validator {each.path.name} is not used: {error}")
            if program is None:
                continue
            built = self._get(program)
            if isinstance(built, UnusableProgram):
                cause = built.cause.partition("\n")[0]
                self.notes.append(f"the validator {each.path.name} {cause}; it is not used")
                continue
            named = NamedProgram(
                name=each.path.name, program=built.program, limits=built.limits, protocol=built.protocol
            )
            ready.append((each.path, named))
        if not ready:
            return []
        secret = [case for case in self.whole.cases if not case.is_sample] or self.whole.cases
        ways: dict[tuple[tuple[str, ...], ...], int] = {}
        for case in secret:
            found = files.arguments.get(case.id)
            arguments = found.input_validators if found else {"": case.validator_args}
            way = tuple(arguments_of(arguments, path) for path, _ in ready)
            ways[way] = ways.get(way, 0) + 1
        common = sorted(ways, key=lambda way: -ways[way])[:_MAX_VARIANTS] or [tuple(() for _ in ready)]
        self.arguments = [word for way in ways for words in way for word in words]
        return [[replace(named, args=args) for (_, named), args in zip(ready, way, strict=True)] for way in common]


def _measure(
    box: Box,
    program: NamedProgram,
    inputs: Sequence[bytes],
    *,
    target: Target,
    answers: Mapping[bytes, bytes],
    deadline: float,
    checks: list[CheckResult],
) -> tuple[float, str]:
    """Return the time that inputs take, infinite for a crash, and how an output is wrong; add the results of checks."""
    total, wrong = 0.0, ""
    for data in inputs:
        left = max(_LEAST_TIME, deadline - time.monotonic())
        usual = target.limits
        limits = replace(usual, wall=min(usual.wall, Seconds(left)), cpu=min(usual.cpu, _MEASURED))
        outcome = run_submission(program.program.command(data, limits), target.file_names, limits, box)
        ending = outcome.result.ending
        is_cut = ending is Ending.WALL_LIMIT and limits.wall < usual.wall
        if is_cut or (ending is Ending.TIME_LIMIT and limits.cpu < usual.cpu):
            return _VERY_SLOW, wrong
        if ending is not Ending.EXITED or outcome.result.exit_code != 0:
            return float("inf"), wrong
        total += outcome.result.cpu
        if (answer := answers.get(data)) is not None and not wrong:
            config, ready = target.checker, target.ready_checker
            checked = check_output(config, ready, box, given=data, answer=answer, output=outcome.stdout)
            checks.append(checked)
            wrong = checked.reason or "wrong answer" if checked.verdict is Verdict.WA else ""
        if total > _SLOW:
            break
    return total, wrong


def _speed(path: Path) -> int:
    """Return a guess how fast solutions in a language start, the fastest first."""
    order = {".cpp": 0, ".cc": 0, ".c": 0, ".rs": 0, ".py": 1, ".go": 1}
    return order.get(path.suffix.lower(), 2 if path.suffix.lower() in SUFFIXES else 3)
