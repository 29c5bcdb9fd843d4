"""From a case's description to its bytes: make the input, validate it, make the answer, have it confirmed.

Each step runs at most once for the same bytes and programs: what was proved is remembered in the facts of this
machine and in the problem's lock file. Nothing is ever written into the problem's own folders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from judge.data import Data, digest
from judge.errors import DataError, Diagnostic, JudgeError, describe_error
from judge.languages.table import Program, build
from judge.model import Case, External, Generated, InFile, Inline, Problem
from judge.preparation.cases import (
    Broken,
    DataStore,
    Generating,
    MapRuns,
    PreparedCase,
    Ready,
    Skipped,
    broken,
)
from judge.preparation.confirm import Confirmer, Fault
from judge.preparation.generate import GeneratorFault, sources_digest
from judge.preparation.inputs import Inputs
from judge.preparation.lock import Lock, LockedCase
from judge.preparation.store import key_of
from judge.sandbox.box import Box


def prepare(
    problem: Problem, cases: Sequence[Case], store: DataStore, lock: Lock, map_runs: MapRuns, *, workers: int = 1
) -> Iterator[PreparedCase]:
    """Yield every case with its data, as `prepare_with_progress` does, without what it tells meanwhile."""
    for step in prepare_with_progress(problem, cases, store, lock, map_runs, workers=workers):
        if not isinstance(step, Generating):
            yield step


def prepare_with_progress(
    problem: Problem, cases: Sequence[Case], store: DataStore, lock: Lock, map_runs: MapRuns, *, workers: int = 1
) -> Iterator[Generating | PreparedCase]:
    """Yield every case with its data, in order; a case that is wrong costs only itself.

    Args:
        problem: whose data it is.
        cases: those of its cases that are wanted.
        store: what earlier runs made and found out; what this one finds out is added.
        lock: what `judge lock` recorded.
        map_runs: who runs programs.
        workers: how many runs `map_runs` does at once.

    Raises:
        DataError: a program of the problem (validator, reference, independent) cannot be used at all.
    """
    try:
        yield from _prepared(problem, cases, store, lock, map_runs, workers=workers)
    finally:  # also after Ctrl-C: what was found out by then need not be found out again
        store.facts.save()


def _prepared(
    problem: Problem, cases: Sequence[Case], store: DataStore, lock: Lock, map_runs: MapRuns, *, workers: int
) -> Iterator[Generating | PreparedCase]:
    makers = _makers(problem)
    work = _Preparation(problem, store, lock, makers)
    inputs = Inputs(problem=problem, store=store, generators=makers.generators)
    made: dict[str, Data | GeneratorFault] = {}
    for left in inputs.make(cases, map_runs, workers, into=made):
        yield Generating(left)
    steps = [work.begun(case, inputs.of(case, made)) for case in cases]
    unproved = [step for step in steps if isinstance(step, _Item) and not work.is_proved(step)]
    programs = _build_programs(problem, makers, store, map_runs) if unproved else {}
    confirmer = Confirmer(problem=problem, programs=programs)
    proofs = map_runs(lambda box, item: work.prove(item, confirmer, box), unproved)
    waiting = {id(item) for item in unproved}
    for step in steps:
        if not isinstance(step, _Item):
            yield step
        elif id(step) in waiting:
            yield work.learned(step, next(proofs))
        else:
            yield work.finished(step, step.known())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Makers:
    """Hashes of what makes and confirms a problem's data; "" where there is none."""

    validator: str
    reference: str
    independent: str
    generators: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer that was given, remembered or made."""

    digest: str
    data: Data


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A case on its way: its input is there, its answer perhaps not."""

    case: Case
    input: Data
    input_digest: str
    answer: _Answer | None

    def known(self) -> _Answer:
        """Return the answer of an item that needs no run."""
        assert self.answer is not None
        return self.answer


