"""Judges a solution again and again: with randomness or the clock, one run is one draw, and the next may fail."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp, lgamma, log
from pathlib import Path

from judge.base.errors import Diagnostic, Severity, join_lines
from judge.languages.variants import Variant
from judge.model import CaseResult, Verdict
from judge.model.events import Notice
from judge.preparation.cases import ReadyCase
from judge.runner.executors import LocalExecutor
from judge.runner.options import Repetitions
from judge.runner.solution import SolutionBuild, judge_one

_CONFIDENCE = 0.95
_SURE = 0.99  # 299 runs without a failure
_MOST_FAILURES = 3  # of runs until it is sure that some fail
_NO_VERDICT = (Verdict.AC, Verdict.SK, Verdict.NA)
_SHOWN = 3  # cases


def least_rate(passes: int, runs: int) -> float:
    """Return the least rate of passing runs, at a confidence of 95% (Clopper and Pearson, one-sided)."""
    if passes == 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(50):
        rate = (low + high) / 2
        low, high = (rate, high) if _chance_of(passes, runs, rate) < 1 - _CONFIDENCE else (low, rate)
    return low


def _chance_of(passes: int, runs: int, rate: float) -> float:
    """Return the probability of at least so many passing runs."""
    whole = lgamma(runs + 1)
    return sum(
        exp(whole - lgamma(k + 1) - lgamma(runs - k + 1) + k * log(rate) + (runs - k) * log(1 - rate))
        for k in range(passes, runs + 1)
    )


def judge_repeatedly(
    build: SolutionBuild, cases: Sequence[ReadyCase], executor: LocalExecutor, times: Repetitions
) -> Iterator[Notice]:
    """Judge a solution again on the cases that it was judged on, `times` times or until it is sure; yield the rate.

    `until-sure` ends when 99% of the runs pass, with a confidence of 95%, or three have failed.
    """
    again = build.vary(Variant(name=""))
    failed: dict[str, CaseResult] = {}  # the first failure of each case
    counts: Counter[str] = Counter()
    runs = passes = 0
    while not _is_enough(passes, runs, times):
        results = [*executor.map(judge_one, [(again, each) for each in cases])]
        if error := next((each for each in results if each.verdict is Verdict.JE), None):
            case = join_lines(error.case.id)
            yield Notice(text=f"{build.name} is not repeated after {runs} runs: {case} is JE: {error.reason}")
            break
        failures = [each for each in results if each.verdict not in _NO_VERDICT]
        runs, passes = runs + 1, passes + (not failures)
        for each in failures:
            failed.setdefault(each.case.id, each)
            counts[each.case.id] += 1
    if not runs:
        return
    rate = f"passes {passes} of {runs} runs; at least {100 * least_rate(passes, runs):.1f}% at 95% confidence"
    if not failed:
        yield Notice(text=f"{build.name}: {rate}")
        return
    shown = [
        f"{case} fails in {number}: {failed[case].verdict}: {failed[case].reason}"
        for case, number in counts.most_common(_SHOWN)
    ]
    more = [f"{len(counts) - _SHOWN} more"] if len(counts) > _SHOWN else []
    diagnostic = Diagnostic(
        path=Path(os.path.relpath(build.solution.path)),
        severity=Severity.WARNING,
        rule="repeat",
        message="; ".join([rate, *shown, *more]),
    )
    yield Notice(text=str(diagnostic), diagnostics=(diagnostic,))


def _is_enough(passes: int, runs: int, times: Repetitions) -> bool:
    if times == "until-sure":
        return least_rate(passes, runs) >= _SURE or runs - passes >= _MOST_FAILURES
    return runs >= times
