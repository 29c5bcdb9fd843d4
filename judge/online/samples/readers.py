"""A folder or file of another tool to drafts.

x.in with x.ans or x.out          oj (`test/sample-1.in`), most downloads; as `judge run --cases` takes them
in1.txt with ans1.txt             cf-tool
.prob, also below .cph/           cph: Competitive Companion's JSON and the path of the solution
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from judge.errors import DataError, Diagnostic, UsageError
from judge.languages.table import SUFFIXES
from judge.model import DEFAULT_LIMITS, Case, CheckerConfig, InFile
from judge.online.problem_ref import problem_id, problem_ref, slug
from judge.online.samples.draft import Batch, Draft, Sample
from judge.problems.file_format import check_name
from judge.problems.folder import load_cases
from judge.problems.paths import find_file_error
from judge.problems.yaml.text import quote
from judge.units import MIB, Bytes, Seconds

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
    origin = problem_ref(url, title)
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
    return quote(way.file_name) if way.file_name else "a file"


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


_EXPECTED = "expected inputs `x.in` with `x.ans` or `x.out`, `in1.txt` with `ans1.txt`, or cph's `.prob` files"
_LARGEST_PROB = 64 * 1024 * 1024  # bytes
_FOLDERS_OF_CASES = {"test", "tests", "sample", "samples", "testcases", "data", ".cph"}
_NUMBERED = re.compile(r"(in|ans)(\d{0,9})\.txt")


def read_drafts(place: Path, wanted_id: str | None = None) -> list[Draft]:
    """Return the problems that a folder or a `.prob` file holds.

    Args:
        place: the folder or file.
        wanted_id: the problem's id; None for one made from its address or from the folder's name.

    Raises:
        UsageError: nothing there is known here, or one id is wanted for several problems.
        DataError: some of it cannot be used; carries all that is wrong.
    """
    if place.suffix == ".prob" and not place.is_dir():
        return _prob_drafts([place], wanted_id)
    if not place.is_dir():
        what = "is no folder and no `.prob` file" if place.exists() else "does not exist"
        raise UsageError(f"{place} {what}: {_EXPECTED}")
    try:
        names = sorted(entry.name for entry in place.iterdir())
        probs = sorted([*place.glob("*.prob"), *place.glob(".cph/*.prob")])
    except OSError as error:
        raise UsageError(f"{place} cannot be read: {error.strerror}") from error
    if probs:
        return _prob_drafts(probs, wanted_id)
    if any(_NUMBERED.fullmatch(name) for name in names):
        return [_draft_of_folder(place, wanted_id, _numbered(place, names))]
    return [_draft_of_folder(place, wanted_id, _paired(place))]


# ---- pairs of files -----------------------------------------------------------------------------------------------


def _draft_of_folder(place: Path, wanted_id: str | None, samples: Sequence[Sample]) -> Draft:
    folder = place.resolve()
    while folder.name.lower() in _FOLDERS_OF_CASES and folder != folder.parent:
        folder = folder.parent
    name = wanted_id or slug(folder.name)
    if not name:
        raise UsageError(f"{place}: no id can be made of this folder's name; name one: --id ID")
    return Draft(id=name, title=folder.name if wanted_id is None else name, samples=tuple(samples))


def _paired(place: Path) -> list[Sample]:
    try:
        cases, diagnostics = load_cases(place, limits=DEFAULT_LIMITS, checker=CheckerConfig())
    except UsageError as error:
        raise UsageError(f"no samples in {place}: {_EXPECTED}") from error
    if diagnostics:
        raise DataError([*diagnostics, _nothing_written(place)])
    groups = {case.group for case in cases}
    return _unique([(_name_of(case, grouped=len(groups) > 1), *_files_of(case)) for case in cases])


def _name_of(case: Case, *, grouped: bool) -> str:
    return f"{case.group}-{case.name}" if grouped else case.name


def _files_of(case: Case) -> tuple[Path, Path]:
    assert isinstance(case.input, InFile)
    assert isinstance(case.answer, InFile)
    return case.input.path, case.answer.path


def _numbered(place: Path, names: Sequence[str]) -> list[Sample]:
    inputs: set[str] = set()
    answers: set[str] = set()
    for name in names:
        if found := _NUMBERED.fullmatch(name):
            (inputs if found[1] == "in" else answers).add(found[2])
    diagnostics = [_alone(place, f"in{number}.txt", f"ans{number}.txt", "answer") for number in inputs - answers]
    diagnostics += [_alone(place, f"ans{number}.txt", f"in{number}.txt", "input") for number in answers - inputs]
    diagnostics += [
        Diagnostic(path=place / name, message=reason)
        for name in names
        if _NUMBERED.fullmatch(name) and (reason := find_file_error(place / name))
    ]
    if diagnostics:
        raise DataError([*sorted(diagnostics, key=lambda diagnostic: diagnostic.path), _nothing_written(place)])
    ordered = sorted(inputs, key=lambda number: int(number or 0))
    return _unique([(f"sample-{n or 1}", place / f"in{n}.txt", place / f"ans{n}.txt") for n in ordered])


def _alone(place: Path, name: str, mate: str, what: str) -> Diagnostic:
    return Diagnostic(path=place / name, message=f"{name} has no {what}: expected {mate} beside it")


def _nothing_written(place: Path) -> Diagnostic:
    return Diagnostic(path=place, message="nothing was imported; mend or remove what is named above")


def _unique(pairs: Sequence[tuple[str, Path, Path]]) -> list[Sample]:
    """Read the files; names that cannot be a case's are changed, and no two are the same."""
    samples: list[Sample] = []
    taken: set[str] = set()
    for wanted, source, answer in pairs:
        name = base = _case_name(wanted)
        number = 2
        while name.lower() in taken:  # also on file systems that do not tell A from a
            name, number = f"{base}-{number}", number + 1
        taken.add(name.lower())
        samples.append(Sample(name=name, input=source.read_bytes(), answer=answer.read_bytes()))
    return samples


