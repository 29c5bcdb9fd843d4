"""Generators that are functions: `Random` plus parameters, as in the generator files of problems (docs/format.md).

One process makes many inputs, so even short-lived ones cost little.
"""

import ast
import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from random import Random

from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.hack.sources import GeneratorError, Making, seeded
from judge.model import Generated, Limits
from judge.preparation.cases import RunFailure
from judge.preparation.generate import GENERATOR_LIMITS, copy_readable, generate
from judge.problems.generators import Signature, read_generators
from judge.sandbox.box import Box

_FIRST, _MOST = 4, 16  # inputs of one process
_SHORT_S = 0.2  # a process that takes longer makes fewer inputs the next time
_SEEDS = 2**31
_SMALL = (1, 2, 3, 4, 5, 6, 8, 10)


def call_generators(
    name: str, problem: str, recipes: Sequence[Generated], seed: int, *, limits: Limits = GENERATOR_LIMITS
) -> Iterator[Making]:
    """Yield what makes inputs by the functions of generator files, with other seeds and smaller parameters.

    The files of the recipes are copies that the sandbox may read. With other limits than usual, the first process makes
    a single input.
    """
    random, batch = seeded(seed, name), _FIRST if limits == GENERATOR_LIMITS else 1

    def make(wanted: Sequence[Generated], box: Box, _: object) -> list[bytes]:
        nonlocal batch
        start = time.monotonic()
        with box.without_repeats():  # too slow is too slow, whatever disturbed it
            made = _make(problem, wanted, box, limits)
        is_short = time.monotonic() - start < _SHORT_S
        batch = min(2 * batch, _MOST) if is_short else max(batch // 2, 1)
        return made

    at = 0
    while True:
        chosen = [recipes[(at + number) % len(recipes)] for number in range(batch)]
        together = list(takewhile(lambda each: each.file.parent == chosen[0].file.parent, chosen))  # noqa: B023
        at += len(together)
        yield partial(make, [_vary(each, random) for each in together])


def turns_of(recipes: Sequence[Generated]) -> int:
    """Return how many proposals it takes until all recipes had their turn."""
    return -(-len(recipes) // _FIRST)


def _vary(recipe: Generated, random: Random) -> Generated:
    """Return a recipe with another seed, and mostly with small numbers instead of large ones."""
    parameters = tuple((name, _smaller(value, random)) for name, value in recipe.parameters)
    return replace(recipe, parameters=parameters, seed=random.randrange(_SEEDS))


def _smaller(value: object, random: Random) -> object:
    is_large = type(value) is int and value > _SMALL[-1]
    return random.choice(_SMALL) if is_large and random.random() < 0.8 else value


def _make(problem: str, wanted: Sequence[Generated], box: Box, limits: Limits) -> list[bytes]:
    made = generate(problem, wanted, box, limits=limits)
    inputs = [each for each in made if isinstance(each, bytes)]
    failure = next((each for each in made if isinstance(each, RunFailure)), None)
    if not inputs and failure is not None:
        raise GeneratorError(f"the generator `{wanted[0].function}` fails: {failure.reason}")
    return inputs


def read_recipes(path: Path, build: Path) -> list[Generated]:
    """Return the functions of a generator file, with the numbers that their parameters default to.

    An empty list: the file is a program, not a collection of functions.

    Raises:
        UsageError: it cannot be parsed.
        OSError: it cannot be read or copied.
    """
    diagnostics: list[object] = []
    signatures = read_generators(path, path, diagnostics) or []  # type: ignore[arg-type]
    if diagnostics:
        raise UsageError(str(diagnostics[0]))
    usable = [each for each in signatures if not each.error and not each.required]
    if not usable or _is_program(path):
        return []
    wanted = {each.name: Generated(file=path, function=each.name, parameters=each.numbers) for each in usable}
    return list(copy_readable(wanted, build).values())


def _is_program(path: Path) -> bool:
    """Return whether a file does something when it runs, besides defining names."""
    quiet = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
    for node in ast.parse(path.read_bytes()).body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not isinstance(node, quiet) and not is_text:
            return True
    return False


def with_defaults(recipe: Generated, known: dict[Path, list[Signature]]) -> Generated:
    """Return a recipe with the numbers that its other parameters default to, so that they can be varied, too."""
    if recipe.file not in known:
        known[recipe.file] = read_generators(recipe.file, recipe.file, []) or []
    signature = next((each for each in known[recipe.file] if each.name == recipe.function), None)
    if signature is None:
        return recipe
    parameters = {**dict(signature.numbers), **dict(recipe.parameters)}
    return replace(recipe, parameters=tuple(sorted(parameters.items())))
