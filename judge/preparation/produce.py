"""Makes inputs with the generators of a package: one run of a program for each (generators.yaml of BAPCtools).

A generator runs in an empty folder, as in BAPCtools (`Generator.run` in bapctools/program.py). What it writes to
`testcase.in` is the input, or else what it prints; `testcase.ans` is the answer, if it writes that.
"""

import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.data import Data
from judge.errors import JudgeError, describe_error
from judge.files import open_regular
from judge.languages.build import Program
from judge.languages.source import Source
from judge.model import Case, Ending, Limits, Problem, Produced
from judge.preparation.cases import Answer, DataStore, InvalidCase, MapRuns
from judge.preparation.confirm import describe_failure
from judge.preparation.generator_files import build_generator, read_generator
from judge.preparation.store import make_key
from judge.sandbox.box import Box
from judge.sandbox.work_folder import remove
from judge.units import GIB, Bytes, Seconds

# For one input. BAPCtools allows 60 s by default (`generator_time`).
PRODUCER_LIMITS = Limits(cpu=Seconds(60.0), wall=Seconds(121.0), memory=Bytes(2 * GIB), output=Bytes(GIB))

_INPUT = "testcase.in"
_ANSWER = "testcase.ans"
_SEEDS = 2**31
_MAX_ATTEMPTS = 1000
_VERSION = "1"  # of how generators are called: a change makes all inputs again


class Production(Struct, frozen=True):
    """An input that was made, and its answer if the generator wrote it."""

    digest: str
    data: Data
    answer: Answer | None


class ProductionFailure(Struct, frozen=True):
    """Why there is no input.

    Attributes:
        subject, detail: as those of an `InvalidCase`.
        file: the generator, if that is wrong whatever its arguments are.
    """

    subject: str
    detail: str = ""
    file: Path | None = None


class GeneratorRunFailure(Struct, frozen=True):
    """Why a run made nothing; `is_slow`: it exceeded a time limit, so another seed is not tried."""

    reason: str
    is_slow: bool = False


class Made(Struct, frozen=True, kw_only=True):
    """What one run of a generator made."""

    input: bytes
    answer: bytes | None


