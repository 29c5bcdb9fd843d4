"""All that a person needs to understand one surprise: the case, the difference, the input, and how to run it again."""

from collections.abc import Iterator, Sequence

from judge.model import CaseResult, Excerpt, Problem, SolutionResult, Verdict
from judge.reporters import formatting as words
from judge.reporters.diffview import diff_lines, legend, rows_of, window
from judge.reporters.escape import cells, lines, one_line
from judge.reporters.formatting import rerun_command
from judge.reporters.lines import LABEL_WIDTH, DisplayOptions, Line, Span, Style, labelled, line, text_of

_INPUT_LINES = 12
_STDERR_LINES = 10
_WITH_STDERR = frozenset({Verdict.RTE, Verdict.MLE, Verdict.JE})


def surprise_lines(problem: Problem, results: Sequence[SolutionResult], look: DisplayOptions) -> Iterator[Line]:
    """Yield a block on each solution of a problem that did not earn what it should, an empty line after each.

    A case whose data is broken is described once, in the first block that it stands in.
    """
    told: set[str] = set()
    for result in results:
        if not result.as_expected:
            yield from _block(problem, result, look, told)
            yield ()


def _block(problem: Problem, result: SolutionResult, look: DisplayOptions, told: set[str]) -> Iterator[Line]:
    yield _title(problem, result, look)
    if result.message:
        yield from _message(result, look)
    if not result.failures:
        yield from labelled("verdict", words.never_came(result), look)
        yield from _again(problem, result, None, look)
    for number, failure in enumerate(result.failures):
        yield from [()] if number else []
        if failure.verdict is Verdict.JE and failure.run is None and failure.case.id in told:
            yield from labelled("case", f"{one_line(failure.case.id, look.marks)}: as above", look)
            continue
        yield from _failure(problem, result, failure, look)
        if failure.verdict is Verdict.JE:
            told.add(failure.case.id)


def _title(problem: Problem, result: SolutionResult, look: DisplayOptions) -> Line:
    role = Style.FAULT if result.verdict is Verdict.JE else Style.BAD
    return line(
        Span(f"{look.marks.bad} ", role),
        Span(f"{words.full_name(problem, result, look.marks)}: ", Style.STRONG),
        Span(words.got(result), role),
        Span(f", {words.expected(result)}", Style.STRONG),
    )


def _message(result: SolutionResult, look: DisplayOptions) -> Iterator[Line]:
    label = "compiler" if result.verdict is Verdict.CE else "message"
    for number, text in enumerate(lines(result.message, look.marks)):
        yield from labelled(label if number == 0 else "", text, look)


def _failure(problem: Problem, result: SolutionResult, failure: CaseResult, look: DisplayOptions) -> Iterator[Line]:
    if failure.verdict is not Verdict.CE:
        yield from _facts(failure, look)
        parts = [_difference(failure, look), _input(failure, look), _standard_error(failure, look)]
        texts = [text for text in map(list, parts) if text]
        for text in texts:
            yield from [(), *text]
        if texts:
            yield ()
        if meaning := legend("\n".join(text_of(each) for text in texts for each in text), look.marks):
            yield from labelled("signs", meaning, look, Style.DIM)
    yield from _again(problem, result, failure, look)


def _facts(failure: CaseResult, look: DisplayOptions) -> Iterator[Line]:
    yield from labelled("case", one_line(failure.case.id, look.marks), look, Style.STRONG)
    if failure.case.why:
        yield from labelled("why", one_line(failure.case.why, look.marks), look)
    reason = one_line(failure.reason, look.marks) or words.MEANING[failure.verdict]
    yield from labelled("verdict", f"{failure.verdict}: {reason}", look)
    if failure.verdict is Verdict.JE:
        yield from labelled("", "the judge's or the test data's fault, not the solution's", look)
    for note in failure.mismatch.notes if failure.mismatch else ():
        yield from labelled("note", one_line(note, look.marks), look)
    if failure.run:
        yield from labelled("used", words.used(failure.run, failure.limits), look)


def _difference(failure: CaseResult, look: DisplayOptions) -> Iterator[Line]:
    return diff_lines(rows_of(failure.mismatch, look.marks), look) if failure.mismatch else iter(())


def _input(failure: CaseResult, look: DisplayOptions) -> Iterator[Line]:
    excerpt = failure.excerpt
    if excerpt is None:
        return
    texts = excerpt.lines[:_INPUT_LINES]
    last = excerpt.first_line + len(texts) - 1
    yield from labelled("input", _which_lines(excerpt, last), look, Style.DIM)
    for number, text in enumerate(texts, start=excerpt.first_line):
        here = look.marks.here if number == excerpt.focus else " "
        yield _cut(f"{'':{LABEL_WIDTH - 2}}{here} {number:>{len(str(last))}} {look.marks.rule} ", text, look)


def _which_lines(excerpt: Excerpt, last: int) -> str:
    first, total = excerpt.first_line, excerpt.total_lines
    if not excerpt.lines:
        return "empty"
    if first == 1 and last == total:
        return words.count(total, "line")
    return f"line {first:,} of {total:,}" if first == last else f"lines {first:,} to {last:,} of {total:,}"


def _standard_error(failure: CaseResult, look: DisplayOptions) -> Iterator[Line]:
    if failure.run is None or failure.verdict not in _WITH_STDERR or not failure.run.stderr_tail.strip():
        return
    texts = failure.run.stderr_tail.rstrip().split(b"\n")[-_STDERR_LINES:]
    for number, text in enumerate(texts):
        head = f"  {'stderr' if number == 0 else ''}".ljust(LABEL_WIDTH) + f"{look.marks.rule} "
        yield _cut(head, text.rstrip(), look)


def _cut(head: str, text: bytes, look: DisplayOptions) -> Line:
    """Return a line of a stranger's text, cut to the screen."""
    seen = window(tuple(cells(text, look.marks)), 0, look.room(len(head)), look.marks)
    return line(Span(head, Style.DIM), "".join(cell.text for cell in seen))


def _again(
    problem: Problem, result: SolutionResult, failure: CaseResult | None, look: DisplayOptions
) -> Iterator[Line]:
    case = failure.case if failure and failure.verdict is not Verdict.CE else None
    command = rerun_command(problem, result.solution, case, options=result.options, ascii_only=look.marks.ascii_only)
    yield line(Span("  again".ljust(LABEL_WIDTH), Style.DIM), Span(command, Style.COMMAND))
