"""The report of `judge scale` for programs; docs/growth.md describes it."""

from judge.scaling.fit import Growth
from judge.workspace.scaling_result import Failure, Point, Scaling


def scaling_record(found: Scaling) -> dict[str, object]:
    """Return the report for programs."""
    checked = found.verification
    return {
        "version": 1,
        "path": found.path,
        "language": found.language,
        "inputs": found.inputs,
        "size_name": found.size_name,
        "law": found.time.best.law.name if found.time else None,
        "laws": [fit.law.name for fit in found.time.fits] if found.time else [],
        "time": _growth_record(found.time, "s"),
        "memory": _growth_record(found.memory, "bytes"),
        "time_limit_s": found.limits.cpu,
        "memory_limit_bytes": found.limits.memory,
        "largest": found.largest,
        "largest_by": found.by or None,
        "largest_wanted": found.largest_given,
        "is_fine": found.is_fine,
        "verification": None
        if checked is None
        else {
            "size": checked.size,
            "predicted_s": checked.predicted,
            "cpu_s": checked.point.cpu if checked.point else None,
            "memory_bytes": checked.point.memory if checked.point else None,
            "within_limits": checked.is_within,
            "failure": _failure_record(checked.failure),
        },
        "failure": _failure_record(found.failure),
        "points": [_point_record(each) for each in found.points],
        "warnings": list(found.warnings),
    }


def _failure_record(failure: Failure | None) -> dict[str, object] | None:
    if failure is None:
        return None
    verdict = None if failure.verdict is None else str(failure.verdict)
    return {"size": failure.size, "verdict": verdict, "reason": failure.reason}


def _point_record(point: Point) -> dict[str, object]:
    return {
        "size": point.size,
        "cpu_s": point.cpu,
        "memory_bytes": point.memory,
        "input_bytes": point.input_bytes,
        "runs": point.runs,
    }


def _growth_record(growth: Growth | None, unit: str) -> dict[str, object] | None:
    if growth is None:
        return None
    best, exponent = growth.best, growth.exponent
    return {
        "law": best.law.name,
        "laws": [fit.law.name for fit in growth.fits],
        "exponent": exponent and {"value": exponent.value, "low": exponent.low, "high": exponent.high},
        f"base_{unit}": best.base,
        f"factor_{unit}": best.coefficient,
        "prediction_error": best.prediction_error,
        "is_poor": growth.is_poor,
    }
