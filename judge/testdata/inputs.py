"""The inputs of a problem's cases: from the case file, from files, from generators, from outside."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from judge.errors import told
from judge.model import Case, External, Generated, InFile, Inline, Problem
from judge.sandbox.box import Box
from judge.testdata.external import DATA_VARIABLE, find_external
from judge.testdata.generate import GeneratorFault, generate, readable_copies, sources_digest
from judge.testdata.objects import key_of
from judge.testdata.prepared import Broken, Data, MapRuns, Shelf, Skipped, broken

MOST_IN_A_BATCH = 16  # inputs that one generator process makes: its start costs about as much as a small input


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Gives every case its input.

    Attributes:
        generators: hash of all that the problem's generators are made of.
    """

    problem: Problem
    shelf: Shelf
    generators: str

    def make(
        self, cases: Sequence[Case], map_runs: MapRuns, workers: int, into: dict[str, Data | GeneratorFault]
    ) -> Iterator[int]:
        """Put the inputs of all generated cases into a dict by their key; yield how many are still to be made."""
        missing: dict[str, Generated] = {}
        for case in cases:
            if isinstance(case.input, Generated):
                key = self._key(case.input)
                digest = self.shelf.facts.get(key)
                known = self.shelf.objects.find(digest) if digest else None
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
                    self.shelf.facts.put(key, digest)
        finally:
            if missing and self._are_edited():  # the keys say what the generators were, not what they are
                self.shelf.facts.forget(missing)

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
        homed = readable_copies(missing, self.shelf.build, self.generators)
        size = min(max(1, ceil(len(keys) / workers)), MOST_IN_A_BATCH)
        batches = [keys[at : at + size] for at in range(0, len(keys), size)]

        def make(box: Box, batch: list[str]) -> list[tuple[str, Data] | GeneratorFault]:
            made = generate(self.problem.id, [homed[key] for key in batch], box)
            return [each if isinstance(each, GeneratorFault) else self.shelf.objects.add(each) for each in made]

        for batch, results in zip(batches, map_runs(make, batches), strict=True):
            yield from zip(batch, results, strict=True)

    def _external(self, case: Case, wanted: External) -> Data | Skipped | Broken:
        try:
            found, wrong = find_external(wanted, self.problem.id, self.shelf.folders, self.shelf.objects)
        except OSError as error:
            return broken(case, told(error))
        if found is not None:
            return found
        if wrong:
            return broken(case, f"{wrong}; get the right file from {wanted.url}, or remove this one")
        return Skipped(
            case=case,
            reason=f"{wanted.file} is not on this machine; `judge fetch {self.problem.id}` gets it, "
            f"or name the folder that holds it with --data DIR or {DATA_VARIABLE}",
        )
