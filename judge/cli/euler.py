"""The answer that a person types in: what a solution prints for the real data."""

import argparse
import sys
from pathlib import Path

from judge.cli.workspace import workshop
from judge.errors import DataError, UsageError
from judge.languages.program import CompileError, build
from judge.model import Case, Ending, External, Problem, Solution
from judge.preparation.cases import DataStore, InvalidCase, PreparedCase, ReadyCase, SkippedCase
from judge.preparation.lock import read_lock
from judge.preparation.prepare import prepare
from judge.sandbox.box import Box, Outcome

_LONGEST = 200  # characters


def answer_of(args: argparse.Namespace, problem: Problem, solution: Solution, root: Path) -> bytes:
    """Return what a solution prints for its problem's external data (else for its only case): one word.

    Raises:
        UsageError: it is not clear which data, the data is not here, or what is printed is no answer.
        DataError: the data is wrong.
    """
    case = _case(problem)
    with workshop(args, root) as (executor, store):
        (prepared,) = prepare(problem, [case], store, read_lock(problem.lock), executor.map)
        (outcome,) = executor.map(_run, [(solution, _ready(prepared), store)])
    if outcome.result.ending is not Ending.EXITED or outcome.result.exit_code != 0:
        raise UsageError(f"{solution.display_path} did not end well on {case.id}: there is no answer")
    words = outcome.stdout.decode(errors="replace").split()
    if len(words) != 1 or len(words[0]) > _LONGEST or not words[0].isprintable():
        raise UsageError(f"{solution.display_path} printed {len(words)} words for {case.id}: expected one answer")
    print(f"answer    {words[0]}  (what {solution.display_path} prints for {case.id})")
    sys.stdout.flush()
    return words[0].encode()


def _case(problem: Problem) -> Case:
    real = [case for case in problem.cases if isinstance(case.input, External)] or list(problem.cases)
    if len(real) != 1:
        raise UsageError(
            f"{problem.id}: the answer is what the solution prints for the real data, and {len(real)} cases could be "
            "that; expected one case with `external:`, or one case in all"
        )
    return real[0]


def _ready(prepared: PreparedCase) -> ReadyCase:
    match prepared:
        case InvalidCase(diagnostic=diagnostic):
            raise DataError([diagnostic])
        case SkippedCase(case=case, reason=reason):
            raise UsageError(f"{case.id} is needed for the answer: {reason}")
        case ReadyCase():
            return prepared


def _run(box: Box, job: tuple[Solution, ReadyCase, DataStore]) -> Outcome:
    solution, ready, store = job
    program = build(solution.path, store.build, box, None, store.programs)
    if isinstance(program, CompileError):
        raise UsageError(f"{solution.display_path}: {program.message}")
    return box.run(program.command(ready.input, ready.case.limits), ready.case.limits)
