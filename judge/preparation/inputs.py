"""The inputs of a problem's cases: from the case file, from files, from generators, from outside."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from judge.data import Data, digest
from judge.errors import StoreError, describe_error
from judge.model import Case, External, Generated, InFile, Inline, Problem
from judge.preparation.cases import Broken, DataStore, MapRuns, Skipped, broken
from judge.preparation.generate import GeneratorFault, generate, readable_copies, sources_digest
from judge.preparation.store import ObjectStore, key_of
from judge.sandbox.box import Box

DATA_VARIABLE = "JUDGE_DATA"
_TIMEOUT_S = 30
_LARGEST = 1 << 30


def find_external(
    wanted: External, problem: str, folders: Sequence[Path], objects: ObjectStore
) -> tuple[Path | bytes | None, str]:
    """Look for an external file.

    Args:
        wanted: which file.
        problem: the problem's id; a folder may have a sub-folder of that name.
        folders: where to look, best first, before what `judge fetch` has kept.
        objects: what `judge fetch` has kept.

    Returns:
        The file and "", or None and a text about files of that name that have another hash ("" when there are none).
    """
    wrong = []
    for folder in folders:
        for path in (folder / problem / wanted.file, folder / wanted.file):
            if path.is_file():
                found = digest(path)
                if found == wanted.sha256:
                    return path, ""
                wrong.append(f"{path} has the sha256 {found}, expected {wanted.sha256}")
    return objects.find(wanted.sha256), "; ".join(wrong)


def data_folders(option: Path | None) -> list[Path]:
    """Return the folders that hold external data: the option's, then those of the environment variable."""
    listed = [Path(part) for part in os.environ.get(DATA_VARIABLE, "").split(os.pathsep) if part]
    return [option, *listed] if option else listed


def fetch_external(wanted: External, objects: ObjectStore) -> Path | bytes:
    """Download an external file, check its hash and keep it.

    Raises:
        StoreError: no network, an error of the server, another content than expected, or no place to keep it.
    """
    import http.client  # only this command needs the network; the import takes longer than all the rest
    import urllib.request

    if not wanted.url.startswith(("https://", "http://")):
        raise StoreError(f"{wanted.url}: only http and https addresses can be fetched")
    try:
        request = urllib.request.Request(wanted.url, headers={"User-Agent": "judge-harness"})  # noqa: S310 - checked above
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310 - checked above
            data = answer.read(_LARGEST + 1)
    except (OSError, ValueError, http.client.HTTPException) as error:  # URLError is an OSError
        why = str(error) or type(error).__name__
        raise StoreError(
            f"{wanted.url}: {why}; download it by hand and name its folder with --data or {DATA_VARIABLE}"
        ) from error
    if len(data) > _LARGEST:
        raise StoreError(f"{wanted.url}: more than 1 GiB")
    found = digest(data)
    if found != wanted.sha256:
        raise StoreError(f"{wanted.url}: the content has the sha256 {found}, expected {wanted.sha256}; it is not kept")
    return objects.add(data)[1]


MOST_IN_A_BATCH = 16  # inputs that one generator process makes: its start costs about as much as a small input


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Gives every case its input.

    Attributes:
        generators: hash of all that the problem's generators are made of.
    """

    problem: Problem
    store: DataStore
    generators: str

    def make(
        self, cases: Sequence[Case], map_runs: MapRuns, workers: int, into: dict[str, Data | GeneratorFault]
    ) -> Iterator[int]:
        """Put the inputs of all generated cases into a dict by their key; yield how many are still to be made."""
        missing: dict[str, Generated] = {}
        for case in cases:
            if isinstance(case.input, Generated):
                key = self._key(case.input)
                digest = self.store.facts.get(key)
                known = self.store.objects.find(digest) if digest else None
                if known is None:
                    missing[key] = case.input
                else:
                    into[key] = known
        making = self._make(missing, map_runs, workers)
        try:
            for left, (key, made) in zip(range(len(missing), 0, -1), making, strict=True):
                yield left
                if isinstance(made, GeneratorFault):
                    into[key] = made
                else:
                    digest, into[key] = made
                    self.store.facts.put(key, digest)
        finally:
            if missing and self._are_edited():  # the keys say what the generators were, not what they are
                self.store.facts.forget(missing)

    def of(self, case: Case, made: Mapping[str, Data | GeneratorFault]) -> Data | Skipped | Broken:
        """Return a case's input, or why it cannot be had."""
        match case.input:
            case Inline(data):
                return data
            case InFile(path):
                return path
            case External() as wanted:
                return self._external(case, wanted)
            case Generated() as recipe:
                found = made[self._key(recipe)]
                if isinstance(found, GeneratorFault):
                    return broken(case, f"the generator `{recipe.function}` {found.message}")
                return found

    def _are_edited(self) -> bool:
        try:
            return sources_digest(self.problem.generators) != self.generators
        except OSError:
            return True

    def _key(self, recipe: Generated) -> str:
        """Return the key of a generated input: everything that decides its bytes."""
        settings = (recipe.file.name, recipe.function, repr(recipe.parameters), str(recipe.seed))
        return key_of("input", self.problem.id, self.generators, *settings)

    def _make(
        self, missing: Mapping[str, Generated], map_runs: MapRuns, workers: int
    ) -> Iterator[tuple[str, tuple[str, Data] | GeneratorFault]]:
        """Make inputs; yield their keys with their hashes and where they are, as files: many would fill the memory."""
        keys = list(missing)
        homed = readable_copies(missing, self.store.build, self.generators)
        size = min(max(1, ceil(len(keys) / workers)), MOST_IN_A_BATCH)
        batches = [keys[at : at + size] for at in range(0, len(keys), size)]

        def make(box: Box, batch: list[str]) -> list[tuple[str, Data] | GeneratorFault]:
            made = generate(self.problem.id, [homed[key] for key in batch], box)
            return [each if isinstance(each, GeneratorFault) else self.store.objects.add(each) for each in made]

        for batch, results in zip(batches, map_runs(make, batches), strict=True):
            yield from zip(batch, results, strict=True)

    def _external(self, case: Case, wanted: External) -> Data | Skipped | Broken:
        try:
            found, wrong = find_external(wanted, self.problem.id, self.store.folders, self.store.objects)
        except OSError as error:
            return broken(case, describe_error(error))
        if found is not None:
            return found
        if wrong:
            return broken(case, f"{wrong}; get the right file from {wanted.url}, or remove this one")
        return Skipped(
            case=case,
            reason=f"{wanted.file} is not on this machine; `judge fetch {self.problem.id}` gets it, "
            f"or name the folder that holds it with --data DIR or {DATA_VARIABLE}",
        )
