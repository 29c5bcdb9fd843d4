"""The runs: old and new in turn, in random order, in one box, until the times tell."""

import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

from judge.judging.judge import conclude as conclude_run
from judge.languages.table import Program, build
from judge.model import CheckResult, Limits, Verdict
from judge.sandbox.box import Box, Command
from judge.timing.comparison import Comparison, ComparisonKind, Pair, inconclusive
from judge.timing.statistics import FLOOR_RUNS, LOOKS, conclude, is_too_short
from judge.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedCase:
    """An input that both programs are to be timed on.

    Attributes:
        limits: both programs must keep them; a run that does not is no measurement.
        cpu: the CPU time that the slower program takes, as far as it is known.
    """

    case: str
    input: bytes | Path
    limits: Limits
    cpu: Seconds | None = None


def most_telling(trials: Sequence[TimedCase], budget: Seconds) -> TimedCase:
    """Return the trial that takes longest while the fewest pairs that tell fit into the budget; else the shortest.

    In a long run the program's own work outweighs the start and the clock; a change of how the time grows shows there
    first. One whose time is not known comes last.
    """
    known = [(trial.cpu, number) for number, trial in enumerate(trials) if trial.cpu is not None]
    fitting = [each for each in known if 2 * FLOOR_RUNS * each[0] <= budget]
    number = max(fitting)[1] if fitting else min(known)[1] if known else 0
    return trials[number]


BUDGET = Seconds(60.0)  # elapsed
_STARTS = 40  # how often the start is measured; its minimum counts

# Programs that do nothing: what they take is the start.
_NOTHING: Mapping[str, tuple[str, str]] = {
    "python3": ("nothing.py", "pass\n"),
    "c": ("nothing.c", "int main(void) { return 0; }\n"),
    "cpp": ("nothing.cpp", "int main() { return 0; }\n"),
    "java": ("Nothing.java", "class Nothing { public static void main(String[] words) { } }\n"),
}


_FINE = CheckResult(verdict=Verdict.AC)  # whether the output is right is asked elsewhere


class _UnusableError(Exception):
    """A run is no measurement; the text says why. No fault of ours: it is the comparison's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The programs that are run in turn.

    Attributes:
        nothing: starts as they do and ends; None where they do not start alike, or nobody knows one.
    """

    old: Program
    new: Program
    nothing: Program | None = None


def compare(
    old: Program, new: Program, trial: TimedCase, box: Box, *, folder: Path, seed: int = 1, budget: Seconds = BUDGET
) -> Comparison:
    """Run two programs on the same input in turn and say whether the new one is slower.

    Args:
        old: the one to compare with; built, so that an edit meanwhile changes nothing.
        new: the one that may be slower.
        trial: see `most_telling`.
        box: bound to one core, if there is one to spare; nothing else of ours should run meanwhile.
        folder: where the program that does nothing is built (see `languages.build`).
        seed: decides the order in each pair, and the hash seeds.
        budget: elapsed time, after which no pair is begun.

    Raises:
        SandboxError: a run could not be set up or observed.
        ToolError: a compiler is gone.
        OSError: the folder cannot be written.
    """
    sides = Sides(old=old, new=new, nothing=does_nothing(old, box, folder) if _starts_alike(old, new) else None)
    try:
        return decide(pairs(sides, trial, box, random.Random(seed)), budget)
    except _UnusableError as found:
        return inconclusive(str(found))


def decide(measured: Iterator[Pair], budget: Seconds, clock: Callable[[], float] = time.monotonic) -> Comparison:
    """Take pairs until those at one of the planned looks tell, or the budget of elapsed time is used up."""
    deadline = clock() + budget
    taken: list[Pair] = []
    for look in LOOKS:
        for pair in islice(measured, look - len(taken)):
            taken.append(pair)
            if clock() > deadline:
                break
        if len(taken) < look or is_too_short(taken) or conclude(taken).kind is not ComparisonKind.INCONCLUSIVE:
            break
    return conclude(taken)


def pairs(sides: Sides, trial: TimedCase, box: Box, chance: random.Random) -> Iterator[Pair]:
    """Yield pairs without end; the first run of each program is not among them: it fills the caches.

    Raises:
        _UnusableError: a run broke a limit or did not end with status 0.
    """
    start = Seconds(math.inf if sides.nothing else 0.0)
    order = [("the old program", sides.old), ("the new program", sides.new)]
    for number in count():
        hash_seed = chance.randrange(1, 1 << 32)
        chance.shuffle(order)
        if sides.nothing is not None and number <= _STARTS:
            start = min(start, _cpu("a program that does nothing", sides.nothing, trial, box, hash_seed))
        cpu = {name: _cpu(name, program, trial, box, hash_seed) for name, program in order}
        if number > 0:
            yield Pair(old=cpu["the old program"], new=cpu["the new program"], start=start)


def does_nothing(program: Program, box: Box, folder: Path) -> Program | None:
    """Return a program of the same language that does nothing; None when there is none for the language."""
    if program.language.id not in _NOTHING:
        return None
    name, text = _NOTHING[program.language.id]
    source = folder / name
    source.write_text(text)
    tools = {"python": program.argv[0]} if program.language.id == "python3" else None
    built = build(source, folder, box, tools)
    return built if isinstance(built, Program) else None


def _starts_alike(old: Program, new: Program) -> bool:
    return old.language.id == new.language.id and (not _is_python(old) or old.argv[0] == new.argv[0])


def _is_python(program: Program) -> bool:
    return program.language.id == "python3"


def _cpu(name: str, program: Program, trial: TimedCase, box: Box, hash_seed: int) -> Seconds:
    """Run a program once; return its CPU time."""
    command = program.command(trial.input, trial.limits)
    if _is_python(program):
        command = seeded(command, hash_seed)
    run = box.run(command, trial.limits).result
    concluded = conclude_run(run, trial.limits, lambda: _FINE)
    if concluded is not _FINE:
        raise _UnusableError(f"{name}: {concluded.verdict}, {concluded.reason}")
    return run.cpu


def seeded(command: Command, hash_seed: int) -> Command:
    """Return a Python command with a given order of sets, and as much isolation as before.

    `-I` makes Python ignore the variable that gives the order. It stands for `-E -s -P`: nothing of the user's is in
    the environment of a run, `-s` is kept, and the variable PYTHONSAFEPATH is `-P` for every version that knows it.
    """
    return replace(
        command,
        argv=tuple("-s" if word == "-I" else word for word in command.argv),
        environment={**command.environment, "PYTHONHASHSEED": str(hash_seed), "PYTHONSAFEPATH": "1"},
    )
