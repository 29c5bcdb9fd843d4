"""Test groups (subtasks): how verdicts and scores of cases become those of a group and of a submission.

Only values; `judge.judging.scoring` has the rules. The fields cover the ICPC problem package formats `legacy` ("Test
data groups", "Graders") and 2025-09 ("Test data groups", "Scoring problems"), Polygon's groups and the subtasks of our
own format.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from judge.programs import JudgeProgram


class Aggregation(StrEnum):
    """How scores are combined."""

    SUM = "sum"
    MIN = "min"
    MAX = "max"  # legacy only
    AVG = "avg"  # legacy only
    PASS_FAIL = "pass-fail"  # noqa: S105 - the maximum score if all are accepted, else 0


class VerdictMode(StrEnum):
    """How verdicts are combined (legacy, "Default grader specification")."""

    WORST_ERROR = "worst_error"
    FIRST_ERROR = "first_error"
    ALWAYS_ACCEPT = "always_accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class TestGroup:
    """A group of test cases, with further groups in it.

    Attributes:
        name: the path below `data`, such as `secret/group1`; "" for the root of a legacy problem.
        groups: the groups directly in it, in the order of judging.
        aggregation: how the scores of its cases and groups are combined.
        max_score: None if unbounded.
        case_score: the maximum score of each case, if the format gives one.
        require_pass: the names of groups that must be accepted before this one is judged.
        breaks: a rejected case ends the group, and an unaccepted group ends the one around it (legacy `on_reject`).
        verdict_mode: how verdicts are combined.
        accepts_any: accepted if anything in it is (legacy `accept_if_any_accepted`).
        ignores_sample: only the second group counts (legacy `ignore_sample`).
        accept_score, reject_score: the scores of cases for which the checker gives none (legacy).
        score_range: the lowest and the highest possible score (legacy).
        grader: a custom grader (legacy), which replaces the other rules.
        grader_args: its arguments.
        static_score: the maximum score of the static validation case; None if there is no such case, or if it is
            pass-fail.
        has_static_case: the static validator judges this group (2025-09).
        static_args: the arguments of the static validator.
    """

    __test__ = False  # not a test class of pytest

    name: str
    groups: Sequence["TestGroup"] = ()
    aggregation: Aggregation = Aggregation.SUM
    max_score: float | None = None
    case_score: float | None = None
    require_pass: tuple[str, ...] = ()
    breaks: bool = False
    verdict_mode: VerdictMode = VerdictMode.WORST_ERROR
    accepts_any: bool = False
    ignores_sample: bool = False
    accept_score: float = 1.0
    reject_score: float = 0.0
    score_range: tuple[float, float] | None = None
    grader: JudgeProgram | None = None
    grader_args: tuple[str, ...] = ()
    static_score: float | None = None
    has_static_case: bool = False
    static_args: tuple[str, ...] = ()
