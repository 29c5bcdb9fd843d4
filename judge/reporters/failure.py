"""The blocks on failing cases: the verdict, the difference, the input, and the command that reruns the case.

A case without an answer has a block, too: with the output, which nothing else judges.
"""

from collections.abc import Iterator, Sequence

from judge.base.units import format_bytes, format_count
from judge.languages.messages import excerpt
from judge.model import CaseResult, Excerpt, Problem, SolutionResult, Verdict
from judge.reporters import formatting
from judge.reporters.diffview import build_rows, cut_cells, diff_lines, make_legend
from judge.reporters.escape import cells, one_line, safe_lines
from judge.reporters.lines import (
    LABEL_WIDTH,
    DisplayOptions,
    Line,
    Span,
    Style,
    label_lines,
    line_text,
    make_line,
    wrap_line,
)

_INPUT_LINES = 12
_STDERR_LINES = 10
_COMPILER_LINES = 20
_MESSAGE_LINES = 20
_STDERR_COLUMNS = 400  # of a line in a log, which has no width


def failure_lines(problem: Problem, results: Sequence[SolutionResult], display: DisplayOptions) -> Iterator[Line]:
    """Yield a block on each unexpected result of a problem and on outputs to look at, with an empty line after each."""
    for result in results:
        if not result.as_expected:
            yield from _block(problem, result, display)
            yield ()
        for unanswered in (each for each in result.unanswered if each.data is None):  # else it is shown completely
            yield from _unanswered_block(problem, result, unanswered, display)
            yield ()
        if (more := result.counts.get(Verdict.NA, 0) - len(result.unanswered)) > 0:
            yield make_line(f"  {format_count(more, 'more case')} without an answer")
            yield ()


def _block(problem: Problem, result: SolutionResult, display: DisplayOptions) -> Iterator[Line]:
    yield from wrap_line(_title(problem, result, display), display)
    if result.message:
        label = "compiler" if result.verdict is Verdict.CE else "message"
        yield from _message(label, list(safe_lines(result.message, display.glyphs)), display)
        if text := formatting.compiler_text(result):
            shown = excerpt(text, result.solution.path.name, _COMPILER_LINES)
            yield from _rule_lines("", shown, display)
            if (more := len(text.splitlines()) - len(shown)) > 0:
                hint = f"and {format_count(more, 'more line')}; --show-output prints all"
                yield from label_lines("", hint, display, Style.DIM)
    if not result.failures:
        if result.verdict is not Verdict.JE:  # otherwise the message says what is wrong
            label = "unmet" if result.unmet else "verdict"
            yield from label_lines(label, formatting.describe_missing_verdict(result), display)
        yield _rerun_line(problem, result, None, display)
        if command := formatting.hack_command(problem, result, ascii_only=display.glyphs.ascii_only):
            yield _command_line("hack", command)
    elif result.unmet:
        yield from label_lines("unmet", "; ".join(result.unmet), display)
    for number, failure in enumerate(result.failures):
        yield from [()] if number else []
        if failure.verdict is not Verdict.CE:
            yield from case_lines(failure, display)
        yield _rerun_line(problem, result, failure, display)


def _title(problem: Problem, result: SolutionResult, display: DisplayOptions) -> Line:
    style = Style.FAULT if result.verdict is Verdict.JE else Style.BAD
    return make_line(
        Span(f"{display.glyphs.bad} ", style),
        Span(f"{formatting.full_name(problem, result, display.glyphs)}: ", Style.STRONG),
        Span(formatting.describe_mismatch(problem, result), style),
    )


def _unanswered_block(
    problem: Problem, result: SolutionResult, unanswered: CaseResult, display: DisplayOptions
) -> Iterator[Line]:
    name = formatting.full_name(problem, result, display.glyphs)
    yield make_line(
        Span(f"{name}: ", Style.STRONG), f"the output of {one_line(unanswered.case.id, display.glyphs)}, ",
        "which has no answer to compare it with",
    )  # fmt: skip
    if unanswered.run:
        yield from label_lines("used", formatting.describe_usage(unanswered.run, unanswered.limits), display)
    if unanswered.output:
        yield from _excerpt_lines("output", unanswered.output, len(unanswered.output.lines), display)


def _message(label: str, texts: Sequence[str], display: DisplayOptions) -> Iterator[Line]:
    """Yield the lines of a message, the first one with a label."""
    for number, text in enumerate(texts):
        yield from label_lines(label if number == 0 else "", text, display)


