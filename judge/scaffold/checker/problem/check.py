"""Check the output on standard input: exit status 42 accepts it, 43 rejects it, with the reason on standard error.

The arguments are the paths of the input and of the answer, and a folder for messages.
"""

import sys
from pathlib import Path


def find_fault(n: int, words: list[str]) -> str:
    """Return what is wrong with an output; an empty string if it is right."""
    if len(words) != 2:
        return f"expected two numbers, found {len(words)}"
    if not all(word.isascii() and word.isdigit() and len(word) <= 10 for word in words):
        return f"expected two numbers from 1 to {n}, found {' '.join(words)[:40]}"
    a, b = map(int, words)
    if a < 1 or b < 1:
        return "a term is not positive"
    return "" if a + b == n else f"the sum is {a + b}, not {n}"


fault = find_fault(int(Path(sys.argv[1]).read_text()), sys.stdin.read().split())
print(fault, file=sys.stderr)
sys.exit(43 if fault else 42)
