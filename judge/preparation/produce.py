"""Makes inputs with generators that are programs: one run for each input.

These are the generators of packages (generators.yaml of BAPCtools), and those of the repository that are no functions.

A generator runs in an empty folder, as in BAPCtools (`Generator.run` in bapctools/program.py). What it writes to
`testcase.in` is the input, or else what it prints; `testcase.ans` is the answer, if it writes that.

It is a folder, a list of files, or one file with those that it imports or includes: BAPCtools runs a Python file
through a link, so that it finds the modules of its own folder, and headers lie beside a C++ generator.
"""

import os
import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.data import Data, read_data
from judge.base.errors import JudgeError, ToolError, describe_error
from judge.base.files import open_regular
from judge.base.links import LinkRoot
from judge.base.units import GIB, Bytes, Seconds
from judge.judging.programs import TESTLIB, find_testlib, needs_testlib
from judge.languages.build import CompileError, Program, build
from judge.languages.build_cache import Once
from judge.languages.folder import read_program
from judge.languages.options import BuildOptions
from judge.languages.program_source import read_source
from judge.languages.source import Source, program_options, read_file
from judge.model import SEED, Case, InputSource, Limits, Problem, Produced
from judge.preparation.cases import Answer, DataStore, InvalidCase, MapRuns, RunFailure
from judge.preparation.confirm import find_failure
from judge.preparation.generate import find_difference
from judge.preparation.store import Lock, make_key
from judge.sandbox.box import Box
from judge.sandbox.work_folder import remove

# For one input. BAPCtools allows 60 s by default (`generator_time`).
PRODUCER_LIMITS = Limits(cpu=Seconds(60.0), wall=Seconds(121.0), memory=Bytes(2 * GIB), output=Bytes(GIB))

_INPUT = "testcase.in"
_ANSWER = "testcase.ans"
_VERSION = "1"  # of how generators are called: a change makes all inputs again


class Production(Struct, frozen=True):
    """An input that was made, and its answer if the generator wrote it."""

    digest: str
    data: Data
    answer: Answer | None


