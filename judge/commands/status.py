"""The exit statuses of the `judge` command."""

from enum import IntEnum


class ExitStatus(IntEnum):
    """What the process returns to the shell."""

    SUCCESS = 0  # everything is as expected
    FAILURE = 1  # a verdict, an output or a cost is not as expected
    ERROR = 2  # wrong usage, wrong test data, or an error of the judge itself
    INTERRUPTED = 128 + 2  # as a shell reports SIGINT
    BROKEN_PIPE = 128 + 13  # as a shell reports SIGPIPE
