"""A grammar of the inputs as a source: every input that it makes is valid."""

from collections.abc import Callable, Iterator, Sequence

from judge.base.units import Seconds
from judge.hack.mutation import Neighbours
from judge.hack.sources import FirstPass, IteratorSource, Rotation, Source, seeded
from judge.inputs import Grammar
from judge.inputs.build import GrammarError, TooLargeError
from judge.inputs.choose import MAX_VALUES
from judge.inputs.guess import Guess
from judge.inputs.infer import Width

_MAX_FAILURES = 20  # in a row
_FIRST_VALUES = 1_000  # of an input at first
_SMALL, _LARGE = (0.1, 0.2, 0.3), (0.9, 1.0, None)  # below 1, any size from the smallest up to this one
_SMALLEST = 0.02
_WIDTHS = ("values of the samples", "wider ranges", "zero", "negative numbers", "large values", "huge values")
_FIRST_INPUTS = (300, 400, 250, 250, 250, 150)  # of each width, before the next one is tried
_FIRST_SHARES = (0.15, 0.2, 0.15, 0.15, 0.15, 0.1)  # of the time of a search, that they take at most


def grammar_sources(
    grammar: Grammar,
    known: Sequence[bytes],
    hints: Sequence[int],
    seed: int,
    *,
    joins: bool,
    is_over: Callable[[], bool],
    name: str = "grammar",
) -> list[Source]:
    """Return the sources that a grammar gives.

    Args:
        grammar: of the inputs.
        known: inputs that exist already.
        hints: numbers at which programs may fail.
        seed: of all choices.
        joins: its inputs are single tests, several of which may be joined to one input.
        is_over: whether the time is over. Large inputs grow, so a grammar that allows huge ones proposes smaller ones
            first.
        name: of the grammar, for people.
    """
    valid = [each for each in known if grammar.check(each) is None]

    def draw(name: str, *sizes: float | None, is_single: bool = joins, grows: bool = False) -> Iterator[bytes]:
        random, failures, most = seeded(seed, name), 0, _FIRST_VALUES
        while failures < _MAX_FAILURES and not is_over():
            for highest in sizes:
                size = random.uniform(_SMALLEST, highest) if highest is not None and highest < 1 else highest
                try:
                    data = grammar.propose(random, hints, size=size, is_single=is_single, most=most, is_over=is_over)
                except TooLargeError:
                    failures += most == MAX_VALUES
                    most = min(2 * most, MAX_VALUES)
                    continue
                except GrammarError:
                    is_single = is_single and grows  # one test alone may not be valid
                    failures += 1
                    continue
                failures = 0
                yield data
                if grows:  # and begins again
                    most = 2 * most if most < MAX_VALUES else _FIRST_VALUES

    large_tests = draw(f"{name}: large tests", *_LARGE, is_single=True, grows=True)
    return [
        IteratorSource(f"{name}: smallest", grammar.smallest(is_over), joins=joins),
        IteratorSource(f"{name}: small", draw(f"{name}: small", *_SMALL), joins=joins),
        IteratorSource(f"{name}: random", draw(f"{name}: random", None), joins=joins),
        IteratorSource(f"{name}: large", draw(f"{name}: large", *_LARGE, is_single=False, grows=True)),
        *([IteratorSource(f"{name}: large tests", large_tests)] if joins else []),
        Neighbours(f"{name}: neighbours", valid, lambda data, _, random: grammar.mutations(data, random), seed),
    ]


def guess_sources(
    guess: Guess,
    known: Sequence[bytes],
    hints: Sequence[int],
    seed: int,
    *,
    budget: Seconds,
    is_over: Callable[[], bool],
) -> tuple[list[Source], list[Source]]:
    """Return the sources of a guessed format: those that are used up first, one width after the other, and all of them.

    What fails is then near to the samples, if anything near to them fails; the arguments are those of
    `grammar_sources`, and how long the search takes.
    """
    first: list[Source] = []
    every: list[Source] = []
    widths = zip(_WIDTHS, guess.grammars, _FIRST_INPUTS, _FIRST_SHARES, strict=True)
    for at, (name, grammar, count, share) in enumerate(widths):
        if grammar in guess.grammars[:at]:
            continue
        found = grammar_sources(grammar, known, hints, seed, joins=False, is_over=is_over, name=name)
        has_large = grammar is guess.grammars[Width.LARGE]
        small = [each for each in found if has_large or "large" not in each.name.removeprefix(name)]
        first.append(FirstPass(Rotation(name, small), count, Seconds(share * budget)))
        every += found
    return first, every
