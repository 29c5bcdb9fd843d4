"""Known inputs with other white space, for problems whose validators accept that."""

from collections.abc import Sequence

from judge.search.sources import Proposal, seeded

_MAX_SIZE = 4_000  # bytes
_MOST = 600  # proposals


class WhiteSpace:
    """Blank lines, more blanks, tabs, CRLF, and no newline at the end, in small known inputs."""

    name = "white space"
    joins = False

    def __init__(self, known: Sequence[bytes], seed: int) -> None:
        self._known = sorted((each for each in known if len(each) <= _MAX_SIZE), key=len)[:20]
        self._random = seeded(seed, self.name)
        self._left = _MOST

    def next(self) -> Proposal | None:
        """Return an input with changed white space; None if there were enough."""
        if not self._known or not self._left:
            return None
        self._left -= 1
        lines = self._random.choice(self._known).splitlines()[: self._random.choice((1, 2, 3, 1000))]
        data = b"\n".join(lines) + b"\n"
        for _ in range(self._random.choice((1, 1, 2))):
            data = self._change(data)
        return data

    def learn(self, data: bytes, *, is_valid: bool, is_new: bool) -> None:
        """Do nothing."""

    def _change(self, data: bytes) -> bytes:
        lines = data.split(b"\n")
        at = self._random.randrange(len(lines))
        match self._random.randrange(9):
            case 0:
                return data.rstrip(b"\n")
            case 1:
                return data.replace(b"\n", b"\r\n")
            case 2:
                lines.insert(at, b"")
            case 3:
                lines.insert(at, b"  ")
            case 4:
                lines[at] = lines[at].replace(b" ", b"  ")
            case 5:
                lines[at] = lines[at].replace(b" ", b"\t", 1)
            case 6:
                lines[at] = b" " + lines[at]
            case 7:
                lines[at] += b" "
            case _:
                return data + b"\n"
        return b"\n".join(lines)
