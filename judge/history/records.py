"""What is recorded of a judged solution. Comparisons, baselines and the history all use these records."""

import os
from collections.abc import Mapping
from typing import Self

from msgspec import Struct, field

from judge.base.units import Bytes, Seconds
from judge.model import CaseResult, SolutionResult, Verdict

CaseRow = tuple[str | bytes, str, int, int, bytes, bytes, float | None]
"""A row of the history's table `cases` without its key.

The name, the verdict, CPU time in microseconds, memory, two hashes, and the score.
"""


def case_row(result: CaseResult) -> CaseRow:
    """Return what the history stores of a result."""
    case = CaseRecord.from_result(result)
    hashes = bytes.fromhex(case.output), bytes.fromhex(case.data)
    return to_sql(result.case.id), case.verdict.value, round(case.cpu * 1e6), case.memory, *hashes, case.score


def row_bytes(row: CaseRow) -> bytes:
    """Return bytes that differ for different rows, to be hashed."""
    return repr(row).encode()


def to_sql(text: str) -> str | bytes:
    """Return a text, as bytes if it is not UTF-8: SQLite takes no surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return os.fsencode(text)
    return text


class CaseRecord(Struct, frozen=True):
    """The recorded result of one case.

    Attributes:
        cpu: rounded to a microsecond; 0 when nothing ran.
        memory: 0 when nothing ran.
        output: short hash of the output, in hex, or "".
        data: short hash of the input and the answer, in hex, or "".
        score: None where cases have no scores.
    """

    verdict: Verdict
    cpu: Seconds
    memory: Bytes
    output: str
    data: str
    score: float | None = None

    @classmethod
    def from_result(cls, result: CaseResult) -> Self:
        """Return the record of a result."""
        run = result.run
        return cls(
            verdict=result.verdict,
            cpu=Seconds(0.0) if run is None else Seconds(round(run.cpu, 6)),
            memory=Bytes(0) if run is None else run.memory,
            output=result.output_digest,
            data=result.data_digest,
            score=result.score,
        )


class SolutionRecord(Struct, frozen=True, kw_only=True):
    """The recorded results of one solution.

    Attributes:
        solution: path as reports show it; identifies the solution together with the problem.
        expected: expected verdicts, such as `TLE|MLE|RTE`.
        source: SHA-256 of the source, in hex.
        is_complete: every case of the problem was judged.
        cases: records by case id, in the order of judging.
        score, max_score: None for a problem without scores; None if unknown or unbounded.
    """

    problem: str
    solution: str
    language: str
    expected: str
    source: str
    verdict: Verdict
    as_expected: bool
    is_complete: bool = True
    cases: Mapping[str, CaseRecord] = field(default_factory=dict)
    score: float | None = None
    max_score: float | None = None

    @classmethod
    def from_result(cls, problem: str, result: SolutionResult, cases: Mapping[str, CaseRecord]) -> Self:
        """Return the record of a result."""
        return cls(
            problem=problem,
            solution=result.solution.display_path,
            language=result.language,
            expected=str(result.solution.expectation),
            source=result.source_digest,
            verdict=result.verdict,
            as_expected=result.as_expected,
            is_complete=result.is_complete,
            cases=cases,
            score=result.score,
            max_score=result.max_score,
        )

    @property
    def cpu(self) -> Seconds:
        """Total CPU time of all cases."""
        return Seconds(sum(case.cpu for case in self.cases.values()))

    @property
    def memory(self) -> Bytes:
        """Peak memory of the most expensive case."""
        return Bytes(max((case.memory for case in self.cases.values()), default=0))
