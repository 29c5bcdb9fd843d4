"""Runs generators: one process in the sandbox makes many inputs, under limits."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from msgspec.structs import replace

from judge.base.data import digest, digest_files
from judge.base.errors import SandboxError, describe_error, shorten
from judge.base.units import GIB, Bytes, Seconds
from judge.languages.source import write_once
from judge.model import Ending, Generated, Limits
from judge.preparation.cases import RunFailure
from judge.preparation.store import make_key
from judge.preparation.validators import describe_failure
from judge.sandbox.box import Box, Command
from judge.sandbox.installations import base_python

DRIVER = Path(__file__).with_name("driver.py")

# For one process; generous, since a generator is not a submission.
GENERATOR_LIMITS = Limits(cpu=Seconds(20.0), wall=Seconds(60.0), memory=Bytes(2 * GIB), output=Bytes(GIB))

_OWN_CLOCK = Seconds(0.0)


def generate(
    problem: str,
    recipes: Sequence[Generated],
    box: Box,
    *,
    clock_offset: Seconds = _OWN_CLOCK,
    limits: Limits | None = None,
) -> list[bytes | RunFailure]:
    """Make inputs, in order; a generator that fails costs only its own input.

    If the process exits, it is started again after the request at which it was. Its limits apply to all inputs that it
    makes: if it exceeds them, the remaining inputs are requested again, first one input alone, then more at a time. So
    a generator is blamed only for what it did alone.
    The files of all recipes are in one folder, which the sandbox may read. `clock_offset` is added to the time.
    """
    made: list[bytes | RunFailure] = []
    size, limits = len(recipes), limits or GENERATOR_LIMITS
    while len(made) < len(recipes):
        batch = recipes[len(made) : len(made) + size]
        frames, failure, is_certain = _run_batch(problem, batch, box, clock_offset, limits)
        made.extend(frames)
        size *= 2
        if failure is None:
            continue
        if len(batch) > 1 and not is_certain:
            size = 1
        else:
            made.append(failure)
    return made


def generate_proved(
    problem: str, recipes: Sequence[Generated], expected: Sequence[str], box: Box
) -> list[bytes | RunFailure]:
    """Make inputs; those without the expected SHA-256 are made again, in another process, and must be the same.

    The second process has another clock, other hashes of strings, and another order of the inputs.
    """
    made = generate(problem, recipes, box)
    new = [
        at
        for at, (each, sha256) in enumerate(zip(made, expected, strict=True))
        if isinstance(each, bytes) and digest(each) != sha256
    ]
    new.reverse()
    next_day = Seconds(100_000.0)  # dates differ, too
    again = generate(problem, [recipes[at] for at in new], box, clock_offset=next_day)
    for at, second in zip(new, again, strict=True):
        first = made[at]
        if isinstance(second, RunFailure):
            made[at] = second
        elif isinstance(first, bytes) and first != second:
            made[at] = RunFailure(find_difference(first, second), is_random=True)
    return made


def find_difference(first: bytes, second: bytes) -> str:
    """Return how an input differs that was made twice."""
    pairs = enumerate(zip_longest(first.split(b"\n"), second.split(b"\n")), 1)
    number, (one, other) = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    return f"line {number} is {_quote(one)} or {_quote(other)}"


def _quote(line: bytes | None) -> str:
    if line is None:
        return "missing"
    return repr(shorten(line.decode(errors="replace"), 40))


def _run_batch(
    problem: str, batch: Sequence[Generated], box: Box, clock_offset: Seconds, limits: Limits
) -> tuple[list[bytes | RunFailure], RunFailure | None, bool]:
    """Run one process.

    Returns:
        What it made, why it ended too early (None if it made all inputs), and whether the input at which it ended is
        certainly the cause: a limit may be exceeded by all inputs together.
    """
    try:
        outcome = box.run(_command(problem, batch, clock_offset), limits)
    except (SandboxError, OSError) as error:
        return [], RunFailure(f"could not be run: {describe_error(error)}"), True
    frames = list(_parse_frames(outcome.stdout))[: len(batch)]
    if len(frames) == len(batch):
        return frames, None, True
    failure = describe_failure(outcome.result, outcome.result.stderr_tail, limits)
    return frames, RunFailure(failure), outcome.result.ending is Ending.EXITED


def copy_readable(recipes: Mapping[str, Generated], build: Path) -> dict[str, Generated]:
    """Copy the folders of generators to where the sandbox may read them, whatever their permissions are.

    Returns:
        The same recipes with the copies' files.

    Raises:
        OSError: a folder cannot be copied.
    """
    copies: dict[Path, Path] = {}
    for folder in {recipe.file.parent for recipe in recipes.values()}:
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        copies[folder] = build / f"generators-{make_key(digest_files(files), str(folder))[:16]}"
        write_once(files, copies[folder])
    return {key: replace(recipe, file=copies[recipe.file.parent] / recipe.file.name) for key, recipe in recipes.items()}


def _command(problem: str, recipes: Sequence[Generated], clock_offset: Seconds) -> Command:
    job = {
        "problem": problem,
        "clock_offset": clock_offset,
        "folder": str(recipes[0].file.parent),
        "requests": [
            {
                "file": str(recipe.file),
                "function": recipe.function,
                "parameters": dict(recipe.parameters),
                "seed": recipe.seed,
            }
            for recipe in recipes
        ],
    }
    return Command(
        argv=(base_python(), "-I", "-S", "-B", str(DRIVER)),
        stdin=json.dumps(job).encode(),
        readable=(DRIVER, recipes[0].file.parent),
    )


def _parse_frames(stream: bytes) -> Iterator[bytes | RunFailure]:
    """Yield the driver's answers, up to where it stopped."""
    at = 0
    while (end := stream.find(b"\n", at)) >= 0:
        try:
            head = json.loads(stream[at:end])
        except ValueError:  # something wrote between the frames
            return
        at = end + 1
        match head:
            case {"error": str(text)}:
                yield RunFailure(f"crashed: {text}")
            case {"size": int(size)} if at + size <= len(stream):
                yield stream[at : at + size] or RunFailure("made an empty input")
                at += size
            case _:
                return
