"""The form of an output: what every reader overlooks and a judge that compares bytes does not."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What is wrong with an output's form.

    Attributes:
        lacks_newline: its last line does not end.
        trailing: 1-based number of the first line that ends in a blank where the answer's does not; 0 for none.
        has_returns: its lines end in CR LF and the answer's do not.
    """

    lacks_newline: bool = False
    trailing: int = 0
    has_returns: bool = False

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return self == Form()


def form_of(output: bytes, answer: bytes) -> Form:
    """Return what is wrong with an output's form; what the answer has too is wanted."""
    has_returns = b"\r\n" in output and b"\r\n" not in answer
    return Form(
        lacks_newline=bool(output) and not output.endswith(b"\n") and (not answer or answer.endswith(b"\n")),
        trailing=_trailing(output, answer),
        has_returns=has_returns,
    )


def _trailing(output: bytes, answer: bytes) -> int:
    wanted = answer.split(b"\n")
    for number, line in enumerate(output.split(b"\n"), 1):
        text = line.removesuffix(b"\r")
        is_wanted = number <= len(wanted) and wanted[number - 1].removesuffix(b"\r") == text
        if text != text.rstrip(b" \t") and not is_wanted:
            return number
    return 0
