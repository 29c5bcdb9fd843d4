"""Where the programs of a search run: Python programs each in a warm box of the worker, others in the worker's own."""

import threading
from collections.abc import Sequence
from contextlib import nullcontext
from typing import Self

from msgspec.structs import replace

from judge.base.errors import SandboxError
from judge.model import Limits
from judge.sandbox.box import RUN_INTERRUPTED, Box, Command, Outcome
from judge.sandbox.warm_box import WarmBox, warm_command

_PATIENCE_S = 3.0  # for runs that are ended
_MAX_BOXES = 16  # of each worker


class WarmPool:
    """Warm boxes beside the boxes of the workers, one for each Python program; a context manager.

    `run` may be called from any worker, with its own box.
    """

    def __init__(self) -> None:
        self._boxes: dict[int, dict[str, Box]] = {}
        self._running: set[Box] = set()
        self._changed = threading.Condition()
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, box: Box, command: Command, limits: Limits, *, repeats: bool = True) -> Outcome:
        """Run a program, warm if it can start warm; `repeats` is for a run that was disturbed and took too long.

        Raises SandboxError if the run could not be set up or observed, or was interrupted.
        """
        _, source = warm_command(command)
        if not source:
            with nullcontext() if repeats else box.without_repeats():
                return box.run(command, limits)
        warm = self._begin(box, source)
        try:
            with nullcontext() if repeats else warm.without_repeats():
                return warm.run(command, limits)
        finally:
            with self._changed:
                self._running.discard(warm)
                self._changed.notify_all()

    def run_some(
        self, box: Box, command: Command, inputs: Sequence[bytes], limits: Limits, *, repeats: bool
    ) -> list[Outcome]:
        """Run a program on the first of some inputs; see `Box.run_some`. Warm runs share memory, so they are single."""
        if warm_command(command)[1]:
            return [self.run(box, replace(command, stdin=inputs[0]), limits, repeats=repeats)]
        with nullcontext() if repeats else box.without_repeats():
            return box.run_some(command, inputs, limits)

    def interrupt(self) -> None:
        """End all warm runs, for good; may be called from any thread."""
        with self._changed:
            self._is_closed = True
            for box in self._running:
                box.interrupt()

    def close(self) -> None:
        """End all runs and close the boxes."""
        self.interrupt()
        with self._changed:
            self._changed.wait_for(lambda: not self._running, timeout=_PATIENCE_S)
            boxes = [box for each in self._boxes.values() for box in each.values()]
            self._boxes.clear()
        for box in boxes:
            box.close()

    def _begin(self, box: Box, source: str) -> Box:
        with self._changed:
            if self._is_closed:
                raise SandboxError(RUN_INTERRUPTED)
            boxes = self._boxes.setdefault(id(box), {})
            warm = boxes.pop(source, None)
            if warm is None:
                if len(boxes) >= _MAX_BOXES:  # the first one has not been used for the longest time
                    boxes.pop(next(iter(boxes))).close()  # of this worker, which runs nothing else now
                warm = box.open_beside(WarmBox)
            boxes[source] = warm
            self._running.add(warm)
            return warm
