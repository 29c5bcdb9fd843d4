"""Where the inputs of a search come from, which source proposes next, and the numbers that a problem mentions.

A source is deterministic: the same seed and the same answers to its proposals give the same inputs. It is used by one
thread at a time, and proposes small inputs first.

Sources that end, such as the known cases, come first. Among the others, the one with the least time for its weight is
next; the weight is the mean of two shares: of its inputs that were valid, and of those with an answer not seen before.
"""

import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, islice
from operator import attrgetter
from pathlib import Path
from random import Random

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import digest, read_small_file
from judge.base.errors import JudgeError
from judge.base.units import Seconds, format_seconds
from judge.hack.values import NamedProgram
from judge.model import Ending, Limits
from judge.preparation.generate import GENERATOR_LIMITS
from judge.sandbox.box import Box, Command, Outcome

_MAX_FIRST = 1 << 20  # bytes of an input that is tried before other sources have their turn
_LEAST_SPENT, _BYTES_A_SECOND = 0.01, 100_000  # seconds for an input, and how many of its bytes are examined, about
_NUMBER = re.compile(r"(?<![\w.])\d{2,}(?![\w.])")  # an argument, or a part of one, that may be a size

Run = Callable[[Box, Command, Limits], Outcome]
"""Runs a command, warm where that is possible."""

Making = Callable[[Box, Run], Sequence[bytes]]
"""Makes inputs in a worker. Raises GeneratorError."""

Proposal = bytes | Making


class GeneratorError(JudgeError):
    """A generator fails."""


class Source(Struct, eq=False):
    """Proposes inputs.

    Attributes:
        name: for people.
        proposals: the inputs, or what makes them; without an end or with one.
        joins: its inputs are single tests, several of which may be joined to one input.
        is_trusted: its inputs are valid, whatever accepted solutions say of them.
        learn: takes in a valid input of this source whose answer was not seen before.
        returned: what was proposed and not examined; it comes first.
    """

    name: str
    proposals: Iterator[Proposal]
    joins: bool = False
    is_trusted: bool = False
    learn: Callable[[bytes], None] = lambda _: None
    returned: list[Proposal] = field(default_factory=list)

    def next(self) -> Proposal | None:
        """Return the next input, or what makes it; None if there are no more."""
        return self.returned.pop(0) if self.returned else next(self.proposals, None)


def known_source(name: str, inputs: Sequence[bytes], *, is_trusted: bool = False) -> Source:
    """Return inputs that exist already, such as the problem's cases; the smallest first."""
    ordered = sorted(dict.fromkeys(inputs), key=lambda data: (len(data), data))
    return Source(name, iter(ordered), is_trusted=is_trusted)


def take_turns(sources: Sequence[Source]) -> Iterator[Proposal]:
    """Yield what several sources propose, such as the generators of a package, in turn."""
    waiting = deque(sources)
    while waiting:
        source = waiting.popleft()
        if (proposal := source.next()) is not None:
            waiting.append(source)
            yield proposal


def take_fair_turns(sources: Sequence[Source]) -> Iterator[Making]:
    """Yield what generators propose, so that each gets as much time; those with small inputs have more turns."""
    spent = dict.fromkeys(sources, 0.0)

    def make(source: Source, making: Making, box: Box, run: Run) -> Sequence[bytes]:
        start = time.monotonic()
        made = making(box, run)
        spent[source] += time.monotonic() - start + sum(map(len, made)) / _BYTES_A_SECOND
        return made

    while spent:
        source = min(spent, key=lambda each: spent[each])
        spent[source] += _LEAST_SPENT
        if callable(proposal := source.next()):
            yield partial(make, source, proposal)
        else:
            del spent[source]


def first_pass(source: Source, count: int, seconds: Seconds) -> Source:
    """Return so many first inputs of a source, before all other sources have their turn; large ones have to wait.

    After some seconds, the other sources have their turn anyway.
    """

    def proposals() -> Iterator[Proposal]:
        end = time.monotonic() + seconds
        while time.monotonic() < end and (proposal := source.next()) is not None:
            yield partial(make_small, proposal) if callable(proposal) else proposal

    def make_small(make: Making, box: Box, run: Run) -> list[bytes]:
        return [data for data in make(box, run) if len(data) <= _MAX_FIRST]

    return Source(source.name, islice(proposals(), count), source.joins, learn=source.learn)


