"""Runs generators inside the sandbox: a script that imports nothing of the package.

Standard input: JSON {"folder", "problem", "clock_offset", "requests": [{"file", "function", "parameters", "seed"}]}.
Standard output: for each request one line of JSON, {"size": n} followed by n bytes, or {"error": text}.
What a generator prints goes to standard error.
"""

import importlib.util
import json
import os
import random
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

MAX_SIZE = 256 << 20  # characters in one input


def load(path: str, loaded: dict[str, ModuleType]) -> ModuleType:
    """Import the file of a generator, unless it is already loaded."""
    if path not in loaded:
        spec = importlib.util.spec_from_file_location(Path(path).stem, path)
        assert spec is not None
        assert spec.loader is not None
        loaded[path] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded[path])
    return loaded[path]


def shift_clock(offset: float) -> None:
    """Make `time.time` and `time.time_ns` return another time: generators are run twice and must not depend on it."""
    seconds, nanoseconds = time.time, time.time_ns
    time.time = lambda: seconds() + offset
    time.time_ns = lambda: nanoseconds() + int(offset * 1e9)


def join_lines(result: object) -> str:
    """Return the input from the result of a generator: a str, or lines without line ends."""
    if isinstance(result, str):
        return result
    if not isinstance(result, Iterable):
        advice = "; return the input instead of printing it" if result is None else ""
        raise TypeError(f"returned {type(result).__name__}, expected str or an iterable of str (lines){advice}")
    lines, size = [], 0
    for line in result:
        if not isinstance(line, str):
            raise TypeError(f"returned a line of type {type(line).__name__}, expected str")
        if "\n" in line:
            raise ValueError(f"returned a line that contains a line end: {line!r:.80}")
        lines.append(line + "\n")
        size += len(line) + 1
        if size > MAX_SIZE:
            raise ValueError(f"returned more than {MAX_SIZE >> 20} MiB")
    return "".join(lines)


def main() -> None:
    """Answer all requests on standard input."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    job = json.loads(sys.stdin.buffer.read())
    sys.path.insert(0, job["folder"])
    loaded: dict[str, ModuleType] = {}
    if job["clock_offset"]:
        shift_clock(job["clock_offset"])
    for request in job["requests"]:
        try:
            function = getattr(load(request["file"], loaded), request["function"])
            # CPython hashes a str as seed with SHA-512, so it gives the same numbers on every version and machine.
            source = random.Random(f"{job['problem']}/{request['function']}/{request['seed']}")
            data = join_lines(function(source, **request["parameters"])).encode()
        except Exception as error:  # noqa: BLE001 - any error of a generator is reported to its author
            out.write(json.dumps({"error": describe(error)}).encode() + b"\n")
        else:
            out.write(json.dumps({"size": len(data)}).encode() + b"\n" + data)
        out.flush()


def describe(error: Exception) -> str:
    """Return an error with the line of the generator that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


if __name__ == "__main__":
    main()
