"""The further requirements on a solution (`Requirement`), checked while its results arrive: keeps no results."""

from collections.abc import Iterator, Sequence

from judge.base.units import format_score
from judge.judging.scoring import best_score
from judge.model import CaseResult, Problem, Requirement, Scores, Verdict
from judge.model.groups import Rules, matches

_UNKNOWN = frozenset({Verdict.SK, Verdict.NA})
_TOLERANCE = 0.005  # half of what the last digit of a score on the screen is worth


class RequirementChecks:
    """Checks all requirements of one solution."""

    def __init__(self, problem: Problem, requirements: Sequence[Requirement]) -> None:
        self._problem = problem
        self._checks = [_Check(each) for each in requirements]

    def add(self, result: CaseResult) -> None:
        """Add the result of the next case."""
        for check in self._checks:
            check.add(result)

    def unmet(self, scores: Scores | None, verdict: Verdict, *, is_complete: bool) -> Iterator[str]:
        """Yield what is not met, a phrase each: `score 20, expected 100`.

        `verdict` is that on the solution; if not all cases were judged, what is required need not have occurred.
        """
        for check in self._checks:
            yield from check.unmet(is_complete=is_complete)
            if is_complete and check.requirement.score is not None:
                yield from _check_scores(check.requirement, check.requirement.score, scores, verdict)
            if is_complete and check.requirement.partial:
                yield from _check_partial(self._problem, scores, verdict)


class _Check:
    """One requirement."""

    def __init__(self, requirement: Requirement) -> None:
        self.requirement = requirement
        self._matched = 0
        self._has_required = requirement.required is None
        self._has_message = not requirement.message
        self._violation: CaseResult | None = None  # the first one

    def add(self, result: CaseResult) -> None:
        """Add the result of the next case."""
        if not matches(self.requirement.cases, result.case.id):
            return
        self._matched += 1
        self._has_required = self._has_required or result.verdict in (self.requirement.required or ())
        if not result.has_debug_message:  # only `judgemessage.txt` counts
            self._has_message = self._has_message or self.requirement.message in result.message
        if self._violation is None and self._violates(result):
            self._violation = result

    def _violates(self, result: CaseResult) -> bool:
        permitted = self.requirement.permitted
        if permitted is None:
            return False
        if result.is_omitted:  # counts as not accepted, however (2025-09, "Group dependencies")
            return permitted <= {Verdict.AC}
        return result.verdict not in permitted | _UNKNOWN

    def unmet(self, *, is_complete: bool) -> Iterator[str]:
        """Yield what the verdicts and the messages do not meet."""
        violation, requirement = self._violation, self.requirement
        place = f" in {', '.join(requirement.cases)}" if requirement.cases else ""
        if violation is not None:
            found = "not judged" if violation.is_omitted else violation.verdict.value
            yield f"{violation.case.id}: {found}, expected {_join(requirement.permitted or ())}"
        if not is_complete:
            return
        needs_cases = not (requirement.permitted is requirement.required is None and not requirement.message)
        if not self._matched and needs_cases:
            yield f"no case matches {', '.join(requirement.cases)}" if requirement.cases else "there are no cases"
        elif not self._has_required:
            yield f"no {_join(requirement.required or ())}{place}, expected at least one"
        if self._matched and not self._has_message:
            yield f"no message{place} contains `{requirement.message}`"


def _check_scores(
    requirement: Requirement, expected: tuple[float, float], scores: Scores | None, verdict: Verdict
) -> Iterator[str]:
    if scores is None:
        yield f"no score: the problem has no scores, expected {_range(expected)}"
    elif not requirement.cases:
        yield from _check_score("", scores.score, expected, verdict)
    else:
        groups = [each for each in scores.groups if matches(requirement.cases, each.group.name, itself=True)]
        if not groups:
            yield f"no group matches {', '.join(requirement.cases)}, expected a score of {_range(expected)}"
        for each in groups:
            yield from _check_score(f"{each.group.name}: ", each.score, expected, each.verdict)


def _check_score(place: str, score: float | None, expected: tuple[float, float], verdict: Verdict) -> Iterator[str]:
    if score is None:
        if is_same_score(0.0, expected) and verdict is not Verdict.AC:
            return  # a submission that is rejected by legacy rules has no score
        yield f"{place}no score ({verdict}), expected {_range(expected)}"
    elif not is_same_score(score, expected):
        yield f"{place}score {format_score(score)}, expected {_range(expected)}"


def is_same_score(score: float, expected: tuple[float, float]) -> bool:
    """Return whether a score is in a range; one that looks the same as an end of it on the screen is."""
    low, high = expected
    return low - _tolerance(low) <= score <= high + _tolerance(high)


def _tolerance(score: float) -> float:
    return _TOLERANCE * min(1.0, abs(score)) if score else 1e-9


def _check_partial(problem: Problem, scores: Scores | None, verdict: Verdict) -> Iterator[str]:
    """Check `partially_accepted` (legacy, "Example submissions"): accepted, and not with the best score."""
    if scores is None or problem.groups is None:
        yield "no score: the problem has no scores, expected a partial score"
        return
    best, score = best_score(problem.groups), scores.score
    if score is None:
        yield f"no score ({verdict}), expected a partial score"
    elif best is not None and is_same_score(score, (best, best)):
        yield f"score {format_score(score)}, expected less than the best score"
    elif problem.groups.rules is not Rules.LEGACY and is_same_score(score, (0.0, 0.0)):
        yield "score 0, expected a partial score"


def _range(expected: tuple[float, float]) -> str:
    low, high = (format_score(each) for each in expected)
    return low if low == high else f"{low} to {high}"


def _join(verdicts: "frozenset[Verdict] | tuple[()]") -> str:
    return " or ".join(verdict.value for verdict in Verdict if verdict in verdicts)


def requirements_text(requirements: Sequence[Requirement]) -> str:
    """Return a text that differs for different requirements, to be hashed."""
    return repr(
        [
            (
                each.cases,
                *(verdicts and sorted(verdicts) for verdicts in (each.permitted, each.required)),
                *(each.score, each.partial, each.message),
            )
            for each in requirements
        ]
    )
