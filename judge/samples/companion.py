"""Competitive Companion's JSON, and cph's `.prob` files, which hold the same and more, to a draft.

The format: https://github.com/jmerle/competitive-companion#the-format
"""

import re

import msgspec

from judge.origins import origin_of, problem_id
from judge.samples.draft import Batch, Draft, Sample
from judge.units import MIB, Bytes, Seconds
from judge.yamlfile.words import quoted

_LONGEST_TIME = 24 * 60 * 60 * 1000  # ms, what a limit of a problem may be
_LARGEST_MEMORY = 1024 * 1024  # MiB, likewise
_MOST_TESTS = 10_000
_ADDRESS = re.compile(r"https?://\S{1,2000}")


class _Test(msgspec.Struct):
    input: str
    output: str


class _Way(msgspec.Struct, rename="camel"):
    """How a program gets its input, or gives its output, at the judge."""

    type: str = ""
    file_name: str | None = None


class _Batch(msgspec.Struct):
    id: str
    size: int


class _Task(msgspec.Struct, rename="camel"):
    """What is read of one problem; other members are passed over."""

    name: str
    tests: list[_Test]
    group: str | None = None
    url: str | None = None
    interactive: bool | None = None
    memory_limit: float | None = None
    time_limit: float | None = None
    input: _Way | None = None
    output: _Way | None = None
    batch: _Batch | None = None
    src_path: str | None = None


class _BatchAlone(msgspec.Struct):
    batch: _Batch | None = None


class NotCompanionError(ValueError):
    """These bytes are no problem as Competitive Companion sends it; the text says why."""


def batch_of(data: bytes) -> Batch | None:
    """Return which batch something is of that is no problem, if that much can be read: it will not come again."""
    try:
        found = msgspec.json.decode(data, type=_BatchAlone).batch
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return _batch(found)


def read_task(data: bytes, wanted_id: str | None = None) -> tuple[Draft, str]:
    """Return the draft of one problem, and the path of its solution ("" but in a cph file).

    Args:
        data: the JSON.
        wanted_id: the problem's id; None for one made from its address or title.

    Raises:
        NotCompanionError: it is not that; the message says what was found, what was expected, and where.
    """
    try:
        task = msgspec.json.decode(data, type=_Task)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotCompanionError(f"no problem as Competitive Companion sends it: {error}") from error
    if len(task.tests) > _MOST_TESTS:
        raise NotCompanionError(f"{len(task.tests)} tests in one problem: expected at most {_MOST_TESTS}")
    title = _visible(task.name)
    url = task.url if task.url and task.url.isprintable() and _ADDRESS.fullmatch(task.url) else ""
    if not title and not url:
        raise NotCompanionError("the problem has neither a `name` nor a `url`: expected at least one of them")
    return _draft(task, title, url, wanted_id), task.src_path or ""


def _draft(task: _Task, title: str, url: str, wanted_id: str | None) -> Draft:
    origin = origin_of(url, title)
    return Draft(
        id=wanted_id or problem_id(url, title),
        title=title or url,
        profile=origin.judge if origin else "icpc",
        source=origin.name if origin else _visible(task.group or "") or (title if url else ""),
        url=url,
        cpu=_seconds(task.time_limit),
        memory=_bytes(task.memory_limit),
        samples=tuple(_samples(task)),
        is_interactive=task.interactive is True,
        batch=_batch(task.batch),
        notes=tuple(_notes(task)),
    )


def _batch(batch: _Batch | None) -> Batch | None:
    return Batch(id=batch.id, size=max(1, batch.size)) if batch else None


def _samples(task: _Task) -> list[Sample]:
    return [
        Sample(name=f"sample-{number}", input=test.input.encode(), answer=test.output.encode())
        for number, test in enumerate(task.tests, 1)
    ]


def _visible(text: str) -> str:
    """Return a text of a web page as one line that does nothing to a terminal."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _file(way: _Way) -> str:
    return quoted(way.file_name) if way.file_name else "a file"


def _seconds(limit: float | None) -> Seconds | None:
    return Seconds(round(limit) / 1000) if limit is not None and 1 <= limit <= _LONGEST_TIME else None


def _bytes(limit: float | None) -> Bytes | None:
    return Bytes(round(limit) * MIB) if limit is not None and 1 <= limit <= _LARGEST_MEMORY else None


def _notes(task: _Task) -> list[str]:
    notes = []
    if task.input and task.input.type in ("file", "regex"):
        notes.append(f"its judge gives the input in {_file(task.input)}; here it comes on standard input")
    if task.output and task.output.type == "file":
        notes.append(f"its judge reads the output from {_file(task.output)}; here it is standard output")
    return notes
