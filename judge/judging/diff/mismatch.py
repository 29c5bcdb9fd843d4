"""Find the first difference between an output and the answer, with all that a person needs to see it."""

from operator import eq

from judge.judging.diff.chunks import TOKENS, Offsets, first_difference
from judge.judging.diff.hints import Whitespace, find_hints
from judge.judging.diff.rows import rows_around
from judge.judging.diff.tokens import Agrees, next_difference, token_number
from judge.model import Mismatch


def describe_mismatch(mismatch: Mismatch) -> str:
    """Describe a difference in one line: ``line 3, token 2: expected `17`, found `18` ``."""
    expected, found = (f"`{to_printable(text)}`" if text else "" for text in (mismatch.expected, mismatch.found))
    if mismatch.token:
        position = f"line {mismatch.line}, token {mismatch.token}"
        return f"{position}: expected {expected or 'nothing'}, found {found or 'nothing'}"
    position = f"line {mismatch.line}, column {mismatch.column}"
    return f"{position}: expected {expected and 'whitespace '}{expected or 'no whitespace'}, found {found or 'none'}"


def to_printable(text: bytes) -> str:
    """Decode bytes for a terminal: characters that are not printable are escaped as in Python."""
    decoded = text.decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in decoded)


def find_mismatch(
    answer: bytes,
    output: bytes,
    *,
    offsets: Offsets = (0, 0),
    agrees: Agrees = eq,
    whitespace_only: bool | None = None,
    significant: Whitespace = Whitespace.EVERYWHERE,
    before: int = 3,
    after: int = 8,
    width: int = 200,
) -> Mismatch:
    """Find the first difference.

    Args:
        answer: the expected output.
        output: an output that is not equal to the answer.
        offsets: where the first tokens or lines begin that the checker rejects, or the ends of the texts. By default,
            the first byte that differs decides.
        agrees: whether the checker accepts a line (with its line ending) or a token.
        whitespace_only: whether both texts have the same tokens; None to find out.
        significant: the whitespace that matters to the checker, which decides what to hint at.
        before: how many rows to return before the row of the difference.
        after: how many rows to return after it.
        width: how many bytes of a line to return.

    Raises:
        ValueError: the texts are equal.
    """
    if answer == output:
        raise ValueError("equal texts have no mismatch")
    if whitespace_only is None:
        whitespace_only = first_difference(answer, output, TOKENS) is None
    difference = next_difference(answer, output, offsets, agrees)
    answer_at, at = difference.offsets
    line_at = output.rfind(b"\n", 0, at) + 1
    return Mismatch(
        line=output.count(b"\n", 0, line_at) + 1,
        column=at - line_at + 1,
        token=0 if difference.is_space else token_number(output, line_at, at),
        expected_line=answer.count(b"\n", 0, answer_at) + 1,
        expected=difference.expected,
        found=difference.found,
        rows=rows_around(answer, output, difference.offsets, agrees, before=before, after=after, width=width),
        hints=find_hints(answer, output, difference, significant),
        whitespace_only=whitespace_only,
    )
