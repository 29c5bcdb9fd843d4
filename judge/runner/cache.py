"""Which result an earlier run has found out already, and which new ones are to be remembered.

A result is known by all that decides it: the submission's text, its language and that language's tools, the input, the
answer, the checker with its options, the limits, the level of the sandbox, warm or cold, the judge's own code, and the
machine. Where one of them changes, nothing is found; nothing is ever made invalid.
"""

import hashlib
import os
import resource
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path

from judge.data import digest
from judge.judging.judge import data_digest
from judge.languages.table import STOPPED
from judge.model import Case, CaseResult, CheckerConfig, Level, Limits, Verdict
from judge.preparation.cases import PreparedCase, Ready
from judge.runner.options import RunOptions
from judge.runner.submission import SolutionBuild

# The judge's own code that decides no verdict; all other rooms do, or may.
_NO_PART = frozenset({"cli", "layouts", "reporters", "scaffold", "schemas", "store", "yamlfile"})
_HERE = b"\0source\0"  # stands for the submission's path in kept texts: the repository may be moved

_Asked = tuple[SolutionBuild, PreparedCase, bytes]  # with the submission's key


class ResultCache:
    """Answers which results are known, and remembers the others as they come, in the same order. See the module."""

    def __init__(self, options: RunOptions, *, level: Level, is_warm: bool) -> None:
        self._results = options.results
        self._fresh = options.fresh
        surroundings = (level.value, str(is_warm), *machine(), *_hard_limits(), _engine())
        self._surroundings = surroundings if options.results else ()
        self._submission: tuple[SolutionBuild, bytes | None] | None = None
        self._cases: dict[str, bytes | None] = {}  # the keys of those whose data are known without reading
        self._waiting: deque[_Asked | None] = deque()

    def begin(self) -> None:
        """Forget the problem before: what it did not take any more is not waited for."""
        self._submission = None
        self._cases.clear()
        self._waiting.clear()

    def find(self, job: tuple[SolutionBuild, PreparedCase]) -> CaseResult | None:
        """Return the result of a job if it is known."""
        if self._results is None:
            return None
        submission, prepared = job
        key = self._key(submission)
        if key is None:
            self._waiting.append(None)
            return None
        case = None if self._fresh else self._case(prepared)
        found = None if case is None else self._results.find(key, case, prepared.case)
        self._waiting.append(None if found else (submission, prepared, key))
        return found and _moved(found, _HERE, os.fsencode(submission.solution.path))

    def learn(self, result: CaseResult) -> None:
        """Remember the result of the oldest job that was asked for, under the data that it was judged on."""
        if self._results is None:
            return
        waiting = self._waiting.popleft()
        if waiting is None or result.verdict in (Verdict.JE, Verdict.SK) or result.reason.startswith(STOPPED):
            return
        submission, prepared, key = waiting
        case = _case_key(prepared, result.data_digest if result.run else _digest_now(prepared))
        if case is not None:
            self._results.put(key, case, _moved(result, os.fsencode(submission.solution.path), _HERE))

    def flush(self) -> None:
        """Have what was learnt written."""
        if self._results is not None:
            self._results.flush()

    def _key(self, submission: SolutionBuild) -> bytes | None:
        if self._submission is None or self._submission[0] is not submission:
            identity = submission.identity()
            key = None if identity is None else _hash(*identity, *self._surroundings)
            self._submission = (submission, key)
        return self._submission[1]

    def _case(self, prepared: PreparedCase) -> bytes | None:
        if not isinstance(prepared, Ready) or prepared.locked is None:
            return _case_key(prepared, _digest_now(prepared))
        if prepared.case.id not in self._cases:
            self._cases[prepared.case.id] = _case_key(prepared, _digest_now(prepared))
        return self._cases[prepared.case.id]


def _digest_now(prepared: PreparedCase) -> str:
    """Return the hash of a case's data as they are now; "" when it cannot be judged."""
    if not isinstance(prepared, Ready):
        return ""
    if prepared.locked is not None:
        return data_digest(prepared.locked.input, prepared.locked.answer)
    try:
        return data_digest(digest(prepared.input), digest(prepared.answer))
    except OSError:
        return ""


def _case_key(prepared: PreparedCase, data: str) -> bytes | None:
    """Return the key of all that a case brings; None when its data are not known."""
    return _hash(data, _settings(prepared.case)) if data else None


def _settings(case: Case) -> str:
    return _settings_text(case.checker, case.limits)


@cache
def _settings_text(checker: CheckerConfig, limits: Limits) -> str:
    return repr((astuple(checker), astuple(limits)))


def _hash(*parts: str) -> bytes:
    text = b"".join(b"%d:%s" % (len(each), each) for each in (part.encode(errors="surrogateescape") for part in parts))
    return hashlib.sha256(text).digest()[:16]


@cache
def _engine() -> str:
    """Return what tells this judge's code from any other's: names, sizes and times of change of its files."""
    package = Path(__file__).parents[1]
    files = (f"{path} {found.st_size} {found.st_mtime_ns}" for path, found in _files(package))
    return hashlib.sha256("\n".join(sorted(files)).encode(errors="surrogateescape")).hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    for entry in os.scandir(folder):
        if entry.is_dir() and entry.name not in _NO_PART and entry.name != "__pycache__":
            yield from _files(Path(entry.path))
        elif entry.name.endswith(".py"):
            yield entry.path, entry.stat()


@cache
def machine() -> tuple[str, ...]:
    """Return what decides how fast a program runs here, and how it is shut in."""
    system = os.uname()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    model = next((line for line in lines if line.startswith(("model name", "CPU part"))), "")
    return (system.sysname, system.release, system.machine, model, sys.byteorder)


def _hard_limits() -> Iterator[str]:
    """Yield the limits of this process that its runs inherit, as from `ulimit -v` before `judge run`."""
    for which in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_DATA, resource.RLIMIT_STACK):
        yield str(resource.getrlimit(which)[1])


def _moved(result: CaseResult, old: bytes, new: bytes) -> CaseResult:
    """Return a result with another path of the source in its texts."""
    run, reason = result.run, result.reason
    if run is not None and old in run.stderr_tail:
        run = replace(run, stderr_tail=run.stderr_tail.replace(old, new))
    if reason:
        reason = reason.replace(os.fsdecode(old), os.fsdecode(new))
    return result if run is result.run and reason == result.reason else replace(result, run=run, reason=reason)
