"""Is the output right? One small file a checker; a new one is one file and one row of `CHECKERS`.

A checker sees the bytes of the answer and of the output and says AC, WA or PE, and where they differ. It runs no
program, reads no file and prints nothing.
"""

from collections.abc import Callable

from judge.checkers import exact, lines, tokens
from judge.model import CheckerConfig, CheckResult

Checker = Callable[[CheckerConfig, bytes, bytes], CheckResult]

CHECKERS: dict[str, Checker] = {
    "tokens": tokens.check,
    "lines": lines.check,
    "exact": exact.check,
}


def check(config: CheckerConfig, answer: bytes, output: bytes) -> CheckResult:
    """Compare an output with the answer.

    Args:
        config: which checker, with options that the loader has found to fit it.
        answer: what the judge expects.
        output: all that the submission wrote.

    Raises:
        KeyError: there is no checker of that name; loaders let no such configuration through.
    """
    return CHECKERS[config.name](config, answer, output)
