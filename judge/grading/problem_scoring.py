"""The score of a submission to a problem with scores, as a share of the best one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.errors import JudgeError, describe_error
from judge.groups import TestGroup
from judge.judging.score_rules import SubResult, best_score
from judge.model import CaseResult, Verdict
from judge.runner.grading import Grading
from judge.sandbox.box import Box

if TYPE_CHECKING:
    from judge.grading.problems import PreparedProblem


class ProblemScoring:
    """Scores the results of one submission, which must come in the order of the cases.

    Args:
        problem: with scores.
        box: for custom graders.
    """

    def __init__(self, problem: "PreparedProblem", box: Box) -> None:
        self._problem = problem
        self._box = box
        self._grading = Grading(problem.problem, self._grade)

    def find_omission(self, index: int) -> CaseResult | None:
        """Return the result of a case that the earlier results decide; None if it must be judged."""
        return self._grading.find_omission(self._problem.cases[index].case)

    def add(self, result: CaseResult) -> None:
        """Add the result of the next case."""
        self._grading.take(result)

    def finish(self) -> tuple[float, Verdict | None, str]:
        """Return the share of the best score, the verdict of the groups, if they have one, and why a grader failed.

        Where the best score is not known, the share is 1 for a submission that is accepted, and else 0.
        """
        scores = self._grading.finish()
        assert self._problem.problem.groups is not None
        best = best_score(self._problem.problem.groups)
        if scores.score is None or not best:
            return float(scores.verdict is Verdict.AC), scores.verdict, scores.reason
        return min(1.0, max(0.0, scores.score / best)), scores.verdict, scores.reason

    def _grade(self, group: TestGroup, results: Sequence[SubResult]) -> SubResult | str:
        """Run the custom grader of a group; return why it cannot be used."""
        from judge.judging.program_checker import run_grader
        from judge.judging.programs import UnusableProgram

        assert group.grader is not None
        assert self._problem.programs is not None
        try:
            ready = self._problem.programs.get(group.grader, self._box)
            if isinstance(ready, UnusableProgram):
                return ready.reason
            return run_grader(ready, group.grader_args, results, self._box)
        except (JudgeError, OSError) as error:
            return describe_error(error)
