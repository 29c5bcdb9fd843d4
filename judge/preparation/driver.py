"""Runs generators inside the sandbox: a script of its own that imports nothing of the package.

Standard input: JSON {"folder", "problem", "requests": [{"file", "function", "parameters", "seed"}]}.
Standard output: for every request one line of JSON, {"size": n} followed by n bytes, or {"error": text}.
What a generator itself prints goes to standard error.
"""

import importlib.util
import json
import os
import random
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

LARGEST = 256 << 20  # characters in one input


def load(path: str, known: dict[str, ModuleType]) -> ModuleType:
    """Import a generator's file once."""
    if path not in known:
        spec = importlib.util.spec_from_file_location(Path(path).stem, path)
        assert spec is not None
        assert spec.loader is not None
        known[path] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(known[path])
    return known[path]


def text_of(made: object) -> str:
    """Return the input that a generator's result stands for."""
    if isinstance(made, str):
        return made
    if not isinstance(made, Iterable):
        raise TypeError(f"it returned {type(made).__name__}; expected str or lines (list or iterator of str)")
    lines, size = [], 0
    for line in made:
        if not isinstance(line, str):
            raise TypeError(f"it made a line of type {type(line).__name__}; expected str")
        if "\n" in line:
            raise ValueError(f"it made a line with a line end inside: {line!r:.80}")
        lines.append(line + "\n")
        size += len(line) + 1
        if size > LARGEST:
            raise ValueError(f"it made more than {LARGEST >> 20} MiB")
    return "".join(lines)


def main() -> None:
    """Answer all requests."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job = json.loads(sys.stdin.buffer.read())
    sys.path.insert(0, job["folder"])
    known: dict[str, ModuleType] = {}
    for request in job["requests"]:
        try:
            function = getattr(load(request["file"], known), request["function"])
            # The seed is a text: CPython hashes it with SHA-512, so it means the same on every version and machine.
            source = random.Random(f"{job['problem']}/{request['function']}/{request['seed']}")
            data = text_of(function(source, **request["parameters"])).encode()
        except Exception as error:  # noqa: BLE001 - whatever a generator does wrong is told to its author
            out.write(json.dumps({"error": describe(error)}).encode() + b"\n")
        else:
            out.write(json.dumps({"size": len(data)}).encode() + b"\n" + data)
        out.flush()


def describe(error: Exception) -> str:
    """Return the error and the generator's line that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


if __name__ == "__main__":
    main()
