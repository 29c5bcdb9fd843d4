"""Names the line of a crash that its runtime does not name: another build of the program runs once more."""

import re

from msgspec.structs import replace

from judge.model import CaseResult, Verdict
from judge.preparation.cases import PreparedCase, ReadyCase
from judge.runner.executors import LocalExecutor
from judge.runner.sanitize import relax
from judge.runner.solution import SolutionBuild, judge_one

_HAS_LINE = re.compile(r"line [0-9]+\)$")


def locate_crash(
    build: SolutionBuild, prepared: PreparedCase, result: CaseResult, executor: LocalExecutor
) -> CaseResult:
    """Return a run-time error with the line of the user's source in its reason, if that can be known.

    Args:
        build: of the solution as it was judged.
        prepared: the case on which it crashed.
        result: the verdict stays, whatever the other run shows.
        executor: runs it.
    """
    run, variant = result.run, build.crash_variant
    if run is None or variant is None or not isinstance(prepared, ReadyCase):
        return result
    if _HAS_LINE.search(run.crash) or not (run.crash or run.signal):
        return result
    case = replace(prepared.case, limits=relax(prepared.case.limits))
    (again,) = executor.map(judge_one, [(build.vary(variant), replace(prepared, case=case))])
    if again.verdict is not Verdict.RTE or again.run is None or not _HAS_LINE.search(again.run.crash):
        return result
    reason = result.reason.removesuffix(f": {run.crash}")
    return replace(result, reason=f"{reason}: {again.run.crash}", run=replace(run, crash=again.run.crash))
