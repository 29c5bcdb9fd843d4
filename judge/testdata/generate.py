"""Generated inputs: many of a problem's inputs are made by one process, in the sandbox, under limits."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from judge.interpreter import base_python
from judge.model import Ending, Generated, Limits, RunResult
from judge.sandbox.box import Box, Command
from judge.testdata.objects import digest_of
from judge.units import GIB, Bytes, Seconds, format_seconds

DRIVER = Path(__file__).with_name("driver.py")

# For one process; generous, since a generator is no submission.
GENERATOR_LIMITS = Limits(cpu=Seconds(20.0), wall=Seconds(60.0), memory=Bytes(2 * GIB), output=Bytes(GIB))


@dataclass(frozen=True, slots=True)
class GeneratorFault:
    """Why an input could not be made, in words that follow "the generator `x` "."""

    message: str


def generate(problem: str, wanted: Sequence[Generated], box: Box) -> list[bytes | GeneratorFault]:
    """Make inputs, in order; a generator that fails costs only its own input.

    A process that breaks a limit or dies is started again behind the request that it was at.

    Raises:
        SandboxError: a process could not be run.
    """
    made: list[bytes | GeneratorFault] = []
    while len(made) < len(wanted):
        rest = wanted[len(made) :]
        outcome = box.run(_command(problem, rest), GENERATOR_LIMITS)
        made.extend(_frames(outcome.stdout))
        if len(made) < len(wanted):
            made.append(GeneratorFault(_why(outcome.result)))
    return made


def sources_digest(generators: Sequence[Path]) -> str:
    """Return one hash of everything that generators are made of: all Python files in their folders.

    Raises:
        OSError: a file cannot be read.
    """
    folders = sorted({path.parent for path in generators})
    files = [path for folder in folders for path in sorted(folder.glob("*.py"))]
    return digest_of(b"".join(path.name.encode() + b"\0" + path.read_bytes() + b"\0" for path in files))


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
    match result.ending:
        case Ending.TIME_LIMIT | Ending.WALL_LIMIT:
            return f"did not end within {format_seconds(GENERATOR_LIMITS.cpu)}"
        case Ending.MEMORY_LIMIT:
            return "needed more than 2 GiB of memory"
        case Ending.OUTPUT_LIMIT:
            return "made more than 1 GiB"
        case Ending.SIGNALED:
            return f"was ended by signal {result.signal}"
        case Ending.EXITED:
            tail = result.stderr_tail.decode(errors="replace").strip().splitlines()
            return f"ended its process with exit status {result.exit_code}" + (f": {tail[-1]}" if tail else "")
