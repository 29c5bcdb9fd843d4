"""The blocks on failing cases: the verdict, the difference, the input, and the command that reruns the case.

A case without an answer has a block, too: with the output, which nothing else judges.
"""

from collections.abc import Iterator, Sequence

from judge.base.units import format_bytes, format_count
from judge.languages.messages import excerpt
from judge.model import CaseResult, Excerpt, Problem, SolutionResult, Verdict
from judge.reporters import formatting
from judge.reporters.diffview import build_rows, diff_lines, make_legend
from judge.reporters.escape import Glyphs, escape_text, one_line, safe_lines, shorten
from judge.reporters.lines import (
    EMPTY,
    LABEL_WIDTH,
    DisplayOptions,
    Fit,
    Line,
    Span,
    Style,
    label_line,
    label_lines,
    line_text,
    make_line,
)

_INPUT_LINES = 12
_MESSAGE_LINES = 20


def failure_lines(problem: Problem, results: Sequence[SolutionResult], display: DisplayOptions) -> Iterator[Line]:
    """Yield a block on each unexpected result of a problem and on outputs to look at, with an empty line after each."""
    glyphs = display.glyphs
    for result in results:
        if not result.as_expected:
            yield from _block(problem, result, display)
            yield EMPTY
        for unanswered in (each for each in result.unanswered if each.data is None):  # else it is shown completely
            name = formatting.full_name(problem, result, glyphs)
            text = f"the output of {one_line(unanswered.case.id, glyphs)}, which has no answer to compare it with"
            yield make_line(Span(f"{name}: ", Style.STRONG), text, fit=Fit.WRAP)
            if unanswered.run:
                yield label_line("used", formatting.describe_usage(unanswered.run, unanswered.limits))
            if unanswered.output:
                yield from _excerpt_lines("output", unanswered.output, len(unanswered.output.lines), glyphs)
            yield EMPTY
        if (more := result.counts.get(Verdict.NA, 0) - len(result.unanswered)) > 0:
            yield make_line(f"  {format_count(more, 'more case')} without an answer")
            yield EMPTY


def _block(problem: Problem, result: SolutionResult, display: DisplayOptions) -> Iterator[Line]:
    glyphs = display.glyphs
    style = Style.FAULT if result.verdict is Verdict.JE else Style.BAD
    yield make_line(
        Span(f"{glyphs.bad} ", style),
        Span(f"{formatting.full_name(problem, result, glyphs)}: ", Style.STRONG),
        Span(formatting.describe_mismatch(problem, result), style),
        fit=Fit.WRAP,
        head=1,
    )
    yield from solution_lines(problem, result, glyphs)
    for number, failure in enumerate(result.failures):
        yield from [EMPTY] if number else []
        if failure.verdict is not Verdict.CE:
            yield from case_lines(failure, display)
        yield _rerun_line(problem, result, failure, glyphs)


def solution_lines(problem: Problem, result: SolutionResult, glyphs: Glyphs) -> Iterator[Line]:
    """Yield what is wrong with a solution besides single cases: what the compiler says, and requirements."""
    if result.message:
        label = "compiler" if result.verdict is Verdict.CE else "message"
        yield from label_lines(label, safe_lines(result.message, glyphs))
        if text := formatting.compiler_text(result):
            shown = excerpt(text, result.solution.path.name, 20)
            texts = [each.encode(errors="surrogateescape") for each in shown]
            yield from _rule_lines("", texts, glyphs, Fit.WRAP)
            if (more := len(text.splitlines()) - len(shown)) > 0:
                yield label_line("", f"and {format_count(more, 'more line')}; --show-output prints all", Style.DIM)
    if result.failures:
        yield from [label_line("unmet", "; ".join(result.unmet))] if result.unmet else []
        return
    if result.verdict is not Verdict.JE:  # otherwise the message says what is wrong
        yield label_line("unmet" if result.unmet else "verdict", formatting.describe_missing_verdict(result))
    yield _rerun_line(problem, result, None, glyphs)
    if command := formatting.hack_command(problem, result, ascii_only=glyphs.ascii_only):
        yield label_line("hack", command, Style.COMMAND, Fit.KEEP)


def case_lines(failure: CaseResult, display: DisplayOptions) -> Iterator[Line]:
    """Yield the verdict on a failing case, the difference, the input and what the program wrote."""
    glyphs = display.glyphs
    yield from fact_lines(failure, glyphs)
    difference: list[Line] = []
    if failure.mismatch:
        if failure.case.checker.program is not None:
            text = "the first difference from the answer, which need not be the reason"
            difference.append(label_line("texts", text, Style.DIM))
        difference += diff_lines(build_rows(failure.mismatch, glyphs), display)
    elif failure.output and failure.verdict is not Verdict.NA:
        difference += output_lines(failure.output, glyphs)
    texts = [difference] if difference else []
    if failure.transcript is not None:
        from judge.reporters.dialogue import dialogue_lines  # few problems are interactive

        texts.append(list(dialogue_lines(failure.transcript, display)))
    texts += data_parts(failure, glyphs)
    for lines in texts:
        yield from [EMPTY, *lines]
    if texts:
        yield EMPTY
    if legend := make_legend("\n".join(line_text(line)[: display.width] for lines in texts for line in lines), glyphs):
        yield label_line("legend", legend, Style.DIM)