class Producer:
    """Makes the inputs of one problem's cases that programs make; each is made once and then kept.

    In a repository, one without the hash in the lock is made again, later, and must be the same.
    """

    def __init__(self, problem: Problem, store: DataStore, lock: Lock) -> None:
        self._problem = problem
        self._store = store
        self._locked = {each.input for each in lock.values()}
        self._sources: dict[tuple[Path, ...], Source | InvalidCase] = {}
        self._programs: Once[tuple[Path, ...], Program | InvalidCase] = Once()
        self._made: dict[InputSource, Production | InvalidCase] = {}

    def make(self, cases: Sequence[Case], map_runs: MapRuns) -> Iterator[int]:
        """Make or find the inputs of the cases; yield how many are not made yet."""
        missing: dict[str, Case] = {}
        waiting: dict[str, list[InputSource]] = {}
        made: dict[str, Production | InvalidCase] = {}
        for case in {case.input: case for case in cases if isinstance(case.input, Produced)}.values():
            recipe = _recipe(case)
            if recipe.sources not in self._sources:
                self._sources[recipe.sources] = self._read_source(case)
            generator = self._sources[recipe.sources]
            if isinstance(generator, InvalidCase):
                self._made[recipe] = generator
                continue
            key = _key(recipe, generator, self._problem)
            if (known := self._find(key)) is not None:
                self._made[recipe] = known
            else:
                missing[key] = case
                waiting.setdefault(key, []).append(recipe)
        by_program = {_recipe(case).sources: case for case in missing.values()}
        # Generators are built ahead of their runs: otherwise all workers would wait for the first one.
        for _ in map_runs(self._program, list(by_program.values())):
            yield len(missing)
        yield from self._run(missing, map_runs, made)
        new = {key: each for key, each in made.items() if isinstance(each, Production)}
        unknown = {key: missing[key] for key, each in new.items() if each.digest not in self._locked}
        if unknown and not self._problem.is_package:
            time.sleep(1 - time.time() % 1)  # many programs draw from a generator that has the second as its seed
            yield from self._run(unknown, map_runs, made)
            made |= {key: self._compare(new[key], made[key], case) for key, case in unknown.items()}
        for key, each in made.items():
            self._made.update(dict.fromkeys(waiting[key], each))
            if isinstance(each, Production):
                self._store.facts.put(key, f"{each.digest} {each.answer.digest if each.answer else ''}")

    def _run(
        self, cases: Mapping[str, Case], map_runs: MapRuns, into: dict[str, Production | InvalidCase]
    ) -> Iterator[int]:
        results = map_runs(self._produce, list(cases.values()))
        for remaining, key in zip(range(len(cases), 0, -1), cases, strict=True):
            yield remaining
            into[key] = next(results)

    def _compare(self, first: Production, second: Production | InvalidCase, case: Case) -> Production | InvalidCase:
        """Return an input that was made twice, or how the second one differs."""
        if isinstance(second, InvalidCase) or first.digest == second.digest:
            return second
        source = _recipe(case).sources[0]
        return InvalidCase(
            case=case,
            subject=f"the generator `{source.name}` makes a different input each time for",
            detail=f": {find_difference(read_data(first.data), read_data(second.data))}",
            file=self._problem.show_file(source),
            fix="seed all random numbers with its last argument, and use no clock",
        )

    def find(self, case: Case) -> Production | InvalidCase:
        """Return what `make` has made for a case, or why it could not."""
        made = self._made[case.input]
        return replace(made, case=case) if isinstance(made, InvalidCase) else made

    def find_answer(self, case: Case) -> Answer | None:
        """Return the answer that the program wrote that made the input of a case."""
        made = self._made.get(case.input)
        return made.answer if isinstance(made, Production) else None

    def _find(self, key: str) -> Production | None:
        """Return an input that was made before, if its files still exist."""
        sha256, _, answer_sha256 = (self._store.facts.get(key) or "").partition(" ")
        data = self._store.objects.find(sha256) if sha256 else None
        answer = self._store.objects.find(answer_sha256) if answer_sha256 else None
        if data is None or (answer_sha256 and answer is None):
            return None
        return Production(sha256, data, None if answer is None else Answer(answer_sha256, answer))

    def _read_source(self, case: Case) -> Source | InvalidCase:
        sources, folder = _recipe(case).sources, self._problem.folder
        try:
            return read_generator(sources, self._problem, self._store.testlib)
        except FileNotFoundError as error:
            path = Path(error.filename or sources[0])
            name = path.relative_to(folder) if folder and path.is_relative_to(folder) else path
            return InvalidCase(case, f"the generator file {name} does not exist")
        except (JudgeError, OSError) as error:
            return self._unusable(case, "cannot be used for", describe_error(error))

    def _produce(self, box: Box, case: Case) -> Production | InvalidCase:
        """Run a generator, again with other seeds if it fails and may do so; runs in a worker."""
        recipe = _recipe(case)
        name = recipe.sources[0].name
        failure = RunFailure("it was not run")
        attempts = 0
        try:
            program = self._program(box, case)
            if isinstance(program, InvalidCase):
                return program
            # A slow generator is not tried with another seed.
            while attempts < min(recipe.attempts, 1000) and not failure.is_slow:
                seed = str((recipe.seed + attempts) % 2**31)  # as in BAPCtools
                args = tuple(each.replace(SEED, seed) for each in recipe.args)
                made = run_generator(program, args, box, self._store.build)
                attempts += 1
                if not isinstance(made, RunFailure):
                    add, (data, answer) = self._store.objects.add, made
                    return Production(*add(data), None if answer is None else Answer(*add(answer)))
                failure = made
        except (JudgeError, OSError) as error:
            return InvalidCase(case, f"the generator `{name}` cannot be run: ", describe_error(error))
        often = f" {attempts} times" if attempts > 1 else ""
        return InvalidCase(case, f"the generator `{name}` fails{often}: ", failure.reason)

    def _program(self, box: Box, case: Case) -> Program | InvalidCase:
        """Return the program that makes the input of a case; the first worker that needs it builds it."""
        return self._programs.get(_recipe(case).sources, lambda: self._build(case, box))

    def _build(self, case: Case, box: Box) -> Program | InvalidCase:
        generator = self._sources[_recipe(case).sources]
        assert isinstance(generator, Source)
        try:
            built = build_generator(generator, self._problem, self._store, box)
        except (JudgeError, OSError) as error:
            return self._unusable(case, "cannot be built for", describe_error(error))
        if isinstance(built, Program):
            return built
        return self._unusable(case, "does not compile; it makes the input of", built.message)

    def _unusable(self, case: Case, what: str, reason: str) -> InvalidCase:
        """Return why no case that a generator makes is valid."""
        file = self._problem.show_file(_recipe(case).sources[0])
        return InvalidCase(case, f"the generator {what}", f": {reason}", file)


def _recipe(case: Case) -> Produced:
    assert isinstance(case.input, Produced)
    return case.input


