"""Read problems of other tools: Competitive Companion's JSON, and folders of samples.

x.in with x.ans or x.out      oj (`test/sample-1.in`) and most downloads; read as `judge run --cases` does
in1.txt with ans1.txt         cf-tool
x.prob, also in .cph/         cph: Competitive Companion's JSON with the path of the solution
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.units import MIB, Bytes, Seconds
from judge.languages.table import SOME_SUFFIXES, SUFFIXES
from judge.model import CheckerConfig, FileNames, InFile, Problem, file_names
from judge.online.addresses import CONTESTS_IN_GROUPS
from judge.online.problem_ref import describe_problem, slug
from judge.problems.case_source import CompanionTask, read_memory_limit, read_time_limit
from judge.problems.conventions import FILE_NAME, answer_names, case_folder_rank
from judge.problems.file_format import check_name
from judge.problems.folder import load_cases
from judge.problems.paths import find_file_error
from judge.problems.yaml.text import quote


class Sample(Struct, frozen=True, kw_only=True):
    """One input with its answer, byte for byte; `name` is valid as a case's name and unique in its group."""

    name: str
    input: bytes
    answer: bytes
    group: str = "sample"


class Program(Struct, frozen=True, kw_only=True):
    """A solution that came with a problem; `expectation` is one of `judge.model.EXPECTATIONS`."""

    expectation: str = "accepted"
    name: str
    data: bytes


class Batch(Struct, frozen=True, kw_only=True):
    """The problems of one click in the browser: a contest's page sends many; `size` is their number."""

    id: str
    size: int


class Draft(Struct, frozen=True, kw_only=True):
    """A problem before its files are written.

    Attributes:
        contest: the folder for all problems of its contest; "" if it belongs to none.
        group: the folder where it belongs if there is one, since problems of its contest or category arrived together.
        index: its name within the contest, such as `a`; "" for the id.
        profile: the online judge whose rules apply.
        source, url: where the problem comes from; "" if unknown.
        key: equal for all addresses of the problem at its judge; "" if its id is the user's choice, or unknown.
        cpu, memory: its limits; None if unknown.
        statement: in Markdown; "" if only its URL is known.
        package: the ICPC package that it was read from.
        file_names: the files in place of standard input and output.
        is_interactive: its samples are a dialogue, not an input and an output; or no program is submitted at all.
        summary: what of its source is left out; a line each.
        remarks: how the online judge differs from what is written; comments in problem.yaml.
        notes: what else the user should know about it.
    """

    id: str
    title: str
    contest: str = ""
    group: str = ""
    index: str = ""
    profile: str = "icpc"
    source: str = ""
    url: str = ""
    key: str = ""
    cpu: Seconds | None = None
    memory: Bytes | None = None
    samples: tuple[Sample, ...] = ()
    checker: CheckerConfig = field(default_factory=CheckerConfig)
    programs: tuple[Program, ...] = ()
    statement: str = ""
    package: Path | None = None
    file_names: FileNames | None = None
    is_interactive: bool = False
    batch: Batch | None = None
    summary: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def cases(self) -> tuple[Sample, ...]:
        """The samples that are cases: those of an interactive problem are not."""
        return () if self.is_interactive else self.samples


# ---- Competitive Companion -----------------------------------------------------------------------------------------

_URL = re.compile(r"https?://\S{1,2000}")


class _Stream(msgspec.Struct, rename="camel"):
    """Where a program reads its input, or writes its output, at the judge."""

    type: str = ""
    file_name: str | None = None


class _Task(CompanionTask, kw_only=True):
    """What is used of a problem for its files."""

    name: str
    group: str | None = None
    input: _Stream | None = None
    output: _Stream | None = None
    batch: Batch | None = None
    src_path: str | None = None


class InvalidTaskError(ValueError):
    """These bytes are not a problem in Competitive Companion's format; the text says why."""


