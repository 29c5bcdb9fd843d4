"""The values that all floors share: problems, cases, solutions, what happened, and what we conclude.

Only frozen values and pure functions; nothing here reads a file, runs a program or prints.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from pathlib import Path

from judge.units import MIB, Bytes, Seconds


class Verdict(StrEnum):
    """What is concluded about one run, one solution, or one case that was not run."""

    AC = "AC"  # accepted
    WA = "WA"  # wrong answer
    PE = "PE"  # presentation error: only white space differs
    TLE = "TLE"  # time limit exceeded
    MLE = "MLE"  # memory limit exceeded
    OLE = "OLE"  # output limit exceeded
    RTE = "RTE"  # run-time error: a non-zero exit status or a signal
    CE = "CE"  # compile error
    JE = "JE"  # judge error: ours or the test data's fault, never charged to a submission
    SK = "SK"  # skipped: the case's data is not on this machine


class Ending(Enum):
    """How a run ended. A limit is named only when the supervisor ended the run for it."""

    EXITED = "exited"
    SIGNALED = "signaled"
    TIME_LIMIT = "time limit"
    WALL_LIMIT = "wall limit"
    MEMORY_LIMIT = "memory limit"
    OUTPUT_LIMIT = "output limit"


class Level(StrEnum):
    """How well a run is shut in; each level includes the ones after it."""

    FULL = "full"  # namespaces, landlock, seccomp
    LANDLOCK = "landlock"  # landlock and seccomp, as inside containers
    LIMITS = "limits"  # resource limits and supervision only


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run may use.

    Attributes:
        cpu: CPU time (user and system) of the whole process tree, inclusive.
        wall: elapsed time, inclusive; only catches programs that sleep.
        memory: peak resident memory, inclusive.
        output: bytes on standard output, inclusive.
    """

    cpu: Seconds
    wall: Seconds
    memory: Bytes
    output: Bytes


def default_wall(cpu: Seconds) -> Seconds:
    """Return the wall limit that goes with a CPU limit: twice as long plus one second."""
    return Seconds(2 * cpu + 1)


