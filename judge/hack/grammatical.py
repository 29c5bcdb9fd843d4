"""A grammar of the inputs as a source: every input that it makes is valid."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from judge.base.units import Seconds
from judge.hack.mutation import neighbours_of
from judge.hack.sources import Source, first_pass, seeded, take_turns
from judge.inputs import Grammar
from judge.inputs.build import TooLargeError
from judge.inputs.choose import MAX_VALUES, GrammarError
from judge.inputs.guess import Guess
from judge.inputs.infer import NEXT_RINGS, RINGS, Beyond

_MAX_FAILURES = 20  # in a row
_FIRST_VALUES = 1_000  # of an input at first
_SMALL, _LARGE = (0.1, 0.2, 0.3), (0.9, 1.0, None)  # below 1, any size from the smallest up to this one
_SMALLEST = 0.02
_MEDIUM = (0.3, 0.6, 0.9)  # likewise, where an input may be far from the samples
_FIRST_INPUTS = 200  # of each ring, before the next one is tried
_CHANGED = 3  # samples, in which one field at a time differs
_FIRST_SHARE = 0.05  # of the time of a search, that they take at most


def grammar_sources(
    grammar: Grammar,
    known: Sequence[bytes],
    hints: Sequence[int],
    seed: int,
    *,
    joins: bool,
    is_over: Callable[[], bool],
    name: str = "grammar",
    small: Sequence[float] = _SMALL,
) -> list[Source]:
    """Return the sources that a grammar gives, each until the time is over.

    Args:
        grammar: of the inputs.
        known: inputs that exist already.
        hints: numbers at which programs may fail.
        seed: of all choices.
        joins: its inputs are single tests, several of which may be joined to one input.
        is_over: whether the time is over.
        name: of the grammar, for people.
        small: sizes of small inputs.
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
        Source(f"{name}: smallest", grammar.smallest(is_over), joins=joins),
        Source(f"{name}: small", draw(f"{name}: small", *small), joins=joins),
        Source(f"{name}: random", draw(f"{name}: random", None), joins=joins),
        Source(f"{name}: large", draw(f"{name}: large", *_LARGE, is_single=False, grows=True)),
        *([Source(f"{name}: large tests", large_tests)] if joins else []),
        neighbours_of(f"{name}: neighbours", valid, lambda data, _, random: grammar.mutations(data, random), seed),
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
    """Return the sources of a guessed format: those that are used up first, one ring after the other, and all of them.

    What fails is then near to the samples, if anything near to them fails; the arguments are those of
    `grammar_sources`, and how long the search takes.
    """
    passes: list[tuple[list[Source], list[Source]]] = []
    every: list[Source] = []
    samples = sorted(known, key=len)[:_CHANGED]
    seconds = Seconds(_FIRST_SHARE * budget)
    for at, ((name, beyond), grammar) in enumerate(zip(RINGS.items(), guess.grammars, strict=True)):
        if name in NEXT_RINGS:
            passes.append(([], []))
        if grammar in guess.grammars[:at]:
            continue
        found = grammar_sources(
            grammar, known, hints, seed, joins=False, is_over=is_over, name=name, small=_MEDIUM if beyond else _SMALL
        )
        has_large = beyond & Beyond.MANY and not beyond & Beyond.ANY
        some = [each for each in found if has_large or "large" not in each.name.removeprefix(name)]
        every += found
        if not beyond & Beyond.ANY:  # what only this one makes is hardly valid
            changed = Source(name, chain.from_iterable(map(grammar.single_changes, samples)))
            passes[-1][0].append(first_pass(changed, _FIRST_INPUTS, seconds))
            passes[-1][1].append(first_pass(Source(name, take_turns(some)), _FIRST_INPUTS, seconds))
    return [each for single, others in passes for each in (*single, *others)], every
