"""The result cache: finds the result of a job in the store of earlier results, and adds new results to it.

The key of a result is a hash of everything that decides it: the source, its language and the tools of that language,
the input, the answer, the checker with its options, the limits, the sandbox level, cold or warm runs, the code of the
judge, and the machine. If any of these changes, the key changes. So entries never have to be invalidated.
"""

import hashlib
import os
import resource
import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path

from judge.data import digest
from judge.judging.judge import data_digest
from judge.languages.build import STOPPED
from judge.model import Case, CaseResult, CheckerConfig, Level, Limits, Verdict
from judge.preparation.cases import PreparedCase, ReadyCase
from judge.runner.options import RunOptions
from judge.runner.solution import SolutionBuild

UNRELATED = frozenset(
    {
        "api.py",  # these decide what to judge: cases, limits and checkers are in the key by value
        "cli",
        "commands",
        "git.py",
        "problems",
        "pytest_plugin",
        "settings",
        "watch",
        "workspace",
        "history",  # stores results; the store has its own version number and checksums
        "online",  # these use verdicts, but make none
        "timing",
        "reporters",
        "scaffold",
        "schemas",
    }
)
"""Packages and modules of `judge` whose code cannot change a result: an edit there keeps the cache.

All others count, so that a new package is never left out by mistake.
"""

_NOT_STORED = (Verdict.JE, Verdict.SK, Verdict.NA)  # the output of a NA is what the user wants to see, and not stored
_SOURCE = b"\0source\0"  # replaces the path of the solution in stored texts: the repository may be moved

_Pending = tuple[SolutionBuild, PreparedCase, bytes]  # with the key of the solution


class ResultCache:
    """Finds and stores results. The results of jobs must be stored in the order in which the jobs were looked up.

    Args:
        must_stop: asked while huge data is read; True makes the data unknown.
    """

    def __init__(
        self, options: RunOptions, *, level: Level, is_warm: bool, must_stop: Callable[[], bool] = bool
    ) -> None:
        self._results = options.results
        self._must_stop = must_stop
        self._fresh = options.fresh or options.keeps_data
        environment = (level.value, str(is_warm), *machine(), *_hard_limits(), _own_digest())
        self._environment = environment if options.results else ()
        self._solution: tuple[SolutionBuild, bytes | None] | None = None
        self._case_keys: dict[str, bytes | None] = {}  # of locked cases, whose data need not be read
        self._pending: deque[_Pending | None] = deque()

    def begin(self) -> None:
        """Begin with a problem: drop the pending jobs of the one before."""
        self._solution = None
        self._case_keys.clear()
        self._pending.clear()

    def find(self, job: tuple[SolutionBuild, PreparedCase]) -> CaseResult | None:
        """Return the result of a job, or None if it is not in the cache."""
        if self._results is None:
            return None
        solution, prepared = job
        key = self._solution_key(solution)
        if key is None:
            self._pending.append(None)
            return None
        case = None if self._fresh else self._case_key(prepared)
        found = None if case is None else self._results.find(key, case, prepared.case)
        self._pending.append(None if found else (solution, prepared, key))
        return found and _replace_path(found, _SOURCE, os.fsencode(solution.solution.path))

    def put(self, result: CaseResult) -> None:
        """Store the result of the oldest pending job under the data on which it was judged."""
        if self._results is None:
            return
        pending = self._pending.popleft()
        if pending is None or result.verdict in _NOT_STORED or result.reason.startswith(STOPPED):
            return
        solution, prepared, key = pending
        case = _hash_case(prepared.case, result.data_digest if result.run else self._current_digest(prepared))
        if case is not None:
            self._results.put(key, case, _replace_path(result, os.fsencode(solution.solution.path), _SOURCE))

    def flush(self) -> None:
        """Write all stored results to the disk."""
        if self._results is not None:
            self._results.flush()

    def _solution_key(self, solution: SolutionBuild) -> bytes | None:
        if self._solution is None or self._solution[0] is not solution:
            identity = solution.identity()
            key = None if identity is None else _hash(*identity, *self._environment)
            self._solution = (solution, key)
        return self._solution[1]

    def _case_key(self, prepared: PreparedCase) -> bytes | None:
        if not isinstance(prepared, ReadyCase) or prepared.locked is None:
            return _hash_case(prepared.case, self._current_digest(prepared))
        if prepared.case.id not in self._case_keys:
            self._case_keys[prepared.case.id] = _hash_case(prepared.case, self._current_digest(prepared))
        return self._case_keys[prepared.case.id]

    def _current_digest(self, prepared: PreparedCase) -> str:
        """Return the hash of the current data of a case; "" if it cannot be judged."""
        if not isinstance(prepared, ReadyCase):
            return ""
        if prepared.locked is not None:
            return data_digest(prepared.locked.input, prepared.locked.answer)
        try:
            given = digest(prepared.input, self._must_stop)
            return data_digest(given, "" if prepared.answer is None else digest(prepared.answer, self._must_stop))
        except OSError:
            return ""


def _hash_case(case: Case, data: str) -> bytes | None:
    """Return the key of a case with the given data, its limits and its checker; None if the data is unknown."""
    return _hash(data, _settings_text(case.checker, case.limits)) if data else None


@cache
def _settings_text(checker: CheckerConfig, limits: Limits) -> str:
    return repr((astuple(checker), astuple(limits)))


def _hash(*parts: str) -> bytes:
    text = b"".join(b"%d:%s" % (len(each), each) for each in (part.encode(errors="surrogateescape") for part in parts))
    return hashlib.sha256(text).digest()[:16]


@cache
def _own_digest() -> str:
    return code_digest(Path(__file__).parents[1])


def code_digest(package: Path) -> str:
    """Return a hash of the code that decides results: the names, sizes and modification times of its files.

    Args:
        package: the folder of the package `judge`.
    """
    files = (f"{path} {found.st_size} {found.st_mtime_ns}" for path, found in _scan(package, UNRELATED))
    return hashlib.sha256("\n".join(sorted(files)).encode(errors="surrogateescape")).hexdigest()


def _scan(folder: Path, excluded: frozenset[str] = frozenset()) -> Iterator[tuple[str, os.stat_result]]:
    for entry in os.scandir(folder):
        if entry.name in excluded or entry.name == "__pycache__":
            continue
        if entry.is_dir():
            yield from _scan(Path(entry.path))
        elif entry.name.endswith(".py"):
            yield entry.path, entry.stat()


@cache
def machine() -> tuple[str, ...]:
    """Return what decides how fast a program runs on this machine, and how it is sandboxed."""
    system = os.uname()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    model = next((line for line in lines if line.startswith(("model name", "CPU part"))), "")
    return (system.sysname, system.release, system.machine, model, sys.byteorder)


def _hard_limits() -> Iterator[str]:
    """Yield the limits of this process that its runs inherit, for example from `ulimit -v` before `judge run`."""
    for which in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_DATA, resource.RLIMIT_STACK):
        yield str(resource.getrlimit(which)[1])


def _replace_path(result: CaseResult, old: bytes, new: bytes) -> CaseResult:
    """Return a result with another path of the source in its texts."""
    run, reason = result.run, result.reason
    if run is not None and old in run.stderr_tail:
        run = replace(run, stderr_tail=run.stderr_tail.replace(old, new))
    if reason:
        reason = reason.replace(os.fsdecode(old), os.fsdecode(new))
    return result if run is result.run and reason == result.reason else replace(result, run=run, reason=reason)
