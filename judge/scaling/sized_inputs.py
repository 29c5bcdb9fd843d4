"""Inputs of any size for one problem: from a generator that the user names, or from the problem's own generators."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.languages.build import Program
from judge.model import Generated, Problem, Produced
from judge.preparation.cases import DataStore, RunFailure
from judge.preparation.generate import copy_readable, generate
from judge.preparation.produce import build_generator, read_generator, run_generator
from judge.problems.paths import shown_path
from judge.runner.options import NO_OVERRIDES, Overrides
from judge.sandbox.box import Box
from judge.workspace.query import absolute_path

if TYPE_CHECKING:  # few problems have a grammar
    from judge.inputs import Grammar

BUDGET = Seconds(20.0)  # elapsed
_GRAMMAR = "grammar"
_SIZE, _SEED = "{n}", "{seed}"
_NUMBER = re.compile(r"(?P<option>.*=)?(?P<value>[0-9]{1,18})")
_PROBE = (8, 64)  # sizes whose inputs show whether an argument is the size


class SizedInputs(Struct, frozen=True, kw_only=True):
    """Makes inputs of a given size.

    Attributes:
        description: what makes them, such as `gen.py {n} {seed}`.
        size_name: what the size is the number of, or `n`.
        largest: the largest size that the problem has; None if it is unknown.
        make: returns an input of a size, the same one each time, or why there is none; called in a worker. Raises
            JudgeError if the generator cannot be run, and OSError.
    """

    description: str
    size_name: str = "n"
    largest: int | None = None
    make: Callable[[int, Box], bytes | str]


class ScalingOptions(Struct, frozen=True, kw_only=True):
    """What the user asks for.

    Attributes:
        generator: a generator, perhaps with arguments; "" for one of the problem's own.
        size: the parameter of a generator that is the size; "" for the only one, or the largest.
        smallest, largest: the first and the last size; None for the default, and for that of the problem.
        budget: elapsed time.
        overrides: limits instead of those of the problem.
    """

    generator: str = ""
    size: str = ""
    seed: int = 1
    smallest: int | None = None
    largest: int | None = None
    budget: Seconds = BUDGET
    overrides: Overrides = NO_OVERRIDES


def find_inputs(problem: Problem, options: ScalingOptions, root: Path, store: DataStore, box: Box) -> SizedInputs:
    """Return what makes inputs of any size; called in a worker, since a generator may have to be compiled.

    Raises:
        UsageError: no generator is known, or the named one does not exist or takes no size.
        JudgeError: a generator cannot be built.
        OSError: a file cannot be read or written.
    """
    try:
        words = shlex.split(options.generator)
    except ValueError as error:
        raise UsageError(f"--gen {options.generator}: {error}; quote the arguments as for a shell") from error
    recipes = [case.input for case in problem.cases if isinstance(case.input, Generated)]
    recipes = [each for each in recipes if not each.is_from_grammar]
    named = words[0] if words else ""
    places = (root, *([problem.folder] if problem.folder else []))
    paths = [absolute_path(Path(named), place) for place in places] if named else []
    path = next((each for each in paths if each.exists()), None)
    if path is not None:
        return _program_inputs(path, words[1:], problem=problem, options=options, store=store, box=box)
    grammar = problem.grammar if named in ("", _GRAMMAR) else None
    if named == _GRAMMAR and grammar is not None:
        return _grammar_inputs(grammar, options)
    produced = [case.input for case in problem.cases if isinstance(case.input, Produced)]
    if named:
        known = ", ".join(sorted({recipe.function for recipe in recipes} | {each.sources[0].stem for each in produced}))
        recipes = [recipe for recipe in recipes if recipe.function == named]
        produced = [each for each in produced if each.sources[0].stem == named]
        if not recipes and not produced:
            generators = f", and not a generator of the cases ({known})" if known else ""
            raise UsageError(f"--gen {named}: no such file{generators}")
    if recipes:
        return _function_inputs(problem, recipes, named, options, store)
    if produced:
        return _produced_inputs(problem, produced, options, store, box)
    if grammar is not None:
        return _grammar_inputs(grammar, options)
    raise UsageError(
        f"{problem.id}: no generator of inputs is known; name one: --gen gen.py (it gets the size and the seed as "
        'arguments and prints the input), or --gen "gen.py --n {n} --seed {seed}"'
    )


def _grammar_inputs(grammar: "Grammar", options: ScalingOptions) -> SizedInputs:
    """Return the inputs that the grammar of a problem makes; its dominant count is the size."""
    name = grammar.size_name
    if options.size and options.size != name:
        raise UsageError(f"--size {options.size}: the size of the grammar is `{name}`")
    if not name:
        raise UsageError("all inputs of the grammar have the same size; name a generator: --gen gen.py")

    def make(size: int, _: Box) -> bytes | str:
        from judge.inputs import GrammarError

        try:
            return grammar.scale(size, Random(options.seed))
        except GrammarError as error:
            return f"the grammar makes no input with {name}={size}: {error}"

    description = f"the grammar of the problem with {name}={_SIZE}"
    return SizedInputs(description=description, size_name=name, largest=grammar.max_size, make=make)


# ---- programs ------------------------------------------------------------------------------------------------------


def _program_inputs(
    path: Path, args: Sequence[str], *, problem: Problem, options: ScalingOptions, store: DataStore, box: Box
) -> SizedInputs:
    if args and not any(_SIZE in each for each in args):
        raise UsageError(f"--gen {options.generator}: put {_SIZE} where the size goes, and {_SEED} where the seed goes")
    if options.size:
        raise UsageError(f"--size {options.size}: only for the problem's own generators; put {_SIZE} into --gen")
    loose = replace(problem, folder=None)  # the user names the file: it may be a link to anywhere
    program = _build((path,), loose, store, box, str(shown_path(path, Path.cwd())))
    return _printed_inputs(program, tuple(args) or (_SIZE, _SEED), options.seed, store.build)


def _build(sources: tuple[Path, ...], problem: Problem, store: DataStore, box: Box, shown: str) -> Program:
    built = build_generator(read_generator(sources, problem, store.testlib), problem, store, box)
    if not isinstance(built, Program):
        raise UsageError(f"{shown}: the generator does not compile: {built.message}")
    return built


def _printed_inputs(
    program: Program, args: Sequence[str], seed: int, folder: Path, largest: int | None = None
) -> SizedInputs:
    """Return what a program prints: `{n}` and `{seed}` in its arguments stand for the size and the seed."""

    def make(size: int, box: Box) -> bytes | str:
        given = tuple(each.replace(_SIZE, str(size)).replace(_SEED, str(seed)) for each in args)
        made = run_generator(program, given, box, folder)
        if isinstance(made, RunFailure):
            return f"the generator `{' '.join((program.source.name, *given))}` fails: {made.reason}"
        return made[0]

    return SizedInputs(description=" ".join((program.source.name, *args)), largest=largest, make=make)


def _produced_inputs(
    problem: Problem, recipes: Sequence[Produced], options: ScalingOptions, store: DataStore, box: Box
) -> SizedInputs:
    """Return the inputs of a generator of a package: one of its arguments is the size, which the inputs show.

    Raises UsageError if no argument makes the input grow.
    """
    for recipe, at, option, value in _candidates(recipes):
        args = (*recipe.args[:at], f"{option}{_SIZE}", *recipe.args[at + 1 :])
        program = _build(recipe.sources, problem, store, box, recipe.sources[0].name)
        seed = options.seed if options.seed != 1 else recipe.seed
        inputs = _printed_inputs(program, args, seed, store.build, value)
        small, large = (inputs.make(size, box) for size in _PROBE)
        if isinstance(small, bytes) and isinstance(large, bytes) and len(large) > 2 * len(small):
            return inputs
    raise UsageError(
        f"{problem.id}: no argument of its generators is the size of the input; name a generator: "
        '--gen "generators/NAME.py {n} {seed}"'
    )


def _candidates(recipes: Sequence[Produced]) -> Iterator[tuple[Produced, int, str, int]]:
    """Yield the arguments that may be the size, largest first: recipe, position, text before the number, value."""
    found: dict[tuple[tuple[Path, ...], int], tuple[int, Produced, str]] = {}
    for recipe in recipes:
        for at, arg in enumerate(recipe.args):
            number = _NUMBER.fullmatch(arg)
            if number and (value := int(number["value"])) >= 10:  # a smaller one hardly is a size
                key = (recipe.sources, at)
                if key not in found or value > found[key][0]:
                    found[key] = (value, recipe, number["option"] or "")
    ordered = sorted(found.items(), key=lambda each: -each[1][0])
    for (_, at), (value, recipe, option) in ordered[:6]:
        yield recipe, at, option, value


# ---- generators of a repository ------------------------------------------------------------------------------------


def _function_inputs(
    problem: Problem, recipes: Sequence[Generated], name: str, options: ScalingOptions, store: DataStore
) -> SizedInputs:
    """Return the inputs of a generator in the problem's case files, by its largest number.

    Raises UsageError if it has no such parameter, or none that is a number.
    """
    sizes = [
        (value, recipe, parameter)
        for recipe in recipes
        for parameter, value in recipe.parameters
        if isinstance(value, int) and not isinstance(value, bool) and parameter == (options.size or parameter)
    ]
    if not sizes:
        what = f"no parameter `{options.size}` that is a number" if options.size else "no parameter that is a number"
        raise UsageError(
            f"{problem.id}: {f'the generator {name} has' if name else 'the generators of its cases have'} {what}; "
            "name a generator of your own: --gen gen.py"
        )
    value, chosen_recipe, parameter = max(sizes, key=lambda each: each[0])
    copied = copy_readable({"": chosen_recipe}, store.build)
    recipe = replace(copied[""], seed=options.seed) if options.seed != 1 else copied[""]

    def make(size: int, box: Box) -> bytes | str:
        parameters = {**dict(recipe.parameters), parameter: size}
        (made,) = generate(problem.id, [replace(recipe, parameters=tuple(sorted(parameters.items())))], box)
        if isinstance(made, RunFailure):
            return f"the generator `{recipe.function}` with {parameter}={size} fails: {made.reason}"
        return made

    words = (f"{key}={_SIZE if key == parameter else given}" for key, given in recipe.parameters)
    description = f"{recipe.function}({', '.join(words)})"
    return SizedInputs(description=description, size_name=parameter, largest=value, make=make)
