"""From the description of a case to its data: make the input, validate it, make the answer, confirm it.

Each step runs at most once for the same data and programs: the fact cache of this machine and the problem's lock file
have what was confirmed. Nothing is ever written to the problem's own folders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path

from judge.data import Data, digest
from judge.errors import DataError, Diagnostic, JudgeError, describe_error
from judge.languages.build import Program, build
from judge.model import Case, CheckerConfig, External, Generated, InFile, Inline, Problem
from judge.preparation.cases import (
    DataStore,
    Generating,
    InvalidCase,
    MapRuns,
    PreparedCase,
    ReadyCase,
    SkippedCase,
    invalid_case,
)
from judge.preparation.confirm import Confirmer
from judge.preparation.generate import GeneratorFailure, hash_sources
from judge.preparation.inputs import Inputs
from judge.preparation.lock import Lock, LockedCase
from judge.preparation.store import make_key
from judge.sandbox.box import Box


def prepare(
    problem: Problem, cases: Sequence[Case], store: DataStore, lock: Lock, map_runs: MapRuns, *, workers: int = 1
) -> Iterator[PreparedCase]:
    """Yield each case with its data, as `prepare_with_progress` does, without the progress."""
    for step in prepare_with_progress(problem, cases, store, lock, map_runs, workers=workers):
        if not isinstance(step, Generating):
            yield step


def prepare_with_progress(
    problem: Problem, cases: Sequence[Case], store: DataStore, lock: Lock, map_runs: MapRuns, *, workers: int = 1
) -> Iterator[Generating | PreparedCase]:
    """Yield each case with its data, in order; an invalid case does not affect the others.

    What earlier runs made and found out comes from the store; new results are added to it. `workers` is how many
    programs `map_runs` runs at once.

    Raises:
        DataError: a program of the problem (validator, reference, independent) cannot be used at all.
    """
    try:
        hashes = _hash_programs(problem)
        preparation = _Preparation(problem, store, lock, hashes)
        inputs = Inputs(problem=problem, store=store, generators=hashes.generators)
        made: dict[str, Data | GeneratorFailure] = {}
        for remaining in inputs.make(cases, map_runs, workers, into=made):
            yield Generating(remaining)
        steps = [preparation.start(case, inputs.find(case, made)) for case in cases]
        unconfirmed = [step for step in steps if isinstance(step, _Pending) and not preparation.is_confirmed(step)]
        programs = _build_programs(problem, hashes, store, map_runs) if unconfirmed else {}
        confirmer = Confirmer(problem=problem, programs=programs)
        answers = map_runs(lambda box, pending: preparation.confirm(pending, confirmer, box), unconfirmed)
        waiting = {id(pending) for pending in unconfirmed}
        for step in steps:
            if not isinstance(step, _Pending):
                yield step
            elif id(step) in waiting:
                yield preparation.record(step, next(answers))
            else:
                assert step.answer is not None
                yield preparation.finish(step, step.answer)
    finally:  # also after Ctrl-C: the next run continues from here
        store.facts.save()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hashes:
    """The hashes of the programs that make and confirm a problem's data; "" for one that does not exist."""

    validator: str
    reference: str
    independent: str
    generators: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer with its hash."""

    digest: str
    data: Data


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pending:
    """A case that has its input; its answer may be unknown yet."""

    case: Case
    input: Data
    input_digest: str
    answer: _Answer | None


@dataclass(frozen=True, slots=True)
class _Preparation:
    """The preparation of one problem's cases: all decisions, while `Confirmer` runs the programs."""

    problem: Problem
    store: DataStore
    lock: Lock
    hashes: _Hashes

    def start(self, case: Case, data: Data | SkippedCase | InvalidCase) -> _Pending | PreparedCase:
        """Return the case with its input, and with its answer if that is given or known."""
        if isinstance(data, SkippedCase | InvalidCase):
            return data
        given = _given_answer(case)
        if given is None and self.problem.reference is None:
            return invalid_case(case, "no answer, and the problem has no reference to compute one")
        if given is not None and self.problem.reference is self.problem.validator is None:
            return ReadyCase(case=case, input=data, answer=given)  # nothing to confirm: the files are not even hashed
        try:
            input_digest = digest(data)
            answer = self._known_answer(case, input_digest) if given is None else _Answer(digest(given), given)
        except OSError as error:
            return invalid_case(case, describe_error(error))
        return _Pending(case=case, input=data, input_digest=input_digest, answer=answer)

    def is_confirmed(self, pending: _Pending) -> bool:
        """Return whether a case needs no run at all."""
        if pending.answer is None:
            return False
        proof = self._proof(pending.case, pending.input_digest, pending.answer.digest)
        return self.store.facts.get(proof) is not None or self._is_locked(pending.case, proof)

    def confirm(self, pending: _Pending, confirmer: Confirmer, box: Box) -> _Answer | InvalidCase:
        """Validate an input, make or confirm its answer; return the answer. Runs in a worker.

        Any error, of the machine too, affects this case only.
        """
        try:
            return self._confirm(pending, confirmer, box)
        except (JudgeError, OSError) as error:
            return invalid_case(pending.case, f"cannot be confirmed: {describe_error(error)}")

    def _confirm(self, pending: _Pending, confirmer: Confirmer, box: Box) -> _Answer | InvalidCase:
        case, data = pending.case, pending.input
        reference, independent = self.problem.reference, self.problem.independent
        if invalid := confirmer.validate(case, data, box):
            return invalid
        answer = pending.answer
        if answer is None:
            assert reference is not None
            output = confirmer.run(reference, case, data, box)
            if isinstance(output, InvalidCase):
                return output
            answer = _Answer(*self.store.objects.add(output))  # as a file: many answers may wait for their turn
        elif reference and (invalid := confirmer.compare(reference, case, data, answer.data, box)):
            return invalid
        if self._is_locked(case, self._proof(case, pending.input_digest, answer.digest)):
            return answer
        if independent and (invalid := confirmer.compare(independent, case, data, answer.data, box)):
            return invalid
        return answer

    def record(self, pending: _Pending, result: _Answer | InvalidCase) -> PreparedCase:
        """Store what a run found out; return the case."""
        if isinstance(result, InvalidCase):
            return result
        if pending.answer is None:
            self.store.facts.put(self._answer_key(pending.input_digest), result.digest)
        self.store.facts.put(self._proof(pending.case, pending.input_digest, result.digest), "proved")
        return self.finish(pending, result)

    def finish(self, pending: _Pending, answer: _Answer) -> PreparedCase:
        """Return the case ready to be judged, unless its data differs from the lock."""
        proof = self._proof(pending.case, pending.input_digest, answer.digest)
        locked = LockedCase(input=pending.input_digest, answer=answer.digest, proof=proof)
        if change := self._find_change(pending.case, locked):
            return invalid_case(pending.case, change)
        is_external = isinstance(pending.case.input, External)
        return ReadyCase(
            case=pending.case, input=pending.input, answer=answer.data, locked=None if is_external else locked
        )

    def _known_answer(self, case: Case, input_digest: str) -> _Answer | None:
        """Return the answer that the reference made before, if its file still exists."""
        sha256 = self.store.facts.get(self._answer_key(input_digest)) or self._locked_answer(case, input_digest)
        data = self.store.objects.find(sha256) if sha256 else None
        return None if data is None else _Answer(sha256, data)

    def _answer_key(self, input_digest: str) -> str:
        return make_key("answer", input_digest, self.hashes.reference)

    def _proof(self, case: Case, input_digest: str, answer_digest: str) -> str:
        """Return the hash of all that a case is confirmed with."""
        programs = (self.hashes.validator, *case.validator_args, self.hashes.reference, self.hashes.independent)
        return make_key("proof", input_digest, answer_digest, *programs, _checker_text(case.checker))

    def _is_locked(self, case: Case, proof: str) -> bool:
        locked = self.lock.get(case.id)
        return locked is not None and locked.proof == proof

    def _locked_answer(self, case: Case, input_digest: str) -> str:
        """Return the hash of the locked answer for this input and these programs, or ""."""
        locked = self.lock.get(case.id)
        return locked.answer if locked and locked.proof == self._proof(case, input_digest, locked.answer) else ""

    def _find_change(self, case: Case, now: LockedCase) -> str:
        """Return what differs from the lock although the case was not edited, or ""."""
        then = self.lock.get(case.id)
        if then is None or (then.input, then.answer) == (now.input, now.answer):
            return ""
        fix = f"if this is intended, run `judge lock {self.problem.id}`"
        if isinstance(case.input, Generated) and then.input != now.input:
            return (
                f"the generator `{case.input.function}` makes a different input than the locked one "
                f"(SHA-256 {now.input[:12]}..., locked {then.input[:12]}...); {fix}"
            )
        if case.answer is None and then.input == now.input:
            return (
                f"the reference makes a different answer than the locked one "
                f"(SHA-256 {now.answer[:12]}..., locked {then.answer[:12]}...); {fix}"
            )
        return ""


