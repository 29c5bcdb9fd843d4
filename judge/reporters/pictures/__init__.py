"""Pictures of inputs for people: as SVG for files and pages, and in the characters of a terminal.

    layout      where the nodes of trees and graphs are
    svg         a picture as SVG
    terminal    a picture as lines

They are loaded only where a picture is wanted.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from judge.base.data import is_huge, read_data
from judge.base.errors import JudgeError, describe_error
from judge.inputs import Grammar
from judge.inputs.pictures import (
    MOST_CELLS,
    MOST_NODES,
    Grid,
    Marks,
    Network,
    Pair,
    Picture,
    find_marks,
    find_pictures,
)
from judge.model import Case, CaseData, CaseResult, Problem
from judge.preparation.cases import ReadyCase
from judge.preparation.visualize import INPUT, Image, visualize
from judge.reporters.formatting import list_some
from judge.workspace.session import Session

_MARKS = ("", "expected", "found", "both")


class Drawing(Struct, frozen=True, kw_only=True):
    """A picture, and what the answer and the output name in it."""

    picture: Picture
    expected: Marks = Marks()
    found: Marks = Marks()

    def mark(self, place: int) -> str:
        """Return what names an element: `expected`, `found`, `both` or nothing."""
        return _MARKS[(place in self.expected.places) + 2 * (place in self.found.places)]

    def mark_edge(self, edge: Pair) -> str:
        """Return what names an edge."""
        return _MARKS[(edge in self.expected.edges) + 2 * (edge in self.found.edges)]

    @property
    def legend(self) -> list[tuple[str, str]]:
        """What the answer and the output name, as (`expected` or `found`, elements)."""
        names = {"expected": self._describe(self.expected), "found": self._describe(self.found)}
        return [(name, text) for name, text in names.items() if text]

    @property
    def captions(self) -> list[str]:
        """What the picture is, and what is marked in it."""
        return [self.picture.title, *(f"{name}: {text}" for name, text in self.legend)]

    @property
    def too_large(self) -> str:
        """Why a picture is not drawn."""
        most = f"{MOST_CELLS} rows and columns" if isinstance(self.picture.shape, Grid) else f"{MOST_NODES}"
        return f"not drawn, as it has more than {most}"

    def _describe(self, marks: Marks) -> str:
        shape = self.picture.shape
        if marks.edges:
            assert isinstance(shape, Network)
            pairs = [edge for edge in dict.fromkeys(shape.edges) if edge in marks.edges]
            return f"edges {_join(f'{shape.values[one]}-{shape.values[other]}' for one, other in pairs)}"
        places = sorted(marks.places)
        if isinstance(shape, Grid):
            cells = (divmod(place, shape.columns) for place in places)
            return f"cells {_join(f'({row + 1}, {column + 1})' for row, column in cells)}" if places else ""
        names = shape.values if isinstance(shape, Network) else range(1, shape.size + 1)
        return f"{shape.noun}s {_join(str(names[place]) for place in places)}" if places else ""


def _join(names: Iterable[str]) -> str:
    return list_some(list(names), 12)


class Drawn(Struct, frozen=True, kw_only=True):
    """What is drawn of a case: by the judge, or by programs of the problem; and what went wrong with these."""

    drawings: Sequence[Drawing] = ()
    images: Sequence[Image] = ()
    notes: Sequence[str] = ()


def draw_case(
    problem: Problem, case: Case, session: Session, *, data: CaseData | None = None, output: bytes | None = None
) -> Drawn:
    """Return what can be drawn of a case, with what its answer and an output name marked.

    Without its data, the case is prepared. An input that a program of the problem draws is not drawn again. What
    prevents a picture is a note: the report that has it is worth more.
    """
    try:
        if data is None:
            (ready,) = session.prepare(problem, [case])
            if not isinstance(ready, ReadyCase) or case.is_static:
                return Drawn()
            data = CaseData(input=ready.input, answer=ready.answer, output=output or b"", stderr=b"")
        answer = data.answer or b""
        images, notes = visualize(
            problem, case, session.store, session.executor.map, given=data.input, answer=answer, output=output
        )
        found: list[Drawing] = []
        if not any(each.program == INPUT for each in images) and not is_huge(data.input):
            samples = _read_samples(problem, case, session)
            answer = b"" if is_huge(answer) else read_data(answer)
            found = draw(read_data(data.input), problem.grammar, samples, answer=answer, output=output or b"")
    except (JudgeError, OSError) as error:
        return Drawn(notes=[describe_error(error)])
    return Drawn(drawings=found, images=images, notes=notes)


def draw_failure(problem: Problem, failure: CaseResult, session: Session) -> Drawn:
    """Return what can be drawn of a failing case; its output is marked if all of it is known."""
    output = None
    if failure.output is not None and len(failure.output.lines) == failure.output.total_lines:
        output = b"\n".join(failure.output.lines)
    elif failure.mismatch is not None:
        rows = [row for row in failure.mismatch.rows if row.found is not None]
        is_whole = all(row.found_line == number and row.found_cut == (0, 0) for number, row in enumerate(rows, 1))
        if is_whole and len(failure.mismatch.rows) <= 8:  # with more, the output may be longer than what they show
            output = b"".join(row.found or b"" for row in rows)
    return draw_case(problem, failure.case, session, output=output)


def _read_samples(problem: Problem, case: Case, session: Session) -> list[bytes]:
    """Return the inputs of cases that show what the input of another one is; none if a grammar says it."""
    others = [each for each in problem.cases if not each.is_static and each != case and problem.grammar is None]
    near = ([each for each in others if each.group == "sample"] or others)[:8]
    prepared = session.prepare(problem, near) if near else ()
    return [read_data(each.input) for each in prepared if isinstance(each, ReadyCase) and not is_huge(each.input)]


def draw(
    data: bytes,
    grammar: Grammar | None,
    samples: Sequence[bytes] = (),
    *,
    answer: bytes = b"",
    output: bytes = b"",
) -> list[Drawing]:
    """Return what can be drawn of an input, with what the answer and an output name marked; see `find_pictures`."""
    return [
        Drawing(picture=each, expected=find_marks(each, answer), found=find_marks(each, output))
        for each in find_pictures(data, grammar, samples)
    ]
