"""The results of one solution of a problem with scores: which cases to run, and what the cases are worth.

Results become known in another order than that of judging, from the cache or from several workers. They are scored in
the order of judging, so a report does not depend on the number of workers, nor on the cache.
"""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.base.errors import JudgeError, describe_error
from judge.judging.scoring import Grade, Scorer, SubResult
from judge.model import Case, CaseResult, Problem, Scores, Verdict
from judge.model.groups import TestGroup
from judge.runner.executors import LocalExecutor
from judge.sandbox.box import Box

if TYPE_CHECKING:  # few problems have programs that judge
    from judge.judging.programs import JudgePrograms


def run_custom_grader(
    group: TestGroup, results: Sequence[SubResult], programs: "JudgePrograms | None", box: Box
) -> SubResult | str:
    """Run the custom grader of a group; return what it says, or why it fails."""
    from judge.judging.program_checker import run_grader
    from judge.judging.programs import UnusableProgram

    assert group.grader is not None
    assert programs is not None
    try:
        ready = programs.get(group.grader, box)
        if isinstance(ready, UnusableProgram):
            return ready.reason
        return run_grader(ready, group.grader_args, results, box)
    except (JudgeError, OSError) as error:
        return describe_error(error)


def grade_in_worker(programs: "JudgePrograms | None", executor: LocalExecutor) -> Grade:
    """Return what runs the custom graders of a problem, in some worker."""
    return lambda group, results: executor.call(lambda box: run_custom_grader(group, results, programs, box))


class Grading:
    """Scores the results of a solution on all cases of a problem.

    Args:
        problem: one that is graded (`Problem.is_graded`).
        grade: runs custom graders.
    """

    def __init__(self, problem: Problem, grade: Grade | None = None) -> None:
        assert problem.groups is not None
        self._scorer = Scorer(problem.groups, problem.cases, grade)
        self._lock = threading.RLock()
        self._early: dict[int, CaseResult] = {}  # known before that of an earlier case
        self._scored: dict[int, CaseResult] = {}  # by the position of the case
        self._looked_up = self._next = self._taken = 0

    def find_omission(self, case: Case) -> CaseResult | None:
        """Return the result of a case that need not be judged; None if it must be, as far as is known.

        May be called from any thread.
        """
        reason = self._scorer.find_omission(case)
        return CaseResult(case=case, verdict=Verdict.SK, reason=reason, is_omitted=True) if reason else None

    def look_up(self, result: CaseResult | None) -> None:
        """Note what is known of the next case before it runs."""
        position, self._looked_up = self._looked_up, self._looked_up + 1
        if result is not None:
            self._add(position, result)

    def take(self, result: CaseResult) -> CaseResult:
        """Return the next result, after those of all cases before it, with its score, or as omitted."""
        position, self._taken = self._taken, self._taken + 1
        if position >= self._next:
            self._add(position, result)
        return self._scored.pop(position)

    def stop(self) -> None:
        """Run no grader from now on, after an interrupt."""
        self._scorer.stop()

    def finish(self) -> Scores:
        """Return what the solution gets for the results so far."""
        return self._scorer.finish()

    def _add(self, position: int, result: CaseResult) -> None:
        with self._lock:
            self._early[position] = result
            while self._next in self._early:
                self._scored[self._next] = self._scorer.add(self._early.pop(self._next))
                self._next += 1