def _build_programs(problem: Problem, hashes: _Hashes, store: DataStore, map_runs: MapRuns) -> dict[Path, Program]:
    """Build the validator, the reference and the independent solution.

    Raises:
        DataError: one does not compile, needs a missing tool, or was edited since its hash was computed.
    """
    named = {
        problem.validator: hashes.validator,
        problem.reference: hashes.reference,
        problem.independent: hashes.independent,
    }
    sources = {path: sha256 for path, sha256 in named.items() if path is not None}

    def compile_one(box: Box, source: Path) -> Program | Diagnostic:
        try:
            built = build(source, store.build, box, cache=store.programs)
        except (JudgeError, OSError) as error:
            return Diagnostic(path=source, message=f"needed for the test data of {problem.id}: {describe_error(error)}")
        if not isinstance(built, Program):
            return Diagnostic(path=source, message=built.message)
        if digest(built.copy) != sources[source]:
            return Diagnostic(path=source, message="edited while test data was being made with it", fix="run again")
        return built

    programs: dict[Path, Program] = {}
    diagnostics = []
    for source, built in zip(sources, map_runs(compile_one, sources), strict=True):
        if isinstance(built, Program):
            programs[source] = built
        else:
            diagnostics.append(built)
    if diagnostics:
        raise DataError(diagnostics)
    return programs


@cache
def _checker_text(checker: CheckerConfig) -> str:
    return repr(astuple(checker))


def _hash_programs(problem: Problem) -> _Hashes:
    def digest_if(path: Path | None) -> str:
        return digest(path) if path else ""

    try:
        return _Hashes(
            validator=digest_if(problem.validator),
            reference=digest_if(problem.reference),
            independent=digest_if(problem.independent),
            generators=hash_sources(problem.generators) if problem.generators else "",
        )
    except OSError as error:
        raise DataError([Diagnostic(path=Path(str(error.filename)), message=str(error.strerror))]) from error


def _given_answer(case: Case) -> Data | None:
    match case.answer:
        case None:
            return None
        case Inline(data):
            return data
        case InFile(path):
            return path
