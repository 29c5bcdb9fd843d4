"""The first difference between an answer and an output, with all that a person needs to see it."""

from operator import eq

from judge.judging.diff.chunks import TOKENS, first_difference
from judge.judging.diff.hints import Spaces, notes_on
from judge.judging.diff.rows import rows_around
from judge.judging.diff.tokens import Agrees, difference_after, token_number
from judge.model import Mismatch


def describe(mismatch: Mismatch) -> str:
    """Say where and how an output differs: ``line 3, token 2: expected `17`, found `18` ``."""
    expected, found = (f"`{shown(text)}`" if text else "" for text in (mismatch.expected, mismatch.found))
    if mismatch.token:
        place = f"line {mismatch.line}, token {mismatch.token}"
        return f"{place}: expected {expected or 'nothing'}, found {found or 'nothing'}"
    place = f"line {mismatch.line}, column {mismatch.column}"
    return f"{place}: expected {expected and 'white space '}{expected or 'no white space'}, found {found or 'none'}"


def shown(text: bytes) -> str:
    """Decode bytes so that a terminal can print them: what is not printable is escaped as in Python."""
    decoded = text.decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in decoded)


def mismatch(
    answer: bytes,
    output: bytes,
    *,
    place: tuple[int, int] = (0, 0),
    agrees: Agrees = eq,
    whitespace_only: bool | None = None,
    spaces: Spaces = Spaces.EVERYWHERE,
    before: int = 3,
    after: int = 8,
    width: int = 200,
) -> Mismatch:
    """Locate and present the first difference.

    Args:
        answer: what is expected.
        output: what was found; not the answer.
        place: 0-based places in the answer and in the output where the first tokens or lines begin that the checker
            rejects, or the ends of the texts; by default the first byte that differs decides.
        agrees: whether the checker takes two lines (with their ends) or two tokens for the same.
        whitespace_only: whether both have the same tokens, where the checker knows; else it is found out.
        spaces: where white space matters, that is, which notes help.
        before: how many rows to show before that of the first difference.
        after: how many rows to show after it.
        width: how many bytes of a line to show.

    Raises:
        ValueError: the texts are equal.
    """
    if answer == output:
        raise ValueError("equal texts have no mismatch")
    if whitespace_only is None:
        whitespace_only = first_difference(answer, output, TOKENS) is None
    difference = difference_after(answer, output, place, agrees)
    answer_at, at = difference.place
    line_at = output.rfind(b"\n", 0, at) + 1
    return Mismatch(
        line=output.count(b"\n", 0, line_at) + 1,
        column=at - line_at + 1,
        token=0 if difference.is_space else token_number(output, line_at, at),
        expected_line=answer.count(b"\n", 0, answer_at) + 1,
        expected=difference.expected,
        found=difference.found,
        rows=rows_around(answer, output, difference.place, agrees, before=before, after=after, width=width),
        notes=notes_on(answer, output, difference, spaces),
        whitespace_only=whitespace_only,
    )
