"""The values of measuring strength: mutants and wrong solutions, what the cases say of them, and what survives."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from judge.base.units import Seconds
from judge.model import Solution, Verdict
from judge.strength.mutation.mutant import Mutant


class Label(StrEnum):
    """What is known about a survivor."""

    UNREACHED = "unreached"  # no case executes the changed place
    REACHED = "reached"  # some case does; more is not known
    INFECTED = "infected"  # the changed expression has another value in some case, and no answer differs
    EQUIVALENT = "equivalent"  # the changed expression has the same value each time: probably an equivalent mutant


class Killer(Struct, frozen=True, kw_only=True):
    """An input outside of the cases that kills a mutant, how it was found, and what the accepted solutions print."""

    input: bytes
    answer: bytes
    origin: str
    verdict: Verdict


class _Judged(Struct, frozen=True, kw_only=True):
    """What cases say of a program that is wrong; `verdicts` are those of the cases that were run, by id."""

    verdicts: Mapping[str, Verdict]

    @property
    def killers(self) -> list[str]:
        """The cases that kill it, among those that were run."""
        return [case for case, verdict in self.verdicts.items() if verdict is not Verdict.AC]

    @property
    def is_killed(self) -> bool:
        """Whether a case kills it."""
        return bool(self.killers)


class MutantResult(_Judged, frozen=True, kw_only=True):
    """What the cases say of a mutant.

    Attributes:
        digest: of the mutated source.
        before, after: the changed lines.
        label: of a survivor; None for a mutant that was killed.
        reason: why a survivor is accepted, from the certificate; "" if it is not.
        killer: an input that would kill a survivor.
    """

    mutant: Mutant
    digest: str
    before: str
    after: str
    label: Label | None = None
    reason: str = ""
    killer: Killer | None = None

    @property
    def is_equivalent(self) -> bool:
        """Whether it counts as equivalent: nothing differs in any case, or a person has said so."""
        if self.is_killed or self.killer is not None:
            return False
        return self.label is Label.EQUIVALENT or self.reason.startswith("equivalent")

    def with_killer(self, killer: Killer | None) -> "MutantResult":
        """Return the survivor with the input that kills it, which shows that it is not equivalent."""
        is_refuted = killer is not None and self.label is Label.EQUIVALENT
        return replace(self, killer=killer, label=Label.REACHED if is_refuted else self.label)


class SolutionStrength(Struct, frozen=True, kw_only=True):
    """The mutants of an accepted solution, the SHA-256 of its source, and its own CPU time by case."""

    solution: Solution
    source: str
    results: Sequence[MutantResult]
    cpu: Mapping[str, Seconds] = field(default_factory=dict)

    @property
    def killed(self) -> int:
        """How many mutants the cases kill."""
        return sum(each.is_killed for each in self.results)

    @property
    def equivalent(self) -> int:
        """How many survivors count as equivalent."""
        return sum(each.is_equivalent for each in self.results)

    @property
    def survivors(self) -> list[MutantResult]:
        """The mutants that no case kills."""
        return [each for each in self.results if not each.is_killed]


class WrongSolution(_Judged, frozen=True, kw_only=True):
    """What the cases say of a solution that is known to be wrong."""

    solution: Solution


class GroupStrength(Struct, frozen=True, kw_only=True):
    """What the cases of one group kill.

    Attributes:
        alone: how many mutants the group kills by itself; None if that would take too long.
        added: how many it kills that the groups before it do not.
        limits: the part of the programs that it rejects of those that are right only up to a limit.
        wrong: how many wrong solutions it finds.
        score: the mean of the shares of mutants, wrong solutions and limits, which count half; None if `alone` is.
    """

    group: str
    cases: int
    alone: int | None
    added: int
    limits: float
    wrong: int
    score: float | None


class ProgramFault(Struct, frozen=True, kw_only=True):
    """A checker or validator that accepts what is wrong, rejects what is right, crashes or hangs.

    Attributes:
        program: its file, as messages show it.
        kind: `false accept`, `false reject`, `crash` or `hang`.
        change: what was done to the output or input of the case.
    """

    program: Path
    kind: str
    change: str
    case: str
    detail: str = ""


class ProblemStrength(Struct, frozen=True, kw_only=True):
    """The strength of the cases of a problem.

    Attributes:
        skipped: solutions that have no mutants here, with the reason.
        redundant: cases without which the others kill the same mutants and wrong solutions, and are as large.
        notes: what is wrong with the problem's programs besides, a sentence each.
        runs: how many runs were needed; the others were known.
    """

    id: str
    solutions: Sequence[SolutionStrength]
    wrong: Sequence[WrongSolution] = ()
    skipped: Sequence[tuple[str, str]] = ()
    groups: Sequence[GroupStrength] = ()
    kills: Mapping[str, int] = field(default_factory=dict)
    redundant: Sequence[str] = ()
    faults: Sequence[ProgramFault] = ()
    notes: Sequence[str] = ()
    runs: int = 0

    @property
    def mutants(self) -> int:
        """How many mutants there are."""
        return sum(len(each.results) for each in self.solutions)

    @property
    def killed(self) -> int:
        """How many of them the cases kill."""
        return sum(each.killed for each in self.solutions)

    @property
    def equivalent(self) -> int:
        """How many survivors count as equivalent."""
        return sum(each.equivalent for each in self.solutions)

    @property
    def ratio(self) -> float:
        """The part of the mutants not shown to be equivalent that the cases kill."""
        return strength_ratio(self.mutants, self.killed, self.equivalent)


def strength_ratio(mutants: int, killed: int, equivalent: int) -> float:
    """Return the part of the mutants not shown to be equivalent that are killed; 1 if there are none."""
    killable = mutants - equivalent
    return killed / killable if killable else 1.0


def strength_record(strength: ProblemStrength) -> dict[str, object]:
    """Return the report about one problem for programs; docs/strength.md describes it."""
    return {
        "id": strength.id,
        "solutions": [
            {
                "path": solution.solution.display_path,
                "mutants": len(solution.results),
                "killed": solution.killed,
                "equivalent": solution.equivalent,
                "survivors": [_survivor_record(each) for each in solution.survivors],
            }
            for solution in strength.solutions
        ],
        "groups": [asdict(each) for each in strength.groups],
        "redundant_cases": list(strength.redundant),
    }


def _survivor_record(survivor: MutantResult) -> dict[str, object]:
    sides = (("-", survivor.before), ("+", survivor.after))
    diff = "\n".join(f"{mark} {line}" for mark, text in sides for line in text.splitlines())
    record: dict[str, object] = {"line": survivor.mutant.line, "diff": diff, "label": str(survivor.label)}
    if survivor.killer is not None:
        record["killer"] = {
            "input": survivor.killer.input.decode(errors="replace"),
            "answer": survivor.killer.answer.decode(errors="replace"),
            "verdict": str(survivor.killer.verdict),
        }
    return record
