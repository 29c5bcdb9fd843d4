"""Finds solutions that are accepted by luck: they run again as the variants of their language, such as with sanitizers.

A finding is a warning, never a verdict: elsewhere, the same program may fail.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import Diagnostic, Severity
from judge.base.units import GIB, Bytes, Seconds
from judge.languages.table import Variant
from judge.model import Case, CaseResult, Verdict
from judge.model.events import Notice
from judge.preparation.cases import PreparedCase, ReadyCase
from judge.runner.executors import LocalExecutor
from judge.runner.solution import SolutionBuild, judge_one

_FAILURES = frozenset({Verdict.WA, Verdict.PE, Verdict.RTE})  # limits are exceeded without any fault


def find_luck(build: SolutionBuild, prepared: Sequence[PreparedCase], executor: LocalExecutor) -> Iterator[Notice]:
    """Run an accepted solution as each variant of its language; yield a warning for each cause of a failure.

    Args:
        build: of the solution as it was judged.
        prepared: the cases that it was judged on.
        executor: runs it.
    """
    name = build.solution.display_path
    for variant in build.variants:
        varied = build.vary(variant)
        jobs = [(varied, replace(each, case=_relax(each.case))) for each in prepared if isinstance(each, ReadyCase)]
        failures: dict[str, tuple[int, CaseResult]] = {}  # by cause, with the size of the input: the smallest counts
        for (_, case), result in zip(jobs, executor.map(judge_one, jobs), strict=True):
            if result.verdict is Verdict.CE:
                yield Notice(text=f"{name} cannot be built with {variant.name} here: {result.reason}")
                return
            if result.verdict in _FAILURES:
                cause = re.sub("[0-9]+", "0", _describe(result)) if result.verdict is Verdict.RTE else ""
                failure = (_size(case.input), result)
                failures[cause] = min(failures.get(cause, failure), failure, key=lambda each: each[0])
        yield from (_warn(build, variant, result) for _, result in failures.values())


def _size(data: Data) -> int:
    return len(data) if isinstance(data, bytes) else data.stat().st_size


def _relax(case: Case) -> Case:
    """Return a case with limits for a program that sanitizers make slower and larger."""
    limits = case.limits
    cpu, memory = Seconds(4 * limits.cpu + 2), Bytes(4 * limits.memory + GIB)
    return replace(case, limits=limits.override(cpu=cpu, memory=memory))


def _describe(result: CaseResult) -> str:
    return result.run.crash if result.run and result.run.crash else result.reason


def _warn(build: SolutionBuild, variant: Variant, result: CaseResult) -> Notice:
    what = f"case {result.case.id} is {result.verdict}: {_describe(result)}"
    diagnostic = Diagnostic(
        path=Path(os.path.relpath(build.solution.path)),
        line=result.run.crash_line if result.run else 0,
        severity=Severity.WARNING,
        rule="sanitize",
        message=f"accepted by luck: with {variant.name}, {what}",
    )
    return Notice(text=str(diagnostic), diagnostics=(diagnostic,))
