"""A password or token that no message, log or traceback shows."""

from collections.abc import Iterable

HIDDEN = "***"


class Secret:
    """Holds a text; only `reveal` gives it away."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text, to be sent and for nothing else."""
        return self._text

    def __repr__(self) -> str:
        return f"Secret({HIDDEN})"

    __str__ = __repr__

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a secret is not written anywhere")


def without(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text of somebody else's with every secret in it hidden."""
    for secret in sorted({secret.reveal() for secret in secrets}, key=len, reverse=True):  # one may be part of another
        if secret:
            text = text.replace(secret, HIDDEN)
    return text
