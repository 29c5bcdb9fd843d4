"""The progress and the summary of a stream of submissions that is graded."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TextIO

from judge.base.units import format_count, format_seconds
from judge.grading.summary import Summary
from judge.reporters import log_glyphs
from judge.reporters.escape import one_line
from judge.reporters.progress import format_about

_MIN_ESTIMATED = 0.01  # the share from which on it says how much time is left


class StreamProgress:
    """Counts the results of a stream, and says how far it is.

    Args:
        share: returns how much of the submissions was read, from 0 to 1; None if that is not known.
        clock: returns seconds.
    """

    def __init__(self, share: Callable[[], float | None], clock: Callable[[], float] = time.monotonic) -> None:
        self._share = share
        self._clock = clock
        self._start = clock()
        self._verdicts: Counter[str] = Counter()

    def add(self, verdict: str) -> None:
        """Count a result."""
        self._verdicts[verdict] += 1

    def line(self) -> str:
        """Return a line of progress."""
        done, elapsed, share = self._verdicts.total(), self._clock() - self._start, self._share()
        parts = [f"{done:,} graded"]
        if done and elapsed > 0:
            parts.append(f"{done / elapsed:.1f}/s")
        if share:
            parts.append(f"{100 * share:.0f} % read")
            if done and _MIN_ESTIMATED < share < 1:
                parts.append(f"{format_about(elapsed * (1 - share) / share)} left")
        counts = " ".join(f"{verdict} {count:,}" for verdict, count in self._verdicts.most_common())
        return ", ".join(parts) + (f"  {counts}" if counts else "")


def render_summary(summary: Summary, ks: Sequence[int], stream: TextIO) -> str:
    """Return the summary of a stream as text, without a newline at its end."""
    glyphs = log_glyphs(stream)
    lines = [f"{format_count(summary.rows, 'submission')}, {format_count(summary.tasks, 'task')}"]
    verdicts = "  ".join(f"{name} {count:,}" for name, count in summary.verdicts.most_common())
    lines.append(f"verdicts   {verdicts}" if verdicts else "verdicts   none")
    for k in ks:
        found = summary.pass_at(k)
        if found is not None:
            lines.append(f"{f'pass@{k}':<11}{100 * found[0]:.2f} %  ({format_count(found[1], 'task')})")
    if summary.fenced:
        lines.append(f"Markdown   {summary.fenced:,} do not compile because of ```: --extract-code takes the code out")
    if summary.uncertain:
        lines.append(f"uncertain  {summary.uncertain:,}: near a limit, and another verdict when repeated")
    for number, (cpu, row_id) in enumerate(summary.slowest):
        lines.append(f"{'slowest' if number == 0 else '':<11}{format_seconds(cpu)}  {one_line(row_id, glyphs)}")
    if summary.without_score:
        lines.append(f"no score   {summary.without_score:,}: the fault is not the submission's")
        lines += [f"{'':<11}{one_line(row_id, glyphs)}: {one_line(fault, glyphs)}" for row_id, fault in summary.faults]
        if (others := summary.without_score - len(summary.faults)) > 0:
            lines.append(f"{'':<11}and {others:,} more")
    return "\n".join(lines)
