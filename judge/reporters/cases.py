"""Each case of a run, with its complete data if the run keeps that, and the results of test groups."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.base.data import Data, is_huge, read_data
from judge.base.units import format_bytes, format_count, format_score, format_seconds
from judge.model import CaseResult, GroupResult, Problem, SolutionResult, Verdict
from judge.model.events import CaseJudged, Event, ProblemBegan, SolutionBegan
from judge.reporters import Verbosity, formatting
from judge.reporters.escape import escape_text, one_line, pad, shorten, width
from judge.reporters.lines import LABEL_WIDTH, DisplayOptions, Line, Span, Style, label_lines, make_line, wrap_line

_MAX_NAME = 40  # columns


class CaseDetails:
    """Yields the lines on each case, below the name of its solution."""

    def __init__(self, verbosity: Verbosity) -> None:
        self._is_verbose = verbosity is Verbosity.VERBOSE
        self._columns = 0  # of the names of cases
        self._has_compiler_text = False  # of the current solution

    def lines(self, event: Event, display: DisplayOptions) -> Iterator[Line]:
        """Yield what to show of an event: all cases if verbose, and the data of those whose data was kept."""
        match event:
            case CaseJudged(result=result) if self._is_verbose or result.data:
                yield _verdict_line(result, display, self._columns)
                if result.message and result.verdict is Verdict.CE and not self._has_compiler_text:
                    self._has_compiler_text = True
                    yield from part_lines("compiler", result.message.encode(errors="surrogateescape"), display)
                if result.data:
                    yield from data_lines(result, display)
                    yield ()
            case ProblemBegan(problem=problem):
                names = (width(one_line(case.id, display.glyphs)) for case in problem.cases)
                self._columns = max((columns for columns in names if columns <= _MAX_NAME), default=0)
            case SolutionBegan(problem=problem, solution=solution) if self._is_verbose:
                self._has_compiler_text = False
                name = one_line(f"{problem.id} {solution.display_path}", display.glyphs)
                yield make_line("  ", Span(name, Style.STRONG))
            case _:
                pass


def _verdict_line(result: CaseResult, display: DisplayOptions, columns: int) -> Line:
    style = Style.GOOD if result.verdict is Verdict.AC else Style.DIM if result.verdict is Verdict.SK else Style.BAD
    facts = []
    if result.run is not None:
        facts = [f"{format_seconds(result.run.cpu):>7}", f"{formatting.format_memory(result.run):>8}"]
    facts += ["cached"] if result.is_cached else []
    facts += [f"score {format_score(result.score)}"] if result.score is not None else []
    facts += [one_line(result.reason, display.glyphs)] if result.reason and result.verdict is not Verdict.CE else []
    name = pad(one_line(result.case.id, display.glyphs), columns)
    return make_line("    ", Span(f"{result.verdict:<3}", style), f"  {name}", *(Span(f"  {fact}") for fact in facts))


def data_lines(result: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    """Yield the complete input, answer, output and standard error of a case whose data was kept.

    A transcript takes the place of the output.
    """
    assert result.data is not None
    yield from part_lines("input", result.data.input, display)
    if result.data.answer is None:
        yield from label_lines("answer", "none: the output is compared with nothing", display, Style.DIM)
    else:
        yield from part_lines("answer", result.data.answer, display)
    if result.transcript is not None:
        from judge.reporters.dialogue import dialogue_lines  # few problems are interactive

        yield from dialogue_lines(result.transcript, display, is_complete=True)
    elif result.verdict is Verdict.OLE:
        yield from label_lines("output", "not kept: it exceeds the limit", display, Style.DIM)
    else:
        yield from part_lines("output", result.data.output, display)
    yield from part_lines("stderr", result.data.stderr, display)


def part_lines(label: str, part: Data, display: DisplayOptions, most: int | None = None) -> Iterator[Line]:
    """Yield how long a part of a case's data is, and its lines, which are not cut: all of them, or the first `most`."""
    try:
        if isinstance(part, Path) and is_huge(part):
            text = f"{format_bytes(part.stat().st_size)}, too much to show: {one_line(str(part), display.glyphs)}"
            yield from label_lines(label, text, display, Style.DIM)
            return
        content = read_data(part)
    except OSError as error:
        yield from label_lines(label, f"cannot be read: {error.strerror}", display, Style.FAULT)
        return
    lines = content.split(b"\n")
    ends_well = not lines[-1]
    lines = lines[:-1] if ends_well else lines
    text = f"{format_count(len(lines), 'line')}, {format_bytes(len(content))}" if content else "empty"
    text += "" if ends_well else ", no newline at the end"
    yield from label_lines(label, text, display, Style.DIM)
    head = Span(f"{'':{LABEL_WIDTH}}{display.glyphs.rule} ", Style.DIM)
    for line in lines[:most]:
        yield make_line(head, escape_text(line, display.glyphs))
    if most is not None and len(lines) > most:
        hint = f"and {format_count(len(lines) - most, 'more line')}; --{label} prints everything"
        yield make_line(Span(f"{'':{LABEL_WIDTH}}{hint}", Style.DIM))


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
