"""What `judge scale` finds: a point for each size, what fails, the laws, the largest size; and the report of that."""

from msgspec import Struct

from judge.base.units import Bytes, Seconds
from judge.model import Limits, Verdict
from judge.scaling.fit import Growth


class Point(Struct, frozen=True, kw_only=True):
    """The measurements at one size.

    Attributes:
        memory: the least peak memory of all runs.
        input_digest: SHA-256 of the input, in hex.
        making: how long it took to make the input, elapsed.
        times: the CPU times of all runs.
    """

    size: int
    memory: Bytes
    input_bytes: int
    input_digest: str
    making: Seconds
    times: tuple[Seconds, ...]

    @property
    def cpu(self) -> Seconds:
        """The least CPU time of all runs."""
        return min(self.times)

    @property
    def spread(self) -> float | None:
        """How much the second least CPU time is above the least, as a part of it; None for a single run."""
        return sorted(self.times)[1] / self.cpu - 1 if len(self.times) > 1 else None


class Failure(Struct, frozen=True, kw_only=True):
    """Why there is no measurement at a size: the verdict of the run; None if there is no input of this size."""

    size: int
    reason: str
    verdict: Verdict | None = None

    @property
    def is_crash(self) -> bool:
        """Whether the solution fails in another way than by a limit."""
        return self.verdict is Verdict.RTE


class Verification(Struct, frozen=True, kw_only=True):
    """A run at the predicted largest size.

    Attributes:
        predicted: CPU time by the law.
        point: the measurements; None if the run failed.
        failure: how it failed; it may take somewhat longer than the time limit.
        limit: `time limit` or `memory limit` if the run exceeded it.
    """

    size: int
    predicted: Seconds
    point: Point | None = None
    failure: Failure | None = None
    limit: str = ""

    @property
    def is_within(self) -> bool:
        """Whether the run was within the limits."""
        return self.failure is None and not self.limit

    @property
    def is_confirmed(self) -> bool:
        """Whether the run was within the limits, and about as long as predicted."""
        if self.point is None or not self.is_within:
            return False
        return abs(self.point.cpu - self.predicted) <= 0.15 * self.predicted


class Scaling(Struct, frozen=True, kw_only=True):
    """How a solution scales.

    Attributes:
        path: the solution, as messages show it.
        inputs: what makes the inputs.
        size_name: what the size is.
        points: in the order of the sizes.
        failure: the smallest size that could not be measured; None if there is none.
        time, memory: None if too few sizes could be measured.
        largest: the largest size within the limits, as predicted; None if it is unknown or there is no bound.
        largest_given: the largest size that the problem has, or the user gave; None if it is unknown.
        by: what `largest` follows from: `time limit`, `memory limit`, `largest size`, or the reason of a failure.
        not_verified: why there is no verification.
    """

    path: str
    language: str
    inputs: str
    size_name: str
    limits: Limits
    points: tuple[Point, ...]
    failure: Failure | None = None
    time: Growth | None = None
    memory: Growth | None = None
    largest: int | None = None
    largest_given: int | None = None
    by: str = ""
    verification: Verification | None = None
    not_verified: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def is_fine(self) -> bool:
        """Whether the solution crashes nowhere, and is within its limits at the largest size that is known."""
        if self.failure is not None and self.failure.is_crash:
            return False
        if self.largest_given is None:
            return True
        return self.by in ("", "largest size") or (self.largest or 0) >= self.largest_given


def scaling_record(found: Scaling) -> dict[str, object]:
    """Return the report for programs, which docs/growth.md describes."""
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
        "points": [
            {
                "size": each.size,
                "cpu_s": each.cpu,
                "memory_bytes": each.memory,
                "input_bytes": each.input_bytes,
                "runs": len(each.times),
            }
            for each in found.points
        ],
        "warnings": list(found.warnings),
    }


def _failure_record(failure: Failure | None) -> dict[str, object] | None:
    if failure is None:
        return None
    verdict = None if failure.verdict is None else str(failure.verdict)
    return {"size": failure.size, "verdict": verdict, "reason": failure.reason}


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
