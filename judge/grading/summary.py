"""What the results of a stream add up to: counts of verdicts, pass@k, the slowest submissions, the faults.

pass@k is the chance that at least one of k submissions to a task is accepted, by the unbiased estimator of Chen et al.,
"Evaluating Large Language Models Trained on Code" (2021), section 2.1: 1 - C(n - c, k) / C(n, k) for c accepted
submissions of n, averaged over the tasks with n >= k. Rows without a score do not count.
"""

import heapq
from collections import Counter
from collections.abc import Sequence
from math import comb

from judge.grading.values import Grade
from judge.model import Verdict

PASS_AT = (1, 5, 10, 100)
"""The k of pass@k that are shown by default."""

_FENCE = "```"  # of Markdown


class Summary:
    """Sums up results.

    Args:
        keeps_tasks: keep two numbers for each task, which pass@k needs.
        most_results: how many results to keep, which are the first ones.
    """

    def __init__(self, *, keeps_tasks: bool = True, most_results: float = 0) -> None:
        self._keeps_tasks = keeps_tasks
        self._most_results = most_results
        self.results: list[Grade] = []
        self.verdicts: Counter[str] = Counter()
        self.rows = self.without_score = self.uncertain = self.fenced = 0
        self._tasks: dict[str, tuple[int, int]] = {}  # submissions with a score, and accepted ones
        self._slowest: list[tuple[float, str]] = []
        self.faults: list[tuple[str, str]] = []

    def add(self, result: Grade) -> None:
        """Add a result."""
        self.rows += 1
        self.verdicts[result.verdict.value] += 1
        if len(self.results) < self._most_results:
            self.results.append(result)
        self.uncertain += result.uncertain
        failure = result.first_failure
        if failure is not None and failure.verdict is Verdict.CE:
            self.fenced += _FENCE in failure.reason + failure.stderr
        if result.score is None:
            self.without_score += 1
            if len(self.faults) < 5:  # messages that are kept
                self.faults.append((result.id, result.fault[:200]))
        elif self._keeps_tasks:
            count, accepted = self._tasks.get(result.task, (0, 0))
            self._tasks[result.task] = (count + 1, accepted + result.is_accepted)
        if result.cpu_s is not None:
            heapq.heappush(self._slowest, (result.cpu_s, result.id))
            if len(self._slowest) > 5:
                heapq.heappop(self._slowest)

    @property
    def tasks(self) -> int:
        """How many tasks have a submission with a score."""
        return len(self._tasks)

    @property
    def slowest(self) -> Sequence[tuple[float, str]]:
        """The CPU time and the id of the slowest submissions, slowest first."""
        return sorted(self._slowest, reverse=True)

    def pass_at(self, k: int) -> tuple[float, int] | None:
        """Return pass@k, and how many tasks have k submissions; None if none has."""
        shares = [
            1 - comb(count - accepted, k) / comb(count, k) for count, accepted in self._tasks.values() if count >= k
        ]
        return (sum(shares) / len(shares), len(shares)) if shares else None
