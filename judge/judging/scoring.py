"""Scores of cases, test groups and submissions; and which cases need not be judged because of earlier results.

Pure: nothing here runs or reads anything. The rules are those of the ICPC problem package format 2025-09 ("Scoring
problems", "Group dependencies"), of its legacy version ("Test data groups", "Default grader specification"), of
DOMjudge where it differs, and of Polygon (`judge.model.groups.Rules`). Where the legacy text says nothing, problemtools
decides.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, assert_never

from msgspec.structs import replace

from judge.base.errors import shorten
from judge.base.units import format_score
from judge.model import Case, CaseResult, GroupResult, Scores, Verdict
from judge.model.groups import Aggregation, Rules, TestGroup, VerdictMode
from judge.model.programs import RawScore

SubResult = tuple[Verdict, float]
Grade = Callable[[TestGroup, Sequence[SubResult]], SubResult | str]
"""Runs a custom grader on what is directly in a group, in order; a text says why it failed."""

_UNKNOWN = frozenset({Verdict.SK, Verdict.NA, Verdict.JE})  # whether the submission solves the case is not known
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
_NOISE: Final = 1e-9  # of a sum of floating-point numbers, relative to the maximum

# "General requirements" of 2025-09: neither infinities nor NaN.
_NUMBER = re.compile(r"[+-]?([0-9]*\.[0-9]+|[0-9]+\.?)([Ee][+-]?[0-9]+)?")


class _ScoreError(Exception):
    """A checker, a grader or a package breaks a rule of scoring: a judge error. The message is one line."""


class Scorer:
    """Scores the results of one submission, which arrive in the order of judging.

    `find_omission` may be called from other threads.
    """

    def __init__(self, root: TestGroup, cases: Iterable[Case], grade: Grade | None = None) -> None:
        self._rules = root.rules
        self._grade = grade
        self._is_stopped = False
        self._nodes = {node.group.name: node for node in _make_nodes(root, None)}
        self._root = self._nodes[root.name]
        self._by_folder: dict[str, _Node] = {}
        self._is_compiled = True
        self._kind: tuple[bool, bool] | None = None  # which files with scores the checker writes
        for (folder, is_static), count in Counter((case.group, case.is_static) for case in cases).items():
            node = self._find(folder)
            node.cases += 0 if is_static else count  # the score of the static case is not part of their shares
            for each in node.lineage():
                each.total += count

    def find_omission(self, case: Case) -> str:
        """Return why a case need not be judged, as far as the results so far tell; "" if it has to be judged.

        What is omitted once stays omitted, whatever results follow.
        """
        return self._find_omission(self._find(case.group))

    def add(self, result: CaseResult) -> CaseResult:
        """Add the result of the next case; return it with its score, as JE, or as omitted (SK)."""
        node = self._find(result.case.group)
        if reason := self._find_omission(node):
            result = CaseResult(case=result.case, verdict=Verdict.SK, reason=reason, is_omitted=True)
            for each in node.lineage():
                each.seen += 1
                each.omitted += 1
        else:
            try:
                result = replace(result, score=self._score(node, result))
            except _ScoreError as error:
                result = replace(result, verdict=Verdict.JE, reason=str(error), score=None)
            self._count(node, result)
        self._close_finished(node)
        return result

    def stop(self) -> None:
        """Run no grader from now on, after an interrupt: a group that waits for one is not finished."""
        self._is_stopped = True

    def finish(self) -> Scores:
        """Return what the submission gets for the results so far."""
        results = {name: self._result(node) for name, node in self._nodes.items()}
        root = results[self._root.group.name]
        is_graded = self._rules.uses_graders and not self._is_stopped
        is_graded = is_graded and self._root.is_finished and not self._root.unknown
        keeps_score = self._rules is not Rules.LEGACY or root.verdict is Verdict.AC
        return Scores(
            verdict=root.verdict if is_graded or root.verdict is Verdict.JE else None,
            score=root.score if keeps_score else None,
            reason=root.reason if root.verdict is Verdict.JE else "",
            groups=tuple(result for result in results.values() if result.group is not self._root.group),
        )

    # ---- cases ----------------------------------------------------------------------------------------------------

    def _find(self, folder: str) -> "_Node":
        """Return the innermost group of the cases in a folder."""
        node = self._by_folder.get(folder)
        if node is None:
            name = folder
            while name and name not in self._nodes:
                name = name.rpartition("/")[0]
            node = self._by_folder[folder] = self._nodes.get(name, self._root)
        return node

    def _find_omission(self, node: "_Node") -> str:
        if not self._is_compiled:  # then nothing runs anyway
            return ""
        for each in node.lineage():
            if each.ended:
                return f"not judged: {each.ended}"
            for name in each.group.require_pass:
                required = self._nodes.get(name)
                if required is not None and required.is_failed:
                    return f"not judged: {each.group.name} requires {name}"
        return ""

    def _score(self, node: "_Node", result: CaseResult) -> float | None:
        """Return the score of a case; None without one.

        Raises:
            _ScoreError: its checker breaks a rule.
        """
        if result.verdict in _UNKNOWN or not (node.is_scored or self._rules is Rules.LEGACY):
            return None
        match self._rules:
            case Rules.MAX_SCORES:
                if result.raw_score is not None:  # always in the same way ("Reporting additional feedback")
                    kind = (result.raw_score.score is not None, result.raw_score.multiplier is not None)
                    self._kind = self._kind or kind
                    if kind != self._kind and (True, True) not in (kind, self._kind):
                        raise _ScoreError(
                            "the checker wrote score.txt for one case, score_multiplier.txt for another: use only one"
                        )
                return _score_case(node.group, node.maximum(result.case), result)
            case Rules.POLYGON:
                return _score_polygon_case(node.maximum(result.case), result, is_percent=self._root.group.is_percent)
            case Rules.LEGACY:
                return _score_legacy_case(node.group, result)
            case Rules.DOMJUDGE:
                return _score_domjudge_case(result)
            case _:
                assert_never(self._rules)

    def _count(self, node: "_Node", result: CaseResult) -> None:
        verdict, partial = result.verdict, ""
        is_unknown, is_failed = verdict in _UNKNOWN, verdict not in _UNKNOWN and verdict is not Verdict.AC
        self._is_compiled = self._is_compiled and verdict is not Verdict.CE
        if self._rules is Rules.POLYGON and verdict is Verdict.AC and result.score is not None:
            maximum = node.maximum(result.case)  # less than its points is not `OK` at Codeforces
            if maximum is not None and result.score < maximum - _NOISE * max(1.0, maximum):
                partial = f"{result.case.id} gets {format_score(result.score)} of {format_score(maximum)} points"
        for each in node.lineage():
            each.seen += 1
            each.judged += not is_unknown
            each.unknown += is_unknown
            each.partial = each.partial or partial
            if is_failed and each.first_failed is None:
                each.first_failed = verdict
            if verdict is Verdict.JE and not each.error:
                each.error = f"{result.case.id}: {result.reason}"
        node.results.append((verdict, result.score))
        if is_failed and node.group.breaks and not node.ended:
            node.ended = f"{result.case.id} is {verdict}"

    # ---- groups ---------------------------------------------------------------------------------------------------

    def _close_finished(self, node: "_Node | None") -> None:
        """Pass the results of groups whose last case was added to the groups around them."""
        while node is not None and node.is_finished and node.result is None:
            node.result = result = self._result(node)
            parent = node.parent
            if parent is not None:
                # Graders get no result of a group that ended before, or that is no group.
                if not self._rules.uses_graders or (node.is_scored and not node.is_omitted):
                    parent.results.append((result.verdict, result.score))
                is_failed = result.verdict not in _UNKNOWN and result.verdict is not Verdict.AC
                is_own = self._rules is not Rules.DOMJUDGE or node.is_scored  # else its cases are in no group there
                if is_failed and parent.group.breaks and not parent.ended and is_own:
                    parent.ended = f"{node.group.name} is {result.verdict}"
                if result.verdict is Verdict.JE and not parent.error:
                    parent.error = f"{node.group.name}: {result.reason}"
            node = parent

    def _result(self, node: "_Node") -> GroupResult:
        if node.result is not None:
            return node.result
        verdict, score, reason = node.verdict(), None, ""
        if node.error:
            verdict, reason = Verdict.JE, node.error
        elif node.is_omitted:
            verdict, reason = Verdict.SK, self._find_omission(next(iter(node.tree())))
            score = 0.0 if node.is_scored and not self._rules.uses_graders else None
        elif node.is_finished and not node.unknown and not self._is_stopped:
            try:
                verdict, score = self._grade_group(node, verdict)
                if verdict is Verdict.AC and node.group.aggregation is Aggregation.PASS_FAIL:
                    reason = node.partial
            except _ScoreError as error:
                verdict, score, reason = Verdict.JE, None, str(error)
        return GroupResult(
            group=node.group, verdict=verdict, score=score, reason=reason, judged=node.judged, total=node.total
        )

    def _grade_group(self, node: "_Node", verdict: Verdict) -> tuple[Verdict, float | None]:
        """Return verdict and score of a group whose cases were all judged or omitted.

        Raises:
            _ScoreError: the score is not possible, or the grader failed.
        """
        group = node.group
        if not node.is_scored:  # such as `sample`
            return verdict, None
        if not self._rules.uses_graders:  # "Scoring test data groups"
            if group.aggregation is Aggregation.PASS_FAIL:
                return verdict, 0.0 if node.is_failed else group.max_score
            score = node.combine(group.aggregation)
            # By the rules of Polygon, there is no maximum.
            return verdict, score if self._rules is Rules.POLYGON else _limit_score(score, group.max_score, "score")
        if group.grader is None:
            verdict, score = _grade_by_default(node, self._rules)
        elif self._grade is None:
            raise _ScoreError("no custom grader can run here")
        else:
            graded = self._grade(group, [(each, score or 0.0) for each, score in node.results])
            if isinstance(graded, str):
                raise _ScoreError(graded)
            verdict, score = graded
        if verdict is Verdict.AC and group.score_range is not None:
            low, high = group.score_range
            if not low - _NOISE * max(1.0, abs(low)) <= score <= high + _NOISE * max(1.0, abs(high)):
                limits = f"{format_score(low)} to {format_score(high)}"
                raise _ScoreError(f"score {format_score(score)} is outside of the range {limits}")
        return verdict, score


class _Node:
    """A group while its submission is judged. The counts are of cases, those of groups in it included.

    Attributes:
        cases: how many are directly in it.
        seen: added so far: judged, unknown or omitted.
        unknown: without a verdict on the submission (SK, NA, JE).
        ended: why its remaining cases are omitted; "" if they are not.
        partial: the first accepted case that gets only a part of its points (Polygon); "" if there is none.
        error: why it cannot be scored; "" if it can.
        results: of the cases and groups directly in it; one without a score adds nothing to the scores.
        result: once its last case was added.
    """

    def __init__(self, group: TestGroup, parent: "_Node | None") -> None:
        self.group = group
        self.parent = parent
        self.children: list[_Node] = []
        self.cases = self.total = self.seen = self.judged = self.unknown = self.omitted = 0
        self.first_failed: Verdict | None = None
        self.ended = self.partial = self.error = ""
        self.results: list[tuple[Verdict, float | None]] = []
        self.result: GroupResult | None = None

    @property
    def is_finished(self) -> bool:
        return 0 < self.total == self.seen

    @property
    def is_failed(self) -> bool:
        """Whether a case in it is not accepted, or gets only a part of its points (Polygon).

        One that is omitted counts as not accepted ("Group dependencies").
        """
        return self.first_failed is not None or self.omitted > 0 or bool(self.partial)

    @property
    def is_omitted(self) -> bool:
        """Whether all of its cases are omitted."""
        return 0 < self.total == self.omitted

    @property
    def is_scored(self) -> bool:
        """Whether it has a score; `sample` of 2025-09 has none, and scores of checkers are ignored there."""
        return self.group.aggregation is not Aggregation.PASS_FAIL or self.group.max_score is not None

    def lineage(self) -> Iterator["_Node"]:
        """Yield the group and those around it."""
        node: _Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def tree(self) -> Iterator["_Node"]:
        """Yield the groups in it that have cases of their own; the group itself first."""
        if self.cases or self.group.has_static_case:
            yield self
        for child in self.children:
            yield from child.tree()

    def maximum(self, case: Case) -> float | None:
        """Return the maximum score of a case; None if it is unbounded."""
        group = self.group
        if case.is_static:
            return group.static_score
        given = group.case_scores.get(case.id)
        if given is not None or group.max_score is None:
            return given
        if group.aggregation is Aggregation.SUM:
            return (group.max_score - (group.static_score or 0.0)) / self.cases
        return group.max_score

    def verdict(self) -> Verdict:
        """Return the verdict on the cases so far: the first one that is not accepted."""
        if self.first_failed is not None:
            return self.first_failed
        return Verdict.AC if self.judged and not self.unknown else Verdict.SK

    def combine(self, aggregation: Aggregation) -> float:
        """Return the combined score of what is directly in it; 0 if nothing has one.

        Raises:
            _ScoreError: the scores are too large for a number.
        """
        scores = [score for _, score in self.results if score is not None] or [0.0]
        total = sum(scores)
        if not math.isfinite(total):
            raise _ScoreError("the scores are too large to be added up")
        match aggregation:
            case Aggregation.SUM | Aggregation.PASS_FAIL:
                return total
            case Aggregation.MIN:
                return min(scores)
            case Aggregation.MAX:
                return max(scores)
            case Aggregation.AVG:
                return total / len(scores)
            case _:
                assert_never(aggregation)


def _make_nodes(group: TestGroup, parent: _Node | None) -> Iterator[_Node]:
    node = _Node(group, parent)
    if parent is not None:
        parent.children.append(node)
    yield node
    for child in group.groups:
        yield from _make_nodes(child, node)


# ---- rules of 2025-09 ---------------------------------------------------------------------------------------------


def _score_case(group: TestGroup, maximum: float | None, result: CaseResult) -> float | None:
    """Return the score of a case ("Scoring test cases"); None in a pass-fail group, whose cases have none.

    Raises:
        _ScoreError: a judge error by the specification.
    """
    raw = result.raw_score or RawScore()
    if raw.score is not None and raw.multiplier is not None:
        raise _ScoreError("the checker wrote both score.txt and score_multiplier.txt: expected one of them")
    given = "score.txt" if raw.score is not None else "score_multiplier.txt" if raw.multiplier is not None else ""
    if given and result.verdict is not Verdict.AC:
        raise _ScoreError(f"the checker wrote {given} although it does not accept the output")
    if group.aggregation is Aggregation.PASS_FAIL:
        if given:
            raise _ScoreError(f"the checker wrote {given}, but {group.name} is pass-fail: expected no score")
        return None
    if result.verdict is not Verdict.AC:
        return 0.0
    if maximum is None and raw.multiplier is not None:
        message = f"the checker wrote score_multiplier.txt, but the score of {group.name} is unbounded"
        raise _ScoreError(f"{message}: expected score.txt")
    if maximum is None and raw.score is None:
        raise _ScoreError(f"the checker wrote no score.txt, which the unbounded score of {group.name} needs")
    if raw.score is not None:
        return _limit_score(_parse_score(raw.score, given), maximum, given)
    factor = 1.0 if raw.multiplier is None else _parse_score(raw.multiplier, given)
    if factor > 1:
        shown = shorten((raw.multiplier or "").strip(), 40)
        raise _ScoreError(f"score_multiplier.txt: expected a number from 0 to 1, found `{shown}`")
    return factor * (maximum or 0.0)


def _limit_score(score: float, maximum: float | None, what: str) -> float:
    """Return a score, without the noise of adding up by which it may exceed the maximum.

    Raises:
        _ScoreError: it exceeds the maximum.
    """
    if maximum is None or score <= maximum:
        return score
    if score - maximum <= _NOISE * max(1.0, maximum):
        return maximum
    raise _ScoreError(f"{what}: {format_score(score)} exceeds the maximum of {format_score(maximum)}")


def _parse_score(text: str, file: str, *, may_be_negative: bool = False) -> float:
    value = float(text) if _NUMBER.fullmatch(text.strip()) else math.nan
    shown = f"found `{shorten(text.strip(), 40)}`"
    if not math.isfinite(value):
        raise _ScoreError(f"{file}: expected a number, {shown}")
    if value < 0 and not may_be_negative:
        raise _ScoreError(f"{file}: expected a number that is not negative, {shown}")
    return value


# ---- rules of Polygon ---------------------------------------------------------------------------------------------


def _score_polygon_case(maximum: float | None, result: CaseResult, *, is_percent: bool) -> float:
    """Return the score of a case: the points of the checker (`quitp`), else those of the test.

    The points of a checker are the score itself, whatever the points of the test; or percent of these
    (`treat-points-from-checker-as-percent`).
    """
    worth = maximum or 0.0
    if result.verdict is not Verdict.AC:
        return 0.0
    if result.raw_score is None or result.raw_score.score is None:
        return worth
    points = _parse_score(result.raw_score.score, "the points of the checker")
    return points / 100 * worth if is_percent else points


# ---- legacy rules -------------------------------------------------------------------------------------------------


def _score_legacy_case(group: TestGroup, result: CaseResult) -> float:
    """Return the score of a case: what the checker gave, else `accept_score` or `reject_score` ("Graders", "Input").

    The format does not say whether the score of a checker that rejects the output counts. At Kattis it never did: older
    versions of problemtools do not read it, newer ones report it.
    """
    if result.verdict is not Verdict.AC:
        return group.reject_score
    raw = result.raw_score
    if raw is None or raw.score is None:
        return group.accept_score
    return _parse_score(raw.score, "score.txt", may_be_negative=True)


def _score_domjudge_case(result: CaseResult) -> float | None:
    """Return what the checker gave, or 0 if the program failed otherwise; None if the checker gave nothing."""
    if result.raw_score is None or result.raw_score.score is None:
        return None
    score = _parse_score(result.raw_score.score, "score.txt")
    return score if result.verdict in (Verdict.AC, Verdict.WA, Verdict.PE) else 0.0


def _grade_by_default(node: _Node, rules: Rules) -> SubResult:
    """Return what the default grader says ("Default grader specification")."""
    group, results = node.group, node.results
    if group.ignores_sample:  # of at most two sub-results, the last one counts
        verdict, last = results[-1] if results else (Verdict.AC, 0.0)
        return verdict, last or 0.0
    if not results:  # all are in no group of DOMjudge: their scores do not count, but their verdicts do
        return node.verdict(), 0.0
    accepted = sum(each is Verdict.AC for each, _ in results)
    errors = [each for each, _ in results if each in _ERROR_ORDER]
    if not errors or group.verdict_mode is VerdictMode.ALWAYS_ACCEPT or (group.accepts_any and accepted):
        verdict = Verdict.AC
    else:
        verdict = errors[0] if group.verdict_mode is VerdictMode.FIRST_ERROR else min(errors, key=_ERROR_ORDER.index)
    if rules is Rules.DOMJUDGE and not group.groups and all(score is None for _, score in results):
        return verdict, group.accept_score if accepted == len(results) and not node.omitted else 0.0
    return verdict, node.combine(group.aggregation)


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
