"""The results of `judge grade`: a table of students and problems for all kinds of output, progress, and a summary.

The submissions of a class have ids such as `anna/sums`: the student, and the task. In a spreadsheet, each student has a
row; without such ids, each submission has.
"""

import csv
import io
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from msgspec import Struct

from judge.base.errors import UsageError
from judge.base.units import format_count, format_seconds
from judge.grading.summary import Summary
from judge.grading.values import Grade
from judge.problems.folder import natural_key
from judge.reporters import log_glyphs
from judge.reporters.escape import PLAIN, align, one_line
from judge.reporters.html.page import OutputFile
from judge.reporters.progress import format_about

_BOM = "\ufeff"  # without it, Excel does not read the file as UTF-8
_STUDENT, _SUBMISSION = ("student", "total"), ("submission", "task", "score")  # the header of a table of ours starts so
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # https://owasp.org/www-community/attacks/CSV_Injection
_COLUMNS = ("", " verdict", " time (s)", " first failure")


class GradeTable(Struct, frozen=True, kw_only=True):
    """The results of a class.

    Attributes:
        students: the rows.
        tasks: the columns.
        cells: the result of each submission.
        others: the results of files that are not a submission, by student; "" where the student is not known.
        late: the ids of submissions that were handed in late.
    """

    students: Sequence[str]
    tasks: Sequence[str]
    cells: Mapping[tuple[str, str], Grade]
    others: Mapping[str, Sequence[Grade]]
    late: Collection[str] = ()

    def row(self, student: str) -> list[Grade | None]:
        """Return the results of a student, one for each task; None where there is no submission."""
        return [self.cells.get((student, task)) for task in self.tasks]

    def total(self, student: str) -> float:
        """Return the sum of the scores of a student."""
        return round(sum(each.score or 0 for each in self.row(student) if each), 4)

    def accepted(self, task: str) -> int:
        """Return how many students solved a task."""
        results = (self.cells.get((student, task)) for student in self.students)
        return sum(each is not None and each.is_accepted for each in results)

    def is_late(self, result: Grade) -> bool:
        """Return whether a submission was late."""
        return result.id in self.late

    def label(self, result: Grade | None) -> str:
        """Return a result in few characters: its verdict, its score if it is between 0 and 1, and `*` if it is late."""
        if result is None:
            return "-"
        score = f" {result.score:.2g}" if result.score not in (None, 0, 1) else ""
        return f"{result.verdict}{score}{'*' if self.is_late(result) else ''}"


def make_table(
    results: Iterable[Grade], students: Sequence[str] = (), tasks: Iterable[str] = (), late: Collection[str] = ()
) -> GradeTable | None:
    """Return the table of results; None if ids do not name students.

    The `students` and `tasks` come first, and have a row or a column even without results. With `students`, as of a
    folder, other ids are allowed.
    """
    cells: dict[tuple[str, str], Grade] = {}
    others: dict[str, list[Grade]] = {}
    for each in results:
        task = each.task
        student = each.id.removesuffix(f"/{task}") if task else each.id.rpartition("/")[0]
        if task and student != each.id:
            cells[student, task] = each
        else:
            others.setdefault("" if task or (students and student not in students) else student, []).append(each)
    if not cells or (others and not students):
        return None
    found = sorted({student for student, _ in cells} | {student for student in others if student}, key=natural_key)
    columns = sorted({task for _, task in cells}, key=natural_key)
    return GradeTable(
        students=list(dict.fromkeys([*students, *found])),
        tasks=list(dict.fromkeys([*tasks, *columns])),
        cells=cells,
        others=others,
        late=late,
    )


def table_lines(table: GradeTable) -> Iterator[str]:
    """Yield the lines of a table for the terminal."""
    rows = [["", *(one_line(task, PLAIN) for task in table.tasks), "total"]]
    for student in table.students:
        labels = [table.label(each) for each in table.row(student)]
        rows.append([one_line(student, PLAIN), *labels, f"{table.total(student):g}"])
    rows.append(["accepted", *(str(table.accepted(task)) for task in table.tasks), ""])
    yield from align(rows)
    if table.late:
        yield "* late"


class CsvFile(OutputFile):
    """A table for spreadsheets that is written at the end of a command, and checked at its beginning.

    Raises:
        UsageError: the file cannot be written, or is not such a table and is not to be overwritten.
    """

    def __init__(self, path: Path, *, is_forced: bool = False) -> None:
        if str(path) == "-":
            raise UsageError("--csv -: expected a file, such as grades.csv")
        marks = [f"{_BOM}{','.join(each)},".encode() for each in (_STUDENT, _SUBMISSION)]
        super().__init__("--csv", path, "table", marks, is_forced=is_forced)

    def write(self, results: Sequence[Grade], table: GradeTable | None) -> None:
        """Write results: a row for each student, or for each submission.

        Raises:
            StoreError: the disk is full, for example.
        """
        text = io.StringIO()
        text.write(_BOM)
        rows: list[list[object]] = [
            [*_SUBMISSION, *(column.strip() for column in _COLUMNS[1:])],
            *([each.id, each.task, *_values(each)] for each in results),
        ]
        if table is not None:
            columns = [f"{task}{column}" for task in table.tasks for column in _COLUMNS]
            rows = [[*_STUDENT, *columns, "late", "not graded"]]
            for student in [*table.students, *([""] if "" in table.others else [])]:
                row = table.row(student)
                late = [each.task for each in row if each and table.is_late(each)]
                others = [each.fault for each in table.others.get(student, ())]
                values = [value for each in row for value in (_values(each) if each else [""] * len(_COLUMNS))]
                rows.append([student, table.total(student), *values, ", ".join(late), "; ".join(others)])
        csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
        self.write_bytes(text.getvalue().encode())


def _values(result: Grade) -> list[object]:
    """Return the values of `_COLUMNS`."""
    failure = result.first_failure
    reason = result.fault or (f"{failure.case}: {failure.reason}" if failure else "")
    score, cpu = ("" if each is None else round(each, 4) for each in (result.score, result.cpu_s))
    return [score, result.verdict, cpu, reason]


def _cell(value: object) -> object:
    """Return a value that a spreadsheet takes for nothing but a number or a text: students choose names and outputs."""
    if not isinstance(value, str):
        return f"{value:g}" if isinstance(value, float) else value
    text = one_line(value, PLAIN)
    return f"'{text}" if text.startswith(_FORMULA) else text


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
            if done and 0.01 < share < 1:  # the share from which on it says how much time is left
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
