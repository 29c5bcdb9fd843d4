"""Ranges of seeds: `1-8` makes eight cases of one entry."""

import re

MOST_SEEDS = 10_000
LARGEST_SEED = 10**18

_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


def parse_seeds(text: str) -> range:
    """Read a range of seeds, both ends included.

    Raises:
        ValueError: it is not of the form `1-8`, runs backwards or has more than 10,000 seeds; the message says which.
    """
    found = _RANGE.fullmatch(text)
    if not found:
        raise ValueError(f"expected a range of seeds such as `1-8`, found `{text}`")
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise ValueError(f"the range `{text}` runs backwards: write `{last}-{first}`")
    if last - first >= MOST_SEEDS:
        raise ValueError(f"the range `{text}` has {last - first + 1} seeds: at most {MOST_SEEDS} are taken")
    return range(first, last + 1)
