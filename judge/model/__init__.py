"""The values that all packages share: problems, cases, solutions, runs and results.

Only frozen values and pure functions: nothing here reads a file, runs a program or prints. msgspec stores problems and
results by the annotations here (`judge.problems.cache`, `judge.history.results`): it leaves out what has its default,
and a tag names the kind of an input or an answer.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from enum import Enum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import astuple, replace

from judge.base.units import MIB, Bytes, Seconds, format_bytes, format_seconds, signal_name
from judge.model.groups import TestGroup
from judge.model.programs import JudgeProgram, RawScore, Transcript

if TYPE_CHECKING:  # few problems have one
    from fractions import Fraction

    from judge.inputs import Grammar


class TimeRule(Struct, frozen=True, kw_only=True):
    """How the time limit of a problem relates to its submissions.

    Attributes:
        given: the time limit that the package gives; None if it follows from the submissions.
        origin: the file that gives it.
        ac_to_time_limit: the limit is at least this many times the slowest time of a submission that must be in time.
        time_limit_to_tle: a submission that must be too slow takes at least this many times the limit.
        resolution: the limit is a multiple of this.
        lower: the submissions that must be in time, by their absolute paths, each with the glob patterns of the cases
            and groups on which it must; without patterns, on all cases.
        upper: those that must be too slow on some case, or on some of those that the patterns match.
    """

    given: Seconds | None = None
    origin: str = ""
    ac_to_time_limit: float = 2.0
    time_limit_to_tle: float = 1.5
    resolution: Seconds = Seconds(1.0)
    lower: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)
    upper: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)

    def infer(self, slowest: Seconds) -> Seconds:
        """Return the smallest time limit that leaves the margin above the slowest time of an accepted submission."""
        resolution = _exact(self.resolution)
        steps = math.ceil(_exact(slowest) * _exact(self.ac_to_time_limit) / resolution)
        return Seconds(float(max(steps, 1) * resolution))

    def find_problems(self, limit: Seconds, *, slowest: Seconds | None, fastest: Seconds | None) -> Sequence[str]:
        """Return what is wrong with a time limit, a phrase each.

        Args:
            limit: the time limit.
            slowest: the slowest time of a submission that must be in time; None if there is none.
            fastest: the fastest time of a submission that must be too slow, likewise.
        """
        found = []
        if slowest is not None and slowest * self.ac_to_time_limit > limit:
            found.append(
                f"the slowest accepted submission takes {slowest:.2f} s, more than 1/{self.ac_to_time_limit:g} of the "
                f"limit of {limit:g} s"
            )
        if fastest is not None and limit * self.time_limit_to_tle > fastest:
            found.append(
                f"a submission that must be too slow takes {fastest:.2f} s, less than {self.time_limit_to_tle:g} times "
                f"the limit of {limit:g} s"
            )
        if _exact(limit) % _exact(self.resolution):
            found.append(f"the limit of {limit:g} s is not a multiple of {self.resolution:g} s")
        return found


def _exact(number: float) -> "Fraction":
    """Return the number that a float is written as: 0.1 is one tenth."""
    from fractions import Fraction

    return Fraction(repr(float(number)))


class Verdict(StrEnum):
    """The verdict on a run, on a solution, or on a case that was not run."""

    AC = "AC"  # accepted
    WA = "WA"  # wrong answer
    PE = "PE"  # presentation error: only whitespace differs
    TLE = "TLE"  # time limit exceeded
    MLE = "MLE"  # memory limit exceeded
    OLE = "OLE"  # output limit exceeded
    RTE = "RTE"  # run-time error: a non-zero exit status or a signal
    CE = "CE"  # compile error
    NA = "NA"  # no answer: the run ended well, and there is no answer to compare its output with
    JE = "JE"  # judge error: the judge or the machine failed; never charged to a submission
    SK = "SK"  # not judged: the test data is wrong, or it or a tool is not on this machine


class Ending(Enum):
    """How a run ended. The limits are for runs that the supervisor killed."""

    EXITED = "exited"
    SIGNALED = "signaled"
    TIME_LIMIT = "time limit"
    WALL_LIMIT = "wall limit"
    MEMORY_LIMIT = "memory limit"
    OUTPUT_LIMIT = "output limit"


MAX_JOBS = 256  # runs at the same time: each worker holds a process and some descriptors; more serve no machine


class Level(StrEnum):
    """The sandbox level of a run; each level includes the ones after it."""

    FULL = "full"  # namespaces, landlock, seccomp
    LANDLOCK = "landlock"  # landlock and seccomp, for example inside a container
    LIMITS = "limits"  # resource limits and supervision only


class Limits(Struct, frozen=True, kw_only=True):
    """The resource limits of one run; all are inclusive.

    Attributes:
        cpu: CPU time (user and system) of the whole process tree.
        wall: wall-clock time; catches programs that sleep.
    """

    cpu: Seconds
    wall: Seconds
    memory: Bytes
    output: Bytes

    def override(
        self,
        *,
        cpu: Seconds | None = None,
        wall: Seconds | None = None,
        memory: Bytes | None = None,
        output: Bytes | None = None,
    ) -> "Limits":
        """Return limits with those that are given in place of these; the wall-clock limit follows the CPU limit."""
        return Limits(
            cpu=cpu or self.cpu,
            wall=wall or (default_wall(cpu) if cpu else self.wall),
            memory=memory or self.memory,
            output=output or self.output,
        )


def default_wall(cpu: Seconds) -> Seconds:
    """Return the wall-clock limit for a CPU limit: twice as long plus one second."""
    return Seconds(2 * cpu + 1)


DEFAULT_LIMITS = Limits(
    cpu=Seconds(2.0), wall=default_wall(Seconds(2.0)), memory=Bytes(256 * MIB), output=Bytes(64 * MIB)
)
# Of programs that judge. ICPC 2025-09, "Limits": validation_time, validation_memory. The output covers messages and the
# input of a next pass.
DEFAULT_PROGRAM_LIMITS = Limits(
    cpu=Seconds(60.0), wall=default_wall(Seconds(60.0)), memory=Bytes(2048 * MIB), output=Bytes(64 * MIB)
)


class RunResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The measurements of one run, without a verdict.

    Attributes:
        exit_code: the exit status; None if a signal ended the program.
        signal: the number of the signal that ended the program; None if it exited, or if the judge stopped it because
            an interactor had decided the verdict, or neither could continue.
        cpu: CPU time of the whole process tree.
        memory: peak resident memory of the largest process, or of all processes together if more was observed.
        is_memory_upper_bound: starting the program takes this much memory; the program itself may use less.
        output_bytes: bytes on standard output, at most one more than the limit.
        stderr_tail: the end of standard error, undecoded.
        stderr_cut: bytes of standard error before `stderr_tail`, which are not kept.
        crash: the exception that ended the program, as its runtime reports it; "" if it reports none.
    """

    ending: Ending
    exit_code: int | None = None
    signal: int | None = None
    cpu: Seconds
    wall: Seconds
    memory: Bytes
    is_memory_upper_bound: bool = False
    output_bytes: Bytes
    stderr_tail: bytes = b""
    stderr_cut: int = 0
    crash: str = ""
    level: Level = Level.LIMITS

    def find_excess(self, limits: Limits) -> tuple[Verdict, str] | None:
        """Return the verdict on a run that exceeded a limit, with the reason; None if it is within all limits."""
        if self.ending not in (Ending.EXITED, Ending.SIGNALED):
            time = f"wall-clock limit exceeded: {format_seconds(limits.wall)} (CPU {format_seconds(self.cpu)})"
            return {
                Ending.TIME_LIMIT: (Verdict.TLE, f"CPU time limit exceeded: {format_seconds(limits.cpu)}"),
                Ending.WALL_LIMIT: (Verdict.TLE, time),
                Ending.MEMORY_LIMIT: (Verdict.MLE, f"memory limit exceeded: {format_bytes(limits.memory)}"),
                Ending.OUTPUT_LIMIT: (Verdict.OLE, f"output limit exceeded: {format_bytes(limits.output)}"),
            }[self.ending]
        if self.memory > limits.memory:
            used, allowed = format_bytes(self.memory), format_bytes(limits.memory)
            return Verdict.MLE, f"memory limit exceeded: used {used} of {allowed}"
        if self.cpu > limits.cpu:
            used, allowed = format_seconds(self.cpu), format_seconds(limits.cpu)
            return Verdict.TLE, f"CPU time limit exceeded: used {used} of {allowed}"
        return None

    def describe_stop(self, limits: Limits) -> str:
        """Return which limit it exceeded or which signal ended it; "" if it exited within its limits."""
        if excess := self.find_excess(limits):
            return excess[1]
        return "" if self.signal is None else f"killed by signal {self.signal} ({signal_name(self.signal)})"

    @property
    def crash_line(self) -> int:
        """The line of the user's source at which the program ended, if its runtime reports it; else 0."""
        found = re.search(r"\(line ([0-9]+)\)$", self.crash)
        return int(found[1]) if found else 0

    @property
    def last_error_line(self) -> str:
        """The exception that ended the program; else the last line on standard error, at most 200 characters of it."""
        if self.crash:
            return self.crash
        lines = self.stderr_tail.decode(errors="replace").strip().splitlines()
        return lines[-1][:200] if lines else ""


