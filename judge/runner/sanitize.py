"""Finds solutions that are accepted by luck: they run again as the variants of their language, such as with sanitizers.

A finding is a warning, never a verdict: elsewhere, the same program may fail.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import Diagnostic, Severity
from judge.base.files import find_program
from judge.base.units import GIB, Bytes, Seconds
from judge.languages.build import CompileError
from judge.languages.table import Variant
from judge.model import CaseResult, Limits, Verdict
from judge.model.events import Notice
from judge.preparation.cases import PreparedCase, ReadyCase
from judge.runner.executors import LocalExecutor
from judge.runner.solution import SolutionBuild, judge_one

_WRONG = frozenset({Verdict.WA, Verdict.PE})
_EXHAUSTED = re.compile("Sanitizer: (?:stack-overflow|out-of-memory|allocation-size-too-big)")
_REJECTED = re.compile(r"([^/\n]+):(\d+):\d+: error: (.+) \[-Werror=[\w-]+=?\]$", re.MULTILINE)


class _Finding(Struct, frozen=True, kw_only=True):
    """A failure of a variant; `size` is that of the input: the smallest one is shown."""

    message: str
    line: int = 0
    size: int = 0


def find_luck(build: SolutionBuild, prepared: Sequence[PreparedCase], executor: LocalExecutor) -> Iterator[Notice]:
    """Run an accepted solution as each variant of its language; yield a warning for each cause of a failure.

    Args:
        build: of the solution as it was judged.
        prepared: the cases that it was judged on.
        executor: runs it.
    """
    findings: dict[str, _Finding] = {}  # by cause
    for variant in build.variants:
        if all(map(find_program, variant.tools.values())):
            error = _run_variant(build, variant, prepared, executor, findings)
            if error and not variant.tools:
                name = build.solution.display_path
                yield Notice(text=f"{name} cannot be built with {variant.name} here: {error.message}")
    yield from (_warn(build, finding) for finding in findings.values())


def _run_variant(
    build: SolutionBuild,
    variant: Variant,
    prepared: Sequence[PreparedCase],
    executor: LocalExecutor,
    findings: dict[str, _Finding],
) -> CompileError | None:
    """Add to the findings by cause what a variant shows; return why it cannot be built."""

    def compile_error(varied: SolutionBuild) -> CompileError | None:
        (program,) = executor.map(lambda box, program: program.build(box), [varied])
        return program if isinstance(program, CompileError) else None

    of_wrong = ""  # the cause of wrong answers: most likely what the compiler rejects
    varied = build.vary(variant, variant.mistakes)
    error = compile_error(varied)
    if rejected := _rejections(build, error):
        for line, text in rejected:
            of_wrong = f"line {line}"
            findings.setdefault(of_wrong, _Finding(message=text, line=line))
        varied = build.vary(variant)
        error = compile_error(varied)
    if error:
        return error
    jobs = [
        (varied, replace(each, case=replace(each.case, limits=relax(each.case.limits))))
        for each in prepared
        if isinstance(each, ReadyCase) and _size(each.input) <= (variant.largest_input or _size(each.input))
    ]
    for (_, case), result in zip(jobs, executor.map(judge_one, jobs), strict=True):
        if is_fault(result, may_crash=bool(variant.tools)):
            finding = _describe(variant, result, _size(case.input))
            cause = (
                cause_of(finding.line, finding.message.partition(": ")[2])
                if result.verdict is Verdict.RTE
                else of_wrong
            )
            findings[cause] = min(findings.get(cause, finding), finding, key=lambda each: each.size)
    return None


def _rejections(build: SolutionBuild, error: CompileError | None) -> list[tuple[int, str]]:
    """Return the lines of a solution, and the messages, of what a compiler rejects only because of a flag."""
    found = _REJECTED.findall(error.text) if error else ()
    return [(int(line), text) for name, line, text in found if name == build.solution.path.name]


def _size(data: Data) -> int:
    return len(data) if isinstance(data, bytes) else data.stat().st_size


def relax(limits: Limits) -> Limits:
    """Return limits for a program that sanitizers make slower and larger."""
    return limits.override(cpu=Seconds(4 * limits.cpu + 2), memory=Bytes(4 * limits.memory + GIB))


def is_fault(result: CaseResult, *, may_crash: bool = False, may_differ: bool = False) -> bool:
    """Return whether the result of a variant shows a mistake, if it may fail in one way without any."""
    crash = result.run.crash if result.run else ""
    if result.verdict is Verdict.RTE:  # sanitizers need more of the stack and of the memory
        return not may_crash and not _EXHAUSTED.search(crash)
    return result.verdict in _WRONG and not may_differ


def _describe(variant: Variant, result: CaseResult, size: int) -> _Finding:
    reason = result.run.crash if result.run and result.run.crash else result.reason
    return _Finding(
        message=f"with {variant.name}, case {result.case.id} is {result.verdict}: {reason}",
        line=result.run.crash_line if result.run else 0,
        size=size,
    )


def cause_of(line: int, reason: str) -> str:
    """Return what failures of one cause share: the line; if it is unknown, the reason without its numbers."""
    return f"line {line}" if line else re.sub("-?[0-9]+", "0", reason)


def _warn(build: SolutionBuild, finding: _Finding) -> Notice:
    diagnostic = Diagnostic(
        path=Path(os.path.relpath(build.solution.path)),
        line=finding.line,
        severity=Severity.WARNING,
        rule="sanitize",
        message=f"accepted by luck: {finding.message}",
    )
    return Notice(text=str(diagnostic), diagnostics=(diagnostic,))
