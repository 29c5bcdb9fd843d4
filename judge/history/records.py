"""What is remembered of a solution's run: a line for each case. Sheets of two times are what a comparison compares."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from judge.model import CaseResult, Verdict
from judge.units import Bytes, Seconds


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """What is remembered of one case.

    Attributes:
        cpu, memory: 0 when nothing ran.
        output: a short hash of what was written, or "".
        data: a short hash of the input with its answer, or "".
    """

    verdict: Verdict
    cpu: Seconds
    memory: Bytes
    output: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionRecord:
    """What is remembered of one solution.

    Attributes:
        solution: its path as it is shown, which is how it is found again.
        expected: the verdicts one of which it should earn, such as `TLE|MLE|RTE`.
        source: SHA-256 of its text, in hex.
        is_complete: all cases of the problem were judged.
        marks: by the case's id.
    """

    problem: str
    solution: str
    language: str
    expected: str
    source: str
    verdict: Verdict
    as_expected: bool
    is_complete: bool = True
    marks: Mapping[str, CaseRecord] = field(default_factory=dict)

    @property
    def cpu(self) -> Seconds:
        """CPU time of all cases together."""
        return Seconds(sum(mark.cpu for mark in self.marks.values()))

    @property
    def memory(self) -> Bytes:
        """Peak memory of the largest case."""
        return Bytes(max((mark.memory for mark in self.marks.values()), default=0))


def case_record(result: CaseResult) -> CaseRecord:
    """Return what is remembered of a result."""
    run = result.run
    return CaseRecord(
        verdict=result.verdict,
        cpu=Seconds(0.0) if run is None else Seconds(round(run.cpu, 6)),
        memory=Bytes(0) if run is None else run.memory,
        output=result.output_digest,
        data=result.data_digest,
    )
