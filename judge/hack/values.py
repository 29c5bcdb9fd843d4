"""The values of a search: what is searched, for how long, and what was found."""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import Enum, StrEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.units import Seconds
from judge.inputs import Grammar
from judge.judging.judge import Job
from judge.languages.build import Program
from judge.model import Case, CaseResult, CheckerConfig, FileNames, Inline, Limits, Mismatch, RunResult, Verdict
from judge.model.programs import Protocol

if TYPE_CHECKING:  # few problems have a program as their checker
    from judge.judging.programs import ReadyProgram


class Goal(StrEnum):
    """What a search looks for."""

    FAILURE = "failure"
    SLOWEST = "slowest"  # the input that takes the most CPU time
    LARGEST = "largest"  # the input that needs the most memory


class NamedProgram(Struct, frozen=True, kw_only=True):
    """A program and its name in messages, such as `brute.py`.

    Attributes:
        static: the same, linked with its libraries: it starts in half the time. A search for failures mostly runs it
            if there is one; `program` confirms what is found. None in a search for the slowest input, which measures.
        limits: of each run; None for those of the target.
        protocol: of a validator.
    """

    name: str
    program: Program
    static: Program | None = None
    args: tuple[str, ...] = ()
    limits: Limits | None = None
    protocol: Protocol = Protocol.ICPC


class VariedProgram(NamedProgram, frozen=True, kw_only=True):
    """The submission in another build or environment, in which a mistake shows that happens to do no harm otherwise.

    Attributes:
        largest_input: it is used only for inputs of at most so many bytes; 0 for all.
        may_crash, may_differ: it may do so without a mistake.
    """

    largest_input: int = 0
    may_crash: bool = False
    may_differ: bool = False


class Target(Struct, frozen=True, kw_only=True):
    """What is searched: the submission, and all that decides whether it fails.

    Attributes:
        references: their outputs are right; the first answers, the second confirms before a failure is reported.
            Without any, only crashes, exceeded limits and what `variants` show are failures.
        variants: of the submission; where that does not fail, one of them runs, too.
        validators: groups of which one must accept an input: each validator in it.
        format: must accept it, too; None if nothing is known.
        grammar: what it rejects, only validators after the first group are asked about; what it accepts is valid, if
            `grammar_decides`. What is reported is validated by the programs, too.
        joining: how several tests become one input, if the format allows that.
        ready_checker: the checker, if it is a program.
        passes: how many times the submission runs on an input at most.
        no_answers: words that references print where there is no answer, such as `None` and their largest numbers.
        group: of the cases that failures become.
    """

    submission: NamedProgram
    references: Sequence[NamedProgram] = ()
    variants: Sequence[VariedProgram] = ()
    validators: Sequence[Sequence[NamedProgram]] = ()
    format: Grammar | None = None
    grammar: Grammar | None = None
    grammar_decides: bool = False
    joining: Grammar | None = None
    checker: CheckerConfig = field(default_factory=CheckerConfig)
    ready_checker: "ReadyProgram | None" = None
    interactor: "ReadyProgram | None" = None
    passes: int = 1
    limits: Limits
    no_answers: frozenset[bytes] = frozenset()
    file_names: FileNames | None = None
    group: str = "hack"

    @property
    def has_dialogue(self) -> bool:
        """Whether programs of the problem decide while the submission runs, or between its runs; references do not."""
        return self.interactor is not None or self.passes > 1

    def case(self, data: bytes) -> Case:
        """Return the case that a counterexample becomes."""
        return Case(
            group=self.group,
            name="1",
            input=Inline(data),
            limits=self.limits,
            checker=self.checker,
            file_names=self.file_names,
            origin=Path(self.submission.name),
        )

    def job(self, program: Program, data: bytes, answer: bytes | None, limits: Limits | None = None) -> Job:
        """Return what judges a program on an input, with the limits of the target or its own."""
        return Job(
            program=program,
            case=replace(self.case(data), limits=limits or self.limits),
            input=data,
            answer=answer,
            checker=self.ready_checker,
            interactor=self.interactor,
            passes=self.passes,
        )

    @property
    def decides_validity(self) -> bool:
        """Whether a validator or a grammar says what is valid; else inputs are, on which two references agree."""
        return bool(self.validators) or (self.grammar is not None and self.grammar_decides)


