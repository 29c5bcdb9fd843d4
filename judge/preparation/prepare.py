"""From the description of a case to its data: make the input, validate it, make the answer, confirm it.

Each step runs at most once for the same data and programs: the fact cache of this machine and the problem's lock file
have what was confirmed. Nothing is ever written to the problem's own folders.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, digest
from judge.base.errors import DataError, Diagnostic, JudgeError, describe_error
from judge.model import Case, Computed, External, Generated, InFile, Inline, Problem, ProblemType, Produced
from judge.model.programs import Protocol
from judge.preparation.cases import (
    Answer,
    CheckerFailureError,
    DataStore,
    InvalidCase,
    MapRuns,
    PreparedCase,
    ReadyCase,
    SkippedCase,
)
from judge.preparation.inputs import Hashed, Inputs, hash_sources
from judge.preparation.store import Lock, LockedCase, make_key
from judge.sandbox.box import Box

if TYPE_CHECKING:
    from judge.judging.programs import JudgePrograms
    from judge.preparation.confirm import Confirmer

# Their answers are empty unless they are given: the interactor or the validator knows what is right (BAPCtools).
_ANSWERLESS = frozenset({ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})


def prepare(
    problem: Problem,
    cases: Sequence[Case],
    store: DataStore,
    lock: Lock,
    map_runs: MapRuns,
    *,
    workers: int = 1,
    is_strict: bool = False,
) -> Iterator[int | PreparedCase]:
    """Yield how many inputs generators have yet to make, then each case with its data, in order.

    An invalid case does not affect the others.

    What earlier runs made and found out comes from the store; new results are added to it. `workers` is how many
    programs `map_runs` runs at once. `is_strict`: the reference and the independent solution must print every answer,
    and the lock only tells which inputs generators made before.

    Raises:
        DataError: a file of the problem cannot be read.
    """
    try:
        hashes, generators = _hash_programs(problem)
        programs = store.judge_programs(problem)
        preparation = _Preparation(problem, store, {} if is_strict else lock, hashes, programs)
        producer = None
        if any(isinstance(case.input, Produced) for case in cases):
            from judge.preparation.produce import Producer  # few problems have such generators

            producer = Producer(problem, store, lock)
        inputs = Inputs(problem=problem, store=store, generators=generators, lock=lock, producer=producer)
        yield from inputs.make(cases, map_runs, workers)
        steps = [
            preparation.start(case, inputs.find(case), producer.find_answer(case) if producer else None)
            for case in cases
        ]
        unconfirmed = [step for step in steps if isinstance(step, _Pending) and not step.is_done]
        results: Iterator[Answer | InvalidCase] = iter(())
        if unconfirmed:
            from judge.preparation.confirm import Confirmer  # here: most runs have nothing to confirm

            confirmer = Confirmer(problem, store, hashes, programs, is_strict=is_strict)
            results = map_runs(lambda box, pending: _confirm(pending, confirmer, box), unconfirmed)
        for step in steps:
            found: PreparedCase
            if not isinstance(step, _Pending):
                found = step
            elif not step.is_done:
                found = preparation.record(step, next(results))
            else:
                assert step.answer is not None
                found = preparation.finish(step, step.answer)
            if isinstance(found, InvalidCase):
                shown = problem.show_file(found.case.origin)
                found = replace(found, case=replace(found.case, origin=shown))
            yield found
    finally:  # also after Ctrl-C: the next run continues from here
        store.facts.save()


def without_progress(steps: Iterable[int | PreparedCase]) -> Iterator[PreparedCase]:
    """Yield only the cases that `prepare` yields."""
    return (step for step in steps if not isinstance(step, int))


class _Pending(Struct, frozen=True, kw_only=True):
    """A case that has its input.

    Attributes:
        answer: None if it has to be made.
        locked_answer: the hash of the answer if it is locked, else "".
        is_valid: the validator accepted the input.
        is_confirmed: the answer is locked, or was confirmed by the present programs.
    """

    case: Case
    input: Data
    input_digest: str
    answer: Answer | None
    locked_answer: str
    is_valid: bool
    is_confirmed: bool

    @property
    def is_done(self) -> bool:
        """Whether nothing has to be run."""
        return self.is_valid and self.is_confirmed and self.answer is not None


def _confirm(pending: _Pending, confirmer: "Confirmer", box: Box) -> Answer | InvalidCase:
    """Validate an input, make or confirm its answer; return the answer. Runs in a worker.

    Any error, of the machine too, affects this case only.
    """
    case, data = pending.case, pending.input
    try:
        if not pending.is_valid and (invalid := confirmer.validate(case, data, box)):
            return invalid
        if isinstance(checker := confirmer.find_checker(case, box), InvalidCase):
            return checker
        if pending.answer is None:
            locked = pending.locked_answer
            return confirmer.restore(case, data, locked, box) if locked else confirmer.compute(case, data, box)
        return pending.answer if pending.is_confirmed else confirmer.confirm(case, data, pending.answer, box)
    except CheckerFailureError as error:
        return InvalidCase(case, "the checker fails on", f" ({error})", error.file)
    except (JudgeError, OSError) as error:
        return InvalidCase(case, "cannot be confirmed: ", describe_error(error))


class _Preparation(Struct, frozen=True):
    """The preparation of one problem's cases: what is known of them, and what becomes known.

    Attributes:
        hashes: of the validator and the solutions, by file; those that compute answers of single cases are added.
    """

    problem: Problem
    store: DataStore
    lock: Lock
    hashes: dict[Path, str]
    judge_programs: "JudgePrograms | None" = None

    def start(
        self, case: Case, found: Hashed | SkippedCase | InvalidCase, written: Answer | None = None
    ) -> _Pending | PreparedCase:
        """Return the case with its input, and with its answer if that is given or known.

        `written` is what the program that made the input wrote as its answer.
        """
        if isinstance(found, SkippedCase | InvalidCase):
            return found
        input_digest, data = found
        given = self.store.objects.data_of(case.answer) if isinstance(case.answer, Inline | InFile) else None
        if given is None and written is not None:
            given = written.data
        if given is None and self.problem.types & _ANSWERLESS:
            given = b""
        # In files, no answer means that there is none.
        is_missing = given is None and (case.answer is not None or isinstance(case.input, Produced))
        if self.problem.reference is None and not self.problem.validates_inputs and not is_missing:
            return ReadyCase(case=case, input=data, answer=given)  # nothing to confirm: the files are not even hashed
        if given is None and self.problem.reference is None and not isinstance(case.answer, Computed):
            return InvalidCase(case, "no answer, and the problem has no reference to compute one")
        try:
            self._hash_solution(case)
            input_digest = input_digest or digest(data)
            answer = None if given is None else Answer(digest(given), given)
        except (JudgeError, OSError) as error:
            return InvalidCase(case, describe_error(error))
        if change := self._find_change(case, input_digest):
            return change
        # The answer that is locked for this input, unless the case file now has another one.
        then = self.lock.get(case.id)
        is_locked = then is not None and then.input == input_digest and (not answer or answer.digest == then.answer)
        locked = then.answer if then and is_locked else ""
        facts = self.store.facts
        if answer is None:  # the locked one, or that which the reference made before, if its file still exists
            sha256 = locked or facts.get(self._answer_key(case, input_digest)) or ""
            known = self.store.objects.find(sha256) if sha256 else None
            answer = None if known is None else Answer(sha256, known)
        valid = self._valid_key(case, input_digest)
        is_known = (then is not None and then.proof == valid) or facts.get(valid) is not None
        return _Pending(
            case=case,
            input=data,
            input_digest=input_digest,
            answer=answer,
            locked_answer=locked,
            is_valid=is_known or not self.problem.validates_inputs,
            is_confirmed=bool(locked)
            or isinstance(case.answer, Computed)
            or (answer is not None and facts.get(self._proof_key(case, input_digest, answer.digest)) is not None),
        )

    def record(self, pending: _Pending, result: Answer | InvalidCase) -> PreparedCase:
        """Store what a run found out; return the case."""
        if isinstance(result, InvalidCase):
            return result
        facts = self.store.facts
        facts.put(self._valid_key(pending.case, pending.input_digest), "valid")
        if pending.answer is None and not pending.locked_answer:
            facts.put(self._answer_key(pending.case, pending.input_digest), result.digest)
        if result.is_confirmed and not pending.locked_answer:
            facts.put(self._proof_key(pending.case, pending.input_digest, result.digest), "proved")
        return self.finish(pending, result)

    def finish(self, pending: _Pending, answer: Answer) -> PreparedCase:
        """Return the case, ready to be judged."""
        proof = self._valid_key(pending.case, pending.input_digest)
        locked = LockedCase(input=pending.input_digest, answer=answer.digest, proof=proof)
        is_external = isinstance(pending.case.input, External)
        return ReadyCase(
            case=pending.case, input=pending.input, answer=answer.data, locked=None if is_external else locked
        )

    def _hash_solution(self, case: Case) -> None:
        """Make the hash of the solution that computes the answer of a case known.

        Raises:
            ToolError: it is not a program.
            OSError: it cannot be read.
        """
        if isinstance(case.answer, Computed) and case.answer.solution not in self.hashes:
            from judge.languages.program_source import read_source
            from judge.preparation.confirm import source_options

            path = case.answer.solution
            self.hashes[path] = read_source(path, source_options(self.problem, path)).digest

    def _answer_key(self, case: Case, input_digest: str) -> str:
        solution = case.answer.solution if isinstance(case.answer, Computed) else self.problem.reference
        return make_key("answer", input_digest, self._hash(solution), *self._flags())

    def _valid_key(self, case: Case, input_digest: str) -> str:
        """Return the hash of all that decides whether the input is valid."""
        validator, grammar = "", self.problem.input_format
        if (program := self.problem.validator) is not None:
            validator = self._hash(program.source)
            if program.protocol is not Protocol.ICPC:
                validator = make_key(program.protocol, validator)
        elif grammar:
            validator = make_key("grammar", grammar)
        return make_key("valid", input_digest, validator, *case.validator_args, *self._flags())

    def _proof_key(self, case: Case, input_digest: str, answer_digest: str) -> str:
        """Return the hash of all that an answer is confirmed with."""
        solutions = (self._hash(self.problem.reference), self._hash(self.problem.independent))
        checker = [repr(case.checker.options)]
        if case.checker.program is not None and self.judge_programs is not None:
            checker += self.judge_programs.identity(case.checker.program) or ()
        return make_key("proof", input_digest, answer_digest, *solutions, *checker, *self._flags())

    def _hash(self, program: Path | None) -> str:
        return self.hashes[program] if program else ""

    def _flags(self) -> tuple[str, ...]:
        """Return what the flags of compilers add to a key."""
        flags = self.problem.compile_flags
        return (repr(sorted(flags.items())),) if flags else ()

    def _find_change(self, case: Case, input_digest: str) -> InvalidCase | None:
        """Return how the input differs from the lock although the case was not edited, or None."""
        then = self.lock.get(case.id)
        source = case.input
        if then is None or then.input == input_digest or not isinstance(source, Generated | Produced):
            return None
        name = source.function if isinstance(source, Generated) else source.sources[0].name
        return InvalidCase(
            case=case,
            subject=f"the generator `{name}` makes a different input than the locked one ",
            detail=f"(SHA-256 {input_digest[:12]}..., locked {then.input[:12]}...)",
            fix=f"if this is intended, run `judge lock {self.problem.id}`",
        )


def _hash_programs(problem: Problem) -> tuple[dict[Path, str], str]:
    """Return the hashes of the programs that confirm a problem's data, by file, and the one of all its generators."""
    validator = problem.validator.source if problem.validator else None
    files = (validator, problem.reference, problem.independent)
    try:
        hashes = {path: digest(path) for path in files if path is not None}
        return hashes, hash_sources(problem.generators) if problem.generators else ""
    except OSError as error:
        raise DataError([Diagnostic(path=Path(str(error.filename)), message=str(error.strerror))]) from error
