"""From a case's description to its bytes: make the input, validate it, make the answer, have it confirmed.

Each step runs at most once for the same bytes and programs: what was proved is remembered in the facts of this
machine and in the problem's lock file. Nothing is ever written into the problem's own folders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

from judge.errors import DataError, Finding
from judge.languages import CompileError, Program, build
from judge.model import Case, External, Generated, InFile, Inline, Problem
from judge.sandbox.box import Box
from judge.testdata.confirm import Confirmer, Fault
from judge.testdata.generate import sources_digest
from judge.testdata.inputs import Inputs
from judge.testdata.lock import Lock, LockedCase
from judge.testdata.objects import digest_of_file, key_of
from judge.testdata.prepared import (
    Broken,
    Data,
    MapRuns,
    PreparedCase,
    Ready,
    Shelf,
    Skipped,
    broken,
    content,
    digest,
)


def prepare(
    problem: Problem, cases: Sequence[Case], shelf: Shelf, lock: Lock, map_runs: MapRuns
) -> Iterator[PreparedCase]:
    """Yield every case with its data, in order; a case that is wrong costs only itself.

    Raises:
        DataError: a program of the problem (validator, reference, independent) cannot be used at all.
        SandboxError: a program could not be run.
    """
    makers = _makers(problem)
    work = _Preparation(problem, shelf, lock, makers)
    inputs = Inputs(problem=problem, shelf=shelf, generators=makers.generators)
    made = inputs.made(cases, map_runs)
    steps = [work.begun(case, inputs.of(case, made)) for case in cases]
    unproved = [step for step in steps if isinstance(step, _Item) and not work.is_proved(step)]
    programs = _build_programs(problem, shelf, map_runs) if unproved else {}
    confirmer = Confirmer(problem=problem, programs=programs)
    proofs = map_runs(lambda box, item: work.prove(item, confirmer, box), unproved)
    waiting = {id(item) for item in unproved}
    for step in steps:
        if isinstance(step, _Item):
            yield work.finished(step, next(proofs) if id(step) in waiting else None)
        else:
            yield step
    shelf.facts.save()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Makers:
    """Hashes of what makes and confirms a problem's data; "" where there is none."""

    validator: str
    reference: str
    independent: str
    generators: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A case on its way: its input is there, its answer perhaps not."""

    case: Case
    input: Data
    input_digest: str
    answer: Data | None
    answer_digest: str


@dataclass(frozen=True, slots=True)
class _Preparation:
    """One problem's cases being prepared: everything but running programs."""

    problem: Problem
    shelf: Shelf
    lock: Lock
    makers: _Makers

    @property
    def has_nothing_to_prove(self) -> bool:
        """Whether the problem has neither a validator nor a reference."""
        return not (self.makers.validator or self.makers.reference)

    def begun(self, case: Case, data: Data | Skipped | Broken) -> _Item | Skipped | Broken:
        """Return the case with its input, and with its answer where that is given or known."""
        if isinstance(data, Skipped | Broken):
            return data
        if self.has_nothing_to_prove and isinstance(case.answer, InFile):  # do not even hash the files
            return _Item(case=case, input=data, input_digest="", answer=case.answer.path, answer_digest="")
        try:
            input_digest = digest(data)
            if (given := _given_answer(case)) is not None:
                return _Item(
                    case=case, input=data, input_digest=input_digest, answer=given, answer_digest=digest(given)
                )
        except OSError as error:
            return broken(case, f"{error.filename}: {error.strerror}")
        if self.problem.reference is None:
            return broken(case, "it has no answer, and the problem has no reference to make one")
        answer_digest = self.shelf.facts.get(self._answer_key(input_digest)) or self._locked_answer(case, input_digest)
        answer = self.shelf.objects.find(answer_digest) if answer_digest else None
        return _Item(case=case, input=data, input_digest=input_digest, answer=answer, answer_digest=answer_digest)

    def is_proved(self, item: _Item) -> bool:
        """Return whether an item needs no run at all."""
        if item.answer is None:
            return False
        if self.has_nothing_to_prove:
            return True
        proof = self._proof(item.case, item.input_digest, item.answer_digest)
        return self.shelf.facts.get(proof) is not None or self._is_locked(item.case, proof)

    def prove(self, item: _Item, confirmer: Confirmer, box: Box) -> Data | Fault:
        """Validate an input, make or confirm its answer; return the answer. Runs in a worker."""
        case, reference, independent = item.case, self.problem.reference, self.problem.independent
        if fault := confirmer.invalid(case, item.input, box):
            return fault
        answer: Data
        if item.answer is None:
            assert reference is not None
            made = confirmer.output(reference, case, item.input, box)
            if isinstance(made, Fault):
                return made
            answer = made
        else:
            answer = item.answer
            if reference and (fault := confirmer.disagreement(reference, case, item.input, answer, box)):
                return fault
        if self._is_locked(case, self._proof(case, item.input_digest, digest(answer))):
            return answer
        if independent and (fault := confirmer.disagreement(independent, case, item.input, answer, box)):
            return fault
        return answer

    def finished(self, item: _Item, proved: Data | Fault | None) -> PreparedCase:
        """Return the case ready to be judged, or what is wrong with it; `proved` is None when no run was needed."""
        if isinstance(proved, Fault):
            return broken(item.case, proved.message)
        answer, answer_digest = (item.answer, item.answer_digest) if proved is None else (proved, item.answer_digest)
        assert answer is not None
        if self.has_nothing_to_prove:
            return Ready(case=item.case, input=item.input, answer=answer)
        if item.answer is None:
            answer_digest, answer = self.shelf.objects.add(content(answer))
            self.shelf.facts.put(self._answer_key(item.input_digest), answer_digest)
        proof = self._proof(item.case, item.input_digest, answer_digest)
        if proved is not None:
            self.shelf.facts.put(proof, "proved")
        locked = LockedCase(input=item.input_digest, answer=answer_digest, proof=proof)
        if fault := self._changed_mind(item.case, locked):
            return broken(item.case, fault)
        external = isinstance(item.case.input, External)
        return Ready(case=item.case, input=item.input, answer=answer, locked=None if external else locked)

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


def _build_programs(problem: Problem, shelf: Shelf, map_runs: MapRuns) -> dict[Path, Program]:
    """Build the validator, the reference and the independent solution.

    Raises:
        DataError: one is no program.
    """
    sources = [path for path in (problem.validator, problem.reference, problem.independent) if path is not None]

    def compile_one(box: Box, source: Path) -> Program | CompileError:
        return build(source, shelf.build, box)

    programs: dict[Path, Program] = {}
    findings = []
    for source, built in zip(sources, map_runs(compile_one, sources), strict=True):
        if isinstance(built, Program):
            programs[source] = built
        else:
            findings.append(Finding(file=source, message=built.message))
    if findings:
        raise DataError(findings)
    return programs


def _makers(problem: Problem) -> _Makers:
    def digest_if(path: Path | None) -> str:
        return digest_of_file(path) if path else ""

    try:
        return _Makers(
            validator=digest_if(problem.validator),
            reference=digest_if(problem.reference),
            independent=digest_if(problem.independent),
            generators=sources_digest(problem.generators) if problem.generators else "",
        )
    except OSError as error:
        raise DataError([Finding(file=Path(str(error.filename)), message=str(error.strerror))]) from error


def _given_answer(case: Case) -> Data | None:
    match case.answer:
        case None:
            return None
        case Inline(data):
            return data
        case InFile(path):
            return path
