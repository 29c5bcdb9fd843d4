"""Each case of a run, with its complete data if the run keeps that, and the results of test groups."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.base.data import Data, is_huge, read_data
from judge.base.units import format_bytes, format_count, format_score, format_seconds
from judge.model import CaseResult, Problem, SolutionResult, Verdict
from judge.model.events import CaseJudged, Event, ProblemBegan, SolutionBegan
from judge.reporters import Verbosity, formatting
from judge.reporters.escape import Glyphs, escape_text, one_line, pad, shorten, width
from judge.reporters.lines import EMPTY, LABEL_WIDTH, DisplayOptions, Fit, Line, Span, Style, label_line, make_line


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
                yield _verdict_line(result, display.glyphs, self._columns)
                if result.message and result.verdict is Verdict.CE and not self._has_compiler_text:
                    self._has_compiler_text = True
                    yield from part_lines("compiler", result.message.encode(errors="surrogateescape"), display.glyphs)
                if result.data:
                    yield from data_lines(result, display)
                    yield EMPTY
            case ProblemBegan(problem=problem):
                names = (width(one_line(case.id, display.glyphs)) for case in problem.cases)
                self._columns = max((columns for columns in names if columns <= 40), default=0)
            case SolutionBegan(problem=problem, solution=solution) if self._is_verbose:
                self._has_compiler_text = False
                name = one_line(f"{problem.id} {solution.display_path}", display.glyphs)
                yield make_line("  ", Span(name, Style.STRONG))
            case _:
                pass


def _verdict_line(result: CaseResult, glyphs: Glyphs, columns: int) -> Line:
    facts = []
    if result.run is not None:
        facts = [f"{format_seconds(result.run.cpu):>7}", f"{formatting.format_memory(result.run):>8}"]
    facts += ["cached"] if result.is_cached else []
    facts += [f"score {format_score(result.score)}"] if result.score is not None else []
    facts += [one_line(result.reason, glyphs)] if result.reason and result.verdict is not Verdict.CE else []
    name = pad(one_line(result.case.id, glyphs), columns)
    verdict = Span(f"{result.verdict:<3}", _style(result.verdict))
    return make_line("    ", verdict, f"  {name}", *(f"  {fact}" for fact in facts))


def data_lines(result: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    """Yield the complete input, answer, output and standard error of a case whose data was kept.

    A transcript takes the place of the output.
    """
    assert result.data is not None
    glyphs = display.glyphs
    yield from part_lines("input", result.data.input, glyphs)
    if result.data.answer is None:
        yield label_line("answer", "none: the output is compared with nothing", Style.DIM)
    else:
        yield from part_lines("answer", result.data.answer, glyphs)
    if result.transcript is not None:
        from judge.reporters.dialogue import dialogue_lines  # few problems are interactive

        yield from dialogue_lines(result.transcript, display, is_complete=True)
    elif result.verdict is Verdict.OLE:
        yield label_line("output", "not kept: it exceeds the limit", Style.DIM)
    else:
        yield from part_lines("output", result.data.output, glyphs)
    yield from part_lines("stderr", result.data.stderr, glyphs)


def part_lines(label: str, part: Data, glyphs: Glyphs, most: int | None = None) -> Iterator[Line]:
    """Yield how long a part of a case's data is, and its lines, which are not cut: all of them, or the first `most`."""
    try:
        if isinstance(part, Path) and is_huge(part):
            text = f"{format_bytes(part.stat().st_size)}, too much to show: {one_line(str(part), glyphs)}"
            yield label_line(label, text, Style.DIM)
            return
        content = read_data(part)
    except OSError as error:
        yield label_line(label, f"cannot be read: {error.strerror}", Style.FAULT)
        return
    lines = content.split(b"\n")
    ends_well = not lines[-1]
    lines = lines[:-1] if ends_well else lines
    text = f"{format_count(len(lines), 'line')}, {format_bytes(len(content))}" if content else "empty"
    text += "" if ends_well else ", no newline at the end"
    yield label_line(label, text, Style.DIM)
    head = Span(f"{'':{LABEL_WIDTH}}{glyphs.rule} ", Style.DIM)
    for line in lines[:most]:
        yield make_line(head, escape_text(line, glyphs))
    if most is not None and len(lines) > most:
        hint = f"and {format_count(len(lines) - most, 'more line')}; --{label} prints everything"
        yield make_line(Span(f"{'':{LABEL_WIDTH}}{hint}", Style.DIM))


def group_lines(
    problem: Problem, results: Sequence[SolutionResult], glyphs: Glyphs, verbosity: Verbosity
) -> Iterator[Line]:
    """Yield a block for each solution with a partial score, or for all if verbose, with an empty line after each."""
    for result in results:
        # a group of groups only repeats what these say
        groups = [each for each in result.groups if each.total > 0 and not any(each.group.groups)]
        is_best = result.score is not None and result.score == result.max_score
        if not groups or (is_best and result.as_expected and verbosity is not Verbosity.VERBOSE):
            continue
        title = formatting.full_name(problem, result, glyphs)
        score = formatting.describe_score(result.score, result.max_score)
        yield make_line("  ", Span(f"{title}: ", Style.STRONG), score, fit=Fit.WRAP, head=1)
        names = [shorten(one_line(each.group.name, glyphs), 32, glyphs.ellipsis) for each in groups]
        scores = [
            "" if each.score is each.group.max_score is None
            else formatting.describe_score(each.score, each.group.max_score)
            for each in groups
        ]  # fmt: skip
        name_width, score_width = max(map(width, names)), max(map(len, scores))
        for each, name, points in list(zip(groups, names, scores, strict=True))[:40]:
            start = f"    {pad(name, name_width)}  "
            verdict = Span(f"{each.verdict:<3}", _style(each.verdict))
            reason = Span(one_line(each.reason, glyphs), Style.DIM)
            yield make_line(start, verdict, f"  {points:>{score_width}}  ", reason, fit=Fit.WRAP, head=3)
        if len(groups) > 40:
            yield make_line(f"    and {len(groups) - 40:,} more groups")
        yield EMPTY


def _style(verdict: Verdict) -> Style:
    if verdict is Verdict.AC:
        return Style.GOOD
    return Style.FAULT if verdict is Verdict.JE else Style.DIM if verdict is Verdict.SK else Style.BAD
