"""Generators: each public function makes an input; `random` is seeded, the other parameters come from the case file."""

from random import Random


def uniform(random: Random, largest: int = 1000000000) -> str:
    """A random number."""
    return f"{random.randint(2, largest)}\n"
