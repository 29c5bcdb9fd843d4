"""The certificate of a problem's strength: what its cases kill, and which survivors are accepted and why.

It is committed beside the lock file of the cases. It holds no time and nothing of a machine, so the same sources and
cases give the same text. Only `judge strength` writes it; people add a `reason` to a survivor that they accept.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from judge.base.errors import DataError, Diagnostic, JudgeError
from judge.base.files import read_regular, write_atomically
from judge.languages.program_source import read_source
from judge.languages.source import solution_options
from judge.model import Problem, Solution
from judge.preparation.store import make_key, read_lock
from judge.runner.cache import arguments_text
from judge.strength.mutation.mutant import OPERATORS_VERSION
from judge.strength.results import Label, MutantResult, ProblemStrength, strength_ratio

_NAME = "strength.lock"

Reasons = Mapping[tuple[str, str, str], str]
"""Why survivors are accepted, by solution and changed lines."""


class CertifiedSolution(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An accepted solution: the hash of its source, and what became of its mutants."""

    source: str
    mutants: int
    killed: int
    equivalent: int


class CertifiedSurvivor(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mutant that no case kills; `reason` is written by a person."""

    solution: str
    line: int
    operator: str
    before: str
    after: str
    label: str
    reason: str = ""

    @property
    def is_equivalent(self) -> bool:
        """Whether it counts as equivalent, as `MutantResult.is_equivalent` says."""
        return self.label == Label.EQUIVALENT or self.reason.startswith("equivalent")


class Certificate(Struct, frozen=True, kw_only=True):
    """The content of a certificate.

    Attributes:
        operators: the version of the mutation operators.
        cases: a hash of all cases.
        wrong: the hash of the source of each wrong solution; `missed` are those that no case finds.
    """

    version: Literal[1] = 1
    operators: int
    cases: str
    solutions: Mapping[str, CertifiedSolution]
    wrong: Mapping[str, str]
    missed: Sequence[str]
    survivors: Sequence[CertifiedSurvivor]

    @property
    def ratio(self) -> float:
        """The part of the mutants not shown to be equivalent that the cases kill."""
        every = self.solutions.values()
        return strength_ratio(
            sum(each.mutants for each in every),
            sum(each.killed for each in every),
            sum(each.equivalent for each in every),
        )

    @property
    def reasons(self) -> Reasons:
        """Why survivors are accepted."""
        return {(each.solution, each.before, each.after): each.reason for each in self.survivors if each.reason}

    def text(self) -> str:
        """Return the text of the file: a solution or survivor on each line, sorted."""
        solutions = [f"    {json.dumps(name)}: {_dump(asdict(each))}" for name, each in sorted(self.solutions.items())]
        wrong = [f"    {json.dumps(name)}: {json.dumps(digest)}" for name, digest in sorted(self.wrong.items())]
        ordered = sorted(self.survivors, key=lambda each: (each.solution, each.line, each.before, each.after))
        survivors = [f"    {_dump(asdict(each))}" for each in ordered]
        return (
            f'{{\n  "version": {self.version},\n  "operators": {self.operators},\n'
            f'  "cases": {json.dumps(self.cases)},\n'
            f'  "solutions": {{{_lines(solutions)}}},\n  "wrong": {{{_lines(wrong)}}},\n'
            f'  "missed": {json.dumps(sorted(self.missed))},\n  "survivors": [{_lines(survivors)}]\n}}\n'
        )


def certificate_path(problem: Problem) -> Path | None:
    """Return where the certificate of a problem is; None for a package, into which nothing is written."""
    return None if problem.lock is None or problem.is_package else problem.lock.with_name(_NAME)


def read_certificate(path: Path | None) -> Certificate | None:
    """Read a certificate; None if there is none. Raises DataError if it is none of this version."""
    if path is None or not path.exists():
        return None
    try:
        return parse_certificate(read_regular(path))
    except (OSError, ValueError, RecursionError) as error:
        message = f"not a certificate of version 1 ({error})"
        fix = "repair it, or delete it and run `judge strength` to write it again (which loses the reasons in it)"
        raise DataError([Diagnostic(path=path, message=message, fix=fix)]) from error


def parse_certificate(text: bytes) -> Certificate:
    """Return the certificate with this text. Raises ValueError or RecursionError if it is none of this version."""
    return msgspec.json.decode(text, type=Certificate)


def write_certificate(path: Path, certificate: Certificate) -> bool:
    """Write a certificate, unless the file has this text already; return whether it was written. Raises OSError."""
    text = certificate.text().encode()
    if path.exists() and read_regular(path) == text:
        return False
    write_atomically(path, text)
    return True


def certify(problem: Problem, strength: ProblemStrength) -> Certificate:
    """Return the certificate of what was measured."""
    return Certificate(
        operators=OPERATORS_VERSION,
        cases=describe_cases(problem),
        solutions={
            _name(problem, each.solution): CertifiedSolution(
                source=each.source, mutants=len(each.results), killed=each.killed, equivalent=each.equivalent
            )
            for each in strength.solutions
        },
        wrong={_name(problem, each.solution): _source(problem, each.solution) for each in strength.wrong},
        missed=[_name(problem, each.solution) for each in strength.wrong if not each.is_killed],
        survivors=[
            CertifiedSurvivor(
                solution=_name(problem, solution.solution),
                line=each.mutant.line,
                operator=each.mutant.operator,
                before=each.before,
                after=each.after,
                label=(each.label or Label.REACHED).value,
                reason=each.reason,
            )
            for solution in strength.solutions
            for each in solution.survivors
        ],
    )


def with_reasons(problem: Problem, strength: ProblemStrength, reasons: Reasons) -> ProblemStrength:
    """Return what was measured, with the reasons of accepted survivors."""

    def accept(name: str, result: MutantResult) -> MutantResult:
        has_killer = result.is_killed or result.killer is not None  # then a reason is refuted
        reason = "" if has_killer else reasons.get((name, result.before, result.after), "")
        return replace(result, reason=reason) if reason else result

    solutions = [
        replace(each, results=[accept(_name(problem, each.solution), result) for result in each.results])
        for each in strength.solutions
    ]
    return replace(strength, solutions=solutions)


def count_again(certificate: Certificate) -> Certificate:
    """Return a certificate with its equivalent mutants counted again: people add reasons to survivors."""
    counts = Counter(each.solution for each in certificate.survivors if each.is_equivalent)
    solutions = {name: replace(each, equivalent=counts[name]) for name, each in certificate.solutions.items()}
    return replace(certificate, solutions=solutions)


def find_outdated(problem: Problem, certificate: Certificate) -> str:
    """Return what has changed since a certificate was written; "" if nothing that decides it has.

    Raises DataError if the lock file of the cases is wrong.
    """
    if certificate.operators != OPERATORS_VERSION:
        return f"mutation operators of version {certificate.operators}, now {OPERATORS_VERSION}"
    changes = []
    if certificate.cases != describe_cases(problem):
        changes.append("the cases")
    current = {_name(problem, each): _source(problem, each) for each in problem.solutions if each.expectation.name}
    certified = {**{name: each.source for name, each in certificate.solutions.items()}, **certificate.wrong}
    accepted = {_name(problem, each) for each in problem.solutions if each.expectation.name == "accepted"}
    for name in sorted(current.keys() | certified.keys()):
        if name in accepted and name not in certified:
            changes.append(f"{name} (new)")
        elif name not in current:
            changes.append(f"{name} (removed)")
        elif name in certified and current[name] != certified[name]:
            changes.append(name)
    return ", ".join(changes[:3]) + (f" and {len(changes) - 3} more" if len(changes) > 3 else "")


def find_fall(old: Certificate, new: Certificate) -> str:
    """Return in which way the strength fell; "" if it did not."""
    if missed := sorted(set(new.missed) - set(old.missed)):
        return f"no case finds {', '.join(missed)} any more"
    if new.ratio < old.ratio - 1e-12:
        return f"from {old.ratio:.2%} to {new.ratio:.2%}"
    return ""


def compare_certificates(problem: Problem, old: bytes | None) -> str:
    """Return in which way a certificate is weaker than an earlier one, if any, or outdated; "" if it is neither.

    Raises DataError if the certificate, or the lock file of the cases, is wrong.
    """
    try:
        before = None if old is None else parse_certificate(old)
    except (ValueError, RecursionError):
        before = None  # of another version
    now = read_certificate(certificate_path(problem))
    if now is None:
        return "its certificate of strength was removed" if before else ""
    if fall := find_fall(before, now) if before else "":
        return f"the strength fell: {fall}"
    if outdated := find_outdated(problem, now):
        return f"its certificate of strength is outdated ({outdated} changed): run `judge strength {problem.id}`"
    return ""


def describe_cases(problem: Problem) -> str:
    """Return a hash of the cases in the lock file, with their checkers and limits: the same on every machine.

    Raises DataError if the lock file is wrong.
    """
    lock = read_lock(problem.lock)
    parts = []
    for case in problem.cases:
        locked = lock.get(case.id)
        if locked is not None:
            checker = replace(case.checker, program=None)
            program, source = case.checker.program, ""
            with suppress(OSError):
                if program and program.source.is_file():
                    source = make_key(program.source.read_text(errors="replace"))
            settings = f"{astuple(checker)} {source} {astuple(case.limits)}{arguments_text(case)}"
            parts.append(f"{case.id} {locked.input} {locked.answer} {settings}")
    return make_key(*sorted(parts))[:32]


def _name(problem: Problem, solution: Solution) -> str:
    return problem.show_file(solution.path).as_posix()


def _source(problem: Problem, solution: Solution) -> str:
    try:
        return read_source(solution.path, solution_options(solution, problem.folder)).digest
    except (JudgeError, OSError):
        return ""


def _dump(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)


def _lines(lines: Sequence[str]) -> str:
    return "\n" + ",\n".join(lines) + "\n  " if lines else ""
