"""Runs of a problem's own Python programs: warm where that agrees with cold runs.

A checker or validator in Python takes longer to start than to decide. So one that runs often starts warm (see
`judge.sandbox.warm_starts`), as strictly confined as otherwise. A cold run decides wherever a warm one might differ:
whenever a program does anything but accept or reject, and for a sample of its warm runs. If these differ once, the
program starts cold from then on.
"""

from collections.abc import Callable
from typing import TypeVar

from judge.errors import SandboxError
from judge.model import Limits
from judge.sandbox.box import Box, Command, Outcome
from judge.sandbox.warm_starts import WarmStarts

_TRACEBACK = b"Traceback (most recent call last)"  # shows the frames of the interpreter that forks

R = TypeVar("R")


def run_program(
    box: Box,
    command: Command,
    limits: Limits,
    conclude: Callable[[Outcome], R],
    *,
    is_plain: Callable[[R], bool],
    reset: Callable[[], None] = lambda: None,
) -> R:
    """Run a program of a problem, warm or cold, and return what follows.

    Args:
        box: where it runs cold.
        command: the program.
        limits: of the run.
        conclude: returns what follows from a run.
        is_plain: returns whether the program accepts or rejects, and nothing else.
        reset: makes everything as before the run, so that it can be repeated.

    Raises:
        SandboxError: the program could not be run.
    """
    starts = box.companion(WarmStarts)
    warm = starts.choose(command)
    if warm is None:
        return conclude(box.run(command, limits))
    try:
        outcome = warm.run(command, limits)
    except SandboxError:  # the interpreter itself did not start, or did not survive
        if starts.is_interrupted:  # that says nothing about the program
            raise
        starts.refuse(command)
        reset()
        return conclude(box.run(command, limits))
    result = conclude(outcome)
    is_certain = is_plain(result) and _TRACEBACK not in outcome.stderr
    if is_certain and not starts.is_sample(command):
        return result
    reset()
    confirmed = conclude(box.run(command, limits))
    if not is_certain:  # what a failure shows may differ, but not whether it is one
        starts.note_repetition(command)
    differs = confirmed != result if is_certain else is_plain(confirmed) != is_plain(result)
    if differs:
        starts.refuse(command)
    return confirmed
