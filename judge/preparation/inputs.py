"""The inputs of a problem's cases: from the case file, from files, from generators, or from outside."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from judge.base.data import Data, digest
from judge.base.errors import StoreError, describe_error
from judge.base.units import GIB
from judge.model import Case, External, Generated, InFile, Inline, Problem, Produced
from judge.preparation.cases import DataStore, InvalidCase, MapRuns, RunFailure, SkippedCase
from judge.preparation.store import DATA_VARIABLE, Lock, ObjectStore, make_key
from judge.sandbox.box import Box

if TYPE_CHECKING:  # few problems have such generators
    from judge.preparation.produce import Producer

Hashed = tuple[str, Data]
"""Data after its SHA-256 in hex, which is "" if nothing has hashed it yet."""

_GRAMMAR_VERSION = "2"  # of how grammars make inputs: a change makes all inputs again


def generate_from_grammar(problem: Problem, recipe: Generated) -> bytes | RunFailure:
    """Make an input with the grammar of problem.yaml, here: it computes nothing but what the judge itself does."""
    from random import Random

    from judge.inputs import GrammarError

    grammar = problem.grammar
    assert grammar is not None
    try:
        rng = Random(f"{problem.id}/{recipe.function}/{recipe.seed}")
        return grammar.generate(rng, **dict(recipe.parameters))  # type: ignore[arg-type]  # the case file was checked
    except GrammarError as error:
        return RunFailure(f"makes no input: {error}")


def hash_sources(generators: Sequence[Path]) -> str:
    """Return one hash of all files in the folders of generators, with the data that generators read.

    Hidden files and `__pycache__` do not count.

    Raises:
        OSError: a file cannot be read.
    """
    parts = []
    for folder in sorted({path.parent for path in generators}):
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in name.parts):
                parts += [name.as_posix(), digest(path)]
    return make_key(*parts)


def find_external(
    wanted: External, problem: str, folders: Sequence[Path], objects: ObjectStore
) -> tuple[Path | bytes | None, str]:
    """Look for an external file in folders, also in their sub-folders named after the problem, then in the downloads.

    Returns:
        The file and "", or None and a message about files of that name with a different hash ("" if there are none).
    """
    wrong = []
    for folder in folders:
        for path in (folder / problem / wanted.file, folder / wanted.file):
            if path.is_file():
                sha256 = digest(path)
                if sha256 == wanted.sha256:
                    return path, ""
                wrong.append(f"{path} has the SHA-256 {sha256}, expected {wanted.sha256}")
    return objects.find(wanted.sha256), "; ".join(wrong)


def fetch_external(wanted: External, objects: ObjectStore) -> Path | bytes:
    """Download an external file, check its hash and store it.

    Raises:
        StoreError: no network, an error of the server, or unexpected content.
    """
    import http.client  # only `judge fetch` needs the network; the import takes longer than all the others
    import urllib.request

    if not wanted.url.startswith(("https://", "http://")):
        raise StoreError(f"{wanted.url}: only http and https URLs can be downloaded")
    try:
        request = urllib.request.Request(wanted.url, headers={"User-Agent": "judge-harness"})  # noqa: S310 - checked above
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - checked above
            data = answer.read(GIB + 1)
    except (OSError, ValueError, http.client.HTTPException) as error:  # URLError is an OSError
        why = str(error) or type(error).__name__
        raise StoreError(
            f"{wanted.url}: {why}; download it manually and pass its folder with --data or {DATA_VARIABLE}"
        ) from error
    if len(data) > GIB:
        raise StoreError(f"{wanted.url}: more than 1 GiB")
    sha256 = digest(data)
    if sha256 != wanted.sha256:
        raise StoreError(f"{wanted.url}: the content has the SHA-256 {sha256}, expected {wanted.sha256}; discarded")
    return objects.add(data)[1]


class Inputs(Struct, frozen=True, kw_only=True):
    """Makes and finds the inputs of a problem's cases.

    An input that is made for the first time is made twice, in two processes, and compared: the second process has
    another clock, other hashes of strings and another order of the inputs. The hash of an input that was made before,
    here or by whoever locked it, saves the second time.

    Attributes:
        generators: the hash of all files of the problem's generators.
        producer: runs the generators of a package; None if no case needs that.
    """

    problem: Problem
    store: DataStore
    generators: str
    lock: Lock
    producer: "Producer | None" = None
    _made: dict[str, Hashed | RunFailure] = field(default_factory=dict)

    def make(self, cases: Sequence[Case], map_runs: MapRuns, workers: int) -> Iterator[int]:
        """Make the inputs of all generated cases; yield how many are not made yet."""
        if self.producer is not None:
            yield from self.producer.make(cases, map_runs)
        missing: dict[str, Generated] = {}
        expected: dict[str, str] = {}
        for case in cases:
            if isinstance(case.input, Generated):
                key = self._key(case.input)
                made_before = self.store.facts.get(key)
                if made_before and (known := self.store.objects.find(made_before)) is not None:
                    self._made[key] = made_before, known
                else:
                    missing[key] = case.input
                    locked = self.lock.get(case.id)
                    expected[key] = made_before or (locked.input if locked else "")
        if not missing:
            return
        from judge.preparation.generate import copy_readable  # most runs make nothing

        programs = {key: recipe for key, recipe in missing.items() if not recipe.is_from_grammar}
        copies = copy_readable(programs, self.store.build)
        is_current = not copies or hash_sources(self.problem.generators) == self.generators
        making = self._make(missing, copies, expected, map_runs, workers)
        for remaining, (key, made) in zip(range(len(missing), 0, -1), making, strict=True):
            yield remaining
            self._made[key] = made
            # unless a generator was saved in the meantime: then the key is that of the old one
            if is_current and not isinstance(made, RunFailure):
                self.store.facts.put(key, made[0])

    def find(self, case: Case) -> Hashed | SkippedCase | InvalidCase:
        """Return the input of a case, or why there is none; what is generated was made before."""
        match case.input:
            case Inline() | InFile() as given:
                return "", self.store.objects.data_of(given)
            case External() as wanted:
                return self._find_external(case, wanted)
            case Produced():
                assert self.producer is not None
                production = self.producer.find(case)
                return production if isinstance(production, InvalidCase) else (production.digest, production.data)
            case Generated() as recipe:
                found = self._made[self._key(recipe)]
                if isinstance(found, RunFailure):
                    return self._invalid(case, recipe, found)
                return found

    def _invalid(self, case: Case, recipe: Generated, failure: RunFailure) -> InvalidCase:
        file = None if recipe.is_from_grammar else self.problem.show_file(recipe.file)
        if not failure.is_random:
            subject, detail = f"the generator `{recipe.function}` fails on", f": {failure.reason}"
            return InvalidCase(case, subject, detail, file)
        return InvalidCase(
            case=case,
            file=file,
            subject=f"the generator `{recipe.function}` makes a different input each time for",
            detail=f": {failure.reason}",
            fix="draw numbers only from its parameter `random`, and use no order of a set, no `hash()`, no clock, no "
            "environment, and nothing that an earlier call left behind",
        )

    def _key(self, recipe: Generated) -> str:
        """Return the key of a generated input: a hash of everything that decides its content."""
        if recipe.is_from_grammar:
            parts = (self.problem.input_format, repr(recipe.parameters), str(recipe.seed), _GRAMMAR_VERSION)
            return make_key("grammar", self.problem.id, *parts)
        settings = (recipe.file.name, recipe.function, repr(recipe.parameters), str(recipe.seed))
        return make_key("input", self.problem.id, self.generators, *settings)

    def _make(
        self,
        missing: Mapping[str, Generated],
        copies: Mapping[str, Generated],
        expected: Mapping[str, str],
        map_runs: MapRuns,
        workers: int,
    ) -> Iterator[tuple[str, Hashed | RunFailure]]:
        """Make inputs; yield their keys with their hashes and paths: all in memory at once may be too much."""
        for key in [key for key in missing if key not in copies]:
            made = generate_from_grammar(self.problem, missing[key])
            yield key, made if isinstance(made, RunFailure) else self.store.objects.add(made)
        from judge.preparation.generate import generate_proved

        keys = list(copies)
        size = min(max(1, ceil(len(keys) / workers)), 16)  # to start a generator takes about as long as a small input
        batches = [keys[at : at + size] for at in range(0, len(keys), size)]

        def make(box: Box, batch: list[str]) -> list[Hashed | RunFailure]:
            recipes, hashes = [copies[key] for key in batch], [expected[key] for key in batch]
            made = generate_proved(self.problem.id, recipes, hashes, box)
            return [each if isinstance(each, RunFailure) else self.store.objects.add(each) for each in made]

        for batch, results in zip(batches, map_runs(make, batches), strict=True):
            yield from zip(batch, results, strict=True)

    def _find_external(self, case: Case, wanted: External) -> Hashed | SkippedCase | InvalidCase:
        try:
            found, wrong = find_external(wanted, self.problem.id, self.store.folders, self.store.objects)
        except OSError as error:
            return InvalidCase(case, describe_error(error))
        if found is not None:
            return wanted.sha256, found
        if wrong:
            return InvalidCase(case, f"{wrong}; download the correct file from {wanted.url}, or remove this one")
        return SkippedCase(
            case=case,
            reason=f"{wanted.file} is not on this machine; run `judge fetch {self.problem.id}`, "
            f"or pass its folder with --data DIR or {DATA_VARIABLE}",
        )
