"""The rules of scoring: of cases, and of what is in a group. Pure functions and a counter; `scoring` applies them."""

import math
import re
from typing import Final, assert_never

from judge.base.errors import shorten
from judge.base.units import format_score
from judge.model import CaseResult, Verdict
from judge.model.groups import Aggregation, Rules, TestGroup, VerdictMode
from judge.model.programs import RawScore

SubResult = tuple[Verdict, float]

_ERROR_ORDER = (  # "Default grader specification", with our verdicts; IF does not exist here
    Verdict.JE,
    Verdict.CE,
    Verdict.RTE,
    Verdict.MLE,
    Verdict.TLE,
    Verdict.OLE,
    Verdict.WA,
    Verdict.PE,
)
_MAX_SHOWN = 40  # characters of a text that is not a number
_NOISE: Final = 1e-9  # of a sum of floating-point numbers, relative to the maximum

# "General requirements" of 2025-09: neither infinities nor NaN.
_NUMBER = re.compile(r"[+-]?([0-9]*\.[0-9]+|[0-9]+\.?)([Ee][+-]?[0-9]+)?")


class ScoreError(Exception):
    """A checker, a grader or a package breaks a rule of scoring: a judge error. The message is one line."""


class Tally:
    """What is directly in a group, added up."""

    def __init__(self, *, keeps_results: bool) -> None:
        self.count = self.accepted = self.scored = 0
        self.total = 0.0
        self.low, self.high = math.inf, -math.inf
        self.first_error: Verdict | None = None
        self.worst: Verdict | None = None
        self.last: tuple[Verdict, float | None] = (Verdict.AC, 0.0)
        self.results: list[SubResult] | None = [] if keeps_results else None

    def add(self, verdict: Verdict, score: float | None) -> None:
        """Add the next case or group; one without a score adds nothing to the scores."""
        self.count += 1
        self.last = (verdict, score)
        if self.results is not None:
            self.results.append((verdict, score or 0.0))
        if verdict is Verdict.AC:
            self.accepted += 1
        elif verdict in _ERROR_ORDER:
            self.first_error = self.first_error or verdict
            self.worst = min(self.worst or verdict, verdict, key=_ERROR_ORDER.index)
        if score is not None:
            self.scored += 1
            self.total += score
            self.low, self.high = min(self.low, score), max(self.high, score)

    def combine(self, aggregation: Aggregation) -> float:
        """Return the combined score; 0 if nothing has one.

        Raises:
            ScoreError: the scores are too large for a number.
        """
        if not self.scored:
            return 0.0
        if not math.isfinite(self.total):
            raise ScoreError("the scores are too large to be added up")
        match aggregation:
            case Aggregation.SUM | Aggregation.PASS_FAIL:
                return self.total
            case Aggregation.MIN:
                return self.low
            case Aggregation.MAX:
                return self.high
            case Aggregation.AVG:
                return self.total / self.scored
            case _:
                assert_never(aggregation)


# ---- rules of 2025-09 ---------------------------------------------------------------------------------------------


def score_case(group: TestGroup, maximum: float | None, result: CaseResult) -> float | None:
    """Return the score of a case ("Scoring test cases"); None in a pass-fail group, whose cases have none.

    `maximum` is that of the case; None if it is unbounded.

    Raises:
        ScoreError: a judge error by the specification.
    """
    raw = result.raw_score or RawScore()
    if raw.score is not None and raw.multiplier is not None:
        raise ScoreError("the checker wrote both score.txt and score_multiplier.txt: expected one of them")
    given = "score.txt" if raw.score is not None else "score_multiplier.txt" if raw.multiplier is not None else ""
    if given and result.verdict is not Verdict.AC:
        raise ScoreError(f"the checker wrote {given} although it does not accept the output")
    if group.aggregation is Aggregation.PASS_FAIL:
        if given:
            raise ScoreError(f"the checker wrote {given}, but {group.name} is pass-fail: expected no score")
        return None
    if result.verdict is not Verdict.AC:
        return 0.0
    return _score_unbounded_case(group, raw) if maximum is None else _score_bounded_case(maximum, raw)


def _score_unbounded_case(group: TestGroup, raw: RawScore) -> float:
    if raw.multiplier is not None:
        message = f"the checker wrote score_multiplier.txt, but the score of {group.name} is unbounded"
        raise ScoreError(f"{message}: expected score.txt")
    if raw.score is None:
        raise ScoreError(f"the checker wrote no score.txt, which the unbounded score of {group.name} needs")
    return _parse_score(raw.score, "score.txt")


def _score_bounded_case(maximum: float, raw: RawScore) -> float:
    if raw.multiplier is not None:
        factor = _parse_score(raw.multiplier, "score_multiplier.txt")
        if factor > 1:
            raise ScoreError(f"score_multiplier.txt: expected a number from 0 to 1, found `{_shorten(raw.multiplier)}`")
        return factor * maximum
    return maximum if raw.score is None else limit_score(_parse_score(raw.score, "score.txt"), maximum, "score.txt")


