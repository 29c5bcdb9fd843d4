"""The result cache: finds the result of a job in the store of earlier results, and adds new results to it.

The key of a result is a hash of everything that decides it: the source, its language and the tools of that language,
the input, the answer, the checker with its options (and its source, if it is a program), the limits, the sandbox level,
cold or warm runs, the code of the judge, and the machine. If any of these changes, the key changes. So entries never
have to be invalidated.
"""

import hashlib
import os
import re
import resource
import sys
from collections import deque
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import astuple, replace

from judge.base.data import data_digest, digest
from judge.base.errors import SandboxError, describe_error
from judge.base.files import describe_code
from judge.history.results import StoredSummary
from judge.languages.source import STOPPED
from judge.model import Case, CaseResult, CheckerConfig, Level, Limits, Verdict
from judge.preparation.cases import PreparedCase, ReadyCase, SkippedCase
from judge.runner.options import RunOptions
from judge.runner.solution import DECIDED, SolutionBuild

if TYPE_CHECKING:  # few problems have test groups, or programs that judge
    from judge.judging.programs import JudgePrograms
    from judge.model.groups import TestGroup

UNRELATED = frozenset(
    {
        "api.py",  # these decide what to judge: cases, limits and checkers are in the key by value
        "cli",
        "grading",
        "problems",
        "pytest_plugin",
        "settings",
        "watch",
        "workspace",
        "history",  # stores results; the store has its own version number and checksums
        "online",  # these use verdicts, but make none
        "timing",
        "strength",
        "reporters",
        "hack",  # these judge in their own ways, and store nothing
        "scaling",
        "packages",
        "scaffold",
        "schemas",
    }
)
"""Packages and modules of `judge` whose code cannot change a result: an edit there keeps the cache.

All others count, so that a new package is never left out by mistake.
"""

_NOT_STORED = (Verdict.JE, Verdict.SK, Verdict.NA)  # the output of a NA is what the user wants to see, and not stored
# Of several languages: a result of such a program is one draw, so it is never taken from the cache.
_CHANCE = (  # compiled when a result is looked up or stored
    rb"\b(?:import [^\n#;]{0,200}?\b(?:random|secrets)\b|from (?:random|secrets|time|numpy\.random) import"
    rb"|(?:np|numpy)\.random|default_rng|uuid|os\.urandom|s?rand\s*\(|mt19937|random_device|random_shuffle|random_int|arc4random|getrandom"
    rb"|[dl]rand48|(?:[Mm]ath|mt_?|kotlin)\.random|mt_rand|SecureRandom|(?:util\.|new )Random\b|math/rand|rand::"
    rb"|[Rr]andom(?:ize)?\s*[(;]|Random\.|ThreadLocalRandom|System\.Random|\.?shuffled?\b"
    rb"|time\.(?:time|monotonic|perf_counter|process_time|Now|Since)|datetime\.(?:now|utcnow|today)|DateTime\.Now"
    rb"|clock\s*\(\s*\)|time\s*\(\s*(?:0|NULL|nullptr|&\w+)\s*\)|clock_gettime|gettimeofday|rdtsc"
    rb"|(?:steady|system|high_resolution)_clock|currentTimeMillis|nanoTime|Instant::now|SystemTime|Date\.now"
    rb"|performance\.now|Stopwatch)"
)
_SOURCE = b"\0source\0"  # replaces the path of the solution in stored texts: the repository may be moved

_Pending = tuple[SolutionBuild, PreparedCase, bytes]  # with the key of the solution
_Replaced = tuple[bytes, bytes]  # a path of the source, and the one that replaces it


def draws_chance(solution: SolutionBuild) -> bool:
    """Return whether a solution draws random numbers or reads the clock, by its source."""
    return any(re.search(_CHANCE, each) for each in solution.files)


