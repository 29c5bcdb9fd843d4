"""Scores of cases, test groups and submissions; and which cases need not be judged because of earlier results.

Pure: nothing here runs or reads anything. The rules are those of the ICPC problem package format 2025-09 ("Scoring
problems", "Group dependencies"), of its legacy version ("Test data groups", "Default grader specification"), of
DOMjudge where it differs, and of Polygon (`judge.model.groups.Rules`). Where the legacy text says nothing, problemtools
decides.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import assert_never

from msgspec.structs import replace

from judge.base.units import format_score
from judge.judging.score_rules import (
    ScoreError,
    SubResult,
    Tally,
    check_range,
    combine_verdicts,
    is_partial,
    limit_score,
    score_case,
    score_domjudge_case,
    score_legacy_case,
    score_polygon_case,
)
from judge.model import Case, CaseResult, GroupResult, Scores, Verdict
from judge.model.groups import Aggregation, Rules, TestGroup

Grade = Callable[[TestGroup, Sequence[SubResult]], SubResult | str]
"""Runs a custom grader on what is directly in a group, in order; a text says why it failed."""

_UNKNOWN = frozenset({Verdict.SK, Verdict.NA, Verdict.JE})  # whether the submission solves the case is not known


class Scorer:
    """Scores the results of one submission, which arrive in the order of judging.

    It keeps no results: the memory does not grow with the number of cases, except for a custom grader.
    `find_omission` may be called from other threads.

    Args:
        root: the tree of the groups.
        cases: all cases of the problem.
        grade: runs custom graders.
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
            except ScoreError as error:
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
        """Return the score of a case.

        Raises:
            ScoreError: its checker breaks a rule.
        """
        if result.verdict in _UNKNOWN:
            return None
        match self._rules:
            case Rules.MAX_SCORES if node.is_scored:
                self._check_kind(result)
                return score_case(node.group, node.maximum(result.case), result)
            case Rules.POLYGON if node.is_scored:
                is_percent = self._root.group.is_percent
                return score_polygon_case(node.maximum(result.case), result, is_percent=is_percent)
            case Rules.MAX_SCORES | Rules.POLYGON:
                return None
            case Rules.LEGACY:
                return score_legacy_case(node.group, result)
            case Rules.DOMJUDGE:
                return score_domjudge_case(result) if node.is_scored else None
            case _:
                assert_never(self._rules)

    def _check_kind(self, result: CaseResult) -> None:
        """Check that a checker gives scores always in the same way ("Reporting additional feedback").

        Raises:
            ScoreError: it does not.
        """
        if result.raw_score is None:
            return
        kind = (result.raw_score.score is not None, result.raw_score.multiplier is not None)
        self._kind = self._kind or kind
        if kind != self._kind and (True, True) not in (kind, self._kind):
            raise ScoreError("the checker wrote score.txt for one case, score_multiplier.txt for another: use only one")

    def _count(self, node: "_Node", result: CaseResult) -> None:
        verdict = result.verdict
        is_unknown, is_failed = verdict in _UNKNOWN, verdict not in _UNKNOWN and verdict is not Verdict.AC
        self._is_compiled = self._is_compiled and verdict is not Verdict.CE
        partial = self._describe_partial(node, result)
        for each in node.lineage():
            each.seen += 1
            each.judged += not is_unknown
            each.unknown += is_unknown
            each.partial = each.partial or partial
            if is_failed and each.first_failed is None:
                each.first_failed = verdict
            if verdict is Verdict.JE and not each.error:
                each.error = f"{result.case.id}: {result.reason}"
        node.tally.add(verdict, result.score)
        if is_failed and node.group.breaks and not node.ended:
            node.ended = f"{result.case.id} is {verdict}"

    def _describe_partial(self, node: "_Node", result: CaseResult) -> str:
        """Return which part of its points an accepted case gets by the rules of Polygon; "" if it gets all."""
        if self._rules is not Rules.POLYGON or result.verdict is not Verdict.AC:
            return ""
        maximum = node.maximum(result.case)
        if not is_partial(result.score, maximum):
            return ""
        return f"{result.case.id} gets {format_score(result.score or 0.0)} of {format_score(maximum or 0.0)} points"

    # ---- groups ---------------------------------------------------------------------------------------------------

    def _close_finished(self, node: "_Node | None") -> None:
        """Pass the results of groups whose last case was added to the groups around them."""
        while node is not None and node.is_finished and node.result is None:
            node.result = result = self._result(node)
            parent = node.parent
            if parent is not None:
                if self._counts(node):
                    parent.tally.add(result.verdict, result.score)
                is_failed = result.verdict not in _UNKNOWN and result.verdict is not Verdict.AC
                is_own = self._rules is not Rules.DOMJUDGE or node.is_scored  # else its cases are in no group there
                if is_failed and parent.group.breaks and not parent.ended and is_own:
                    parent.ended = f"{node.group.name} is {result.verdict}"
                if result.verdict is Verdict.JE and not parent.error:
                    parent.error = f"{node.group.name}: {result.reason}"
            node = parent

    def _counts(self, node: "_Node") -> bool:
        """Return whether the group around a group gets its result: not of one that ended before, or is no group."""
        return not self._rules.uses_graders or (node.is_scored and not node.is_omitted)

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
            except ScoreError as error:
                verdict, score, reason = Verdict.JE, None, str(error)
        return GroupResult(
            group=node.group, verdict=verdict, score=score, reason=reason, judged=node.judged, total=node.total
        )

    def _grade_group(self, node: "_Node", verdict: Verdict) -> tuple[Verdict, float | None]:
        """Return verdict and score of a group whose cases were all judged or omitted.

        Raises:
            ScoreError: the score is not possible, or the grader failed.
        """
        if self._rules is Rules.POLYGON and node.group.aggregation is Aggregation.SUM:
            return verdict, node.tally.combine(Aggregation.SUM)  # without a maximum
        if not self._rules.uses_graders or not node.is_scored:
            return verdict, _score_group(node)
        if node.group.grader is not None:
            if self._grade is None:
                raise ScoreError("no custom grader can run here")
            graded = self._grade(node.group, node.tally.results or ())
            if isinstance(graded, str):
                raise ScoreError(graded)
            verdict, score = graded
        else:
            verdict, score = _grade_by_default(node, self._rules)
        if verdict is Verdict.AC:
            check_range(node.group, score)
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
        result: once its last case was added.
    """

    def __init__(self, group: TestGroup, parent: "_Node | None") -> None:
        self.group = group
        self.parent = parent
        self.children: list[_Node] = []
        self.cases = self.total = self.seen = self.judged = self.unknown = self.omitted = 0
        self.first_failed: Verdict | None = None
        self.ended = self.partial = self.error = ""
        self.tally = Tally(keeps_results=group.grader is not None)
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
        given = group.case_scores.get(case.id, group.case_score)
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


def _make_nodes(group: TestGroup, parent: _Node | None) -> Iterator[_Node]:
    node = _Node(group, parent)
    if parent is not None:
        parent.children.append(node)
    yield node
    for child in group.groups:
        yield from _make_nodes(child, node)


def _score_group(node: _Node) -> float | None:
    """Return the score of a group ("Scoring test data groups"); None if it is not scored, such as `sample`.

    Raises:
        ScoreError: it exceeds the maximum.
    """
    group = node.group
    if not node.is_scored:
        return None
    if group.aggregation is Aggregation.PASS_FAIL:
        return 0.0 if node.is_failed else group.max_score
    return limit_score(node.tally.combine(group.aggregation), group.max_score, "score")


def _grade_by_default(node: _Node, rules: Rules) -> SubResult:
    """Return what the default grader says ("Default grader specification")."""
    group, tally = node.group, node.tally
    if group.ignores_sample:  # of at most two sub-results, the last one counts
        verdict, score = tally.last
        return verdict, score or 0.0
    if not tally.count:  # all are in no group of DOMjudge: their scores do not count, but their verdicts do
        return node.verdict(), 0.0
    if rules is Rules.DOMJUDGE and not group.groups and not tally.scored:
        score = group.accept_score if tally.accepted == tally.count and not node.omitted else 0.0
    else:
        score = tally.combine(group.aggregation)
    return combine_verdicts(group, tally), score