def read_task(data: bytes, wanted_id: str | None = None) -> tuple[Draft, str]:
    """Decode one problem; return its draft and the path of its solution ("" except in cph's files).

    Without a wanted id, the problem's id comes from its URL or title.

    Raises:
        InvalidTaskError: the message says what was found, what was expected, and where.
    """
    try:
        task = msgspec.json.decode(data, type=_Task)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidTaskError(f"not a problem in Competitive Companion's format: {error}") from error
    if len(task.tests) > 10_000:  # each becomes two files
        raise InvalidTaskError(f"expected at most 10000 tests in a problem, found {len(task.tests)}")
    title = printable_line(task.name)
    url = task.url if task.url and task.url.isprintable() and _URL.fullmatch(task.url) else ""
    if not title and not url:
        raise InvalidTaskError("expected a `name` or a `url`, found neither")
    ref = describe_problem(url, title, task.group or "")
    contest = group = index = ""
    if ref.folder and not wanted_id:
        contest, index = ref.folder, ref.index
    elif not wanted_id:
        group = slug(task.group or "") if " - " in (task.group or "") else ""
        is_batch = task.batch is not None and task.batch.size > 1
        contest = group if is_batch or ref.judge in CONTESTS_IN_GROUPS else ""
    cpu, memory = read_time_limit(task.time_limit), read_memory_limit(task.memory_limit)
    draft = Draft(
        id=wanted_id or ref.id,
        contest=contest,
        group=group,
        index=index,
        title=title or url,
        profile=ref.judge if ref.submit_url else "icpc",
        source=ref.name or printable_line(task.group or "") or (title if url else ""),
        url=ref.url or url,
        key="" if wanted_id else ref.key,
        cpu=cpu,
        memory=memory if memory is None or memory >= _LEAST_MEMORY else None,
        samples=tuple(
            Sample(name=f"sample-{number}", input=test.input.encode(), answer=test.output.encode())
            for number, test in enumerate(task.tests, 1)
        ),
        file_names=None if task.interactive else file_names(_file_name(task.input), _file_name(task.output)),
        is_interactive=task.interactive is True,
        batch=task.batch,
        remarks=tuple(_find_remarks(task)),
    )
    return draft, task.src_path or ""


