"""Results of mutants from earlier runs, one file for each solution; all of it can be deleted at any time.

A verdict is stored by the content of the mutant and of the case, so an edit makes only what it affects run again.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from judge.files import read_cache, write_cache
from judge.model import Verdict
from judge.units import Seconds

_VERSION = 2


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
        self._environment = environment
        loaded = self._load()
        self._verdicts: dict[str, dict[str, str]] = loaded.get("verdicts", {})
        self._times: dict[str, float] = loaded.get("times", {})
        self._labels: dict[str, str] = loaded.get("labels", {})
        self._searched: dict[str, float] = loaded.get("searched", {})
        self._used: set[str] = set()
        self._has_new = False

    def verdict(self, mutant: str, case: str) -> Verdict | None:
        """Return the verdict on a mutant, by the hash of the mutant and of the case; None if it is not known."""
        self._used.add(mutant)
        found = self._verdicts.get(mutant, {}).get(case)
        return None if found is None else Verdict(found)

    def put_verdict(self, mutant: str, case: str, verdict: Verdict) -> None:
        """Store a verdict."""
        self._verdicts.setdefault(mutant, {})[case] = verdict.value
        self._has_new = True

    def time(self, key: str) -> Seconds | None:
        """Return the CPU time of the solution itself on a case; None if it is not known, or not accepted."""
        found = self._times.get(key)
        return None if found is None else Seconds(found)

    def put_time(self, key: str, cpu: Seconds) -> None:
        """Store the CPU time of an accepted run."""
        self._times[key] = cpu
        self._has_new = True

    def label(self, key: str) -> str | None:
        """Return what is known about a survivor, by the hash of the mutant and of all cases."""
        return self._labels.get(key)

    def put_label(self, key: str, label: str) -> None:
        """Store what is known about a survivor."""
        self._labels[key] = label
        self._has_new = True

    def searched(self, key: str) -> Seconds:
        """Return how long an input that kills a survivor was searched for in vain.

        The key is the hash of the mutant, and that of all that decides what a search finds.
        """
        return Seconds(self._searched.get(key, 0.0))

    def put_searched(self, key: str, budget: Seconds) -> None:
        """Store that a search of this time was in vain."""
        self._searched[key] = max(budget, self.searched(key))
        self._has_new = True

    def save(self) -> None:
        """Write the file, without the mutants that no longer exist; if it cannot be written, they run again later."""
        if not self._has_new:
            return
        verdicts = {key: value for key, value in self._verdicts.items() if key in self._used}
        labels = {key: value for key, value in self._labels.items() if key.partition(" ")[0] in self._used}
        searched = {key: value for key, value in self._searched.items() if key.partition(" ")[0] in self._used}
        document = {
            "version": _VERSION,
            "environment": self._environment,
            "verdicts": verdicts,
            "times": self._times,
            "labels": labels,
            "searched": searched,
        }
        try:
            write_cache(self._path, json.dumps(document).encode(), self._folder)
        except OSError:
            return
        self._has_new = False

    def _load(self) -> dict[str, Any]:
        try:
            loaded = json.loads(read_cache(self._path))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(loaded, dict) or not _is_valid(loaded):
            return {}
        is_current = loaded.get("version") == _VERSION and loaded.get("environment") == self._environment
        return loaded if is_current else {}


def _is_valid(loaded: dict[str, Any]) -> bool:
    verdicts, times, labels, searched = (loaded.get(name) for name in ("verdicts", "times", "labels", "searched"))
    if not (isinstance(verdicts, dict) and isinstance(times, dict)):
        return False
    if not (isinstance(labels, dict) and isinstance(searched, dict)):
        return False
    known = set(Verdict)
    return (
        all(isinstance(each, dict) and known.issuperset(map(str, each.values())) for each in verdicts.values())
        and all(isinstance(each, int | float) for each in (*times.values(), *searched.values()))
        and all(isinstance(each, str) for each in labels.values())
    )