DEFAULT_BUDGET = Seconds(10.0)


class SearchOptions(Struct, frozen=True, kw_only=True):
    """How to search.

    Attributes:
        budget: for finding and shrinking.
        shrink_budget: for shrinking each failure; None for what is left of the budget, and at least a part of it.
        max_inputs: how many inputs to try; None for as many as the budget allows.
        findings: how many distinct failures to look for.
    """

    budget: Seconds = DEFAULT_BUDGET
    shrink_budget: Seconds | None = None
    max_inputs: int | None = None
    findings: int = 1
    seed: int = 1
    goal: Goal = Goal.FAILURE


class Kind(Struct, frozen=True):
    """What makes two failures the same: the verdict, and for a crash how the program ended.

    Attributes:
        variant: the name of the variant that fails where the submission does not; "" for the submission itself.
    """

    verdict: Verdict
    detail: str = ""
    variant: str = ""


class Counterexample(Struct, frozen=True, kw_only=True):
    """An input on which the submission fails.

    Attributes:
        expected: the output of the reference; None without one.
        output: of the submission, or of the variant that prints something else.
        result: the verdict of the cold run of the submission, with the difference to show.
        cause: what a variant shows; "" for nothing.
        strategy: the source that proposed the input.
        found: the input before it was shrunk.
        confirmed_by: the names of the references that agree on the expected output.
        is_cold: cold runs of all programs confirm it; warm ones alone did not before Ctrl-C.
        not_shown: what the input has that no sample shows, such as `n = 1`, if nothing else says what is valid.
        lesson: what is wrong with the source, if an attack on that made the input; "" for nothing.
    """

    input: bytes
    expected: bytes | None
    output: bytes
    result: CaseResult
    kind: Kind
    strategy: str
    found: bytes
    cause: str = ""
    confirmed_by: tuple[str, ...] = ()
    is_cold: bool = True
    not_shown: tuple[str, ...] = ()
    lesson: str = ""

    @property
    def line(self) -> int:
        """The line of the submission that fails, if that is known; else 0."""
        found = re.search(r"\(line ([0-9]+)\)$", self.cause)
        return int(found[1]) if found else self.result.run.crash_line if self.result.run else 0

    @property
    def tokens(self) -> int:
        """How many tokens the input has."""
        return count_tokens(self.input)


class Disagreement(Struct, frozen=True, kw_only=True):
    """An input on which two references print different outputs: one of them is wrong, if the input is valid.

    It is certainly valid if it `is_certain`; else nothing says so.
    """

    input: bytes
    names: tuple[str, str]
    outputs: tuple[bytes, bytes]
    is_certain: bool = True


class JudgingFailure(Struct, frozen=True, kw_only=True):
    """An input on which the checker or the interactor fails: it is to blame, whatever the submission printed.

    Attributes:
        reason: which program fails, and how.
        output: of the submission; None if the two talked to each other.
        is_certain: the input is valid; else nothing says so.
    """

    reason: str
    input: bytes
    output: bytes | None
    is_certain: bool


class MostExpensive(Struct, frozen=True, kw_only=True):
    """The most expensive input that was found."""

    input: bytes
    cpu: Seconds
    memory: int
    strategy: str


