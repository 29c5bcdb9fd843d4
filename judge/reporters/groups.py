"""The results of test groups, a line each, of the solutions that do not get the best score."""

from collections.abc import Iterator, Sequence

from judge.model import GroupResult, Problem, SolutionResult, Verdict
from judge.reporters import Verbosity, formatting
from judge.reporters.escape import one_line, pad, shorten, width
from judge.reporters.lines import DisplayOptions, Line, Span, Style, make_line, wrap_line

_NAME_WIDTH = 32
_MOST = 40  # groups of one solution


def group_lines(
    problem: Problem, results: Sequence[SolutionResult], display: DisplayOptions, verbosity: Verbosity
) -> Iterator[Line]:
    """Yield a block for each solution with a partial score, or for all if verbose, with an empty line after each."""
    for result in results:
        groups = [each for each in result.groups if _is_shown(each)]
        is_best = result.score is not None and result.score == result.max_score
        if not groups or (is_best and result.as_expected and verbosity is not Verbosity.VERBOSE):
            continue
        title = formatting.full_name(problem, result, display.glyphs)
        score = formatting.describe_score(result.score, result.max_score)
        yield from wrap_line(make_line("  ", Span(f"{title}: ", Style.STRONG), score), display)
        yield from _lines(groups, display)
        yield ()


def _is_shown(result: GroupResult) -> bool:
    """Return whether a group has cases of its own: a group of groups only repeats what these say."""
    return result.total > 0 and not any(result.group.groups)


def _lines(groups: Sequence[GroupResult], display: DisplayOptions) -> Iterator[Line]:
    names = [
        shorten(one_line(each.group.name, display.glyphs), _NAME_WIDTH, display.glyphs.ellipsis) for each in groups
    ]
    scores = [_score(each) for each in groups]
    name_width, score_width = max(map(width, names)), max(map(len, scores))
    for each, name, score in list(zip(groups, names, scores, strict=True))[:_MOST]:
        head = f"    {pad(name, name_width)}  "
        verdict = Span(f"{each.verdict:<3}", _style(each.verdict))
        reason = f"  {one_line(each.reason, display.glyphs)}" if each.reason else ""
        yield from wrap_line(make_line(head, verdict, f"  {score:>{score_width}}", Span(reason, Style.DIM)), display)
    if len(groups) > _MOST:
        yield make_line(f"    and {len(groups) - _MOST:,} more groups")


def _score(result: GroupResult) -> str:
    if result.score is None and result.group.max_score is None:
        return ""
    return formatting.describe_score(result.score, result.group.max_score)


def _style(verdict: Verdict) -> Style:
    if verdict is Verdict.AC:
        return Style.GOOD
    return Style.FAULT if verdict is Verdict.JE else Style.DIM if verdict is Verdict.SK else Style.BAD