def run_generator(
    program: Program, args: tuple[str, ...], box: Box, folder: Path
) -> tuple[bytes, bytes | None] | RunFailure:
    """Run a generator once, in an empty folder inside `folder`; return the input and the answer, or how it failed.

    Raises:
        SandboxError: it could not be run.
        OSError: what it wrote cannot be read.
    """
    place = Path(tempfile.mkdtemp(prefix="generator-", dir=folder))
    try:
        command = program.command(b"", PRODUCER_LIMITS, args)
        command = replace(command, writable=place, cwd=None, disk=2 * PRODUCER_LIMITS.output)
        outcome = box.run(command, PRODUCER_LIMITS)
        if failure := find_failure(outcome, program, PRODUCER_LIMITS):
            return failure
        data = _read_result(place / _INPUT)
        if data is None:
            data = outcome.stdout
            if not data:
                return RunFailure(f"it prints nothing, and writes no {_INPUT}")
        return data, _read_result(place / _ANSWER)
    finally:
        remove(str(place))


def _key(recipe: Produced, generator: Source, problem: Problem) -> str:
    """Return the key of an input: a hash of everything that decides its content."""
    flags = [repr(sorted(problem.compile_flags.items()))] if problem.compile_flags else []
    has_seed = any(SEED in each for each in recipe.args)
    seeds = (str(recipe.seed), str(recipe.attempts)) if has_seed else ()
    return make_key("produced", _VERSION, generator.digest, *generator.key(), *flags, *seeds, "args", *recipe.args)


def _read_result(path: Path) -> bytes | None:
    """Return a file that a generator wrote, or None if there is none; a link is not followed."""
    try:
        descriptor = open_regular(path)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


# ---- the files of a generator --------------------------------------------------------------------------------------

_FOLDER = "generators"

# What a line imports; a relative import has no meaning in a program of one file.
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+(\w[\w.,\t ]*))", re.MULTILINE)
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]{1,255})"', re.MULTILINE)
_C_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hpp", ".hh", ".hxx"})


def read_generator(sources: Sequence[Path], problem: Problem, testlib: Path | None = None) -> Source:
    """Return the files of a generator: of a folder, or of files of which the first runs.

    `testlib` is the user's `testlib.h`, for a generator that has none.

    Raises:
        ToolError: it is not a program, or a link leads to where `LinkRoot` does not allow it.
        OSError: a file cannot be read.
    """
    first, *others = sources
    options = program_options(problem, first)
    files = {path.name: path for path in others if path != first}
    for path in (first, *files.values()):
        _check_link(path, problem.folder)
    source = read_source(first, options)
    if not others and not first.is_dir():
        files = {str(path.relative_to(first.parent)): path for path in _find_used(first, problem.folder)}
    if TESTLIB not in files and needs_testlib(source.files.items()):
        files[TESTLIB] = find_testlib(first, problem.folder, testlib)
    if not files:
        return source
    whole = read_program(first, options, beside=files)
    # What a file includes is compiled with it, not beside it.
    linked = () if source.language.compiles_all and not others else whole.sources
    own = tuple(dict.fromkeys((source.main, *linked)))
    return replace(whole, sources=own, main=source.main, entry_point=source.entry_point)


def build_generator(source: Source, problem: Problem, store: DataStore, box: Box) -> Program | CompileError:
    """Build a generator.

    Its program is in a folder `generators`: the header `validation.h` of BAPCtools takes a program for a generator, not
    for a validator, if its path contains `generat`.

    Raises:
        ToolError: a tool is missing.
        SandboxError: the compiler could not be run.
        OSError: the folder cannot be written.
    """
    folder = store.build / _FOLDER
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)  # the sandbox may run programs as another user
    options = BuildOptions(flags=problem.compile_flags, is_static=True)
    return build(source.path, folder, box, cache=store.programs, source=source, options=options)


def _check_link(path: Path, root: Path | None) -> None:
    if root is not None and (reason := LinkRoot.of(root).find_error(path)):
        raise ToolError(f"{path} {reason}: copy the file into it")


def _find_used(path: Path, root: Path | None) -> Iterator[Path]:
    """Yield the files of the same folder, or of Python packages in it, that a file uses directly or through others."""
    seen = {path}
    pending = [path]
    while pending:
        current = pending.pop()
        _check_link(current, root)
        for name in _used_names(current):
            used = path.parent / name
            for each in used.rglob("*.py") if used.is_dir() else [used]:
                if each not in seen and len(seen) < 1000 and each.is_file():
                    seen.add(each)
                    pending.append(each)
                    yield each


def _used_names(path: Path) -> Iterator[str]:
    """Yield the names of files and folders that a source may mean."""
    suffix = path.suffix.lower()
    if suffix in _C_SUFFIXES:
        for match in _INCLUDE.finditer(read_file(path)):
            name = os.fsdecode(match[1])
            if "/" not in name:
                yield name
    elif suffix in {".py", ".py3"}:
        for match in _IMPORT.finditer(read_file(path)):
            for word in (match[1] or match[2]).split(b","):
                if parts := word.split():
                    name = os.fsdecode(parts[0].split(b".")[0])
                    if name:  # not of a relative import
                        yield from (f"{name}.py", name)