def read_batch(data: bytes) -> Batch | None:
    """Decode only the batch of a problem that `read_task` rejects; None if even that is not readable."""
    try:
        task = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        return msgspec.json.decode(task.get("batch", b"null"), type=Batch | None)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def printable_line(text: str) -> str:
    """Return a text from outside as one line without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _file_name(stream: _Stream | None) -> str:
    """Return the name of the file that takes the place of a stream; "" if it is none, or no plain name."""
    name = (stream.file_name or "") if stream and stream.type == "file" else ""
    return name if re.fullmatch(FILE_NAME, name) else ""


_LEAST_MEMORY = 4 * MIB  # of a program in C++ that reads and writes, measured


def _find_remarks(task: _Task) -> Iterator[str]:
    for stream, use, name in ((task.input, "provides the input", "input"), (task.output, "reads the output", "output")):
        if stream and stream.type in ("file", "regex") and not _file_name(stream):
            file = quote(printable_line(stream.file_name)) if stream.file_name else "a file"
            place = "in" if name == "input" else "from"
            yield f"the online judge {use} {place} {file}; here it is standard {name}"
    default = "less than any program needs here; the default limit applies"
    if task.memory_limit is not None and task.memory_limit * MIB < _LEAST_MEMORY:
        yield f"the online judge states a memory limit of {task.memory_limit:g} MiB, {default}"
    if task.time_limit is not None and task.time_limit < 1:
        yield f"the online judge states a time limit of {task.time_limit:g} ms, {default}"


# ---- folders -------------------------------------------------------------------------------------------------------

_EXPECTED = "expected inputs `x.in` with `x.ans` or `x.out`, `in1.txt` with `ans1.txt`, or cph's `.prob` files"
_NUMBERED = re.compile(r"in(\d*)")  # cf-tool's `in1.txt`


def read_drafts(path: Path, wanted_id: str | None, case_folder: Callable[[str], Path]) -> list[Draft]:
    """Read the problems in a folder or a `.prob` file.

    Without a wanted id, the problem's id comes from its URL or the folder's name. `case_folder` returns where the cases
    of a problem are written: an earlier import may have written them inside the folder that is read.

    Raises:
        UsageError: the format is not supported, or there are several problems for one id.
        DataError: some files are invalid; it carries a diagnostic for each.
    """
    if path.suffix == ".prob" and not path.is_dir():
        return _read_prob_files([path], wanted_id)
    if not path.is_dir():
        found = "not a folder or a `.prob` file" if path.exists() else "no such file or folder"
        raise UsageError(f"{path}: {found}; {_EXPECTED}")
    if prob_files := sorted([*path.glob("*.prob"), *path.glob(".cph/*.prob")]):
        return _read_prob_files(prob_files, wanted_id)
    named = path.resolve()
    while (named.name == ".cph" or case_folder_rank(named.name) is not None) and named != named.parent:
        named = named.parent
    problem = wanted_id or slug(named.name)
    if not problem:
        raise UsageError(f"{path}: cannot derive an id from the folder's name; pass --id ID")
    samples = read_pairs(path, written=case_folder(problem))
    return [Draft(id=problem, title=wanted_id or named.name, samples=tuple(samples))]


def read_pairs(folder: Path, group: str = "sample", written: Path | None = None) -> list[Sample]:
    """Return the inputs with their answers in a folder and below, as the samples of a group.

    Those in the folder `written` do not count if there are others: they are copies.

    Raises:
        UsageError: there are none.
        DataError: some files are invalid; it carries a diagnostic for each.
    """
    try:
        found, diagnostics = load_cases(folder, Problem())
    except UsageError as error:
        raise UsageError(f"{folder}: no samples found; {_EXPECTED}") from error
    if diagnostics:
        raise DataError([*diagnostics, _nothing_imported(folder)])
    cases = [case for case in found if written is None or not case.origin.is_relative_to(written)] or found
    has_groups = len({case.group for case in cases}) > 1
    samples: dict[str, Sample] = {}  # by their names in lower case: unique on file systems that ignore case, too
    unpaired = []
    for case in cases:
        assert isinstance(case.input, InFile)
        source = case.input.path
        if not isinstance(case.answer, InFile):
            expected = " or ".join(islice(answer_names(source.name), 2))
            message = f"{source.name} has no answer: expected {expected} beside it"
            unpaired.append(Diagnostic(path=source, message=message))
            continue
        numbered = _NUMBERED.fullmatch(case.name)
        name = f"sample-{numbered[1] or 1}" if numbered else case.name
        base = name = _valid_name(f"{case.group}-{name}" if has_groups and case.group != folder.name else name)
        number = 2
        while name.lower() in samples:
            name, number = f"{base}-{number}", number + 1
        answer = case.answer.path.read_bytes()
        samples[name.lower()] = Sample(name=name, input=source.read_bytes(), answer=answer, group=group)
    if unpaired:
        raise DataError([*unpaired, _nothing_imported(folder)])
    return list(samples.values())


def _valid_name(text: str) -> str:
    try:
        check_name(text)
    except ValueError:
        text = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "sample"
    return text[:90]


def _nothing_imported(folder: Path) -> Diagnostic:
    return Diagnostic(path=folder, message="nothing was imported; fix or remove the files above")


# ---- cph -----------------------------------------------------------------------------------------------------------


def _read_prob_files(files: Sequence[Path], wanted_id: str | None) -> list[Draft]:
    if wanted_id and len(files) > 1:
        raise UsageError(f"--id {wanted_id}: found {len(files)} problems ({files[0].name}, ...); import one at a time")
    drafts: list[Draft] = []
    diagnostics: list[Diagnostic] = []
    for file in files:
        try:
            drafts.append(_read_prob_file(file, wanted_id))
        except InvalidTaskError as error:
            diagnostics.append(Diagnostic(path=file, message=str(error)))
    if diagnostics:
        raise DataError([*diagnostics, _nothing_imported(files[0].parent)])
    return drafts


def _read_prob_file(file: Path, wanted_id: str | None) -> Draft:
    """Return the draft with the user's solution, or with a note that says why it is missing."""
    if reason := find_file_error(file, max_size=64 * MIB):
        raise InvalidTaskError(reason)
    draft, path = read_task(file.read_bytes(), wanted_id)
    if not path:
        return draft
    source = Path(path)
    reason = find_file_error(source)
    if reason is None and source.suffix.lower() not in SUFFIXES:
        reason = f"is in an unknown language (expected {SOME_SUFFIXES})"
    if reason is None:
        stem = source.stem.lstrip("._") or "solution"  # files with a leading `.` or `_` are not solutions
        return replace(draft, programs=(Program(name=stem + source.suffix, data=source.read_bytes()),))
    return replace(draft, notes=(*draft.notes, f"the solution {quote(str(source))} was not imported: it {reason}"))
