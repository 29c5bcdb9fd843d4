"""Makes the runs: old and new program in turn, in random order, in one box, until their times answer the question."""

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from pathlib import Path

from msgspec.structs import replace

from judge.base.units import Seconds
from judge.judging.judge import conclude as conclude_run
from judge.judging.judge import run_submission
from judge.languages.build import Program, build
from judge.model import CheckResult, Verdict
from judge.preparation.cases import ReadyCase
from judge.sandbox.box import Box, Command
from judge.timing.comparison import (
    LOOKS,
    MIN_PAIRS,
    Comparison,
    ComparisonKind,
    Pair,
    conclude,
    inconclusive,
    is_too_short,
)


def choose_case(times: Mapping[str, Seconds], budget: Seconds) -> str:
    """Return the id of the longest case of which enough pairs fit into the budget; else of the shortest.

    In a long run the program's own work outweighs the start and the resolution of the clock, and a change of the
    complexity shows there first. The times are those of the slower program.
    """
    fitting = [case for case, cpu in times.items() if 2 * MIN_PAIRS * cpu <= budget]
    return max(fitting, key=times.__getitem__) if fitting else min(times, key=times.__getitem__)


BUDGET = Seconds(60.0)  # elapsed

# Programs that do nothing: their CPU time is that of the start.
_EMPTY_PROGRAMS: Mapping[str, tuple[str, str]] = {
    "python3": ("nothing.py", "pass\n"),
    "c": ("nothing.c", "int main(void) { return 0; }\n"),
    "cpp": ("nothing.cpp", "int main() { return 0; }\n"),
    "java": ("Nothing.java", "class Nothing { public static void main(String[] arguments) { } }\n"),
}


_ACCEPTED = CheckResult(verdict=Verdict.AC)  # outputs are checked elsewhere


class _FailedRunError(Exception):
    """A run is not a measurement. Not an error of the judge: the text is the answer of the comparison."""


def compare(
    old: Program, new: Program, case: ReadyCase, box: Box, *, folder: Path, seed: int = 1, budget: Seconds = BUDGET
) -> Comparison:
    """Run two programs on the same input in turn; return whether the new one is slower.

    The box is bound to one core, if one is free; the judge should run nothing else meanwhile. The empty program is
    built in the folder (see `languages.build`). After the budget, elapsed, no pair starts.

    Raises:
        SandboxError: a run could not be set up or observed.
        ToolError: a compiler is missing.
        OSError: the folder cannot be written.
    """
    starts_alike = old.language.id == new.language.id and (not _is_python(old) or old.argv[0] == new.argv[0])
    empty = None  # a program of the same language that does nothing, if one is known
    if starts_alike and old.language.id in _EMPTY_PROGRAMS:
        name, text = _EMPTY_PROGRAMS[old.language.id]
        source = folder / name
        source.write_text(text)
        built = build(source, folder, box, {"python": old.argv[0]} if _is_python(old) else None)
        empty = built if isinstance(built, Program) else None
    try:
        return decide(_measure_pairs(old, new, empty, case, box, chance=random.Random(seed)), budget)
    except _FailedRunError as error:
        return inconclusive(str(error))


def decide(pairs: Iterator[Pair], budget: Seconds, clock: Callable[[], float] = time.monotonic) -> Comparison:
    """Take pairs until those at a planned number give an answer, or the elapsed time is up."""
    deadline = clock() + budget
    taken: list[Pair] = []
    for look in LOOKS:
        for pair in islice(pairs, look - len(taken)):
            taken.append(pair)
            if clock() > deadline:
                break
        if len(taken) < look or is_too_short(taken) or conclude(taken).kind is not ComparisonKind.INCONCLUSIVE:
            break
    return conclude(taken)


def _measure_pairs(
    old: Program, new: Program, empty: Program | None, case: ReadyCase, box: Box, *, chance: random.Random
) -> Iterator[Pair]:
    """Yield pairs without end, except the first, which fills the caches.

    `empty` starts like the others and ends; None if they start differently, or none is known for the language. Raises
    _FailedRunError if a run exceeds a limit or does not exit with status 0.
    """
    start = Seconds(math.inf if empty else 0.0)
    order = [("the old program", old), ("the new program", new)]
    for number in count():
        hash_seed = chance.randrange(1, 1 << 32)
        chance.shuffle(order)
        if empty is not None and number <= 40:  # the minimum counts
            start = min(start, _measure("a program that does nothing", empty, case, box, hash_seed))
        cpu = {name: _measure(name, program, case, box, hash_seed) for name, program in order}
        if number > 0:
            yield Pair(old=cpu["the old program"], new=cpu["the new program"], start=start)


def _is_python(program: Program) -> bool:
    return program.language.id == "python3"


def _measure(name: str, program: Program, case: ReadyCase, box: Box, hash_seed: int) -> Seconds:
    limits = case.case.limits
    command = program.command(case.input, limits)
    if _is_python(program):
        command = with_hash_seed(command, hash_seed)
    run = run_submission(command, case.case.file_names, limits, box).result
    conclusion = conclude_run(run, limits, lambda: _ACCEPTED)
    if conclusion is not _ACCEPTED:
        raise _FailedRunError(f"{name}: {conclusion.verdict}, {conclusion.reason}")
    return run.cpu


def with_hash_seed(command: Command, seed: int) -> Command:
    """Return a Python command with a fixed order of sets, and isolated as before.

    `-I` ignores PYTHONHASHSEED. It stands for `-E -s -P`: the environment of a run has no variables of the user, so
    `-E` is not needed, `-s` stays, and PYTHONSAFEPATH means `-P` in every version that has it.
    """
    return replace(
        command,
        argv=tuple("-s" if argument == "-I" else argument for argument in command.argv),
        environment={**command.environment, "PYTHONHASHSEED": str(seed), "PYTHONSAFEPATH": "1"},
    )