def run_generator(
    program: NamedProgram, seed: int, *, limits: Limits = GENERATOR_LIMITS, scales: bool = False
) -> Iterator[Making]:
    """Yield what makes the inputs of a program that gets a seed: the habit of testlib, of ICPC packages and of users.

    Its arguments may contain `{seed}`; without it, the seed comes last. Each further run adds one to it. If it
    `scales`, numbers among the arguments begin smaller: divided by a power of ten. The program need not take these,
    nor keep to the time limit.
    """
    rng = seeded(seed, repr(program.args))
    numbers = find_sizes(program.args) if scales else []
    divisors = [10**power for power in range(len(str(min(numbers))))] if numbers else [1]
    first = [*divisors[-2:-1], 1]  # numbers of two digits, and then those of the package
    for at in count():
        divisor = first[at] if at < len(first) else rng.choice(divisors)
        args = program.args
        if divisor > 1:
            args = tuple(_NUMBER.sub(partial(_divide, divisor), each) for each in args)
        has_seed = any("{seed}" in each for each in args)
        number = str(seed + at)
        args = tuple(each.replace("{seed}", number) for each in args) if has_seed else (*args, number)
        yield partial(_generate, replace(program, args=args), limits, divisor > 1, scales)


def _divide(divisor: int, number: re.Match[str]) -> str:
    return str(int(number[0]) // divisor)


def find_sizes(args: Sequence[str]) -> list[int]:
    """Return the numbers among the arguments of a generator that may be sizes."""
    return [int(each) for word in args for each in _NUMBER.findall(word)]


def _generate(  # noqa: PLR0917 - the last two are those of `Making`
    program: NamedProgram, limits: Limits, is_scaled: bool, may_be_slow: bool, box: Box, run: Run
) -> list[bytes]:
    """Run a generator, perhaps with smaller numbers than it is known to take."""
    outcome = run(box, program.program.command(b"", limits, program.args), limits)
    result = outcome.result
    called = f"{program.name} {' '.join(program.args)}"
    fault = ""
    if result.ending in (Ending.TIME_LIMIT, Ending.WALL_LIMIT):
        if may_be_slow:
            return []
        limit = limits.cpu if result.ending is Ending.TIME_LIMIT else limits.wall
        fault = f"does not end within {format_seconds(limit)}"
    elif result.ending is not Ending.EXITED or result.exit_code != 0:
        last = f": {result.last_error_line}" if result.last_error_line else ""
        ended = f"exit status {result.exit_code}" if result.ending is Ending.EXITED else result.ending.value
        fault = f"fails: {ended}{last}"
    elif not outcome.stdout.strip():
        fault = "prints nothing; expected an input on standard output"
    if fault and not is_scaled:
        raise GeneratorError(f"the generator `{called}` {fault}")
    return [] if fault else [outcome.stdout]


def seeded(seed: int, name: str) -> Random:
    """Return the random numbers of a source: the same for the same seed and name on every machine."""
    return Random(f"{seed}/{name}")


_TRIALS = 8.0  # inputs after which experience counts as much as the first guess
_LEAST_WEIGHT = 0.02
_MAX_SEEN = 200_000
_ATTEMPTS = 50  # to get inputs that are new
MAX_TOGETHER = 1 << 14  # bytes of inputs that are examined together
_MAX_REPEATED = 500  # proposals in a row that are not new, after which a source is over


class _Record(Struct):
    source: Source
    spent: float = 0.0
    inputs: float = 0.0
    useful: float = 0.0
    repeated: int = 0
    turn: float = 0.0  # the source with the lowest one is next; below 0, it is always the next one until it is over

    def add(self, *, spent: float = 0.0, inputs: float = 0.0, useful: float = 0.0) -> None:
        self.spent += spent
        self.inputs += inputs
        self.useful += useful
        weight = max(_LEAST_WEIGHT, (self.useful + _TRIALS / 2) / (self.inputs + _TRIALS))
        self.turn = self.spent / weight if self.turn >= 0 else self.turn


class Scheduler:
    """Gives workers proposals, of the first sources until they are used up; may be called from any thread."""

    def __init__(self, first: Sequence[Source], sources: Sequence[Source]) -> None:
        self._lock = threading.Lock()
        self._records = {each: _Record(each, turn=at - len(first)) for at, each in enumerate(first)}
        self._records |= {each: _Record(each) for each in sources}
        self._open = dict(self._records)  # those that are not used up
        self._seen: set[int] = set()
        self._answers: set[str] = set()

    def next(self, most: int = 1, most_tests: int = 1) -> tuple[Source, list[Proposal]] | None:
        """Return a source and its next inputs: at most `most`, or `most_tests` single tests; None for no more."""
        with self._lock:
            while self._open:
                record = min(self._open.values(), key=attrgetter("turn"))
                wanted = (most_tests, math.inf) if record.source.joins else (most, MAX_TOGETHER)
                if proposals := self._next_new(record, *wanted):
                    return record.source, proposals
                del self._open[record.source]
            return None

    def put_back(self, source: Source, proposals: Sequence[Proposal]) -> None:
        """Let a source propose something again, before others: it was not examined.

        Another worker may have used up the source meanwhile.
        """
        with self._lock:
            self._seen.difference_update(map(hash, proposals))
            source.returned[:0] = proposals
            self._open[source] = self._records[source]
            self._open[source].repeated = 0

    def learn(self, source: Source, data: bytes, *, is_valid: bool, answer: bytes | None) -> None:
        """Take in what came of an input."""
        with self._lock:
            is_new = False
            if is_valid and answer is not None:
                key = digest(answer)
                is_new = key not in self._answers
                if is_new and len(self._answers) < _MAX_SEEN:
                    self._answers.add(key)
            if is_new:
                source.learn(data)
            if record := self._records.get(source):
                record.add(inputs=1, useful=0.5 * is_valid + 0.5 * is_new)

    def spend(self, source: Source, start: float, *, made: int) -> None:
        """Take in the time that the latest proposals of a source took, since `start`, and how many inputs they made."""
        with self._lock:
            if record := self._records.get(source):
                record.add(spent=time.monotonic() - start, inputs=not made)

    def _next_new(self, record: _Record, most: int, size: float) -> list[Proposal]:
        """Return the next proposals that are not inputs that were proposed before; none if a source is used up.

        The one with which they reach `size` bytes is the last.
        """
        proposals: list[Proposal] = []
        repeated = 0
        while len(proposals) < most and size > 0 and (repeated < _ATTEMPTS or not proposals):
            proposal = record.source.next()
            if proposal is None or (record.repeated >= _MAX_REPEATED and record.turn >= 0):
                break
            if self._is_new(proposal):
                proposals.append(proposal)
                size -= len(proposal) if isinstance(proposal, bytes) else 0
                record.repeated = 0
            else:
                record.repeated += 1
                repeated += 1
        return proposals

    def _is_new(self, proposal: Proposal) -> bool:
        """Return whether something was not proposed before, as far as is remembered."""
        if isinstance(proposal, bytes):
            key = hash(proposal)
            if key in self._seen:
                return False
            if len(self._seen) < _MAX_SEEN:
                self._seen.add(key)
        return True


_MAX_FILE = 256 * 1024  # bytes
_MAX_NUMBER = 2**63
_MOST = 60
_ALWAYS = (0, 1, 2, 3, 10, 100)
_TEXTS = (".py", ".cpp", ".cc", ".c", ".java", ".kt", ".ctd", ".tex", ".md", ".yaml", ".h")

_PLAIN = re.compile(rb"(?<![\w.])(\d{1,3}(?:(?:,|_|\\,|')\d{3})+|\d{1,19})(?![\w.])")
_POWER = re.compile(rb"(?:(\d{1,9})\s*(?:\*|\\cdot|\\times)\s*)?(10|2)\s*(?:\*\*|\^)\s*\{?(\d{1,2})\}?")
_SHIFT = re.compile(rb"(?<![\w.])(\d{1,4})[lLuU]{0,3}\s*<<\s*(\d{1,2})")
_EXPONENT = re.compile(rb"(?<![\w.])(\d{1,3})[eE](\d{1,2})(?![\w.])")


def find_numbers(texts: Iterable[bytes], words: Iterable[bytes] = ()) -> list[int]:
    """Return the numbers in some texts and words, `2 * 10^5`, `1 << 20` and `100,000` included, smallest first."""
    found = set(_ALWAYS)
    for text in (*texts, *words):
        found |= {int(factor) << int(power) for factor, power in _SHIFT.findall(text)}
        found |= {int(re.sub(rb"\D", b"", each)) for each in _PLAIN.findall(text)}
        found |= {int(factor or 1) * int(base) ** int(power) for factor, base, power in _POWER.findall(text)}
        found |= {int(number) * 10 ** int(power) for number, power in _EXPONENT.findall(text)}
    numbers = sorted(each for each in found if each < _MAX_NUMBER)
    return numbers if len(numbers) <= _MOST else [*numbers[: _MOST // 2], *numbers[-_MOST // 2 :]]


def read_texts(paths: Sequence[Path]) -> list[bytes]:
    """Return the contents of files, and of the files in folders, that are small texts; others are left out."""
    texts = []
    for path in paths:
        files = sorted(each for each in path.rglob("*") if each.is_file())[:50] if path.is_dir() else [path]
        for file in files:
            if file.suffix.lower() in _TEXTS and file.name != "testlib.h":
                try:
                    text = read_small_file(file, _MAX_FILE)
                except OSError:  # it only suggests numbers
                    continue
                texts += [text] if text is not None else []
    return texts
