"""Generated inputs: many of a problem's inputs are made by one process, in the sandbox, under limits."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judge.data import digest
from judge.errors import SandboxError, describe_error
from judge.model import Ending, Generated, Limits, RunResult
from judge.preparation.store import key_of
from judge.sandbox.box import Box, Command
from judge.sandbox.installations import base_python
from judge.units import GIB, Bytes, Seconds, format_bytes, format_seconds

DRIVER = Path(__file__).with_name("driver.py")

# For one process; generous, since a generator is no submission.
GENERATOR_LIMITS = Limits(cpu=Seconds(20.0), wall=Seconds(60.0), memory=Bytes(2 * GIB), output=Bytes(GIB))


@dataclass(frozen=True, slots=True)
class GeneratorFault:
    """Why an input could not be made.

    Attributes:
        message: words that follow "the generator `x` ".
        is_certain: False when it may be the fault of all inputs that the process made, taken together.
    """

    message: str
    is_certain: bool = True


def generate(problem: str, wanted: Sequence[Generated], box: Box) -> list[bytes | GeneratorFault]:
    """Make inputs, in order; a generator that fails costs only its own input.

    A process that exits is started again behind the request that it was at. Limits are one process's, which makes many
    inputs: when they are broken, what is not made yet is asked for again, first one input alone, then more at a time.
    So a generator is blamed only for what it did alone.
    """
    made: list[bytes | GeneratorFault] = []
    size = len(wanted)
    while len(made) < len(wanted):
        batch = wanted[len(made) : len(made) + size]
        frames, fault = _run(problem, batch, box)
        made.extend(frames)
        size *= 2
        if fault is None:
            continue
        if len(batch) > 1 and not fault.is_certain:
            size = 1
        else:
            made.append(fault)
    return made


def _run(
    problem: str, batch: Sequence[Generated], box: Box
) -> tuple[list[bytes | GeneratorFault], GeneratorFault | None]:
    """Run one process; return what it made, and why it ended before it had made all."""
    try:
        outcome = box.run(_command(problem, batch), GENERATOR_LIMITS)
    except (SandboxError, OSError) as error:
        return [], GeneratorFault(f"could not be run: {describe_error(error)}")
    frames = list(_frames(outcome.stdout))[: len(batch)]
    if len(frames) == len(batch):
        return frames, None
    return frames, GeneratorFault(_why(outcome.result), is_certain=outcome.result.ending is Ending.EXITED)


def sources_digest(generators: Sequence[Path]) -> str:
    """Return one hash of everything that generators are made of: all files in their folders, data that they read too.

    Hidden files and what Python leaves behind are no part of it.

    Raises:
        OSError: a file cannot be read.
    """
    parts = []
    for folder in sorted({path.parent for path in generators}):
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in name.parts):
                parts += [name.as_posix(), digest(path)]
    return key_of(*parts)


def readable_copies(wanted: Mapping[str, Generated], build: Path, digest: str) -> dict[str, Generated]:
    """Copy the generators' folders to where the sandbox may read them, whatever their permissions are.

    Returns:
        The same recipes with the copies' files.

    Raises:
        OSError: they cannot be copied.
    """
    homes: dict[Path, Path] = {}
    for folder in {recipe.file.parent for recipe in wanted.values()}:
        homes[folder] = build / f"generators-{key_of(digest, str(folder))[:16]}"
        for path in sorted(folder.rglob("*")):
            copy = homes[folder] / path.relative_to(folder)
            if path.is_file() and not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())
                copy.chmod(0o644)
        for made in (homes[folder], *homes[folder].rglob("*")):
            if made.is_dir():
                made.chmod(0o755)
    return {key: replace(recipe, file=homes[recipe.file.parent] / recipe.file.name) for key, recipe in wanted.items()}


def _command(problem: str, wanted: Sequence[Generated]) -> Command:
    job = {
        "problem": problem,
        "folder": str(wanted[0].file.parent),
        "requests": [
            {
                "file": str(recipe.file),
                "function": recipe.function,
                "parameters": dict(recipe.parameters),
                "seed": recipe.seed,
            }
            for recipe in wanted
        ],
    }
    return Command(
        argv=(base_python(), "-I", "-S", "-B", str(DRIVER)),
        stdin=json.dumps(job).encode(),
        readable=(DRIVER, wanted[0].file.parent),
    )


def _frames(stream: bytes) -> Iterator[bytes | GeneratorFault]:
    """Read the driver's answers up to where it stopped."""
    at = 0
    while (end := stream.find(b"\n", at)) >= 0:
        try:
            head = json.loads(stream[at:end])
        except ValueError:  # something wrote between the frames
            return
        at = end + 1
        match head:
            case {"error": str(text)}:
                yield GeneratorFault(f"crashed: {text}")
            case {"size": int(size)} if at + size <= len(stream):
                yield stream[at : at + size] or GeneratorFault("made an empty input")
                at += size
            case _:
                return


def _why(result: RunResult) -> str:
    limits = GENERATOR_LIMITS
    match result.ending:
        case Ending.TIME_LIMIT:
            return f"did not end within {format_seconds(limits.cpu)}"
        case Ending.WALL_LIMIT:
            return f"did not end within {format_seconds(limits.wall)} of elapsed time"
        case Ending.MEMORY_LIMIT:
            return f"needed more than {format_bytes(limits.memory)} of memory"
        case Ending.OUTPUT_LIMIT:
            return f"made more than {format_bytes(limits.output)}"
        case Ending.SIGNALED:  # perhaps by the kernel, which found the memory short
            return f"was ended by signal {result.signal}"
        case Ending.EXITED:
            tail = result.stderr_tail.decode(errors="replace").strip().splitlines()
            return f"ended its process with exit status {result.exit_code}" + (f": {tail[-1]}" if tail else "")
