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
    variant = build.crash_variant
    if variant is None or not isinstance(prepared, ReadyCase) or not lacks_line(result):
        return result
    case = replace(prepared.case, limits=relax(prepared.case.limits))
    (again,) = executor.map(judge_one, [(build.vary(variant), replace(prepared, case=case))])
    return add_crash(result, again)


def lacks_line(result: CaseResult) -> bool:
    """Return whether a program crashed, and its runtime does not name the line."""
    run = result.run
    return bool(run and (run.crash or run.signal) and not _HAS_LINE.search(run.crash))


def add_crash(result: CaseResult, again: CaseResult) -> CaseResult:
    """Return a run-time error with the line that another run of the program names, if that crashes, too."""
    run = result.run
    if run is None or again.verdict is not Verdict.RTE or again.run is None or not _HAS_LINE.search(again.run.crash):
        return result
    reason = result.reason.removesuffix(f": {run.crash}")
    return replace(result, reason=f"{reason}: {again.run.crash}", run=replace(run, crash=again.run.crash))
