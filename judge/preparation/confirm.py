"""Runs the validator and the problem's own solutions on a case; makes, confirms and restores its answer.

All of it works on one case, and may run in any worker.

A locked answer is proven, so no solution is run to confirm it: one that prints something else is a wrong solution. If
its bytes are not on this machine, any accepted solution that prints it serves.

An answer that is not locked is compared with the problem's own solutions. A given answer needs one that agrees, unless
none has an output. A computed one must be that of the independent solution, if that has an output. Solutions that fail
or disagree are judged like all others. Only `judge lock` is strict: both must print every answer.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from judge.base.data import Data, digest, read_data
from judge.base.errors import JudgeError, describe_error
from judge.base.units import Seconds
from judge.judging.judge import check_output, run_submission
from judge.judging.programs import TESTLIB, JudgePrograms, ReadyProgram, UnusableProgram
from judge.languages.build import Program, build
from judge.languages.build_cache import Once
from judge.languages.options import BuildOptions
from judge.languages.program_source import read_source
from judge.languages.source import PLAIN, SourceOptions, program_options, solution_options
from judge.languages.table import SUFFIXES
from judge.model import Case, CheckResult, Computed, Ending, Limits, Problem, Verdict
from judge.preparation.cases import Answer, CheckerFailureError, DataStore, InvalidCase, RunFailure
from judge.preparation.validators import STATUSES, VALIDATOR_LIMITS, Answered, Status, describe_failure, run_validator
from judge.sandbox.box import Box, Outcome


def source_options(problem: Problem, path: Path) -> SourceOptions:
    """Return how one of a problem's own programs is read; in a package, other files may belong to it."""
    if problem.format == "native":
        return PLAIN
    solution = next((each for each in problem.solutions if each.path == path), None)
    if solution is not None:
        return solution_options(solution, problem.folder)
    return replace(program_options(problem, path), include=problem.include, allows_scripts=False)


_EDITED = "edited while test data was being made with it: run again"
_LIMIT_FACTOR = 10  # the problem's own solutions may take this many times the time limit of a case


