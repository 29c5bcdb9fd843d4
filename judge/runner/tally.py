"""One solution's results, summed up as they come."""

from judge.model import CaseResult, Problem, SolutionResult, Verdict
from judge.runner.submission import Submission


class Tally:
    """Sums up one solution's results as they come; keeps no more of them than a report shows."""

    def __init__(self, problem: Problem, submission: Submission, *, is_complete: bool) -> None:
        self.problem = problem
        self.submission = submission
        self.is_complete = is_complete
        self.expectation = submission.solution.expectation
        self.counts: dict[Verdict, int] = {}
        self.first: Verdict | None = None
        self.failures: dict[Verdict, CaseResult] = {}
        self.slowest: CaseResult | None = None
        self.largest: CaseResult | None = None
        self.message = ""  # the compiler's first error
        self.cached = 0

    def add(self, result: CaseResult) -> None:
        """Take one more result."""
        verdict = result.verdict
        self.counts[verdict] = self.counts.get(verdict, 0) + 1
        self.cached += result.is_cached
        if verdict is Verdict.CE:
            self.message = result.reason
        if verdict not in (Verdict.AC, Verdict.SK) and self.first is None:
            self.first = verdict
        if verdict not in self.expectation.permitted and verdict is not Verdict.SK:
            self.failures.setdefault(verdict, result)
        if result.run is not None:
            if self.slowest is None or self.slowest.run is None or result.run.cpu > self.slowest.run.cpu:
                self.slowest = result
            if self.largest is None or self.largest.run is None or result.run.memory > self.largest.run.memory:
                self.largest = result

    def verdict(self) -> Verdict:
        """Return the solution's verdict: JE, else that of the first case that failed, else AC, or SK."""
        if Verdict.JE in self.counts:
            return Verdict.JE
        if self.first is not None:
            return self.first
        return Verdict.AC if Verdict.AC in self.counts else Verdict.SK

    def result(self) -> SolutionResult:
        """Return the summary of what was added."""
        judged = self.counts.keys() - {Verdict.SK}
        complete = self.is_complete and Verdict.SK not in self.counts
        shown = not complete or bool(judged & self.expectation.required)
        return SolutionResult(
            solution=self.submission.solution,
            language=self.submission.language,
            verdict=self.verdict(),
            as_expected=not self.failures and shown,
            counts=dict(self.counts),
            slowest=self.slowest,
            largest=self.largest,
            failures=tuple(self.failures.values()),
            message=self.message or self.submission.notice,
            options=self.submission.options.words,
            cached=self.cached,
            source_digest=self.submission.digest,
            is_complete=complete,
        )