class ResultCache:
    """Finds and stores results. The results of jobs must be stored in the order in which the jobs were looked up.

    Args:
        place: where programs run, if not on this machine.
    """

    def __init__(self, options: RunOptions, *, level: Level, is_warm: bool, place: str = "") -> None:
        self._results = options.results
        self._fresh = options.fresh or options.keeps_data
        self._environment = environment(level, is_warm=is_warm, place=place) if options.results else ()
        self._program_keys: dict[SolutionBuild, bytes | None] = {}
        self._solution_keys: dict[SolutionBuild, bytes | None] = {}  # None for one that draws chance, too
        self._case_keys: dict[str, bytes | None] = {}  # of locked cases, whose data need not be read
        self._explained: SolutionBuild | None = None  # its compile error was found
        self._pending: deque[_Pending | bytes | None] = deque()  # a result that was found: the key of its case
        self._cases: Sequence[PreparedCase] = ()
        self._programs: JudgePrograms | None = None
        self._cases_key: bytes | None = None
        self._groups: TestGroup | None = None
        self._stored = hashlib.sha256()  # the cases of the current solution whose results are stored

    @property
    def is_unread(self) -> bool:
        """Whether no result is taken from the cache."""
        return self._results is None or self._fresh

    def begin(
        self,
        cases: Sequence[PreparedCase] = (),
        programs: "JudgePrograms | None" = None,
        groups: "TestGroup | None" = None,
    ) -> None:
        """Begin with a problem: drop the pending jobs of the one before. Only summaries need its cases and groups."""
        self._program_keys.clear()
        self._solution_keys.clear()
        self._case_keys.clear()
        self._pending.clear()
        self._explained = None
        self._stored = hashlib.sha256()
        self._cases = cases
        self._groups = groups
        self._programs = programs
        self._cases_key = self._hash_cases() if self._results is not None else None

    def find_summary(self, solution: SolutionBuild) -> StoredSummary | None:
        """Return the summary of a solution's results on all cases; None unless all are in the cache."""
        key = self._program_key(solution)  # nothing is stored of a program that draws chance: that need not be known
        if self._results is None or self._cases_key is None or key is None or self._fresh:
            return None
        cases, summary_key = [each.case for each in self._cases], self._summary_key(solution, self._cases_key)
        if summary_key is None:
            return None
        found = self._results.find_summary(key, summary_key, cases)
        paths = (_SOURCE, os.fsencode(solution.solution.path))
        return found and found.change(lambda _, result: _replace_path(result, paths))

    def put_summary(self, solution: SolutionBuild, summary: StoredSummary) -> None:
        """Store the summary of a solution, after `put` of its last result, if all its results are stored."""
        stored, self._stored = self._stored, hashlib.sha256()
        if Verdict.JE in summary.counts:  # the results could not be explained
            return
        key = self._solution_key(solution)
        if self._results is not None and key is not None and stored.digest()[:16] == self._cases_key:
            paths = (os.fsencode(solution.solution.path), _SOURCE)
            if summary_key := self._summary_key(solution, self._cases_key):
                summary = summary.change(lambda _, result: _replace_path(result, paths))
                self._results.put_summary(key, summary_key, summary)

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
        if found and found.verdict is Verdict.CE:  # the result of one case has what the compiler wrote
            self._explained = solution if found.message else self._explained
            found = found if self._explained is solution else None
        self._pending.append(case if found else (solution, prepared, key))
        return found and _replace_path(found, (_SOURCE, os.fsencode(solution.solution.path)))

    def put(self, result: CaseResult) -> None:
        """Store the result of the oldest pending job under the data on which it was judged."""
        if self._results is None:
            return
        pending = self._pending.popleft()
        if result.reason == DECIDED:
            self._stored.update(b"omitted")  # the expectation decides about that, so there is no summary to store
            return
        if isinstance(pending, bytes):
            self._stored.update(_case_entry(result.case, pending))
        if not isinstance(pending, tuple) or result.reason.startswith(STOPPED):
            return
        solution, prepared, key = pending
        if result.is_omitted:
            self._stored.update(_case_entry(result.case, self._case_key(prepared) or b""))
        if isinstance(prepared, SkippedCase):
            self._stored.update(_case_entry(result.case, _skipped_key(prepared)))
        if result.verdict in _NOT_STORED:
            return
        case = self._hash_case(prepared.case, result.data_digest if result.run else self._current_digest(prepared))
        path = os.fsencode(solution.solution.path)
        if case is not None and self._results.put(key, case, _replace_path(result, (path, _SOURCE))):
            self._stored.update(_case_entry(result.case, case))

    def flush(self) -> None:
        """Write all stored results to the disk."""
        if self._results is not None:
            self._results.flush()

    def _solution_key(self, solution: SolutionBuild) -> bytes | None:
        if solution not in self._solution_keys:
            self._solution_keys[solution] = None if draws_chance(solution) else self._program_key(solution)
        return self._solution_keys[solution]

    def _program_key(self, solution: SolutionBuild) -> bytes | None:
        if solution not in self._program_keys:
            identity = solution.identity()
            self._program_keys[solution] = None if identity is None else _hash(*identity, *self._environment)
        return self._program_keys[solution]

    def _summary_key(self, solution: SolutionBuild, cases: bytes) -> bytes | None:
        """Return the key of a summary, which says what the solution does not meet, and the scores of groups.

        None if a grader is not known.
        """
        more = solution.solution.expectation.more
        if self._groups is None and not more:
            return cases
        from judge.runner.requirements import requirements_text

        graders = [each.grader for each in self._groups.walk() if each.grader] if self._groups else []
        identities = [self._programs.identity(grader) if self._programs else None for grader in graders]
        if None in identities:
            return None
        return _hash(cases.hex(), repr(self._groups), requirements_text(more), repr(identities))

    def _hash_cases(self) -> bytes | None:
        """Return the key of all cases together; None if the data of one is wrong, or has to be read each time."""
        hasher = hashlib.sha256()
        for prepared in self._cases:
            if isinstance(prepared, SkippedCase):
                key: bytes | None = _skipped_key(prepared)
            else:
                is_locked = isinstance(prepared, ReadyCase) and prepared.locked is not None
                key = self._case_key(prepared) if is_locked else None
            if key is None:
                return None
            hasher.update(_case_entry(prepared.case, key))
        return hasher.digest()[:16]

    def _case_key(self, prepared: PreparedCase) -> bytes | None:
        if not isinstance(prepared, ReadyCase) or prepared.locked is None:
            return self._hash_case(prepared.case, self._current_digest(prepared))
        if prepared.case.id not in self._case_keys:
            self._case_keys[prepared.case.id] = self._hash_case(prepared.case, self._current_digest(prepared))
        return self._case_keys[prepared.case.id]

    def _hash_case(self, case: Case, data: str) -> bytes | None:
        """Return the key of a case with the given data; None if it, or what decides a verdict on it, is unknown."""
        identity = case_identity(case, self._programs) if data else None
        return None if identity is None else _hash(data, *identity)

    def _current_digest(self, prepared: PreparedCase) -> str:
        """Return the hash of the current data of a case; "" if it cannot be judged."""
        if not isinstance(prepared, ReadyCase):
            return ""
        if prepared.locked is not None:
            return data_digest(prepared.locked.input, prepared.locked.answer)
        try:
            given = digest(prepared.input)
            return data_digest(given, "" if prepared.answer is None else digest(prepared.answer))
        except OSError:
            return ""