class Confirmer:
    """Runs the programs of one problem, for one case at a time; the first worker that needs a program builds it.

    Args:
        hashes: the SHA-256 of the programs on whose behaviour facts depend.
        is_strict: the reference and the independent solution must both print every answer.
    """

    def __init__(
        self,
        problem: Problem,
        store: DataStore,
        hashes: Mapping[Path, str],
        judge_programs: JudgePrograms | None = None,
        *,
        is_strict: bool = False,
    ) -> None:
        self.problem = problem
        self._store = store
        self._hashes = hashes
        self._judge_programs = judge_programs
        # Not those that judge: what is wrong with the validator concerns the cases that it must accept.
        self._validators = JudgePrograms(problem, store.build, store.programs, store.testlib)
        self._is_strict = is_strict
        self._misses: Counter[Path] = Counter()  # of locked answers: the next case tries other solutions first
        self._built: Once[Path, Program | RunFailure] = Once()

    def validate(self, case: Case, data: Data, box: Box) -> InvalidCase | None:
        """Run the validator on an input; return why it rejects it or cannot tell, or None."""
        answered = self.ask(data, case.validator_args, box)
        if answered.status is Status.ACCEPTED:
            return None
        validator = self.problem.validator
        if answered.status is Status.REJECTED or validator is None:
            return InvalidCase(case, *self.rejection(answered))
        fix = ""
        if not answered.message:
            accepted, rejected = STATUSES[validator.protocol]
            fix = f"exit with status {accepted} if the input is legal, and {rejected} if it is not"
            if TESTLIB.encode() in validator.source.read_bytes():
                fix = f"with testlib.h, write `validator: {{program: {validator.source.name}, protocol: testlib}}`"
        file = self.problem.show_file(validator.source)
        return InvalidCase(case, f"the validator {answered.failure} on", answered.detail, file, fix)

    def ask(self, data: Data, args: tuple[str, ...], box: Box) -> Answered:
        """Return what the validator says of an input; without one, the grammar decides, if there is one."""
        validator = self.problem.validator
        if validator is None:
            grammar = self.problem.grammar
            fault = None if grammar is None else grammar.check(read_data(data))
            status = Status.ACCEPTED if fault is None else Status.REJECTED
            return Answered(status=status, message="" if fault is None else str(fault))
        ready = self._validators.get(validator, box)
        if isinstance(ready, UnusableProgram):
            return Answered(status=Status.UNUSABLE, failure="fails", message=ready.cause)
        if (expected := self._hashes.get(validator.source)) and digest(validator.source) != expected:
            return Answered(status=Status.UNUSABLE, failure="fails", message=_EDITED)
        return run_validator(replace(ready, limits=VALIDATOR_LIMITS), data, args, box, is_strict=True)

    def rejection(self, answered: Answered) -> tuple[str, str]:
        """Return that an input is rejected, and why."""
        if self.problem.validator is None:
            return "the input does not match `input` of problem.yaml: ", answered.message
        return f"the validator {self.problem.validator.source.name} rejects the input: ", answered.message

    def _run(
        self, solution: Path, case: Case, data: Data, box: Box, *, factor: int = _LIMIT_FACTOR
    ) -> bytes | RunFailure:
        """Run one of the problem's own solutions with `factor` times the time limit; return its output."""
        program = self._built.get(solution, lambda: self._build(solution, box))
        if isinstance(program, RunFailure):
            return program
        limits = replace(
            case.limits, cpu=Seconds(factor * case.limits.cpu), wall=Seconds(2 * factor * case.limits.wall)
        )
        ran = run_submission(program.command(data, limits), case.file_names, limits, box)
        return find_failure(ran, program, limits) or ran.stdout

    def find_checker(self, case: Case, box: Box) -> ReadyProgram | InvalidCase | None:
        """Return the checker of a case, built; None if it is no program."""
        if case.checker.program is None:
            return None
        assert self._judge_programs is not None
        found = self._judge_programs.get(case.checker.program, box)
        if isinstance(found, UnusableProgram):
            return InvalidCase(case, f"{found.reason}; not judged:", file=found.path)
        return found

    def _check(self, case: Case, data: Data, answer: Data, output: bytes, box: Box) -> CheckResult:
        """Check an output with the checker of a case, which must be usable.

        Raises:
            CheckerFailureError: the checker fails.
        """
        checker = self.find_checker(case, box)
        assert not isinstance(checker, InvalidCase)
        result = check_output(case.checker, checker, box, given=data, answer=answer, output=output)
        if result.verdict is Verdict.JE:
            assert case.checker.program is not None
            raise CheckerFailureError(result.reason, self.problem.show_file(case.checker.program.source))
        return result

    def _describe(self, solution: Path) -> str:
        """Return the role of a solution and its name: `the reference accepted/fast.py`."""
        return f"the {self._role(solution)} {solution.parent.name}/{solution.name}"

    def _role(self, solution: Path) -> str:
        """Return what a solution is for."""
        if solution == self.problem.reference:
            return "reference"
        return "independent solution" if solution == self.problem.independent else "solution that computes answers"

    # ---- answers -----------------------------------------------------------------------------------------------

    def confirm(self, case: Case, data: Data, answer: Answer, box: Box) -> Answer | InvalidCase:
        """Confirm an answer that is given."""
        failures: dict[Path, RunFailure] = {}
        disagreements: dict[Path, str] = {}
        for solution in (self.problem.reference, self.problem.independent):
            if solution is None:
                continue
            match self._compare(solution, case, data, answer, box):
                case RunFailure() as failure if self._is_strict:
                    return self._failed(solution, failure, case)
                case RunFailure() as failure:
                    failures[solution] = failure
                case str() as reason:
                    disagreements[solution] = reason
                case None if not self._is_strict:
                    return answer
        if disagreements:
            names = " and ".join(map(self._describe, disagreements))
            (first, *_) = disagreements.values()
            if case.checker.program is not None:
                return self._rejected(names, first, case)
            verb = "disagrees" if len(disagreements) == 1 else "disagree"
            return InvalidCase(case, f"{names} {verb} with the answer: ", first)
        return Answer(answer.digest, answer.data, is_confirmed=not failures)

    def compute(self, case: Case, data: Data, box: Box) -> Answer | InvalidCase:
        """Return the output of the reference or of the case's own solution, confirmed by the independent solution."""
        reference, independent = self.problem.reference, self.problem.independent
        if isinstance(case.answer, Computed):
            reference, independent = case.answer.solution, None
        assert reference is not None
        answer = self._make(reference, case, data, box)
        if independent is None or isinstance(answer, InvalidCase):
            return answer
        match self._compare(independent, case, data, answer, box):
            case RunFailure() as failure if self._is_strict:
                return self._failed(independent, failure, case)
            case RunFailure():
                return Answer(answer.digest, answer.data, is_confirmed=False)
            case str() as reason:
                if case.checker.program is not None:
                    return self._rejected(self._describe(independent), reason, case)
                names = f"{self._describe(independent)} disagrees with {self._describe(reference)}"
                return InvalidCase(case, f"{names}: ", reason)
            case None:
                return answer

    def _make(self, reference: Path, case: Case, data: Data, box: Box) -> Answer | InvalidCase:
        """Return the output of the reference."""
        output = self._run(reference, case, data, box)
        if isinstance(output, RunFailure):
            return self._failed(reference, output, case)
        answer = Answer(*self._store.objects.add(output))  # as a file: many answers may wait for their turn
        if case.checker.program is not None:  # an answer must be a right output itself
            checked = self._check(case, data, answer.data, output, box)
            if checked.verdict is not Verdict.AC:
                return self._rejected(self._describe(reference), checked.reason, case)
        return answer

    def restore(self, case: Case, data: Data, sha256: str, box: Box) -> Answer | InvalidCase:
        """Make the bytes of a locked answer again, with some accepted solution."""
        slow = self._find(list(self._accepted()), case, data, sha256, box, factor=1)
        if not isinstance(slow, Answer):
            slow = self._find(slow, case, data, sha256, box, factor=_LIMIT_FACTOR)
        if isinstance(slow, Answer):
            return slow
        assert self.problem.lock is not None
        return InvalidCase(
            case=case,
            file=self.problem.show_file(self.problem.lock),
            subject="the locked answer is not on this machine, and no accepted solution prints it on",
            fix=f"correct the reference, or run `judge lock {self.problem.id}` if the answer should change",
        )

    def _find(
        self, solutions: list[Path], case: Case, data: Data, sha256: str, box: Box, *, factor: int
    ) -> Answer | list[Path]:
        """Return the answer with a hash if a solution prints it; else the solutions that are too slow."""
        slow = []
        for solution in sorted(solutions, key=lambda path: self._misses[path]):
            output = self._run(solution, case, data, box, factor=factor)
            if isinstance(output, bytes) and digest(output) == sha256:
                return Answer(*self._store.objects.add(output))
            self._misses[solution] += 1
            if isinstance(output, RunFailure) and output.is_slow:
                slow.append(solution)
        return slow

    def _compare(self, solution: Path, case: Case, data: Data, answer: Answer, box: Box) -> RunFailure | str | None:
        """Run a solution; return how it fails, how its output differs from the answer, or None."""
        output = self._run(solution, case, data, box)
        if isinstance(output, RunFailure):
            return output
        result = self._check(case, data, answer.data, output, box)
        return None if result.verdict is Verdict.AC else result.reason

    @staticmethod
    def _rejected(names: str, reason: str, case: Case) -> InvalidCase:
        return InvalidCase(case, f"the checker rejects the output of {names}: ", reason)

    def _failed(self, solution: Path, failure: RunFailure, case: Case) -> InvalidCase:
        subject = f"the {self._role(solution)} fails on"
        return InvalidCase(case, subject, f" ({failure.reason})", self.problem.show_file(solution))

    # ---- programs ----------------------------------------------------------------------------------------------

    def _accepted(self) -> Iterator[Path]:
        """Yield the solutions that should print every answer: the reference, the independent one, then all others."""
        own = [path for path in (self.problem.reference, self.problem.independent) if path is not None]
        yield from own
        for folder in dict.fromkeys(path.parent for path in own):
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in SUFFIXES and not path.name.startswith((".", "_", "#")) and path not in own:
                    yield path

    def _build(self, path: Path, box: Box) -> Program | RunFailure:
        try:
            source = read_source(path, source_options(self.problem, path))
            if source.digest != self._hashes.get(path, source.digest):
                return RunFailure(_EDITED)
            options = BuildOptions(flags=self.problem.compile_flags, is_static=True)
            built = build(path, self._store.build, box, cache=self._store.programs, source=source, options=options)
        except (JudgeError, OSError) as error:
            return RunFailure(describe_error(error))
        return built if isinstance(built, Program) else RunFailure(f"does not compile: {built.message}")


def find_failure(ran: Outcome, program: Program, limits: Limits) -> RunFailure | None:
    """Return how a run failed; None if the program exited with status 0."""
    result = ran.result
    if result.ending is Ending.EXITED and result.exit_code == 0:
        return None
    text = program.restore_source_path(result.stderr_tail)
    is_slow = result.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT)
    return RunFailure(describe_failure(result, text, limits), is_slow)