CHECKERS = ("tokens", "lines", "exact")
"""The names of the checkers that are no programs; `judge.judging.checkers` has what they do."""


class CheckerConfig(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A checker and its options (see docs/format.md).

    Attributes:
        program: the checker of the problem, if it has one of its own; then `name` is `program`.
    """

    name: str = "tokens"
    case_sensitive: bool = False
    space_change_sensitive: bool = False
    float_absolute_tolerance: float | None = None
    float_relative_tolerance: float | None = None
    program: JudgeProgram | None = None
    args: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[object, ...]:
        """All of it but where a program is, which does not matter to what it says."""
        return astuple(replace(self, program=None))


# ---- the data of a case -------------------------------------------------------------------------------------------


class Inline(Struct, frozen=True, tag=True):
    """Data written in the case file."""

    data: bytes


class InFile(Struct, frozen=True, tag=True):
    """Data in a separate file."""

    path: Path


class WindowsText(InFile, frozen=True):
    """Data in a file whose lines end with CRLF, as tests of Polygon that were made on Windows; programs get LF."""


GRAMMAR = "grammar"  # the name of the generator that is the grammar of problem.yaml


class Generated(Struct, frozen=True, kw_only=True, tag=True):
    """An input made by a generator.

    Attributes:
        file: the module with the generator; problem.yaml, if the grammar makes the input.
        function: the function's name, which is also the generator's name.
        parameters: keyword arguments, sorted by name; the values are those of YAML scalars, lists and maps.
        seed: seeds `random`, together with the problem's id and the generator's name.
    """

    file: Path
    function: str
    parameters: tuple[tuple[str, object], ...] = ()
    seed: int = 1

    @property
    def is_from_grammar(self) -> bool:
        """Whether no program makes it, but the grammar."""
        return self.function == GRAMMAR and self.file.suffix != ".py"


class External(Struct, frozen=True, kw_only=True, tag=True):
    """An input that is not in the repository; only a file with this hash is used."""

    url: str
    sha256: str
    file: str


SEED = "{seed}"  # in an argument of a generator; stands for the seed


class Produced(Struct, frozen=True, kw_only=True, tag=True):
    """An input that a program prints, or writes to `testcase.in` (generators.yaml of BAPCtools).

    It may write the answer too, to `testcase.ans`.

    Attributes:
        sources: the files of the program, the first of which runs; or its folder.
        args: its arguments; `{seed}` in them stands for the seed.
        seed: the seed of the first attempt; each further attempt adds one, modulo 2^31.
        attempts: how often the program is run at most, until it succeeds.
    """

    sources: tuple[Path, ...]
    args: tuple[str, ...] = ()
    seed: int = 0
    attempts: int = 1


def describe_call(produced: Produced) -> str:
    """Return how a program is called for an input: its name and its arguments."""
    args = (each.replace("{seed}", str(produced.seed)) for each in produced.args)
    return " ".join((produced.sources[0].name, *args))


class Computed(Struct, frozen=True, tag=True):
    """An answer that a solution prints: a source file, or the folder of a program."""

    solution: Path


class FileNames(Struct, frozen=True, kw_only=True):
    """The files that a submission reads and writes in its current folder; "" for standard input or output."""

    input: str = ""
    output: str = ""

    @property
    def used(self) -> frozenset[str]:
        """The names without those of standard input and output."""
        return frozenset({self.input, self.output} - {""})


def file_names(given: str | None, output: str | None) -> FileNames | None:
    """Return the names of the files that are used; None if both are standard input and output."""
    return FileNames(input=given or "", output=output or "") if given or output else None


InputSource = Inline | InFile | Generated | External | Produced
AnswerSource = Inline | InFile | Computed


class Case(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An input with its answer.

    Attributes:
        why: what the case tests, in one sentence.
        answer: None if the program that makes the input writes it, if the reference solution computes it, or if there
            is none: then the verdict may be NA.
        origin: the file that describes the case, for messages.
        line: 1-based line of the case in `origin`, or 0.
        visualizer_args: arguments of the programs of a package that draw its input and outputs.
        args: command-line arguments of the submission.
        files: a folder whose files are in the submission's current folder.
        is_static: a static validation case (ICPC 2025-09): its checker judges the source, and nothing else runs.
        file_names: the files that take the place of standard input and output, if there are any (Polygon).
    """

    group: str
    name: str
    why: str = ""
    input: InputSource
    answer: AnswerSource | None = None
    limits: Limits
    checker: CheckerConfig
    validator_args: tuple[str, ...] = ()
    visualizer_args: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    origin: Path
    line: int = 0
    args: tuple[str, ...] = ()
    files: Path | None = None
    is_static: bool = False
    file_names: FileNames | None = None

    @property
    def id(self) -> str:
        """The name of the case within its problem: `group/name`."""
        return f"{self.group}/{self.name}"

    @property
    def is_sample(self) -> bool:
        """Whether the case is in the group `sample` or below."""
        return self.id.startswith("sample/")


# ---- solutions ----------------------------------------------------------------------------------------------------

_JUDGED = frozenset(
    {Verdict.AC, Verdict.WA, Verdict.PE, Verdict.TLE, Verdict.MLE, Verdict.OLE, Verdict.RTE, Verdict.CE}
)
_RUN = _JUDGED - {Verdict.CE}


class FileCases(Sequence[Case]):
    """Cases whose inputs and answers are files, all with the same checker; they may be created on access."""

    def __init__(self, checker: "CheckerConfig", file_names: FileNames | None = None) -> None:
        self.checker = checker
        self.file_names = file_names


def judged_by(cases: Sequence[Case], checker: CheckerConfig | None, file_names: FileNames | None) -> Sequence[Case]:
    """Return cases with another checker, unless it is None, and other files in place of standard input and output."""
    if not isinstance(cases, FileCases):
        return tuple(replace(each, checker=checker or each.checker, file_names=file_names) for each in cases)
    judged = copy(cases)
    judged.checker, judged.file_names = checker or cases.checker, file_names
    return judged


class Requirement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A further requirement on a solution, from `submissions.yaml` (ICPC 2025-09, "Example submissions").

    Attributes:
        cases: glob patterns of cases and groups, of which any may match; empty for all cases. `*` does not match `/`.
        permitted: every one of these cases must get one of these verdicts.
        required: at least one of these cases must get one of these verdicts.
        score: the lowest and the highest score of the submission, or of the group that `cases` names.
        partial: the submission gets some points, but not the best score; with legacy rules, it is accepted.
        message: a part of the message of the checker for at least one of these cases.
    """

    cases: tuple[str, ...] = ()
    permitted: frozenset[Verdict] | None = None
    required: frozenset[Verdict] | None = None
    score: tuple[float, float] | None = None
    partial: bool = False
    message: str = ""


class Expectation(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdicts that are expected of a solution (after ICPC 2025-09, `submissions/`).

    Attributes:
        name: the name of the folder that stands for the expectation; "" if nothing is expected.
        permitted: every case must get one of these verdicts.
        required: at least one case must get one of these verdicts.
        by_verdict: only the verdict on the whole must be permitted, as in contests: that of the first case that is not
            accepted, or of the grader in a problem with scores.
        label: the required verdicts as a package names them, such as `WA` where `required` has PE, too; else "".
    """

    name: str
    permitted: frozenset[Verdict]
    required: frozenset[Verdict]
    more: tuple[Requirement, ...] = ()
    by_verdict: bool = False
    label: str = ""

    def __str__(self) -> str:
        return self.label or "|".join(verdict for verdict in Verdict if verdict in self.required)

    def has_required(self, of_cases: Iterable[Verdict], whole: Verdict) -> bool:
        """Return whether a required verdict is among those of the cases, or on the whole where that counts."""
        return not self.required.isdisjoint(of_cases) or (self.by_verdict and whole in self.required)


def expect(name: str, permitted: str, required: str, label: str = "") -> Expectation:
    """Return an expectation; its verdicts are separated by spaces."""
    return Expectation(
        name=name,
        permitted=frozenset(map(Verdict, permitted.split())),
        required=frozenset(map(Verdict, required.split())),
        label=label,
    )


EXPECTATIONS: dict[str, Expectation] = {
    expectation.name: expectation
    for expectation in (
        expect("accepted", "AC", "AC"),
        Expectation(name="partially_accepted", permitted=_RUN, required=_RUN, more=(Requirement(partial=True),)),
        expect("wrong_answer", "AC WA", "WA"),
        expect("presentation_error", "AC PE", "PE"),
        expect("time_limit_exceeded", "AC TLE", "TLE"),
        expect("memory_limit_exceeded", "AC MLE", "MLE"),
        expect("output_limit_exceeded", "AC OLE", "OLE"),
        expect("run_time_error", "AC RTE", "RTE"),
        expect("compile_error", "CE", "CE"),
        expect("brute_force", "AC TLE RTE MLE", "TLE RTE MLE"),
        Expectation(name="rejected", permitted=_JUDGED, required=_JUDGED - {Verdict.AC}),
    )
}


class Solution(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A solution: one source file, or a folder with all its files.

    Attributes:
        display_path: the path in messages and reports: relative to the repository, or as the user typed it.
        expectation: `accepted` unless the folder of the file says otherwise.
        language: the id of its language; "" to decide by the suffixes of its files.
        entry_point: the file or class that runs; "" for the default of the language.
        include: files, and folders with files, that are copied beside its own, by the id of a language or `default`
            (ICPC 2025-09, "Included files"; Polygon, resources of the asset `solution`).
        constants: texts that replace `{{name}}` in the copies of its files (ICPC 2025-09, "Constants").
        is_for_windows: in the copies of its files in C and C++, `%I64d` is `%lld`.
    """

    path: Path
    display_path: str
    expectation: Expectation
    language: str = ""
    entry_point: str = ""
    include: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    is_for_windows: bool = False

    def __hash__(self) -> int:
        return hash((self.path, self.display_path, self.expectation, self.language, self.entry_point))


# ---- tests of programs ---------------------------------------------------------------------------------------------


class CheckerTest(Struct, frozen=True, kw_only=True):
    """An output that the checker of a problem must accept or reject.

    Attributes:
        accepts: it must accept the output.
        case: the id of the case whose input, answer and checker are used; "" for those that follow.
        answer: None for an empty one.
        args: arguments of the checker's program; None for the usual ones.
        message: what the checker's message must contain.
        origin, line: where the test is described, for messages.
    """

    accepts: bool
    case: str = ""
    input: Inline | InFile | None = None
    answer: Inline | InFile | None = None
    output: Inline | InFile
    args: tuple[str, ...] | None = None
    message: str = ""
    origin: Path
    line: int = 0


class ValidatorTest(Struct, frozen=True, kw_only=True):
    """An input that the validator of a problem must accept or reject; the attributes are those of `CheckerTest`."""

    accepts: bool
    input: Inline | InFile
    args: tuple[str, ...] = ()
    message: str = ""
    origin: Path
    line: int = 0


# ---- problems -----------------------------------------------------------------------------------------------------


class ProblemSource(Struct, frozen=True, kw_only=True):
    """Where a problem was first published."""

    name: str
    url: str = ""


class ProblemType(StrEnum):
    """What judging a problem involves (ICPC 2025-09, "Type"); a problem may have several types."""

    SCORING = "scoring"
    MULTI_PASS = "multi-pass"  # noqa: S105
    INTERACTIVE = "interactive"
    SUBMIT_ANSWER = "submit-answer"


class Problem(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A problem with its cases and solutions, in whichever layout its files are.

    Attributes:
        format: the format of its files: `native`, `icpc-legacy`, `icpc-2023-07`, `icpc-2025-09` or `polygon`.
        types: empty for a problem whose submissions are accepted or rejected after one run on each case.
        interactor: runs together with the submission, connected by pipes.
        static_validator: judges the sources of a submission.
        passes: the highest number of passes of a multi-pass problem.
        groups: the root of the test groups; None if cases are not grouped for judging.
        time_rule: how the time limit follows from submissions; None if `limits` are final.
        file_names: the files that take the place of standard input and output in its cases; None for none.
        checker_limits: the limits of the programs that judge; None for the default.
        include: the files, and folders with files, that are added to submissions, by the id of the language; `default`
            for others.
        constants: the texts that replace `{{name}}` in sources of the package.
        checker_tests, validator_tests: what the problem's own programs must accept and reject.
        target: how a command line names a package: a path, relative to the current folder if it is in it.
        folder: the absolute path of the folder with `problem.yaml`; None for a plain folder of cases.
        reference: the solution that computes answers.
        independent: the solution that confirms answers.
        lock: the lock file with the digests of the cases; None if the problem has none.
        compile_flags: more flags of the compiler, by the id of the language.
        input_format: the key `input` of problem.yaml as JSON; "" without one. `grammar` is what it means.
    """

    id: str = ""
    name: str = ""
    source: ProblemSource | None = None
    profile: str = "icpc"
    limits: Limits = DEFAULT_LIMITS
    checker: CheckerConfig = CheckerConfig()
    file_names: FileNames | None = None
    folder: Path | None = None
    statement: Path | None = None
    validator: JudgeProgram | None = None
    generators: tuple[Path, ...] = ()
    reference: Path | None = None
    independent: Path | None = None
    lock: Path | None = None
    compile_flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cases: Sequence[Case] = ()
    solutions: tuple[Solution, ...] = ()
    format: str = "native"
    types: frozenset[ProblemType] = frozenset()
    interactor: JudgeProgram | None = None
    static_validator: JudgeProgram | None = None
    passes: int = 1
    time_rule: TimeRule | None = None
    checker_tests: tuple[CheckerTest, ...] = ()
    validator_tests: tuple[ValidatorTest, ...] = ()
    checker_limits: Limits | None = None
    groups: TestGroup | None = None
    include: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    target: str = ""
    input_format: str = ""

    @property
    def validates_inputs(self) -> bool:
        """Whether it has a validator, or a grammar that serves as one."""
        return self.validator is not None or bool(self.input_format)

    @property
    def grammar(self) -> "Grammar | None":
        """The grammar of the inputs, compiled on the first call; None if the problem has none."""
        if not self.input_format:
            return None
        from judge.inputs import read_json  # few commands need it

        return read_json(self.input_format)

    def show_file(self, path: Path) -> Path:
        """Return the path of one of the problem's files as messages show it: relative to the repository, if in one."""
        if self.folder is None:
            return path
        if self.target and path.is_relative_to(self.folder):
            return self.target / path.relative_to(self.folder)
        root = self.folder.parent.parent
        return path.relative_to(root) if not self.is_package and path.is_relative_to(root) else path

    @property
    def is_package(self) -> bool:
        """Whether its files are a package of a contest, which the judge must not change."""
        return self.format != "native"

    @property
    def is_for_windows(self) -> bool:
        """Whether its programs are written for Windows, as on Polygon and Codeforces."""
        return self.format == "polygon"

    @property
    def prefers_pypy(self) -> bool:
        """Whether Python 3 means PyPy, as at ICPC contests; packages of Polygon name their interpreter."""
        return self.is_package and self.format != "polygon"

    @property
    def has_samples_only(self) -> bool:
        """Whether it is a package of ICPC without secret cases, so that an accepted solution may still be wrong."""
        return self.format not in ("native", "polygon") and all(case.is_sample for case in self.cases)

    @property
    def needs_time_limit(self) -> bool:
        """Whether the time limit follows from the submissions; until they are measured, `limits` has a default."""
        return self.time_rule is not None and self.time_rule.given is None

    @property
    def is_graded(self) -> bool:
        """Whether groups decide on verdicts: of problems with scores, and where graders accept in spite of failures."""
        return self.groups is not None

    @property
    def has_scores(self) -> bool:
        """Whether submissions have scores."""
        return ProblemType.SCORING in self.types and self.groups is not None


# ---- results ------------------------------------------------------------------------------------------------------


class DiffRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One row of a side-by-side diff; a side without a line is None.

    Lines keep their line endings, so that a reporter can show them. A long line is cut around its first difference.

    Attributes:
        expected_line, found_line: 1-based line numbers.
        expected_cut, found_cut: how many bytes were cut off before and after the part that is kept.
        agrees: the checker accepts the line, even if its bytes differ.
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


class Mismatch(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first difference between an output and the answer, cut to what fits on a screen.

    Attributes:
        line: 1-based line of the difference in the output, or of the end of an output that ends too early.
        column: 1-based byte column of the start of the token, or of the first byte of whitespace that differs.
        token: 1-based number of the token in its line, or 0 if whitespace differs.
        expected: the token in the answer, cut; b"" at the end of a line or text. The whitespace, if that differs.
        found: the token or the whitespace in the output, likewise.
        rows: the lines around the difference.
        hints: differences that are easy to miss: `no newline at the end of the output`, `CRLF line endings`, ...
        whitespace_only: the output and the answer have the same tokens.
        expected_line: 1-based line of the difference in the answer.
    """

    line: int
    column: int
    token: int
    expected: bytes
    found: bytes
    rows: tuple[DiffRow, ...] = ()
    hints: tuple[str, ...] = ()
    whitespace_only: bool = False
    expected_line: int = 0


class CheckResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict of a checker (AC, WA or PE; JE if it is a program that fails), the reason, and the difference.

    Attributes:
        reason: one line; empty if accepted.
        mismatch: why it rejects the output; of a program, the first difference from the answer, which need not be the
            reason.
        message, team_message: what a program wrote for the judges and for the team, cut; if the verdict is CE, what the
            compiler wrote.
        has_debug_message: it wrote nothing for the judges, and the message is what it wrote to standard error.
        raw_score: what the checker gave, before any rule of scoring.
        leniency: how an accepted output differs from the answer, where other judges may reject it.
    """

    verdict: Verdict
    reason: str = ""
    leniency: str = ""
    mismatch: Mismatch | None = None
    message: str = ""
    team_message: str = ""
    has_debug_message: bool = False
    raw_score: RawScore | None = None


class Excerpt(Struct, frozen=True, kw_only=True):
    """The part of an input or an output to show.

    Attributes:
        first_line: 1-based number of the first line in `lines`.
        lines: the lines without their line endings; long lines are cut.
        total_lines: the number of lines of the whole text.
        focus: 1-based number of the input line that corresponds to the wrong output line, or 0 if that is unknown.
    """

    first_line: int
    lines: tuple[bytes, ...]
    total_lines: int
    focus: int = 0


class CaseData:
    """The complete data of a case that was run: bytes, or the path of a file; None without an answer.

    Not a struct: msgspec knows no fields that are bytes or a path, and nothing stores this.
    """

    def __init__(
        self,
        *,
        input: bytes | Path,  # noqa: A002 - as in `Case`
        answer: bytes | Path | None,
        output: bytes,
        stderr: bytes,
    ) -> None:
        self.input, self.answer, self.output, self.stderr = input, answer, output, stderr


class CaseResult(CheckResult, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on one case, with its reasons.

    Attributes:
        run: None if nothing was run (CE, SK, invalid test data).
        output_digest: a hash of the output, in hex; "" if nothing ran or a limit ended the run.
        data_digest: a hash of the input and the answer, in hex; "" if nothing ran.
        output: the beginning of the output if there is no mismatch to show: if the verdict is NA, or a checker that is
            a program rejects an output that equals the answer.
        is_cached: the result comes from the cache of an earlier run.
        has_invalid_data: it was not judged (SK) because the test data is wrong.
        data: None unless the run keeps it.
        score: by the rules of its test group; None where cases have no scores, and for a problem without scores.
        is_omitted: it was not judged (SK) because of the verdicts on other cases, by the rules of the test groups or
            since an earlier one decides.
        passes: how many times the solution ran, if the problem has several passes; else 0.
        transcript: of an interactive problem, or one with several passes.
    """

    case: Case
    run: RunResult | None = None
    excerpt: Excerpt | None = None
    output: Excerpt | None = None
    output_digest: str = ""
    data_digest: str = ""
    is_cached: bool = False
    has_invalid_data: bool = False
    data: CaseData | None = None
    score: float | None = None
    is_omitted: bool = False
    passes: int = 0
    transcript: Transcript | None = None

    @property
    def limits(self) -> Limits:
        """The limits of the run."""
        return self.case.limits


class GroupResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of a group for one submission.

    Attributes:
        score: None for a problem without scores.
        reason: why it was not judged, why the score is not valid (JE), or why it gives no points although all cases are
            accepted (Polygon); else empty.
        judged, total: how many of its cases were judged, and how many it has, those of groups in it included.
    """

    group: TestGroup
    verdict: Verdict
    score: float | None = None
    reason: str = ""
    judged: int = 0
    total: int = 0


class Scores(Struct, frozen=True, kw_only=True):
    """What a submission to a problem with test groups gets.

    Attributes:
        verdict: by the rules of the root; None if the first failed case decides, as for a problem without groups.
        score: None unless all cases were judged or omitted, and for a submission that is rejected by legacy rules.
        reason: why the verdict is JE; else empty.
        groups: in the order of the tree, without the root.
    """

    verdict: Verdict | None
    score: float | None
    reason: str
    groups: tuple[GroupResult, ...]


class SolutionResult(Struct, frozen=True, kw_only=True):
    """The verdict on one solution, summed up over its cases.

    Attributes:
        verdict: JE if any case is JE, else the first verdict that is not AC, NA or SK, else AC; without any AC it is
            NA, or SK if all are SK.
        as_expected: whether the verdicts of the cases meet the expectation.
        slowest, largest: the cases with the most CPU time and memory; None if nothing ran.
        failures: the first case of each verdict that the expectation does not permit, in order; empty if only a
            required verdict is missing.
        unanswered: the first cases whose verdict is NA, whose outputs are shown.
        first_failed: the first case that was neither accepted nor skipped, nor without an answer, expected or not.
        message: the first error of the compiler, or why the solution could not be judged; else empty.
        rerun_args: the options that a rerun needs, such as `("--python", "pypy3")`.
        not_judged: how many cases were not judged because their test data is wrong; SK counts them, too.
        omitted: how many cases were not judged by the rules of the test groups; likewise.
        unfinished: how many cases were not reached before an interrupt; no verdict counts them.
        source_digest: SHA-256 of the source, in hex; "" if the file could not be read.
        is_complete: all cases of the problem were judged.
        cases_digest: a hash of what the history records of the cases, in hex; "" if it was not computed.
        score: None for a problem without scores, if not all cases were judged, and for a submission that is rejected by
            legacy rules.
        max_score: None if unbounded or unknown.
        groups: the results of the test groups without the root, each before those in it.
        unmet: the requirements that the solution does not meet besides verdicts, such as its score; a phrase each.
    """

    solution: Solution
    language: str
    verdict: Verdict
    as_expected: bool
    counts: dict[Verdict, int] = field(default_factory=dict)
    slowest: CaseResult | None = None
    largest: CaseResult | None = None
    failures: tuple[CaseResult, ...] = ()
    unanswered: tuple[CaseResult, ...] = ()
    first_failed: CaseResult | None = None
    message: str = ""
    rerun_args: tuple[str, ...] = ()
    cached: int = 0
    not_judged: int = 0
    omitted: int = 0
    unfinished: int = 0
    source_digest: str = ""
    is_complete: bool = True
    cases_digest: str = ""
    score: float | None = None
    max_score: float | None = None
    groups: tuple[GroupResult, ...] = ()
    unmet: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The number of cases."""
        return sum(self.counts.values())

    @property
    def judged(self) -> int:
        """The number of cases whose output was compared with an answer."""
        return self.total - self.counts.get(Verdict.SK, 0) - self.counts.get(Verdict.NA, 0)

    @property
    def is_undecided(self) -> bool:
        """Whether no case got a required verdict, which is not unexpected, since only some cases were judged."""
        if self.unfinished and self.verdict is Verdict.AC:
            return self.as_expected
        has_required = self.solution.expectation.has_required(self.counts, self.verdict)
        return self.as_expected and not has_required and self.verdict not in (Verdict.SK, Verdict.NA)
