"""The command line: argv to values, values to an exit status. The only room that may end the process.

Exit status: 0 all as expected; 1 not; 2 the command line, the test data or the judge itself is at fault;
130 after Ctrl-C; 141 when the reader of our output went away.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from judge.cli.streams import mend_streams
from judge.errors import DataError, JudgeError, describe_error

AS_EXPECTED, NOT_AS_EXPECTED, FAULT = 0, 1, 2
INTERRUPTED = 128 + 2  # as a shell reports SIGINT
BROKEN_PIPE = 128 + 13  # as a shell reports SIGPIPE


def run_process(argv: Sequence[str]) -> int:
    """Carry out one command line as the only thing that this process does; return the exit status."""
    if complaint := mend_streams():
        print(f"judge: {complaint}", file=sys.stderr)
        return FAULT
    return run_cli(argv)


def run_cli(argv: Sequence[str]) -> int:
    """Carry out one command line; return the exit status. Every error that is foreseen is one clear message."""
    try:
        return _carried_out(argv)
    except KeyboardInterrupt:
        print("judge: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return BROKEN_PIPE
    except (JudgeError, OSError) as error:
        print(_message(error), file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:  # a full disk, and that has just been said
            _forget_output()
        return FAULT


def _forget_output() -> None:
    """Give what is still to be written a place where that works: Python flushes stdout once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _carried_out(argv: Sequence[str]) -> int:
    from judge.cli.parser import parse

    args = parse(argv)
    module, _, function = args.command.partition(":")
    status: int = getattr(import_module(module), function)(args)
    sys.stdout.flush()
    return status


def _message(error: JudgeError | OSError) -> str:
    if isinstance(error, DataError):
        return str(error)
    if isinstance(error, OSError) and error.filename is None:  # a full disk, no descriptors left
        return f"judge: cannot go on: {describe_error(error)}"
    return f"judge: {describe_error(error)}"
