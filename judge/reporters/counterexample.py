"""What `judge stress` and `judge hack` show: the progress, and the counterexamples with their differences."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from judge.base.units import format_bytes, format_count, format_seconds
from judge.hack.values import Counterexample, Progress, SearchResult, count_tokens
from judge.model import Verdict
from judge.reporters.escape import Glyphs, one_line
from judge.reporters.failure import case_lines
from judge.reporters.lines import EMPTY, DisplayOptions, Fit, Line, Span, Style, label_line, make_line

if TYPE_CHECKING:  # only what is found has pictures
    from judge.reporters.pictures import Drawn


_NOT_CERTAIN = label_line("note", "no validator is known: the input may not be valid")


def describe_progress(progress: Progress) -> str:
    """Return the progress on one line."""
    if progress.phase.startswith("compiling"):
        return f"{progress.phase} {format_seconds(progress.seconds)}"
    rate = progress.inputs / progress.seconds if progress.seconds > 0 else 0.0
    parts = [
        f"{progress.phase} {format_seconds(progress.seconds)}",
        f"{format_count(progress.inputs, 'input')} ({rate:,.0f}/s)",
    ]
    if progress.tokens:
        parts.append(format_count(progress.tokens, "token"))
    elif progress.strategy:
        parts.append(f"now: {progress.strategy}")
    if progress.found:
        parts.append(f"{progress.found} found")
    return ", ".join(parts)


def result_lines(
    result: SearchResult, suspect: str, display: DisplayOptions, drawn: "Sequence[Drawn]" = ()
) -> Iterator[Line]:
    """Yield what a search has found, with small pictures of it, and what it did."""
    glyphs = display.glyphs
    name = one_line(suspect, glyphs)
    for number, each in enumerate(result.found):
        yield counterexample_title(each, name, glyphs)
        yield from case_lines(each.result, display)
        yield from counterexample_facts(each, glyphs)
        for pictures in drawn[number : number + 1]:
            from judge.reporters.pictures.terminal import drawn_lines

            if len(lines := list(drawn_lines(pictures, display))) <= 16:
                yield from lines
        yield EMPTY
    yield from other_lines(result, name, glyphs)
    yield summary_line(result, name)


def other_lines(result: SearchResult, name: str, glyphs: Glyphs) -> Iterator[Line]:
    """Yield what a search found besides counterexamples."""
    for found in result.disagreements:
        first, second = (one_line(each, glyphs) for each in found.names)
        title = f"two accepted solutions disagree: {first} and {second}"
        yield make_line(Span(f"{glyphs.bad} ", Style.FAULT), Span(title, Style.FAULT))
        yield from _text_lines("input", found.input, glyphs)
        for program, output in zip((first, second), found.outputs, strict=True):
            yield from _text_lines("output", output, glyphs, f"of {program}")
        yield from () if found.is_certain else [_NOT_CERTAIN]
        yield label_line("fix", "correct the wrong one; if both outputs are right, the problem needs a checker")
        yield EMPTY
    if (failure := result.judging_failure) is not None and not result.found:
        yield make_line(Span(f"{glyphs.bad} judging fails", Style.FAULT))
        yield label_line("error", one_line(failure.reason, glyphs))
        yield from _text_lines("input", failure.input, glyphs)
        if failure.output is not None:
            yield from _text_lines("output", failure.output, glyphs, "of the solution")
        yield from () if failure.is_certain else [_NOT_CERTAIN]
        yield EMPTY
    if result.slowest is not None:
        expensive = result.slowest
        yield make_line(
            Span(f"{name}: ", Style.STRONG),
            f"the most expensive input takes {format_seconds(expensive.cpu)} and {format_bytes(expensive.memory)} "
            f"({format_count(count_tokens(expensive.input), 'token')}, from {expensive.strategy})",
        )
        yield from _text_lines("input", expensive.input, glyphs)
        yield EMPTY
    for fault in result.faults:
        yield make_line(Span("note: ", Style.FAULT), one_line(fault, glyphs), fit=Fit.WRAP, head=1)


def summary_line(result: SearchResult, name: str) -> Line:
    """Return what a search did."""
    rate = f"{result.rate:,.0f}/s while searching"
    counts = f"{format_count(result.inputs, 'input')} in {format_seconds(result.seconds)} ({rate})"
    if result.rejected:
        counts += f", {result.rejected:,} of them not valid"
    counts += f"; seed {result.seed}"
    if result.was_interrupted:
        counts = f"interrupted; {counts}"
    failure = result.judging_failure
    is_certain = any(each.is_certain for each in result.disagreements) or (failure is not None and failure.is_certain)
    if result.found or result.slowest or is_certain:
        return make_line(counts, fit=Fit.WRAP)
    outcome = Span(f"{name}: no counterexample found", Style.GOOD)
    if not result.runs:
        reason = "it was run on no input" if result.inputs else "nothing was tried"
        outcome = Span(f"{name}: {reason}", Style.FAULT)
    return make_line(outcome, f"; {counts}", fit=Fit.WRAP)


def counterexample_title(found: Counterexample, name: str, glyphs: Glyphs) -> Line:
    """Return the verdict on a counterexample, and its size."""
    tokens = format_count(found.tokens, "token")
    before = count_tokens(found.found)
    size = tokens if before == found.tokens else f"{tokens}, shrunk from {before:,}"
    how = f"fails with {found.kind.variant}" if found.kind.variant else found.result.verdict.value
    return make_line(
        Span(f"{glyphs.bad} ", Style.BAD), Span(f"{name}: ", Style.STRONG),
        Span(f"{one_line(how, glyphs)} on an input of {size}", Style.BAD),
    )  # fmt: skip


def counterexample_facts(found: Counterexample, glyphs: Glyphs) -> Iterator[Line]:
    """Yield how a counterexample was found, and how certain it is."""
    if found.cause:
        yield label_line("cause", one_line(found.cause, glyphs))
    yield label_line("found by", one_line(found.strategy, glyphs))
    if found.lesson:
        yield label_line("lesson", found.lesson)
    if len(found.confirmed_by) > 1:
        agreeing = " and ".join(one_line(each, glyphs) for each in found.confirmed_by)
        yield label_line("answer", f"{agreeing} agree")
    elif found.confirmed_by and found.kind.verdict in (Verdict.WA, Verdict.PE):
        yield label_line("answer", f"of {one_line(found.confirmed_by[0], glyphs)}")
    if found.not_shown:
        text = f"outside what the samples show: check that the statement allows {', '.join(found.not_shown)}"
        yield label_line("valid?", one_line(text, glyphs))
    if not found.is_cold:
        yield label_line("note", "not confirmed by runs in new interpreters")


def _text_lines(label: str, data: bytes, glyphs: Glyphs, note: str = "") -> Iterator[Line]:
    lines = data.splitlines()
    count = format_count(len(lines), "line")
    yield label_line(label, f"{note}, {count}" if note else count, Style.DIM)
    for text in lines[:20]:  # of an output
        shown = one_line(text[:500].decode(errors="replace"), glyphs)
        yield make_line(f"{'':11}{shown}")
