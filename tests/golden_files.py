"""Golden files: the expected output of reporters, in tests/golden/. `UPDATE_GOLDEN=1 pytest` updates them."""

import io
import os
from collections.abc import Iterable
from pathlib import Path

from judge.model.events import Event
from judge.reporters import OutputOptions, make_reporter

GOLDEN = Path(__file__).parent / "golden"


class Terminal(io.StringIO):
    """A text stream that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


class Encoded(io.TextIOWrapper):
    """A text stream with an encoding; a character that the encoding does not have is an error."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, errors="strict", newline="\n")

    def getvalue(self) -> str:
        """Return what was written."""
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


def report(name: str, events: Iterable[Event], options: OutputOptions, encoding: str | None = None) -> tuple[str, str]:
    """Return what a reporter writes to standard output and to standard error."""
    stdout, stderr = (Encoded(encoding) if encoding else io.StringIO() for _ in range(2))
    with make_reporter(name, stdout, stderr, options) as reporter:
        for event in events:
            reporter.handle(event)
    return stdout.getvalue(), stderr.getvalue()


def check_golden(name: str, written: tuple[str, str]) -> None:
    """Compare with a golden file; escape characters are written `<ESC>` there."""
    stdout, stderr = (text.replace("\x1b", "<ESC>") for text in written)
    text = f"{stdout}--- standard error ---\n{stderr}" if stderr else stdout
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; UPDATE_GOLDEN=1 updates it"