def data_parts(failure: CaseResult, glyphs: Glyphs) -> Iterator[list[Line]]:
    """Yield the lines of the input and of standard error, as far as they are known."""
    if failure.excerpt is not None:
        yield list(_excerpt_lines("input", failure.excerpt, _INPUT_LINES, glyphs))
    if stderr := list(_standard_error(failure, glyphs)):
        yield stderr


def fact_lines(failure: CaseResult, glyphs: Glyphs) -> Iterator[Line]:
    """Yield the case, the verdict and its reason, what programs of the problem say, and what the run used."""
    yield label_line("case", one_line(failure.case.id, glyphs), Style.STRONG)
    if failure.case.why:
        yield label_line("why", one_line(failure.case.why, glyphs))
    yield label_line("verdict", formatting.describe_failure(failure, glyphs))
    is_fault = failure.verdict is Verdict.JE
    has_program = failure.case.checker.program is not None  # a checker or interactor of the problem
    if is_fault:
        who = "problem" if has_program else "judge"
        yield label_line("", f"an error of the {who} or the machine, not of the solution")
    if has_program:
        if "\n" in failure.message or (is_fault and failure.message):  # else the reason is all of it
            texts = list(safe_lines(failure.message, glyphs))
            yield from label_lines("checker", texts[-_MESSAGE_LINES:] if is_fault else texts[:_MESSAGE_LINES])
        if failure.team_message:
            yield from label_lines("to team", list(safe_lines(failure.team_message, glyphs))[:_MESSAGE_LINES])
    for hint in failure.mismatch.hints if failure.mismatch else ():
        yield label_line("note", one_line(hint, glyphs))
    if failure.run:
        yield label_line("used", formatting.describe_usage(failure.run, failure.limits))


def output_lines(output: Excerpt, glyphs: Glyphs) -> Iterator[Line]:
    """Yield the beginning of an output that is not compared with an answer."""
    return _excerpt_lines("output", output, _INPUT_LINES, glyphs)


def _excerpt_lines(label: str, excerpt: Excerpt, most: int, glyphs: Glyphs) -> Iterator[Line]:
    texts = excerpt.lines[:most]
    first, total = excerpt.first_line, excerpt.total_lines
    last = first + len(texts) - 1
    if not excerpt.lines:
        range_ = "empty"
    elif first == 1 and last == total:
        range_ = format_count(total, "line")
    else:
        range_ = f"line {first:,} of {total:,}" if first == last else f"lines {first:,} to {last:,} of {total:,}"
    yield label_line(label, range_, Style.DIM)
    for number, text in enumerate(texts, start=first):
        pointer = glyphs.pointer if number == excerpt.focus else " "
        head = f"{'':{LABEL_WIDTH - 2}}{pointer} {number:>{len(str(last))}} {glyphs.rule} "
        yield make_line(Span(head, Style.DIM), escape_text(text, glyphs), fit=Fit.CUT)


def _standard_error(failure: CaseResult, glyphs: Glyphs) -> Iterator[Line]:
    run = failure.run
    if run is None or not run.stderr_tail.strip():
        return
    texts = run.stderr_tail.rstrip().split(b"\n")
    shown = texts[-10:]
    label = "stderr"
    if run.stderr_cut or len(texts) > len(shown):
        whole = format_bytes(run.stderr_cut + len(run.stderr_tail)) if run.stderr_cut else f"{len(texts):,}"
        text = f"the last {format_count(len(shown), 'line')} of {whole}; --show-output prints all"
        yield label_line(label, text, Style.DIM)
        label = ""
    yield from _rule_lines(label, shown, glyphs)


def _rule_lines(label: str, texts: Sequence[bytes], glyphs: Glyphs, fit: Fit = Fit.CUT) -> Iterator[Line]:
    """Yield lines that a program wrote, each beside a rule."""
    for number, text in enumerate(texts):
        head = f"  {'' if number else label}".ljust(LABEL_WIDTH) + f"{glyphs.rule} "
        shown = shorten(escape_text(text.rstrip(), glyphs), 400, glyphs.ellipsis)
        yield make_line(Span(head, Style.DIM), shown, fit=fit, head=1)


def _rerun_line(problem: Problem, result: SolutionResult, failure: CaseResult | None, glyphs: Glyphs) -> Line:
    return label_line("rerun", rerun_failure(problem, result, failure, glyphs), Style.COMMAND, Fit.KEEP)


def rerun_failure(problem: Problem, result: SolutionResult, failure: CaseResult | None, glyphs: Glyphs) -> str:
    """Return the command that judges a failing case again; without one, or if no case decides, the solution."""
    is_of_case = failure is not None and failure.verdict is not Verdict.CE and not failure.case.is_static
    return formatting.rerun_command(
        problem,
        result.solution,
        failure.case if failure and is_of_case else None,
        options=result.rerun_args,
        ascii_only=glyphs.ascii_only,
    )