class SearchResult(Struct, frozen=True, kw_only=True):
    """What a search has found.

    Attributes:
        found: distinct failures, the first one first.
        judging_failure: the smallest one that was met.
        runs: of the submission.
        inputs: proposed ones, the tests of a joined input counted one by one; `rejected` of them were not valid.
        rate: inputs per second while it searched.
        faults: what is wrong with programs other than the submission; a sentence each.
        was_interrupted: by Ctrl-C.
    """

    found: Sequence[Counterexample] = ()
    disagreements: Sequence[Disagreement] = ()
    judging_failure: JudgingFailure | None = None
    slowest: MostExpensive | None = None
    runs: int = 0
    inputs: int = 0
    rejected: int = 0
    first_rejected: bytes | None = None
    seconds: Seconds
    rate: float = 0.0
    seed: int
    faults: Sequence[str] = ()
    was_interrupted: bool = False


class Progress(Struct, frozen=True, kw_only=True):
    """How far a search is.

    Attributes:
        phase: `compiling FILES`, `searching`, `shrinking` or `confirming`.
        strategy: the source of the latest inputs.
        tokens: of the smallest failing input so far; 0 without one.
    """

    phase: str
    seconds: Seconds
    inputs: int
    strategy: str
    found: int = 0
    tokens: int = 0


Report = Callable[[Progress], None]


def count_tokens(data: bytes) -> int:
    """Return how many tokens, separated by white space, an input has."""
    return len(data.split())


class Status(Enum):
    """What is known of an input, in a word."""

    GOOD = auto()
    FAILED = auto()
    INVALID = auto()
    UNKNOWN = auto()  # a program other than the submission failed, or the deadline came


class Examined(Struct, frozen=True, kw_only=True):
    """What is known of an input.

    Attributes:
        kind: how the submission fails; of an input that is not valid, DISAGREEMENT if references say so; else None.
        output: of the submission, or of the variant that fails; for a disagreement, of the second reference.
        mismatch, cause: how the output of the variant differs; what the variant shows.
        run: of the submission; None if it did not run.
        is_trusted: it was known to be valid.
    """

    data: bytes
    status: Status
    kind: Kind | None = None
    expected: bytes | None = None
    output: bytes = b""
    run: RunResult | None = None
    mismatch: Mismatch | None = None
    cause: str = ""
    is_trusted: bool = False

    @property
    def failed(self) -> bool:
        """Whether the submission fails."""
        return self.status is Status.FAILED

    @property
    def variant(self) -> str | None:
        """The name of the variant of the submission that fails; None if it fails itself, or not at all."""
        return (self.kind.variant or None) if self.kind is not None else None

    @property
    def variant_cause(self) -> str:
        """What failures of one cause share that only variants show; "" for those of the submission itself."""
        return (self.kind.detail or "another output") if self.kind is not None and self.kind.variant else ""


class Examination(Struct, frozen=True, kw_only=True):
    """What is to be found out about an input: nothing but whether it is valid, if it `is_about_validity`.

    Attributes:
        is_known_valid: no validator is asked.
        is_trusted: without validators, it is valid even if references disagree: it is a case, for example.
        is_cold: every program starts from the beginning.
        variant: the name of the variant to run; None for none.
        seconds: until the deadline.
    """

    data: bytes
    is_known_valid: bool = False
    is_trusted: bool = False
    variant: str | None = None
    is_about_validity: bool = False
    is_cold: bool = False
    seconds: float = math.inf


class ExaminationAnswer(Struct, frozen=True, kw_only=True):
    """What an examination has found out: for one about validity, good or invalid.

    `runs` are those of the submission; the faults of other programs are their name, what is wrong, and details.
    """

    examined: Examined
    runs: int = 0
    faults: tuple[tuple[str, str, str], ...] = ()
    judging_failure: JudgingFailure | None = None


class ExaminationDelegate(ABC):
    """A box that can have inputs examined on another machine."""

    @abstractmethod
    def examine_remotely(self, target: Target, examination: Examination) -> ExaminationAnswer | None:
        """Return what was found out; None if it must be found out in this box.

        Raises JudgeError if that place is gone, or the examination was interrupted.
        """
