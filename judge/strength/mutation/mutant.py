"""A mutant: where a source is changed, and how."""

import hashlib

from msgspec import Struct

OPERATORS_VERSION = 3
"""Changes whenever the same source gets other mutants: certificates that were written before are then outdated."""


class Mutant(Struct, frozen=True, kw_only=True):
    """One change of a source. All positions are byte offsets, ends are exclusive.

    Attributes:
        operator: the kind of mistake, such as `comparison`.
        start, end: what is replaced.
        replacement: what replaces it.
        line: 1-based line of `start`.
        probe_start, probe_end: the expression around the change whose value shows whether the change matters; both 0 if
            the change is not within an expression that can be evaluated twice.
        statement: where the statement begins that contains the change; -1 if nothing can be put in front of it.
    """

    operator: str
    start: int
    end: int
    replacement: bytes
    line: int
    probe_start: int = 0
    probe_end: int = 0
    statement: int = -1

    @property
    def has_probe(self) -> bool:
        """Whether an expression shows if the change matters."""
        return self.probe_end > self.probe_start

    def apply(self, text: bytes) -> bytes:
        """Return the mutated source."""
        return text[: self.start] + self.replacement + text[self.end :]

    def before(self, text: bytes) -> str:
        """Return the changed lines of the source, without the indentation of the first."""
        return _lines(text, self.start, self.end)

    def after(self, text: bytes) -> str:
        """Return the same lines of the mutant."""
        return _lines(self.apply(text), self.start, self.start + len(self.replacement))


def mutant_digest(text: bytes) -> str:
    """Return a short hash of a mutated source, in hex."""
    return hashlib.blake2b(text, digest_size=10).hexdigest()


def _lines(text: bytes, start: int, end: int) -> str:
    first = text.rfind(b"\n", 0, start) + 1
    last = text.find(b"\n", max(end, start))
    return text[first : len(text) if last < 0 else last].decode(errors="replace").strip()