def case_lines(failure: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    """Yield the verdict on a failing case, the difference, the input and what the program wrote."""
    yield from _facts(failure, display)
    parts = [_difference(failure, display)]
    if failure.transcript is not None:
        from judge.reporters.dialogue import dialogue_lines  # few problems are interactive

        parts.append(dialogue_lines(failure.transcript, display))
    if failure.excerpt is not None:
        parts.append(_excerpt_lines("input", failure.excerpt, _INPUT_LINES, display))
    parts.append(_standard_error(failure, display))
    texts = [text for text in map(list, parts) if text]
    for text in texts:
        yield from [(), *text]
    if texts:
        yield ()
    if legend := make_legend("\n".join(line_text(line) for text in texts for line in text), display.glyphs):
        yield from label_lines("legend", legend, display, Style.DIM)


def _facts(failure: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    yield from label_lines("case", one_line(failure.case.id, display.glyphs), display, Style.STRONG)
    if failure.case.why:
        yield from label_lines("why", one_line(failure.case.why, display.glyphs), display)
    yield from label_lines("verdict", formatting.describe_failure(failure, display.glyphs), display)
    if failure.verdict is Verdict.JE:
        who = "judge" if failure.case.checker.program is None else "problem"  # its checker or interactor
        yield from label_lines("", f"an error of the {who} or the machine, not of the solution", display)
    if failure.case.checker.program is not None:
        yield from _checker_message(failure, display)
    for hint in failure.mismatch.hints if failure.mismatch else ():
        yield from label_lines("note", one_line(hint, display.glyphs), display)
    if failure.run:
        yield from label_lines("used", formatting.describe_usage(failure.run, failure.limits), display)


def _checker_message(failure: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    """Yield what the checker wrote, unless the reason is all of it."""
    texts = list(safe_lines(failure.message, display.glyphs))
    if "\n" in failure.message or (failure.verdict is Verdict.JE and failure.message):
        shown = texts[-_MESSAGE_LINES:] if failure.verdict is Verdict.JE else texts[:_MESSAGE_LINES]
        yield from _message("checker", shown, display)
    if failure.team_message:
        yield from _message("to team", list(safe_lines(failure.team_message, display.glyphs))[:_MESSAGE_LINES], display)


def _difference(failure: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    if failure.mismatch:
        if failure.case.checker.program is not None:
            text = "the first difference from the answer, which need not be the reason"
            yield from label_lines("texts", text, display, Style.DIM)
        yield from diff_lines(build_rows(failure.mismatch, display.glyphs), display)
    elif failure.output and failure.verdict is not Verdict.NA:
        yield from _excerpt_lines("output", failure.output, _INPUT_LINES, display)


def _excerpt_lines(label: str, excerpt: Excerpt, most: int, display: DisplayOptions) -> Iterator[Line]:
    texts = excerpt.lines[:most]
    last = excerpt.first_line + len(texts) - 1
    yield from label_lines(label, _describe_range(excerpt, last), display, Style.DIM)
    for number, text in enumerate(texts, start=excerpt.first_line):
        pointer = display.glyphs.pointer if number == excerpt.focus else " "
        head = f"{'':{LABEL_WIDTH - 2}}{pointer} {number:>{len(str(last))}} {display.glyphs.rule} "
        yield _cut_line(head, text, display)


def _describe_range(excerpt: Excerpt, last: int) -> str:
    first, total = excerpt.first_line, excerpt.total_lines
    if not excerpt.lines:
        return "empty"
    if first == 1 and last == total:
        return format_count(total, "line")
    return f"line {first:,} of {total:,}" if first == last else f"lines {first:,} to {last:,} of {total:,}"


def _standard_error(failure: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    run = failure.run
    if run is None or not run.stderr_tail.strip():
        return
    texts = run.stderr_tail.rstrip().split(b"\n")
    shown = texts[-_STDERR_LINES:]
    label = "stderr"
    if run.stderr_cut or len(texts) > len(shown):
        whole = format_bytes(run.stderr_cut + len(run.stderr_tail)) if run.stderr_cut else f"{len(texts):,}"
        text = f"the last {format_count(len(shown), 'line')} of {whole}; --show-output prints all"
        yield from label_lines(label, text, display, Style.DIM)
        label = ""
    yield from _rule_lines(label, shown, display)


def _rule_lines(label: str, texts: Sequence[bytes | str], display: DisplayOptions) -> Iterator[Line]:
    """Yield lines that a program wrote, each beside a rule."""
    for number, text in enumerate(texts):
        head = f"  {label if number == 0 else ''}".ljust(LABEL_WIDTH) + f"{display.glyphs.rule} "
        data = text.encode(errors="surrogateescape") if isinstance(text, str) else text
        yield _cut_line(head, data.rstrip(), display, _STDERR_COLUMNS)


def _cut_line(head: str, text: bytes, display: DisplayOptions, columns: int | None = None) -> Line:
    """Return a line of untrusted text, cut to the width of the screen, or of a log to `columns`."""
    available = display.remaining(len(head)) or columns
    visible = cut_cells(tuple(cells(text, display.glyphs)), 0, available, display.glyphs)
    return make_line(Span(head, Style.DIM), "".join(cell.text for cell in visible))


def _rerun_line(problem: Problem, result: SolutionResult, failure: CaseResult | None, display: DisplayOptions) -> Line:
    is_of_case = failure is not None and failure.verdict is not Verdict.CE and not failure.case.is_static
    case = failure.case if failure and is_of_case else None
    command = formatting.rerun_command(
        problem, result.solution, case, options=result.rerun_args, ascii_only=display.glyphs.ascii_only
    )
    return _command_line("rerun", command)


def _command_line(label: str, command: str) -> Line:
    return make_line(Span(f"  {label}".ljust(LABEL_WIDTH), Style.DIM), Span(command, Style.COMMAND))
