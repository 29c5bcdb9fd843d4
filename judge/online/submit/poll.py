"""Asking for a verdict until it is final, ever more seldom."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from judge.online.submit.http import RetryLaterError
from judge.online.submit.values import Client, DeliveryState, Progress, Receipt, SubmitError

T = TypeVar("T")

_FIRST_S, _FACTOR, _LONGEST_S = 0.5, 1.5, 10.0
_MOST_FAULTS = 5  # one after another
LONGEST_PAUSE_S = 60  # that a site may ask for while somebody waits


class NoVerdictError(SubmitError):
    """The submission is at the judge, and its verdict is not known."""


def retry_once(
    call: Callable[[], T], tell: Callable[[str], object], *, sleep: Callable[[float], object] = time.sleep
) -> T:
    """Return what a call returns; where the judge took nothing and asks to wait a little, wait, and call it once more.

    Args:
        call: asks the judge for something.
        tell: is told that we wait, and for how long.
        sleep: waits some seconds.

    Raises:
        SubmitError: it did not work.
    """
    try:
        return call()
    except RetryLaterError as error:
        if error.arrival is not DeliveryState.NO or error.seconds is None or error.seconds > LONGEST_PAUSE_S:
            raise
        tell(f"{error}; waiting {error.seconds} s")
        sleep(error.seconds)
    return call()


def poll_verdict(
    client: Client, receipt: Receipt, *, patience: float, sleep: Callable[[float], object] = time.sleep
) -> Iterator[Progress]:
    """Yield what the judge says whenever that changes; the last one is final.

    Args:
        client: who asks.
        receipt: what is asked about.
        patience: seconds after which it is given up.
        sleep: waits some seconds.

    Raises:
        NoVerdictError: it is given up, or the judge does not answer any more.
    """
    pause, faults, said = _FIRST_S, 0, ""
    end = time.monotonic() + patience
    while True:
        wanted = pause
        try:
            progress = client.progress(receipt)
            faults = 0
        except SubmitError as error:
            faults += 1
            if faults == _MOST_FAULTS:
                raise NoVerdictError(str(error)) from None
            if isinstance(error, RetryLaterError):
                wanted = max(pause, min(error.seconds or 0, LONGEST_PAUSE_S))
        else:
            if progress.text != said or progress.is_final:
                said = progress.text
                yield progress
            if progress.is_final:
                return
        if time.monotonic() + wanted > end:
            raise NoVerdictError(f"no verdict within {patience:g} s")
        sleep(wanted)
        pause = min(pause * _FACTOR, _LONGEST_S)