def limit_score(score: float, maximum: float | None, what: str) -> float:
    """Return a score, without the noise of adding up by which it may exceed the maximum.

    Raises:
        ScoreError: it exceeds the maximum.
    """
    if maximum is None or score <= maximum:
        return score
    if score - maximum <= _NOISE * max(1.0, maximum):
        return maximum
    raise ScoreError(f"{what}: {format_score(score)} exceeds the maximum of {format_score(maximum)}")


def _parse_score(text: str, file: str) -> float:
    value = _parse_number(text, file)
    if value < 0:
        raise ScoreError(f"{file}: expected a number that is not negative, found `{_shorten(text)}`")
    return value


def _parse_number(text: str, file: str = "score.txt") -> float:
    value = float(text) if _NUMBER.fullmatch(text.strip()) else math.nan
    if not math.isfinite(value):
        raise ScoreError(f"{file}: expected a number, found `{_shorten(text)}`")
    return value


def _shorten(text: str) -> str:
    return shorten(text.strip(), _MAX_SHOWN)


# ---- rules of Polygon ---------------------------------------------------------------------------------------------


def score_polygon_case(maximum: float | None, result: CaseResult, *, is_percent: bool) -> float:
    """Return the score of a case: the points of the checker (`quitp`), else those of the test.

    The points of a checker are the score itself, whatever the points of the test; or percent of these
    (`treat-points-from-checker-as-percent`).

    Args:
        maximum: the points of the test, which it gives if it is accepted; None without any.
        result: what was judged.
        is_percent: what the points of the checker mean.

    Raises:
        ScoreError: what the checker gave is not a number, or negative.
    """
    worth = maximum or 0.0
    if result.verdict is not Verdict.AC:
        return 0.0
    if result.raw_score is None or result.raw_score.score is None:
        return worth
    points = _parse_score(result.raw_score.score, "the points of the checker")
    return points / 100 * worth if is_percent else points


def is_partial(score: float | None, maximum: float | None) -> bool:
    """Return whether an accepted case gets less than its points, which is not `OK` at Codeforces."""
    return score is not None and maximum is not None and score < maximum - _NOISE * max(1.0, maximum)


# ---- legacy rules -------------------------------------------------------------------------------------------------


def score_legacy_case(group: TestGroup, result: CaseResult) -> float:
    """Return the score of a case: what the checker gave, else `accept_score` or `reject_score` ("Graders", "Input").

    The format does not say whether the score of a checker that rejects the output counts. At Kattis it never did: older
    versions of problemtools do not read it, newer ones report it.

    Raises:
        ScoreError: what the checker gave is not a number.
    """
    if result.verdict is not Verdict.AC:
        return group.reject_score
    raw = result.raw_score
    return group.accept_score if raw is None or raw.score is None else _parse_number(raw.score)


def score_domjudge_case(result: CaseResult) -> float | None:
    """Return what the checker gave, or 0 if the program failed otherwise; None if the checker gave nothing.

    Raises:
        ScoreError: what the checker gave is not a number.
    """
    if result.raw_score is None or result.raw_score.score is None:
        return None
    score = _parse_score(result.raw_score.score, "score.txt")
    return score if result.verdict in (Verdict.AC, Verdict.WA, Verdict.PE) else 0.0


def combine_verdicts(group: TestGroup, tally: Tally) -> Verdict:
    """Return the verdict of a group by the verdict mode of the default grader."""
    if group.accepts_any and tally.accepted:
        return Verdict.AC
    match group.verdict_mode:
        case VerdictMode.ALWAYS_ACCEPT:
            return Verdict.AC
        case VerdictMode.FIRST_ERROR:
            return tally.first_error or Verdict.AC
        case VerdictMode.WORST_ERROR:
            return tally.worst or Verdict.AC
        case _:
            assert_never(group.verdict_mode)


def check_range(group: TestGroup, score: float) -> None:
    """Raise ScoreError if a score is outside of the `range` of its group."""
    if group.score_range is None:
        return
    low, high = group.score_range
    if not low - _NOISE * max(1.0, abs(low)) <= score <= high + _NOISE * max(1.0, abs(high)):
        limits = f"{format_score(low)} to {format_score(high)}"
        raise ScoreError(f"score {format_score(score)} is outside of the range {limits}")


# ---- the best score -----------------------------------------------------------------------------------------------


def best_score(group: TestGroup) -> float | None:
    """Return the best score that a group can have; None if it is unbounded or the format does not tell."""
    if group.max_score is not None:
        return group.max_score
    if group.score_range is not None:
        best = group.score_range[0 if group.is_minimized else 1]
        return best if math.isfinite(best) else None
    if group.rules is Rules.MAX_SCORES and group.aggregation is Aggregation.SUM and group.groups:
        scored = [each for each in group.groups if each.aggregation is not Aggregation.PASS_FAIL or each.max_score]
        maxima = [each.max_score for each in scored]
        if maxima and None not in maxima:
            return sum(each for each in maxima if each is not None)
    return None