DEFAULT_LIMITS = Limits(
    cpu=Seconds(2.0), wall=default_wall(Seconds(2.0)), memory=Bytes(256 * MIB), output=Bytes(64 * MIB)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """Facts about one run; no judgement.

    Attributes:
        exit_code: set when the program ended by itself, else None.
        signal: the signal's number when a signal ended it, else None.
        cpu: CPU time of the whole process tree.
        memory: peak resident memory: of the largest process, or of all together where that was seen to be more.
        is_memory_floor: the program needed no more than this and perhaps less: starting it takes as much.
        output_bytes: bytes on standard output (at most one more than the limit).
        stderr_tail: the end of standard error, undecoded.
    """

    ending: Ending
    exit_code: int | None = None
    signal: int | None = None
    cpu: Seconds
    wall: Seconds
    memory: Bytes
    is_memory_floor: bool = False
    output_bytes: Bytes
    stderr_tail: bytes = b""
    level: Level = Level.LIMITS


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckerConfig:
    """Which checker decides, with its options (see docs/format.md)."""

    name: str = "tokens"
    case_sensitive: bool = False
    space_change_sensitive: bool = False
    float_absolute_tolerance: float | None = None
    float_relative_tolerance: float | None = None


# ---- where a case's bytes come from -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Inline:
    """Text that stands in the case file."""

    data: bytes


@dataclass(frozen=True, slots=True)
class InFile:
    """A file of its own."""

    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """An input that a generator makes.

    Attributes:
        file: the generator's module.
        function: its function, also the generator's name.
        parameters: keyword arguments, sorted by name; values are what YAML scalars, lists and maps become.
        seed: with the problem's id and the generator's name it seeds `random`.
    """

    file: Path
    function: str
    parameters: tuple[tuple[str, object], ...] = ()
    seed: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """An input that is not in the repository; only a file with this hash is ever used."""

    url: str
    sha256: str
    file: str


InputSource = Inline | InFile | Generated | External
AnswerSource = Inline | InFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One input with its answer.

    Attributes:
        answer: None when the reference computes it.
        origin: the file that describes the case, for messages.
        line: 1-based line of the case in `origin`, or 0.
    """

    group: str
    name: str
    why: str = ""
    input: InputSource
    answer: AnswerSource | None = None
    limits: Limits
    checker: CheckerConfig
    validator_args: tuple[str, ...] = ()
    origin: Path
    line: int = 0

    @property
    def id(self) -> str:
        """The case's name within its problem: `group/name`."""
        return f"{self.group}/{self.name}"


# ---- solutions ----------------------------------------------------------------------------------------------------

_JUDGED = frozenset(
    {Verdict.AC, Verdict.WA, Verdict.PE, Verdict.TLE, Verdict.MLE, Verdict.OLE, Verdict.RTE, Verdict.CE}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The verdicts that a solution should earn (after ICPC 2025-09, `submissions/`).

    Attributes:
        name: the folder's name.
        permitted: every case must get one of these.
        required: at least one case must get one of these.
    """

    name: str
    permitted: frozenset[Verdict]
    required: frozenset[Verdict]

    def __str__(self) -> str:
        return "|".join(verdict for verdict in Verdict if verdict in self.required)


def _expect(name: str, permitted: str, required: str) -> Expectation:
    return Expectation(
        name=name,
        permitted=frozenset(map(Verdict, permitted.split())),
        required=frozenset(map(Verdict, required.split())),
    )


EXPECTATIONS: dict[str, Expectation] = {
    expectation.name: expectation
    for expectation in (
        _expect("accepted", "AC", "AC"),
        _expect("wrong_answer", "AC WA", "WA"),
        _expect("presentation_error", "AC PE", "PE"),
        _expect("time_limit_exceeded", "AC TLE", "TLE"),
        _expect("memory_limit_exceeded", "AC MLE", "MLE"),
        _expect("output_limit_exceeded", "AC OLE", "OLE"),
        _expect("run_time_error", "AC RTE", "RTE"),
        _expect("compile_error", "CE", "CE"),
        _expect("brute_force", "AC TLE RTE MLE", "TLE RTE MLE"),
        Expectation(name="rejected", permitted=_JUDGED, required=_JUDGED - {Verdict.AC}),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """A submission: one source file.

    Attributes:
        path: the file, absolute.
        shown: the file as the user should see it (relative to the repository or as typed).
        expectation: what it should earn; `accepted` unless its folder says otherwise.
    """

    path: Path
    shown: str
    expectation: Expectation


# ---- problems -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSource:
    """Where a problem was first set."""

    name: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A problem with all of its cases and solutions, whichever layout it was read from.

    Attributes:
        folder: the folder of `problem.yaml`, absolute; None for a bare folder of cases.
        statement: the statement's file, if there is one.
        validator: the input validator's file, if there is one.
        generators: generator modules.
        reference, independent: the solutions that make and confirm answers.
        lock: where the digests of the cases are kept, if they are kept.
    """

    id: str
    name: str
    source: ProblemSource | None = None
    profile: str = "icpc"
    limits: Limits
    checker: CheckerConfig
    folder: Path | None = None
    statement: Path | None = None
    validator: Path | None = None
    generators: tuple[Path, ...] = ()
    reference: Path | None = None
    independent: Path | None = None
    lock: Path | None = None
    cases: Sequence[Case] = ()
    solutions: tuple[Solution, ...] = ()


# ---- results ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffRow:
    """One row of a side-by-side view; a side is None where it has no such line.

    The line ends are kept, so that a view can show what they are. A long line is cut around its first difference.

    Attributes:
        expected_line, found_line: 1-based numbers of the lines.
        expected_cut, found_cut: how many bytes of the line were cut before and after what is shown.
        agrees: the checker takes both sides for the same, though their bytes may differ.
    """

    expected_line: int | None
    expected: bytes | None
    found_line: int | None
    found: bytes | None
    expected_cut: tuple[int, int] = (0, 0)
    found_cut: tuple[int, int] = (0, 0)
    agrees: bool = False

    @property
    def same(self) -> bool:
        """Whether both sides are equal byte for byte."""
        return (self.expected, self.expected_cut) == (self.found, self.found_cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """Where and how an output differs from the answer, cut to what a screen can show.

    Attributes:
        line: 1-based line of the first difference, in the output; where the output ended when it ended too early.
        column: 1-based byte column of it: where the token begins, or of the first byte when white space differs.
        token: 1-based number of the differing token in its line, or 0 when white space differs.
        expected: the answer's token there (cut), b"" at the end of its line or text; the white space when that differs.
        found: the same of the output.
        rows: lines around the difference.
        notes: what is easily overlooked: `no newline at the end of the output`, `CRLF line ends`, ...
        whitespace_only: both have the same tokens.
        expected_line: 1-based line of the first difference, in the answer.
    """

    line: int
    column: int
    token: int
    expected: bytes
    found: bytes
    rows: tuple[DiffRow, ...] = ()
    notes: tuple[str, ...] = ()
    whitespace_only: bool = False
    expected_line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What a checker says: AC, WA or PE (or JE where the checker itself failed), why, and where."""

    verdict: Verdict
    reason: str = ""
    mismatch: Mismatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The part of an input that goes with a failure: lines without their ends, cut to a screen's width and more.

    Attributes:
        first_line: 1-based number of the first line shown.
        total_lines: lines of the whole input.
        related: True when the lines were chosen because they belong to the failing output line.
        focus: 1-based number of the line that belongs to the failing output line, or 0.
    """

    first_line: int
    lines: tuple[bytes, ...]
    total_lines: int
    related: bool = False
    focus: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """The verdict on one case with the facts behind it.

    Attributes:
        reason: one line; empty when accepted.
        run: None when nothing was run (CE, SK, broken test data).
        output_digest: a hash of what was written, in hex; "" when nothing ran or a limit ended it.
        data_digest: a hash of the input with its answer, in hex; "" when nothing ran.
        is_cached: an earlier run found this out; nothing was run now.
    """

    case: Case
    verdict: Verdict
    reason: str = ""
    run: RunResult | None = None
    mismatch: Mismatch | None = None
    excerpt: Excerpt | None = None
    output_digest: str = ""
    data_digest: str = ""
    is_cached: bool = False

    @property
    def limits(self) -> Limits:
        """The limits that were in force."""
        return self.case.limits


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionResult:
    """The verdict on one solution, summed up over its cases.

    Attributes:
        verdict: that of the first case, in order, that is not AC or SK; JE before all others; SK when all were skipped.
        as_expected: whether the cases' verdicts are those of the expectation.
        counts: how many cases got which verdict.
        slowest, largest: the cases with the most CPU time and memory; None when nothing ran.
        failures: the first case of every verdict that the expectation does not permit, or, when
            a required verdict is missing, nothing; in order.
        message: the compiler's first error, or why the solution could not be judged; else empty.
        options: words of the command line that judging it again needs, such as `("--python", "pypy3")`.
        cached: how many of the cases' results were known from earlier runs.
        source_digest: SHA-256 of the source, in hex; "" when it could not be read.
        is_complete: all cases of the problem were judged.
    """

    solution: Solution
    language: str
    verdict: Verdict
    as_expected: bool
    counts: dict[Verdict, int] = field(default_factory=dict)
    slowest: CaseResult | None = None
    largest: CaseResult | None = None
    failures: tuple[CaseResult, ...] = ()
    message: str = ""
    options: tuple[str, ...] = ()
    cached: int = 0
    source_digest: str = ""
    is_complete: bool = True

    @property
    def total(self) -> int:
        """How many cases there were."""
        return sum(self.counts.values())