class Producer:
    """Makes the inputs of one problem's cases that its generators make; each is made once and then kept."""

    def __init__(self, problem: Problem, store: DataStore) -> None:
        self._problem = problem
        self._store = store
        self._sources: dict[tuple[Path, ...], Source | ProductionFailure] = {}
        self._locks: dict[tuple[Path, ...], threading.Lock] = {}
        self._programs: dict[tuple[Path, ...], Program | ProductionFailure] = {}
        self._made: dict[Produced, Production | ProductionFailure] = {}

    def make(self, cases: Sequence[Case], map_runs: MapRuns) -> Iterator[int]:
        """Make or find the inputs of the cases; yield how many are not made yet."""
        missing: dict[str, Produced] = {}
        waiting: dict[str, list[Produced]] = {}
        for recipe in dict.fromkeys(case.input for case in cases if isinstance(case.input, Produced)):
            generator = self._find_source(recipe)
            if isinstance(generator, ProductionFailure):
                self._made[recipe] = generator
                continue
            key = _key(recipe, generator)
            if (known := self._find(key)) is not None:
                self._made[recipe] = known
            else:
                missing[key] = recipe
                waiting.setdefault(key, []).append(recipe)
        by_program = {recipe.sources: recipe for recipe in missing.values()}
        for _ in map_runs(self._prebuild, list(by_program.values())):
            yield len(missing)
        results = map_runs(self._produce, list(missing.values()))
        for remaining, key in zip(range(len(missing), 0, -1), missing, strict=True):
            yield remaining
            made = next(results)
            self._made.update(dict.fromkeys(waiting[key], made))
            if isinstance(made, Production):
                self._store.facts.put(key, f"{made.digest} {made.answer.digest if made.answer else ''}")

    def find(self, case: Case, recipe: Produced) -> Production | InvalidCase:
        """Return what `make` has made for a case, or why it could not."""
        made = self._made[recipe]
        if isinstance(made, Production):
            return made
        file = made.file and self._problem.show_file(made.file)
        return InvalidCase(case=case, file=file, subject=made.subject, detail=made.detail)

    def find_answer(self, case: Case) -> Answer | None:
        """Return the answer that the program wrote that made the input of a case."""
        made = self._made.get(case.input) if isinstance(case.input, Produced) else None
        return made.answer if isinstance(made, Production) else None

    def _find(self, key: str) -> Production | None:
        """Return an input that was made before, if its files still exist."""
        sha256, _, answer_sha256 = (self._store.facts.get(key) or "").partition(" ")
        data = self._store.objects.find(sha256) if sha256 else None
        answer = self._store.objects.find(answer_sha256) if answer_sha256 else None
        if data is None or (answer_sha256 and answer is None):
            return None
        return Production(sha256, data, None if answer is None else Answer(answer_sha256, answer))

    def _find_source(self, recipe: Produced) -> Source | ProductionFailure:
        if recipe.sources not in self._sources:
            self._sources[recipe.sources] = self._read_source(recipe.sources)
        return self._sources[recipe.sources]

    def _read_source(self, sources: tuple[Path, ...]) -> Source | ProductionFailure:
        try:
            return read_generator(sources, self._problem)
        except FileNotFoundError as error:
            path = Path(error.filename or sources[0])
            folder = self._problem.folder
            name = path.relative_to(folder) if folder and path.is_relative_to(folder) else path
            return ProductionFailure(f"the generator file {name} does not exist")
        except (JudgeError, OSError) as error:
            return ProductionFailure("the generator cannot be read: ", describe_error(error))

    def _produce(self, box: Box, recipe: Produced) -> Production | ProductionFailure:
        """Run a generator, again with other seeds if it fails and may do so; runs in a worker."""
        name = recipe.sources[0].name
        failure = GeneratorRunFailure("it was not run")
        attempts = 0
        try:
            program = self._program(recipe, box)
            if isinstance(program, ProductionFailure):
                return program
            while attempts < min(recipe.attempts, _MAX_ATTEMPTS) and not failure.is_slow:
                seed = str((recipe.seed + attempts) % _SEEDS)
                args = tuple(each.replace("{seed}", seed) for each in recipe.args)
                made = self._run(program, args, box)
                attempts += 1
                if isinstance(made, Production):
                    return made
                failure = made
        except (JudgeError, OSError) as error:
            return ProductionFailure(f"the generator `{name}` cannot be run: ", describe_error(error))
        often = f" {attempts} times" if attempts > 1 else ""
        return ProductionFailure(f"the generator `{name}` fails{often}: ", failure.reason)

    def _run(self, program: Program, args: tuple[str, ...], box: Box) -> Production | GeneratorRunFailure:
        """Run a generator once; return what it made, or how it failed."""
        made = run_generator(program, args, box, self._store.build)
        if isinstance(made, GeneratorRunFailure):
            return made
        objects = self._store.objects
        return Production(*objects.add(made.input), None if made.answer is None else Answer(*objects.add(made.answer)))

    def _prebuild(self, box: Box, recipe: Produced) -> None:
        """Build a generator ahead of its runs: otherwise all workers would wait for the first one."""
        self._program(recipe, box)

    def _program(self, recipe: Produced, box: Box) -> Program | ProductionFailure:
        """Return the program of a recipe; the first worker that needs it builds it."""
        with self._locks.setdefault(recipe.sources, threading.Lock()):  # atomic: a method of dict
            if recipe.sources not in self._programs:
                self._programs[recipe.sources] = self._build(recipe, box)
            return self._programs[recipe.sources]

    def _build(self, recipe: Produced, box: Box) -> Program | ProductionFailure:
        generator = self._sources[recipe.sources]
        assert isinstance(generator, Source)
        source = recipe.sources[0]
        try:
            built = build_generator(generator, self._problem, self._store, box)
        except (JudgeError, OSError) as error:
            return ProductionFailure("the generator cannot be built for", f": {describe_error(error)}", source)
        if isinstance(built, Program):
            return built
        return ProductionFailure("the generator does not compile; it makes the input of", f": {built.message}", source)


def run_generator(program: Program, args: tuple[str, ...], box: Box, folder: Path) -> Made | GeneratorRunFailure:
    """Run a generator once, in an empty folder inside `folder`; return what it made, or how it failed.

    Raises:
        SandboxError: it could not be run.
        OSError: what it wrote cannot be read.
    """
    place = Path(tempfile.mkdtemp(prefix="generator-", dir=folder))
    try:
        command = program.command(b"", PRODUCER_LIMITS, args)
        command = replace(command, writable=place, cwd=None, disk=2 * PRODUCER_LIMITS.output)
        outcome = box.run(command, PRODUCER_LIMITS)
        result = outcome.result
        if result.ending is not Ending.EXITED or result.exit_code != 0:
            text = program.restore_source_path(result.stderr_tail)
            is_slow = result.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT)
            return GeneratorRunFailure(describe_failure(result, text, PRODUCER_LIMITS), is_slow)
        data = _read_result(place / _INPUT)
        if data is None:
            data = outcome.stdout
            if not data:
                return GeneratorRunFailure(f"it prints nothing, and writes no {_INPUT}")
        return Made(input=data, answer=_read_result(place / _ANSWER))
    finally:
        remove(str(place))


def _key(recipe: Produced, generator: Source) -> str:
    """Return the key of an input: a hash of everything that decides its content."""
    has_seed = any("{seed}" in each for each in recipe.args)
    seeds = (str(recipe.seed), str(recipe.attempts)) if has_seed else ()
    return make_key("produced", _VERSION, generator.digest, *generator.key(), *seeds, "args", *recipe.args)


def _read_result(path: Path) -> bytes | None:
    """Return a file that a generator wrote, or None if there is none; a link is not followed.

    Raises:
        OSError: it is not a regular file, or cannot be read.
    """
    try:
        descriptor = open_regular(path)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read()
