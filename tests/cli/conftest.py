"""What commands read from standard input."""

import os
import pty
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Make a text the standard input of this process."""
    with ExitStack() as stack:

        def use(text: str) -> None:
            reading, writing = os.pipe()
            os.write(writing, text.encode())
            os.close(writing)
            monkeypatch.setattr(sys, "stdin", stack.enter_context(os.fdopen(reading)))

        yield use


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """Make a terminal the standard input of this process, on which keys are pressed; 4 is Ctrl-D."""
    with ExitStack() as stack:

        def use(keys: bytes) -> None:
            master, slave = pty.openpty()
            stack.callback(os.close, master)
            os.write(master, keys)
            monkeypatch.setattr(sys, "stdin", stack.enter_context(os.fdopen(slave)))

        yield use
