"""Test groups (subtasks): how verdicts and scores of cases become those of a group and of a submission.

Only values; `judge.judging.scoring` has the rules. The fields cover the ICPC problem package formats `legacy` ("Test
data groups", "Graders") and 2025-09 ("Test data groups", "Scoring problems"), Polygon's groups and the subtasks of our
own format.
"""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache

from msgspec import Struct, field

from judge.model.programs import JudgeProgram


class Rules(StrEnum):
    """Which rules turn the results of cases into scores; those of the root apply to all groups in it."""

    LEGACY = "legacy"  # graders (ICPC legacy, as at Kattis): only an accepted submission has a score
    DOMJUDGE = "domjudge"  # likewise, but `accept_score` is that of a group without groups, once for all its cases
    MAX_SCORES = "2025-09"  # by maximum scores (ICPC 2025-09, "Scoring problems"), and in our own format
    POLYGON = "polygon"  # by the points of tests, which those of a checker replace

    @property
    def uses_graders(self) -> bool:
        """Whether graders combine verdicts and scores (legacy)."""
        return self in (Rules.LEGACY, Rules.DOMJUDGE)


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


class TestGroup(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A group of test cases, with further groups in it.

    The root is always the group "": the folder `data`. In it are `sample` and `secret` of a package, or the groups of
    our own format. A case belongs to the group whose name is the longest prefix of its path.

    A group that is not scored is `PASS_FAIL` without a maximum: `sample` of the rules `MAX_SCORES`, and a folder that
    is no group for DOMjudge, because it has no settings.

    Attributes:
        name: the path below `data`, such as `secret/group1`; "" for the root.
        rules: only those of the root count.
        groups: the groups directly in it, in the order of judging.
        aggregation: how the scores of its cases and groups are combined.
        max_score: None if unbounded. By the rules of Polygon, what it gives if all cases are accepted: the points of a
            checker may exceed it.
        case_scores: the maximum scores of single cases, by the id of the case (Polygon).
        require_pass: the names of groups that must be accepted before this one is judged.
        breaks: a rejected case ends the group, and an unaccepted group ends the one around it (legacy `on_reject`).
        accepts_any: accepted if anything in it is (legacy `accept_if_any_accepted`).
        ignores_sample: only the second group counts (legacy `ignore_sample`).
        accept_score, reject_score: the scores of cases for which the checker gives none (legacy).
        score_range: the lowest and the highest possible score (legacy).
        is_minimized: lower scores are better (legacy `objective: min`); only that of the root counts.
        is_percent: the points of a checker are percent of those of the case (Polygon); only that of the root counts.
        grader: a custom grader (legacy), which replaces the other rules.
        static_score: the maximum score of the static validation case; None if there is no such case, or if it is
            pass-fail.
        has_static_case: the static validator judges this group (2025-09).
    """

    __test__ = False  # not a test class of pytest

    name: str
    rules: Rules = Rules.LEGACY
    groups: tuple["TestGroup", ...] = ()
    aggregation: Aggregation = Aggregation.SUM
    max_score: float | None = None
    case_scores: Mapping[str, float] = field(default_factory=dict)
    require_pass: tuple[str, ...] = ()
    breaks: bool = False
    verdict_mode: VerdictMode = VerdictMode.WORST_ERROR
    accepts_any: bool = False
    ignores_sample: bool = False
    accept_score: float = 1.0
    reject_score: float = 0.0
    score_range: tuple[float, float] | None = None
    is_minimized: bool = False
    is_percent: bool = False
    grader: JudgeProgram | None = None
    grader_args: tuple[str, ...] = ()
    static_score: float | None = None
    has_static_case: bool = False
    static_args: tuple[str, ...] = ()

    def walk(self) -> Iterator["TestGroup"]:
        """Yield the group and all groups in it, each before those in it."""
        yield self
        for group in self.groups:
            yield from group.walk()


# ---- glob patterns (ICPC 2025-09, "Glob patterns"), without braces -------------------------------------------------


def matches(patterns: tuple[str, ...], path: str, *, itself: bool = False) -> bool:
    """Return whether a pattern matches a case, a group or a submission, or, unless `itself`, a folder around it."""
    return not patterns or _compile(patterns, "" if itself else "(?:/.*)?").match(path) is not None


@cache
def _compile(patterns: tuple[str, ...], rest: str) -> re.Pattern[str]:
    """Return patterns as one expression; as in `fnmatch`, atomic groups keep many stars from taking forever."""
    forms = []
    for pattern in patterns:
        first, *middle = (re.escape(part) for part in pattern.split("*"))
        last = [f"[^/]*{part}" for part in middle[-1:]]
        forms.append("".join([first, *(f"(?>[^/]*?{part})" for part in middle[:-1]), *last]))
    return re.compile(f"(?:{'|'.join(forms)}){rest}\\Z")