def _skipped_key(prepared: SkippedCase) -> bytes:
    return _hash("skipped", prepared.reason)


def _case_entry(case: Case, key: bytes) -> bytes:
    """Return what the hash of several cases takes in of one."""
    name = case.id.encode(errors="surrogateescape")
    return b"%d:%s%s" % (len(name), name, key)


def case_identity(case: Case, programs: "JudgePrograms | None") -> tuple[str, ...] | None:
    """Return what decides a verdict on a case besides its data; None if a program of its problem cannot be built."""
    settings = _settings_text(case.checker, case.limits) + arguments_text(case)
    if programs is None:
        return None if case.checker.program else (settings,)
    identities = [programs.identity(each) for each in (case.checker.program, programs.interactor) if each]
    if None in identities:
        return None
    return (settings, str(programs.passes), *(word for each in identities for word in each or ()))


@cache
def _settings_text(checker: CheckerConfig, limits: Limits) -> str:
    return repr((checker.options, astuple(limits)))


def arguments_text(case: Case) -> str:
    """Return a text that changes with the arguments and the files of a case, and the names of its files."""
    names = "" if case.file_names is None else repr(astuple(case.file_names))
    if not case.args and case.files is None:
        return names
    from judge.judging.case_files import describe_arguments

    try:
        return names + describe_arguments(case)
    except (SandboxError, OSError) as error:  # the run reports it
        return describe_error(error)


def _hash(*parts: str) -> bytes:
    text = b"".join(b"%d:%s" % (len(each), each) for each in (part.encode(errors="surrogateescape") for part in parts))
    return hashlib.sha256(text).digest()[:16]


def environment(level: Level, *, is_warm: bool, place: str) -> tuple[str, ...]:
    """Return what decides results besides solutions and cases: the sandbox, the machine, and the code of the judge."""
    where = (place,) if place else ()
    # Runs inherit these limits of this process, for example from `ulimit -v` before `judge run`.
    limits = (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_DATA, resource.RLIMIT_STACK)
    hard = (resource.getrlimit(each)[1] for each in limits)
    return (level.value, str(is_warm), *machine(), *where, *map(str, hard), _own_digest())


@cache
def _own_digest() -> str:
    return code_digest(Path(__file__).parents[1])


def code_digest(package: Path) -> str:
    """Return a hash of the code that decides results: the names, sizes and modification times of its files.

    `package` is the folder of the package `judge`.
    """
    return hashlib.sha256(describe_code(package, UNRELATED).encode(errors="surrogateescape")).hexdigest()


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


def _replace_path(result: CaseResult, paths: _Replaced) -> CaseResult:
    """Return a result with another path of the source in its texts."""
    run, reason, (old, new) = result.run, result.reason, paths
    if run is not None and old in run.stderr_tail:
        run = replace(run, stderr_tail=run.stderr_tail.replace(old, new))
    if reason:
        reason = reason.replace(os.fsdecode(old), os.fsdecode(new))
    return result if run is result.run and reason == result.reason else replace(result, run=run, reason=reason)