@dataclass(frozen=True, slots=True)
class _Preparation:
    """One problem's cases being prepared: everything but running programs."""

    problem: Problem
    store: DataStore
    lock: Lock
    makers: _Makers

    def begun(self, case: Case, data: Data | Skipped | Broken) -> _Item | PreparedCase:
        """Return the case with its input, and with its answer where that is given or known."""
        if isinstance(data, Skipped | Broken):
            return data
        given = _given_answer(case)
        if given is None and self.problem.reference is None:
            return broken(case, "it has no answer, and the problem has no reference to make one")
        if given is not None and self.problem.reference is self.problem.validator is None:
            return Ready(case=case, input=data, answer=given)  # nobody to ask: the files are not even hashed
        try:
            input_digest = digest(data)
            answer = self._known_answer(case, input_digest) if given is None else _Answer(digest(given), given)
        except OSError as error:
            return broken(case, describe_error(error))
        return _Item(case=case, input=data, input_digest=input_digest, answer=answer)

    def is_proved(self, item: _Item) -> bool:
        """Return whether an item needs no run at all."""
        if item.answer is None:
            return False
        proof = self._proof(item.case, item.input_digest, item.answer.digest)
        return self.store.facts.get(proof) is not None or self._is_locked(item.case, proof)

    def prove(self, item: _Item, confirmer: Confirmer, box: Box) -> _Answer | Fault:
        """Validate an input, make or confirm its answer; return the answer. Runs in a worker.

        Whatever goes wrong, with the machine too, costs this case only.
        """
        try:
            return self._proved(item, confirmer, box)
        except (JudgeError, OSError) as error:
            return Fault(f"it cannot be confirmed: {describe_error(error)}")

    def _proved(self, item: _Item, confirmer: Confirmer, box: Box) -> _Answer | Fault:
        case, reference, independent = item.case, self.problem.reference, self.problem.independent
        if fault := confirmer.invalid(case, item.input, box):
            return fault
        answer = item.answer
        if answer is None:
            assert reference is not None
            made = confirmer.output(reference, case, item.input, box)
            if isinstance(made, Fault):
                return made
            answer = _Answer(*self.store.objects.add(made))  # a file: what waits for its turn fills no memory
        elif reference and (fault := confirmer.disagreement(reference, case, item.input, answer.data, box)):
            return fault
        if self._is_locked(case, self._proof(case, item.input_digest, answer.digest)):
            return answer
        if independent and (fault := confirmer.disagreement(independent, case, item.input, answer.data, box)):
            return fault
        return answer

    def learned(self, item: _Item, found: _Answer | Fault) -> PreparedCase:
        """Remember what a run found out; return the case ready to be judged, or what is wrong with it."""
        if isinstance(found, Fault):
            return broken(item.case, found.message)
        if item.answer is None:
            self.store.facts.put(self._answer_key(item.input_digest), found.digest)
        self.store.facts.put(self._proof(item.case, item.input_digest, found.digest), "proved")
        return self.finished(item, found)

    def finished(self, item: _Item, answer: _Answer) -> PreparedCase:
        """Return the case ready to be judged, unless it is no longer what was locked."""
        proof = self._proof(item.case, item.input_digest, answer.digest)
        locked = LockedCase(input=item.input_digest, answer=answer.digest, proof=proof)
        if fault := self._changed_mind(item.case, locked):
            return broken(item.case, fault)
        external = isinstance(item.case.input, External)
        return Ready(case=item.case, input=item.input, answer=answer.data, locked=None if external else locked)

    def _known_answer(self, case: Case, input_digest: str) -> _Answer | None:
        """Return the answer that the reference made before, if its file is still there."""
        wanted = self.store.facts.get(self._answer_key(input_digest)) or self._locked_answer(case, input_digest)
        found = self.store.objects.find(wanted) if wanted else None
        return None if found is None else _Answer(wanted, found)

    def _answer_key(self, input_digest: str) -> str:
        return key_of("answer", input_digest, self.makers.reference)

    def _proof(self, case: Case, input_digest: str, answer_digest: str) -> str:
        """Return the hash of everything that a confirmed case was confirmed with."""
        programs = (self.makers.validator, *case.validator_args, self.makers.reference, self.makers.independent)
        return key_of("proof", input_digest, answer_digest, *programs, repr(astuple(case.checker)))

    def _is_locked(self, case: Case, proof: str) -> bool:
        locked = self.lock.get(case.id)
        return locked is not None and locked.proof == proof

    def _locked_answer(self, case: Case, input_digest: str) -> str:
        """Return the hash of the answer that was locked with this input and these programs, or ""."""
        locked = self.lock.get(case.id)
        return locked.answer if locked and locked.proof == self._proof(case, input_digest, locked.answer) else ""

    def _changed_mind(self, case: Case, now: LockedCase) -> str:
        """Return what differs from the lock although nobody edited the case, or ""."""
        then = self.lock.get(case.id)
        if then is None or (then.input, then.answer) == (now.input, now.answer):
            return ""
        remedy = f"if that is intended, run `judge lock {self.problem.id}`"
        if isinstance(case.input, Generated) and then.input != now.input:
            return (
                f"the generator `{case.input.function}` makes another input than when the case was locked "
                f"(sha256 {now.input[:12]}..., locked {then.input[:12]}...); {remedy}"
            )
        if case.answer is None and then.input == now.input:
            return (
                f"the reference makes another answer than when the case was locked "
                f"(sha256 {now.answer[:12]}..., locked {then.answer[:12]}...); {remedy}"
            )
        return ""


def _build_programs(problem: Problem, makers: _Makers, store: DataStore, map_runs: MapRuns) -> dict[Path, Program]:
    """Build the validator, the reference and the independent solution.

    Raises:
        DataError: one is no program, cannot be made one on this machine, or was edited since its hash was taken.
    """
    named = {
        problem.validator: makers.validator,
        problem.reference: makers.reference,
        problem.independent: makers.independent,
    }
    sources = {path: wanted for path, wanted in named.items() if path is not None}

    def compile_one(box: Box, source: Path) -> Program | Diagnostic:
        try:
            built = build(source, store.build, box, cache=store.programs)
        except (JudgeError, OSError) as error:
            return Diagnostic(
                path=source, message=f"the test data of {problem.id} needs it, but {describe_error(error)}"
            )
        if not isinstance(built, Program):
            return Diagnostic(path=source, message=built.message)
        if digest(built.copy) != sources[source]:
            return Diagnostic(path=source, message="it was edited while test data was made with it; run again")
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


def _makers(problem: Problem) -> _Makers:
    def digest_if(path: Path | None) -> str:
        return digest(path) if path else ""

    try:
        return _Makers(
            validator=digest_if(problem.validator),
            reference=digest_if(problem.reference),
            independent=digest_if(problem.independent),
            generators=sources_digest(problem.generators) if problem.generators else "",
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
