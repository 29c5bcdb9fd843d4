"""Results as plain JSON values; both JSON reporters use them. The keys are described in docs/report.md."""

from judge.events import RunEnded
from judge.model import CaseResult, DiffRow, Excerpt, Mismatch, RunResult, SolutionResult, Verdict
from judge.reporters.visible import without_surrogates

VERSION = 1
"""Of both formats; grows when a key changes its meaning or goes away, not when one is added."""

Record = dict[str, object]


def text(value: str) -> str:
    r"""Return text that every JSON parser takes; a byte of a file's name that is no UTF-8 is written `\xff`."""
    return without_surrogates(value)


def decoded(data: bytes) -> str:
    r"""Return bytes of strangers as text; a byte that is not UTF-8 is written `\xff`."""
    return data.decode("utf-8", "backslashreplace")


def case_record(result: CaseResult) -> Record:
    """Return what both formats say of a case."""
    run = result.run
    return {
        "name": text(result.case.name),
        "group": text(result.case.group),
        "verdict": result.verdict.value,
        "cpu_s": None if run is None else round(run.cpu, 6),
        "wall_s": None if run is None else round(run.wall, 6),
        "memory_bytes": None if run is None else run.memory,
        "memory_is_floor": run is not None and run.is_memory_floor,
        "reason": text(result.reason),
        "cached": result.is_cached,
    }


def run_record(run: RunResult) -> Record:
    """Return how a run ended."""
    return {
        "ending": run.ending.value,
        "exit_code": run.exit_code,
        "signal": run.signal,
        "output_bytes": run.output_bytes,
        "stderr_tail": decoded(run.stderr_tail),
        "sandbox": run.level.value,
    }


def mismatch_record(mismatch: Mismatch) -> Record:
    """Return where and how an output differs."""
    return {
        "line": mismatch.line,
        "column": mismatch.column,
        "token": mismatch.token,
        "expected": decoded(mismatch.expected),
        "found": decoded(mismatch.found),
        "whitespace_only": mismatch.whitespace_only,
        "notes": [text(note) for note in mismatch.notes],
        "rows": [_row_record(row) for row in mismatch.rows],
    }


def _row_record(row: DiffRow) -> Record:
    return {
        "expected_line": row.expected_line,
        "expected": None if row.expected is None else decoded(row.expected),
        "found_line": row.found_line,
        "found": None if row.found is None else decoded(row.found),
        "agrees": row.agrees or row.same,
    }


def excerpt_record(excerpt: Excerpt) -> Record:
    """Return the part of the input that goes with a failure."""
    return {
        "first_line": excerpt.first_line,
        "focus": excerpt.focus,
        "total_lines": excerpt.total_lines,
        "lines": [decoded(line) for line in excerpt.lines],
    }


def solution_record(result: SolutionResult) -> Record:
    """Return the verdict on a solution."""
    return {
        "path": text(result.solution.shown),
        "language": result.language,
        "expected": str(result.solution.expectation),
        "verdict": result.verdict.value,
        "as_expected": result.as_expected,
        "message": text(result.message),
        "counts": {verdict.value: result.counts[verdict] for verdict in Verdict if result.counts.get(verdict)},
        "cached_count": result.cached,
    }


def run_ended_record(end: RunEnded) -> Record:
    """Return how the whole run ended."""
    return {
        "as_expected": end.as_expected,
        "had_errors": end.had_errors,
        "interrupted": end.interrupted,
        "solution_count": end.solutions,
        "surprise_count": end.surprises,
        "run_count": end.runs,
        "cached_count": end.cached,
        "wall_s": round(end.wall, 6),
    }
