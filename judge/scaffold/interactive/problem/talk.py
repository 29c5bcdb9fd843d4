"""Talk to the solution, which reads our standard output: exit status 42 accepts it, 43 rejects it.

The arguments are the paths of the input and of the answer, and a folder for messages. The reason goes to standard
error. Whatever a solution writes, and when it ends early, the interactor must not crash.
"""

import sys
from pathlib import Path

GUESSES = 7


def main() -> str:
    """Return what the solution did wrong; an empty string if nothing."""
    secret = int(Path(sys.argv[1]).read_text())
    for _ in range(GUESSES):
        word = sys.stdin.readline().strip()
        if not (word.isascii() and word.isdigit() and len(word) <= 3):
            return f"expected a number from 1 to 100, found {word[:40]!r}"
        if int(word) == secret:
            say("right")
            return ""
        say("lower" if int(word) > secret else "higher")
    return f"the number {secret} was not found with {GUESSES} guesses"


def say(text: str) -> None:
    """Write a line, unless the solution has ended."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        pass


fault = main()
print(fault, file=sys.stderr)
sys.exit(43 if fault else 42)