def _case_name(text: str) -> str:
    try:
        check_name(text)
    except ValueError:
        text = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "sample"
    return text[:90]


# ---- cph ----------------------------------------------------------------------------------------------------------


def _prob_drafts(files: Sequence[Path], wanted_id: str | None) -> list[Draft]:
    if wanted_id and len(files) > 1:
        raise UsageError(f"--id {wanted_id}: there are {len(files)} problems here ({files[0].name}, ...); import one")
    diagnostics: list[Diagnostic] = []
    drafts = [draft for file in files for draft in _prob_draft(file, wanted_id, diagnostics)]
    if diagnostics:
        raise DataError([*diagnostics, _nothing_written(files[0].parent)])
    return drafts


def _prob_draft(file: Path, wanted_id: str | None, diagnostics: list[Diagnostic]) -> Iterator[Draft]:
    if reason := find_file_error(file):
        diagnostics.append(Diagnostic(path=file, message=reason))
        return
    if file.stat().st_size > _LARGEST_PROB:
        diagnostics.append(Diagnostic(path=file, message="larger than 64 MiB: that is no problem of cph's"))
        return
    try:
        draft, source = read_task(file.read_bytes(), wanted_id)
    except NotCompanionError as error:
        diagnostics.append(Diagnostic(path=file, message=str(error)))
        return
    yield _with_program(draft, Path(source)) if source else draft


def _with_program(draft: Draft, source: Path) -> Draft:
    """Return the draft with the user's own solution; where that cannot be, with a note that says why."""
    why = find_file_error(source)
    if why is None and source.suffix.lower() not in SUFFIXES:
        why = f"is in no language that is known here ({', '.join(sorted(SUFFIXES))})"
    if why is None:
        stem = source.stem.lstrip("._") or "solution"  # names with a dot or `_` in front are nobody's solution
        return replace(draft, program=(stem + source.suffix, source.read_bytes()))
    return replace(draft, notes=(*draft.notes, f"its solution {quote(str(source))} was left out: it {why}"))
