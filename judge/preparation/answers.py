"""The answer of a case: given in the case file, computed by the reference, or locked; and whether it can be right.

A locked answer is proven, so no solution is run to confirm it: one that prints something else is a wrong solution. If
its bytes are not on this machine, any accepted solution that prints it serves.

An answer that is not locked is compared with the problem's own solutions. A given answer needs one that agrees, unless
none has an output. A computed one must be that of the independent solution, if that has an output. Solutions that fail
or disagree are judged like all others. Only `judge lock` is strict: both must print every answer.
"""

from collections import Counter
from pathlib import Path

from msgspec import Struct, field

from judge.data import Data, digest
from judge.model import Case, Computed, Problem, Verdict
from judge.preparation.cases import Answer, InvalidCase
from judge.preparation.confirm import Confirmer, RunFailure
from judge.preparation.store import ObjectStore
from judge.sandbox.box import Box

_LIMIT_FACTOR = 10  # the problem's own solutions may take this many times the time limit of a case


class Answers(Struct, frozen=True, kw_only=True):
    """Makes and confirms the answers of one problem's cases. Its methods run in workers, for one case at a time.

    Attributes:
        is_strict: the reference and the independent solution must both print every answer.
        misses: how often each solution did not print a locked answer: the next case tries the others first.
    """

    problem: Problem
    confirmer: Confirmer
    objects: ObjectStore
    is_strict: bool
    misses: Counter[Path] = field(default_factory=Counter)

    def confirm(self, case: Case, data: Data, answer: Answer, box: Box) -> Answer | InvalidCase:
        """Confirm an answer that is given."""
        failures: dict[Path, RunFailure] = {}
        disagreements: dict[Path, str] = {}
        for solution in (self.problem.reference, self.problem.independent):
            if solution is None:
                continue
            match self._compare(solution, case, data, answer, box):
                case RunFailure() as failure if self.is_strict:
                    return self._failed(solution, failure, case)
                case RunFailure() as failure:
                    failures[solution] = failure
                case str() as reason:
                    disagreements[solution] = reason
                case None if not self.is_strict:
                    return answer
        if disagreements:
            names = " and ".join(map(self.confirmer.describe, disagreements))
            verb = "disagrees" if len(disagreements) == 1 else "disagree"
            (first, *_) = disagreements.values()
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
            case RunFailure() as failure if self.is_strict:
                return self._failed(independent, failure, case)
            case RunFailure():
                return Answer(answer.digest, answer.data, is_confirmed=False)
            case str() as reason:
                names = f"{self.confirmer.describe(independent)} disagrees with {self.confirmer.describe(reference)}"
                return InvalidCase(case, f"{names}: ", reason)
            case None:
                return answer

    def _make(self, reference: Path, case: Case, data: Data, box: Box) -> Answer | InvalidCase:
        """Return the output of the reference."""
        output = self.confirmer.run(reference, case, data, box, factor=_LIMIT_FACTOR)
        if isinstance(output, RunFailure):
            return self._failed(reference, output, case)
        answer = Answer(*self.objects.add(output))  # as a file: many answers may wait for their turn
        if case.checker.program is not None:  # an answer must be a right output itself
            checked = self.confirmer.check(case, data, answer.data, output, box)
            if checked.verdict is not Verdict.AC:
                names = self.confirmer.describe(reference)
                return InvalidCase(case, f"the checker rejects the output of {names}: ", checked.reason)
        return answer

    def restore(self, case: Case, data: Data, sha256: str, box: Box) -> Answer | InvalidCase:
        """Make the bytes of a locked answer again: of some accepted solution, else of the committed reference."""
        slow = self._find(list(self.confirmer.programs.accepted()), case, data, sha256, box, factor=1)
        if not isinstance(slow, Answer):
            slow = self._find(slow, case, data, sha256, box, factor=_LIMIT_FACTOR)
        if isinstance(slow, Answer):
            return slow
        if self.problem.reference is not None:
            reference = self.problem.reference
            committed = self.confirmer.run(reference, case, data, box, factor=_LIMIT_FACTOR, committed=True)
            if isinstance(committed, bytes) and digest(committed) == sha256:
                return Answer(*self.objects.add(committed))
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
        for solution in sorted(solutions, key=lambda path: self.misses[path]):
            output = self.confirmer.run(solution, case, data, box, factor=factor)
            if isinstance(output, bytes) and digest(output) == sha256:
                return Answer(*self.objects.add(output))
            self.misses[solution] += 1
            if isinstance(output, RunFailure) and output.is_slow:
                slow.append(solution)
        return slow

    def _compare(self, solution: Path, case: Case, data: Data, answer: Answer, box: Box) -> RunFailure | str | None:
        """Run a solution; return how it fails, how its output differs from the answer, or None."""
        output = self.confirmer.run(solution, case, data, box, factor=_LIMIT_FACTOR)
        if isinstance(output, RunFailure):
            return output
        result = self.confirmer.check(case, data, answer.data, output, box)
        return None if result.verdict is Verdict.AC else result.reason

    def _failed(self, solution: Path, failure: RunFailure, case: Case) -> InvalidCase:
        subject = f"the {self.confirmer.role(solution)} fails on"
        return InvalidCase(case, subject, f" ({failure.reason})", self.problem.show_file(solution))
