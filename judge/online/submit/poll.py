"""Wait for a judge: retry when it is busy, and poll for the verdict at growing intervals."""

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from judge.online.submit.http import RetryLaterError
from judge.online.submit.values import Client, DeliveryState, Progress, Receipt, SubmitError

T = TypeVar("T")

_FIRST_PAUSE_S, _GROWTH, _LONGEST_PAUSE_S = 0.5, 1.5, 10.0
_MAX_FAILURES = 5  # in a row
_LONGEST_RETRY_S = 60  # the longest Retry-After that is honoured while the user waits


class NoVerdictError(SubmitError):
    """The judge has the submission, and its verdict is not known yet."""


def retry_once(
    call: Callable[[], T], notify: Callable[[str], object], *, sleep: Callable[[float], object] = time.sleep
) -> T:
    """Return what the call returns; if the judge received nothing and asks for a short pause, wait and retry once.

    Raises:
        SubmitError: the call failed.
    """
    try:
        return call()
    except RetryLaterError as error:
        pause = error.retry_after
        if error.delivery is not DeliveryState.NOT_DELIVERED or pause is None or pause > _LONGEST_RETRY_S:
            raise
        notify(f"{error}; waiting {pause} s")
        sleep(pause)
    return call()


def poll_verdict(
    client: Client, receipt: Receipt, *, patience: float, sleep: Callable[[float], object] = time.sleep
) -> Iterator[Progress]:
    """Yield the state of a submission whenever it changes; the last one is the verdict.

    Raises:
        NoVerdictError: there is no verdict within `patience` seconds, or the judge stopped answering.
    """
    pause, failures, shown = _FIRST_PAUSE_S, 0, ""
    deadline = time.monotonic() + patience
    while True:
        delay = pause
        try:
            progress = client.fetch_progress(receipt)
        except SubmitError as error:
            failures += 1
            if failures == _MAX_FAILURES:
                raise NoVerdictError(str(error)) from None
            if isinstance(error, RetryLaterError):
                delay = max(pause, min(error.retry_after or 0, _LONGEST_RETRY_S))
        else:
            failures = 0
            if progress.is_final or progress.text != shown:
                yield progress
            if progress.is_final:
                return
            shown = progress.text
        if time.monotonic() + delay > deadline:
            raise NoVerdictError(f"no verdict within {patience:g} s")
        sleep(delay)
        pause = min(pause * _GROWTH, _LONGEST_PAUSE_S)
