"""The report of `judge timelimit`: the times of the submissions on both sides of the limit, as bars."""

from collections.abc import Iterator, Sequence

from judge.base.errors import make_safe
from judge.base.units import Seconds, format_seconds
from judge.reporters.escape import Glyphs, one_line, pad, shorten, width
from judge.timing.time_limit import Margins, SlowestRun

_MIN_BAR = 10
_MAX_NAME = 40
_TIME_WIDTH = 10


def render_margins(margins: Margins, columns: int, glyphs: Glyphs) -> str:
    """Return the report as text."""
    given = margins.rule.given
    limit = "no time limit is given"
    if given is not None:
        limit = f"time limit {format_seconds(given)} ({margins.rule.origin})"
    bars = _bars(margins, columns, glyphs)
    lines = [f"{margins.problem.id}: {limit}", "", *bars, "", *_conclusions(margins)]
    return "".join(f"{make_safe(line.rstrip())}\n" for line in lines)


def _bars(margins: Margins, columns: int, glyphs: Glyphs) -> Iterator[str]:
    limit = margins.limit
    runs = [*margins.in_time, *margins.too_slow]
    name_width = min(max((width(_name(each, glyphs)) for each in runs), default=0), _MAX_NAME)
    bar_width = max(columns - name_width - _TIME_WIDTH - 6, _MIN_BAR)
    longest = max([each.seconds or 0.0 for each in runs] + [limit or 0.0]) or 1.0
    scale = bar_width / longest

    def rows(title: str, part: Sequence[SlowestRun]) -> Iterator[str]:
        yield title
        for each in part:
            name = pad(shorten(_name(each, glyphs), name_width, glyphs.ellipsis), name_width)
            if each.seconds is None:
                yield f"  {name}  {each.trouble or 'not run'}"
                continue
            time = f"{'>' if each.is_cut else ''}{format_seconds(each.seconds)}"
            bar = glyphs.bar * max(int(each.seconds * scale), 1)
            if limit is not None:  # with a mark where it is
                at = max(int(limit * scale) - 1, 0)
                bar = f"{pad(bar, at)[:at]}|{bar[at + 1 :]}"
            yield f"  {name}  {time:>{_TIME_WIDTH}}  {bar}"

    yield from rows("must be in time", margins.in_time)
    if limit is not None:
        mark = " " * (name_width + _TIME_WIDTH + 6 + max(int(limit * scale) - 1, 0))
        yield f"{mark}^ limit {format_seconds(limit)}" if columns > len(mark) + 16 else f"{mark}^"
    if margins.too_slow:
        yield from rows("must be too slow", margins.too_slow)


def _conclusions(margins: Margins) -> Iterator[str]:
    rule = margins.rule
    for each in margins.in_time:
        if each.trouble:
            yield f"{each.solution.display_path}: {each.trouble}: its times say nothing"
    if margins.proposed is not None and margins.slowest is not None:
        worst = margins.in_time[-1]
        yield (
            f"proposed: {format_seconds(margins.proposed)}: {format_seconds(margins.slowest)} ({worst.case}) times "
            f"{rule.ac_to_time_limit:g}, rounded up to a multiple of {rule.resolution:g} s"
        )
    elif not margins.in_time:
        yield "no limit can be proposed: there is no accepted submission"
    else:
        yield "no limit can be proposed: a submission that must be in time takes too long or did not run"
    if margins.fastest is not None:
        yield f"upper bound: {format_seconds(Seconds(margins.fastest / rule.time_limit_to_tle))}"
    for text in margins.problems:
        yield f"problem: {text}"


def _name(run: SlowestRun, glyphs: Glyphs) -> str:
    return one_line("/".join(run.solution.display_path.split("/")[-2:]), glyphs)
