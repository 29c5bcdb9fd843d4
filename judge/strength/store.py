"""Results of mutants from earlier runs, one file for each solution; all of it can be deleted at any time.

A verdict is stored by the content of the mutant and of the case, so an edit makes only what it affects run again.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.files import read_cache, write_cache
from judge.base.units import Seconds
from judge.model import Verdict
from judge.strength.results import Label

_VERSION = 2


class _Document(Struct, kw_only=True):
    """The content of the file. Its keys begin with the hash of a mutant, those of `times` with that of the solution."""

    version: int
    environment: str
    verdicts: dict[str, dict[str, Verdict]] = field(default_factory=dict)
    times: dict[str, Seconds] = field(default_factory=dict)
    labels: dict[str, Label] = field(default_factory=dict)
    searched: dict[str, Seconds] = field(default_factory=dict)


class MutantStore:
    """What is known about the mutants of one solution, whose path names the file in the folder of the judge's state.

    `environment` is everything besides mutants and cases that decides a verdict; results of another one are dropped.

    Attributes:
        times: the CPU times of accepted runs of the solution itself, by its hash and that of the case.
        labels: what is known about survivors, by the hash of the mutant and of all cases.
        searched: how long an input that kills a survivor was searched for in vain, by the hash of the mutant, and that
            of all that decides what a search finds.
    """

    def __init__(self, folder: Path, solution: Path, environment: str) -> None:
        self._folder = folder
        self._path = folder / "strength" / f"{hashlib.sha256(os.fsencode(solution)).hexdigest()[:24]}.json"
        self._known = _Document(version=_VERSION, environment=environment)
        with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = msgspec.json.decode(read_cache(self._path), type=_Document)
            if (found.version, found.environment) == (_VERSION, environment):
                self._known = found
        self._saved = msgspec.json.encode(self._known)
        self._used: set[str] = set()
        self.times, self.labels, self.searched = self._known.times, self._known.labels, self._known.searched

    def verdict(self, mutant: str, case: str) -> Verdict | None:
        """Return the verdict on a mutant, by the hash of the mutant and of the case; None if it is not known."""
        self._used.add(mutant)
        return self._known.verdicts.get(mutant, {}).get(case)

    def put_verdict(self, mutant: str, case: str, verdict: Verdict) -> None:
        """Store a verdict."""
        self._known.verdicts.setdefault(mutant, {})[case] = verdict

    def save(self) -> None:
        """Write the file, without the mutants that no longer exist; if it cannot be written, they run again later."""
        if (whole := msgspec.json.encode(self._known)) == self._saved:
            return
        known = replace(
            self._known,
            verdicts={key: value for key, value in self._known.verdicts.items() if key in self._used},
            labels={key: value for key, value in self.labels.items() if key.partition(" ")[0] in self._used},
            searched={key: value for key, value in self.searched.items() if key.partition(" ")[0] in self._used},
        )
        with suppress(OSError):
            write_cache(self._path, msgspec.json.encode(known), self._folder)
            self._saved = whole
