"""Results of mutants from earlier runs, one file for each solution; all of it can be deleted at any time.

A verdict is stored by the content of the mutant and of the case, so an edit makes only what it affects run again.
"""

import hashlib
import os
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
    """What is known about the mutants of one solution.

    Args:
        folder: of the judge's state.
        solution: the path of the solution, which names the file.
        environment: everything besides mutants and cases that decides a verdict; results of another one are dropped.
    """

    def __init__(self, folder: Path, solution: Path, environment: str) -> None:
        self._folder = folder
        self._path = folder / "strength" / f"{hashlib.sha256(os.fsencode(solution)).hexdigest()[:24]}.json"
        self._known = _load(self._path, environment) or _Document(version=_VERSION, environment=environment)
        self._used: set[str] = set()
        self._has_new = False

    def verdict(self, mutant: str, case: str) -> Verdict | None:
        """Return the verdict on a mutant, by the hash of the mutant and of the case; None if it is not known."""
        self._used.add(mutant)
        return self._known.verdicts.get(mutant, {}).get(case)

    def put_verdict(self, mutant: str, case: str, verdict: Verdict) -> None:
        """Store a verdict."""
        self._known.verdicts.setdefault(mutant, {})[case] = verdict
        self._has_new = True

    def time(self, key: str) -> Seconds | None:
        """Return the CPU time of the solution itself on a case; None if it is not known, or not accepted."""
        return self._known.times.get(key)

    def put_time(self, key: str, cpu: Seconds) -> None:
        """Store the CPU time of an accepted run."""
        self._known.times[key] = cpu
        self._has_new = True

    def label(self, key: str) -> Label | None:
        """Return what is known about a survivor, by the hash of the mutant and of all cases."""
        return self._known.labels.get(key)

    def put_label(self, key: str, label: Label) -> None:
        """Store what is known about a survivor."""
        self._known.labels[key] = label
        self._has_new = True

    def searched(self, key: str) -> Seconds:
        """Return how long an input that kills a survivor was searched for in vain.

        The key is the hash of the mutant, and that of all that decides what a search finds.
        """
        return self._known.searched.get(key, Seconds(0.0))

    def put_searched(self, key: str, budget: Seconds) -> None:
        """Store that a search of this time was in vain."""
        self._known.searched[key] = max(budget, self.searched(key))
        self._has_new = True

    def save(self) -> None:
        """Write the file, without the mutants that no longer exist; if it cannot be written, they run again later."""
        if not self._has_new:
            return
        known = replace(
            self._known,
            verdicts={key: value for key, value in self._known.verdicts.items() if key in self._used},
            labels={key: value for key, value in self._known.labels.items() if key.partition(" ")[0] in self._used},
            searched={key: value for key, value in self._known.searched.items() if key.partition(" ")[0] in self._used},
        )
        try:
            write_cache(self._path, msgspec.json.encode(known), self._folder)
        except OSError:
            return
        self._has_new = False


def _load(path: Path, environment: str) -> _Document | None:
    """Return what a file has for an environment; None if it is missing, of another version, or no such file."""
    try:
        found = msgspec.json.decode(read_cache(path), type=_Document)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if (found.version, found.environment) == (_VERSION, environment) else None
