"""Runs solutions again as the variants of their language, such as with sanitizers.

An accepted one may be accepted by luck: a finding is a warning, never a verdict, since elsewhere the same program may
fail. One that crashes names the line where the usual build does not.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data
from judge.base.errors import Diagnostic, Severity, join_lines
from judge.base.files import find_program
from judge.base.units import GIB, Bytes, Seconds, format_count
from judge.languages.build import CompileError
from judge.languages.variants import Variant
from judge.model import CaseResult, Limits, Verdict
from judge.model.events import Notice
from judge.preparation.cases import PreparedCase, ReadyCase
from judge.runner.executors import LocalExecutor
from judge.runner.solution import SolutionBuild, judge_one

_WRONG = frozenset({Verdict.WA, Verdict.PE})
_EXHAUSTED = re.compile("Sanitizer: (?:stack-overflow|out-of-memory|allocation-size-too-big)")
_REJECTED = re.compile(r"(.+?):(\d+):(?:\d+:)? error: (.+) \[-Werror[=,][-\w,=]+\]$", re.MULTILINE)  # GCC, Clang

_NO_RETURN = "reached the end of a value-returning function"
_NO_CODE = re.compile(r"//.*|/\*(?s:.*?)\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'")
_DECLARED = re.compile(r"\b(?!else\b|do\b)\w+\s*\**$")
_USED = re.compile(r"(?:[=<>+\-/%!&|^\[]|\b(?!for\b)\w+\s*\(|\b(?:qsort|bsearch)\s*\([^;{}]*,)$")


class _Finding(Struct, frozen=True, kw_only=True):
    """A failure of a variant; `size` is that of the input: the smallest one is shown."""

    message: str
    file: str = ""  # of a program with several; "" for its main file
    line: int = 0
    size: int = 0


def find_luck(build: SolutionBuild, cases: Sequence[ReadyCase], executor: LocalExecutor) -> Iterator[Notice]:
    """Run an accepted solution as each variant of its language, on the cases that it passed; yield the mistakes."""
    findings: dict[tuple[str, str], _Finding] = {}  # by file and cause
    sized = [(size, each) for each in cases if (size := size_of(each.input)) is not None]
    for variant in build.variants:
        wanted = [each for each in sized if variant.least_input <= each[0] <= (variant.largest_input or each[0])]
        if wanted and all(map(find_program, variant.tools.values())) and build.has_chance(variant):
            gap = _run_variant(build, variant, wanted, executor, findings)
            if gap and not (variant.tools or variant.language):
                yield Notice(text=f"{build.name} {gap}")
    yield from (warn(build, each.message, each.file, each.line) for each in findings.values())


def _run_variant(
    build: SolutionBuild,
    variant: Variant,
    cases: Sequence[tuple[int, ReadyCase]],
    executor: LocalExecutor,
    findings: dict[tuple[str, str], _Finding],
) -> str:
    """Add to the findings what a variant shows; return what of the solution it does not examine, and why."""

    def compile_error(varied: SolutionBuild) -> CompileError | None:
        program = executor.call(varied.build)
        return program if isinstance(program, CompileError) else None

    of_wrong = ("", "")  # the cause of wrong answers: most likely what the compiler rejects
    varied = build.vary(variant, variant.mistakes)
    error = compile_error(varied)
    if variant.language and not error:  # each function returns a value
        return ""
    if error and variant.mistakes:
        for name, line, text in () if variant.language else _REJECTED.findall(error.text):
            file = "" if name == build.solution.path.name else name
            of_wrong = (file, f"line {line}")
            findings.setdefault(of_wrong, _Finding(message=text, file=file, line=int(line)))
        varied = build.vary(variant)
        error = compile_error(varied)
    if error:
        return f"cannot be built with {variant.name} here: {error.message}"
    lost: list[CaseResult] = []
    jobs = [(varied, relax_case(each)) for _, each in cases]
    for (size, _), result in zip(cases, executor.map(judge_one, jobs), strict=True):
        if variant.language and not _lacks_value(build, result):
            continue
        if is_fault(result, may_crash=bool(variant.tools)):
            message = f"with {variant.name}, case {result.case.id} is {result.verdict}: {reason_of(result)}"
            finding = _Finding(message=message, line=result.run.crash_line if result.run else 0, size=size)
            shown = ("", cause_of(finding.line, finding.message.partition(": ")[2]))
            cause = shown if result.verdict is Verdict.RTE else of_wrong
            findings[cause] = min(findings.get(cause, finding), finding, key=lambda each: each.size)
        elif result.verdict not in (Verdict.AC, Verdict.NA):
            lost.append(result)
    return "".join(
        f"is not examined with {variant.name} on {format_count(len(lost), 'case')}: "
        f"{join_lines(first.case.id)} is {first.verdict} there: {reason_of(first)}"
        for first in lost[:1]
    )


def _lacks_value(build: SolutionBuild, result: CaseResult) -> bool:
    """Return whether a C function ended without a return, and all of its calls use its value, as the text shows."""
    files = [*build.files]
    if result.run is None or _NO_RETURN not in result.run.crash or len(files) > 1:
        return False
    code = _NO_CODE.sub(lambda found: " " + "\n" * found[0].count("\n"), files[0].decode(errors="replace"))
    name = re.search(r"\w+(?=\s*\()", code.split("\n")[result.run.crash_line - 1])
    if name is None or re.search(rf"#.*\b{name[0]}\b", code):
        return False
    uses = [code[: each.start()][-500:].rstrip() for each in re.finditer(rf"\b{name[0]}\b", code)]
    return all(_DECLARED.search(each) or _USED.search(each) for each in uses)


def size_of(data: Data) -> int | None:
    """Return the size of an input; None if its file was deleted meanwhile."""
    try:
        return len(data) if isinstance(data, bytes) else data.stat().st_size
    except OSError:
        return None


def relax(limits: Limits) -> Limits:
    """Return limits for a program that sanitizers make slower and larger."""
    return limits.override(cpu=Seconds(4 * limits.cpu + 2), memory=Bytes(4 * limits.memory + GIB))


def relax_case(case: ReadyCase) -> ReadyCase:
    """Return a case with such limits."""
    return replace(case, case=replace(case.case, limits=relax(case.case.limits)))


def is_fault(result: CaseResult, *, may_crash: bool = False, may_differ: bool = False) -> bool:
    """Return whether the result of a variant shows a mistake, if it may fail in one way without any."""
    crash = result.run.crash if result.run else ""
    if result.verdict is Verdict.RTE:  # sanitizers need more of the stack and of the memory
        return not may_crash and not _EXHAUSTED.search(crash)
    return result.verdict in _WRONG and not may_differ


def reason_of(result: CaseResult) -> str:
    """Return why a run failed: the crash, if there is one."""
    return result.run.crash if result.run and result.run.crash else result.reason


def cause_of(line: int, reason: str) -> str:
    """Return what failures of one cause share: the line; if it is unknown, the reason without its numbers."""
    return f"line {line}" if line else re.sub("-?[0-9]+", "0", reason)


def warn(build: SolutionBuild, message: str, file: str = "", line: int = 0) -> Notice:
    """Return the warning about an accepted solution, at a place in its main file or another one."""
    path = build.solution.path / file  # of a header elsewhere, it is absolute
    diagnostic = Diagnostic(
        path=Path(os.path.relpath(path if path.exists() else build.solution.path)),
        line=line,
        severity=Severity.WARNING,
        rule="sanitize",
        message=f"accepted by luck: {message}",
    )
    return Notice(text=str(diagnostic), diagnostics=(diagnostic,))


# ---- the line of a crash that its runtime does not name --------------------------------------------------------------


_HAS_LINE = re.compile(r"line [0-9]+\)$")


def locate_crash(
    build: SolutionBuild, prepared: PreparedCase, result: CaseResult, executor: LocalExecutor
) -> CaseResult:
    """Return a run-time error with the line of the user's source in its reason, if another run shows it."""
    variant = build.crash_variant
    if variant is None or not isinstance(prepared, ReadyCase) or not lacks_line(result):
        return result
    (again,) = executor.map(judge_one, [(build.vary(variant), relax_case(prepared))])
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
