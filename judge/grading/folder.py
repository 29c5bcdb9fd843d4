"""Folders and zip files of submissions, as teachers have them: which file is whose, and for which problem.

A layout is a pattern such as `{student}/**/{problem}.*`, for paths in the folder. Of those in `LAYOUTS`, the one counts
that finds most submissions; the problems are known by name. Zip files count as folders, also those in zip files. What
fits nothing becomes a row with a fault, so that no file is skipped silently.

The names that platforms give to downloads:
- Moodle: a folder `Surname Firstname_123456_assignsubmission_file_` for each student, or files whose names begin so; of
  an assignment, in `Course-Assignment-123.zip` (mod/assign/locallib.php).
- Canvas: files `surnamefirstname_late_12345_67890_name-1.py`: `late`, the ids of the student and of the file, and the
  number of the attempt, where there are some.
- Gradescope: folders `submission_12345`, and the students in submission_metadata.yml.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import combining, normalize

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError, describe_error
from judge.base.files import open_regular, read_regular
from judge.base.links import leads_out
from judge.base.units import GIB, MIB, format_bytes, format_count
from judge.grading.rows import MAX_CODE, hash_parts, parse_row
from judge.grading.values import Grade, GradeOptions, Row, Task, blame_row
from judge.languages.folder import HEADERS
from judge.languages.inspection import is_program_apart, java_names, main_classes
from judge.languages.table import LANGUAGES, SOME_SUFFIXES, SUFFIXES, Language
from judge.problems.archive import extract_zip
from judge.problems.folder import natural_key
from judge.problems.paths import is_leftover
from judge.problems.yaml.text import nearest, quote
from judge.workspace.session import open_temporary_folder

_INSIDE = ("**/{problem}.*", "**/{problem}/**/*.*")
_ONE_FOLDER_EACH = tuple(f"{{student}}/{each}" for each in _INSIDE)
_ONE_FOLDER_PER_PROBLEM = ("{problem}/{student}.*", "{problem}/{student}/**/*.*")
_MOODLE = "{student}_{id}_assignsubmission_"
_CANVAS = "{student}_{late}{id}_{number}"
LAYOUTS: Mapping[str, Sequence[str]] = {
    "Moodle": (
        *(f"{_MOODLE}*/{each}" for each in _INSIDE),
        f"{_MOODLE}file_{{problem}}.*",
        *(f"{top}/{_MOODLE}{each}" for top in ("{problem}", "*-{problem}-*") for each in ("*/**/*.*", "file_*.*")),
    ),
    "Canvas": (
        f"{_CANVAS}_{{problem}}.*",
        *(f"{_CANVAS}_*/{each}" for each in _INSIDE),
        *(f"{{problem}}/{_CANVAS}_*{each}" for each in (".*", "/**/*.*")),
    ),
    "a folder for each student": _ONE_FOLDER_EACH,
    "a folder for each problem": _ONE_FOLDER_PER_PROBLEM,
    "files with both names": ("{student}_{problem}.*", "{problem}_{student}.*", "{student}-{problem}.*"),
    "folders of groups": tuple(f"*/{each}" for each in _ONE_FOLDER_EACH),
    "a file for each student": ("{student}.*",),
}  # fmt: skip
"""Patterns by what people call them; of those that find as many submissions, the first one counts."""

_TOKEN = re.compile(r"(\{[^{}]*\}|\*\*/|\*)")
_TOKENS = {
    "{student}": r"(?P<student>[^/]+?)",
    "{id}": r"(?P<id>\d+)",
    "{number}": r"\d+",
    "{late}": r"(?P<late>(?:late_)?)",
    "**/": r"(?:.+/)?",
    "*": r"[^/]*",
}
_ANY = r"[^/]*?"
_VERSION = r"(?:[-_ .]?\(?v?(?<!\d)(?P<version>\d{1,9})\)?)?"  # sums-1.py, sums2.py, sums_v2.py, sums (1).py
_METADATA = "submission_metadata.yml"
_OTHER_ARCHIVES = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz", ".zst")
_MAX_EXTRACTED = 4 * GIB  # bytes of all zip files
_MAX_NESTED = 256 * MIB  # bytes of a zip file in the folder


class _File(Struct, frozen=True, kw_only=True):
    """A file of the folder.

    Attributes:
        path: in the folder, where zip files are folders without `.zip`.
        place: where it is.
        shown: as messages name it.
        fault: why it cannot be read; "" if it can.
    """

    path: str
    place: Path
    shown: Path
    time: float = 0.0
    fault: str = ""

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


_Found = tuple[re.Match[str], _File]


class Layout(Struct, frozen=True, kw_only=True):
    """How the files of a folder are named.

    Attributes:
        name: for people.
        patterns: as in `LAYOUTS`.
        expressions: of the patterns.
        loose: the same, for files of any problem.
        takes_any: whether a file of any name is for the only problem, if the student has none with its name.
        top: the folder that has everything, with a `/`; "" if there is none.
    """

    name: str
    takes_any: bool = False
    top: str = ""
    patterns: Sequence[str]
    expressions: Sequence[re.Pattern[str]]
    loose: Sequence[re.Pattern[str]]

    def match(self, path: str) -> re.Match[str] | None:
        """Return what a path says."""
        return next(filter(None, (each.fullmatch(path) for each in self.expressions)), None)

    def match_any(self, path: str) -> re.Match[str] | None:
        """Return what a path says, even if it is for no problem."""
        return next(filter(None, (each.fullmatch(path) for each in self.loose)), None)


def _make_layout(name: str, patterns: Sequence[str], problems: str, top: str = "") -> Layout:
    """Return a layout; `problems` is the expression of their names, and patterns start in the folder `top`."""

    def compile_all(names: str) -> list[re.Pattern[str]]:
        tokens = {**_TOKENS, "{problem}": f"(?P<problem>{names}){_VERSION}"}
        parts = ([tokens.get(part) or re.escape(part) for part in _TOKEN.split(each)] for each in patterns)
        return [re.compile(re.escape(top) + "".join(each), re.IGNORECASE | re.DOTALL) for each in parts]

    shown = [f"{top}{each}" for each in patterns]
    return Layout(name=name, top=top, patterns=shown, expressions=compile_all(problems), loose=compile_all(_ANY))


class _Submitter(Struct, frozen=True):
    name: str = field(name=":name", default="")
    sid: Any = field(name=":sid", default=None)  # a text, or a number without quotes


class _Submission(Struct, frozen=True):
    submitters: tuple[_Submitter, ...] = field(name=":submitters", default=())


class SubmissionFolder(AbstractContextManager["SubmissionFolder"]):
    """Reads the submissions of a class; a context manager.

    Args:
        place: the folder, or a zip file.
        problems: where they are, by name.
        pattern: the layout; None to find it.
        report: called for each file that is extracted.

    Attributes:
        problems: as given.
        notes: what was found, and what was not used, a line each.
        students: all who handed in a file, sorted.
        late: the ids of the rows that the platform marks.

    Raises:
        UsageError: there are no submissions, or the pattern is none.
        DataError: the zip file is damaged, encrypted, or could do harm.
    """

    def __init__(
        self,
        place: Path,
        problems: Mapping[str, Path],
        pattern: str | None = None,
        report: Callable[[], object] = lambda: None,
    ) -> None:
        self._report = report
        self.problems = problems
        names = sorted(problems, key=len, reverse=True)
        # `max_sub` may be written `maxsub`, too
        words = (re.split(r"[-_ ]+|(?<=[^\W\d_])(?=[^\W\d_])", name) for name in names)
        self._names = "|".join("[-_ ]*".join(map(re.escape, each)) for each in words)
        self._folder: Path | None = None  # for what is extracted
        self._extracted = 0  # bytes
        self._given = 0  # rows
        with ExitStack() as stack:
            self._stack = stack
            folder = place if place.is_dir() else self._extract(place, place, _MAX_EXTRACTED)
            files = sorted(self._walk(folder, PurePosixPath(), place), key=lambda each: natural_key(each.path))
            sources = [each for each in files if each.suffix in SUFFIXES and not each.fault]
            self._layout = self._parse(pattern) if pattern is not None else self._recognize(sources)
            self._students = self._read_students(files)
            self._parts: dict[tuple[str, str], list[_File]] = {}  # of programs of several files, besides the main one
            self._unused: dict[tuple[str, str], list[str]] = {}  # paths beside the file with the name that counts
            self._ids: dict[str, set[str]] = {}  # of the students with a name
            for each in files:
                if found := self._layout.match(each.path) or self._layout.match_any(each.path):
                    name, number = self._person(found)
                    self._ids.setdefault(name, set()).add(number)
            self._rest, self._files = self._sort(files)
            if not self._files:
                first = f"found {quote((sources or files)[0].path)}" if files else "the folder has no files"
                raise UsageError(
                    f"{place}: no file is named like a submission: {first}; expected a layout such as "
                    f"student/problem.py, with a problem of {', '.join(problems)}; to name another layout: "
                    "--as '{student}_{problem}.*'; another folder of problems: --problems DIR"
                )
            self._stack = stack.pop_all()
        students = {student for student, _ in self._files} | {self._owner(each) for each in self._rest}
        self.students = sorted(students - {""}, key=_name_key)
        self.late = {"/".join(key) for key, found in self._files.items() if found[-1][0].groupdict().get("late")}
        self.notes = list(self._describe())

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def share_read(self) -> float:
        """Return how much was graded, from 0 to 1."""
        return self._given / (len(self._files) + len(self._rest))

    def rows(self, options: GradeOptions) -> Iterator[Row]:
        """Yield a row for each submission that counts, and one with a fault for each file that fits nothing."""
        for (student, problem), found in self._files.items():
            self._given += 1
            file, row_id = found[-1][1], f"{student}/{problem}"
            parts = self._parts.get((student, problem), ())
            try:
                code, *more = map(_read, (file, *parts))
            except OSError as error:
                yield self._refuse(row_id, f"{file.shown}: {describe_error(error)}", problem)
                continue
            row = parse_row(
                {
                    "id": row_id,
                    "task": problem,
                    "problem": str(self.problems[problem]),
                    "code": code,
                    "language": _language(file).id,
                },
                self._given,
                options,
            )
            if parts and isinstance(row, Task):
                if (size := sum(map(len, (code, *more)))) > MAX_CODE:
                    reason = f"{format_bytes(size)} with its other files; at most {format_bytes(MAX_CODE)} are graded"
                    row = self._refuse(row_id, f"{file.shown}: {reason}", problem)
                else:
                    row = _add_files(row, file, dict(zip(parts, more, strict=True)))
            yield row
        for file in self._rest:
            self._given += 1
            student = self._owner(file)
            row_id = f"{student}/{PurePosixPath(file.path).name}" if student else file.path
            yield self._refuse(row_id, f"{file.shown}: {self._find_fault(file)}")

    def _refuse(self, row_id: str, reason: str, problem: str = "") -> Grade:
        row_id, reason = (each.encode("utf-8", "replace").decode() for each in (row_id, reason))
        digest = hash_parts(b"refused", row_id.encode(), reason.encode())
        return blame_row(row_id, self._given, reason, digest, problem)

    # ---- files -----------------------------------------------------------------------------------------------------

    def _walk(self, folder: Path, inner: PurePosixPath, shown: Path, depth: int = 1) -> Iterator[_File]:
        """Yield the files of a folder, which is `inner` in the whole and which messages call `shown`."""
        real = os.path.realpath(folder)

        def fail(error: OSError) -> None:
            raise error

        for name, folders, names in os.walk(folder, onerror=fail):
            folders[:] = [each for each in folders if not _is_ignored(each)]
            for each in [*names, *(each for each in folders if Path(name, each).is_symlink())]:
                place = Path(name, each)
                below = place.relative_to(folder)
                file = _File(path=str(inner / below), place=place, shown=shown / below)
                if _is_ignored(each):
                    continue
                if leads_out(place, real):
                    yield replace(file, fault="a link that leads out of the folder")
                elif not place.is_file():
                    yield replace(file, fault="not a regular file")
                elif file.suffix == ".zip":
                    yield from self._unpack(file, depth)
                else:
                    yield replace(file, time=place.stat().st_mtime)

    def _unpack(self, file: _File, depth: int) -> Iterator[_File]:
        """Yield the files of a zip file that somebody handed in, or the one that says what is wrong with it."""
        if depth >= 4:
            yield replace(file, fault="more than 4 zip files in each other")
            return
        try:
            folder = self._extract(file.place, file.shown, _MAX_NESTED)
        except DataError as error:
            yield replace(file, fault=error.diagnostics[0].message)
        else:
            yield from self._walk(folder, PurePosixPath(file.path).with_suffix(""), file.shown, depth + 1)

    def _extract(self, archive: Path, shown: Path, most: int) -> Path:
        self._folder = self._folder or self._stack.enter_context(open_temporary_folder())
        target = self._folder / str(len(list(self._folder.iterdir())))
        most = min(most, _MAX_EXTRACTED - self._extracted)
        self._extracted += extract_zip(archive, target, self._report, shown=shown, most=most)
        return target

    def _read_students(self, files: Sequence[_File]) -> Mapping[str, tuple[str, str]]:
        """Return names and ids of students by Gradescope's folders; a file deeper in the folder may be a student's."""
        top = self._layout.top
        file = next((each for each in files if each.path == f"{top}{_METADATA}" and not each.fault), None)
        if file is None:
            return {}
        try:
            found = msgspec.yaml.decode(read_regular(file.place), type=dict[str, _Submission], strict=False)
        except (OSError, msgspec.MsgspecError) as error:
            raise DataError([Diagnostic(path=file.shown, message=f"not what Gradescope writes: {error}")]) from error
        students = {}
        for folder, entry in found.items():
            names = [each.name for each in entry.submitters if each.name]
            ids = [str(each.sid) for each in entry.submitters if each.sid]
            if names:
                name, number = (" and ".join(each).replace("/", "-") for each in (names, ids))
                students[folder] = (name, number or folder)
        return students

    # ---- names -----------------------------------------------------------------------------------------------------

    def _parse(self, pattern: str) -> Layout:
        """Return the layout that the user gives, or raise UsageError."""
        needed = ("{student}",) if len(self.problems) == 1 else ("{student}", "{problem}")
        tokens = _TOKEN.findall(pattern)
        named = [each for each in tokens if each.startswith("{") and each != "{number}"]
        if not set(needed) <= set(tokens) or not set(named) <= {*_TOKENS, "{problem}"} or len(set(named)) < len(named):
            raise UsageError(
                f"--as {pattern}: expected a pattern with {' and '.join(needed)}, once each, such as "
                "'{student}_{problem}.*'; also {id}, {number}, {late}, * and **/"
            )
        return _make_layout("given", [pattern], self._names)

    def _recognize(self, sources: Sequence[_File]) -> Layout:
        """Return the layout in which most submissions are found."""
        tops = [""]
        first = {each.path.partition("/")[0] for each in sources}
        if len(first) == 1 and all("/" in each.path for each in sources):  # most archives have everything in a folder
            tops.append(f"{first.pop()}/")
        layouts = [_make_layout(name, each, self._names, top) for name, each in LAYOUTS.items() for top in tops]

        def count(layout: Layout, match: Callable[[Layout, str], re.Match[str] | None] = Layout.match) -> int:
            found = filter(None, (match(layout, each.path) for each in sources))
            fields = [{"id": "", "problem": "", "version": "", **each.groupdict()} for each in found]
            return len({(each["student"], each["id"], each["problem"].lower(), each["version"]) for each in fields})

        best = max((each for each in layouts if "{problem}" in each.patterns[0]), key=count)
        if len(self.problems) > 1:
            return best
        if count(best):  # a student who has a folder is known whatever the name of the file
            return replace(best, takes_any="{student}/" in best.patterns[0] or "{id}" in best.patterns[0])
        return replace(max(layouts, key=lambda each: count(each, Layout.match_any)), takes_any=True)

    def _person(self, found: re.Match[str]) -> tuple[str, str]:
        """Return the name of a student, and the id that the platform gives."""
        student = found["student"]
        return self._students.get(student, (student, found.groupdict().get("id") or ""))

    def _student(self, found: re.Match[str]) -> str:
        """Return the name of a student, with the id if others have the same name."""
        name, number = self._person(found)
        return name if len(self._ids[name]) == 1 else f"{name} ({number})"

    def _sort(self, files: Sequence[_File]) -> tuple[list[_File], dict[tuple[str, str], list[_Found]]]:
        """Return the files that fit nothing, and those of each student and problem, the latest last."""
        rest: list[_File] = []
        fitting: dict[tuple[str, str], list[_Found]] = {}
        others: dict[str, list[_Found]] = {}  # of any name
        by_word = {_word(name): name for name in self.problems}
        only = next(iter(self.problems))
        for file in files:
            is_source = file.suffix in SUFFIXES and not file.fault
            if is_source and (found := self._layout.match(file.path)):
                problem = by_word.get(_word(found.groupdict().get("problem", "")), only)
                fitting.setdefault((self._student(found), problem), []).append((found, file))
            elif is_source and self._layout.takes_any and (found := self._layout.match_any(file.path)):
                others.setdefault(self._student(found), []).append((found, file))
            elif file.path != f"{self._layout.top}{_METADATA}":
                rest.append(file)
        for student, several in others.items():
            names = {_word(found["problem"]) for found, _ in several}
            if (student, only) in fitting:
                fitting[student, only] += several
            elif len(names) > 1 and "main" not in names:
                fault = f"one of {len(several)} sources of {student}, none of which is called {only}"
                rest += [replace(file, fault=fault) for _, file in several]
            else:
                fitting[student, only] = several
        usable = [file for file in rest if file.suffix in HEADERS and not file.fault]
        by_owner = sorted(((self._owner(file), file) for file in usable), key=itemgetter(0))
        headers = {owner: [file for _, file in each] for owner, each in groupby(by_owner, itemgetter(0))}
        for (student, problem), each in fitting.items():
            each.sort(
                key=lambda one: (int(one[0].groupdict().get("version") or 0), one[1].time, natural_key(one[1].path))
            )
            fitting[student, problem] = self._set_apart(student, problem, each, headers.get(student, ()))
        used = [file for parts in self._parts.values() for file in parts]
        rest = sorted((each for each in rest if each not in used), key=lambda each: natural_key(each.path))
        order = list(self.problems)
        return rest, dict(sorted(fitting.items(), key=lambda item: (_name_key(item[0][0]), order.index(item[0][1]))))

    def _set_apart(self, student: str, problem: str, found: list[_Found], headers: Sequence[_File]) -> list[_Found]:
        """Return the files of which the last counts; note the others that its program consists of.

        A file with the name of the problem counts, else `main`; only these can have others beside them.
        """
        for name in (f"(?:{self._names}){_VERSION}", "main|__main__"):
            named = re.compile(name, re.IGNORECASE)
            mains = [each for each in found if named.fullmatch(PurePosixPath(each[1].path).stem)]
            if mains:
                break
        else:
            return found
        main, others = mains[-1][1], [each for each in found if each not in mains]
        language, folder = _language(main), PurePosixPath(main.path).parent
        parts = [file for _, file in others if file.suffix in language.suffixes]
        parts += headers if language.id in ("c", "cpp") else ()
        parts = [each for each in parts if PurePosixPath(each.path).is_relative_to(folder)]
        with suppress(OSError):  # which the row of the submission says
            text = _read(main) if parts else b""
            parts = [each for each in parts if not is_program_apart(language, _read(each), text)]
        if parts:
            self._parts[student, problem] = parts
        if unused := [file.path for _, file in others if file not in parts]:
            self._unused[student, problem] = unused
        return mains

    def _owner(self, file: _File) -> str:
        found = self._layout.match(file.path) or self._layout.match_any(file.path)
        return self._student(found) if found else ""

    def _find_fault(self, file: _File) -> str:
        """Return why a file is not a submission."""
        if file.fault:
            return file.fault
        if file.suffix in _OTHER_ARCHIVES:
            return "an archive, but not a zip file: extract it"
        if file.suffix not in SUFFIXES:
            kind = f"no language has the suffix `{file.suffix}`" if file.suffix else "the name has no suffix"
            return f"not a source: {kind}; expected {SOME_SUFFIXES}"
        stem = PurePosixPath(file.path).stem
        near = nearest(stem, self.problems)
        return f"no problem is called {quote(stem)}: " + (
            f"did you mean {near}?" if near else f"expected {', '.join(self.problems)}"
        )

    def _describe(self) -> Iterator[str]:
        """Yield notes on the layout, and on what does not count."""
        submissions, students = (
            format_count(len(self._files), "submission"),
            format_count(len(self.students), "student"),
        )
        problems = format_count(len({problem for _, problem in self._files}), "problem")
        main = {key: found[-1][1].path for key, found in self._files.items()}
        both = zip(self._layout.patterns, self._layout.expressions, strict=True)
        used = [pattern for pattern, expression in both if any(map(expression.fullmatch, main.values()))]
        layout = f"{self._layout.name}, {' or '.join(used or self._layout.patterns)}"
        yield f"{submissions} of {students} to {problems}; layout: {layout}"
        repeated = {key: [file.path for _, file in found[:-1]] for key, found in self._files.items()}
        parts = {key: [each.place.name for each in found] for key, found in self._parts.items()}
        for title, word, names in (
            ("with several files; the last counts, by the number in its name, else by its time", ", not", repeated),
            ("with other files; the one named like the problem counts, else `main`", ", not", self._unused),
            ("of several files", " with", parts),
        ):
            if lines := [
                f"  {'/'.join(key)}: {main[key]}{word} {', '.join(each)}" for key, each in names.items() if each
            ]:
                yield f"{len(lines):,} {title}:"
                yield from _cut(lines)
        if self.late:
            late = _cut(sorted(self.late, key=natural_key))
            yield f"{len(self.late):,} marked as late, which count like the others: {', '.join(late)}"
        if self._rest:
            yield f"{format_count(len(self._rest), 'file')} not graded:"
            yield from _cut([f"  {each.shown}: {self._find_fault(each)}" for each in self._rest])


def _cut(lines: Sequence[str]) -> list[str]:
    more = len(lines) - 20
    return [*lines[:20], f"  and {more:,} more, which are in the results"] if more > 0 else [*lines]


def _name_key(name: str) -> str:
    """Return the key that sorts names of people: `É` beside `E`."""
    return natural_key("".join(each for each in normalize("NFKD", name) if not combining(each)).casefold())


def _language(file: _File) -> Language:
    return next(each for each in LANGUAGES if file.suffix in each.suffixes)


def _read(file: _File) -> bytes:
    """Return the content of a file, or the first bytes of one that is too large."""
    with os.fdopen(open_regular(file.place, follows_link=True), "rb") as opened:
        return opened.read(MAX_CODE + 1)


def _add_files(task: Task, main: _File, others: Mapping[_File, bytes]) -> Task:
    """Return the submission of a program of several files."""
    folder, language = PurePosixPath(main.path).parent, _language(main)
    name = PurePosixPath(main.path).name
    if language.is_java:
        name, _ = java_names(task.code, name)
    entry_point = name
    if language.is_java or language.runs_class:
        entry_point = next(main_classes(language, {name: task.code}), "")
    files = {str(PurePosixPath(file.path).relative_to(folder)): text for file, text in others.items()}
    files = {name: task.code, **files}
    return replace(
        task,
        files=files,
        entry_point=entry_point,
        digest=hash_parts(task.digest.encode(), *(part for name in files for part in (os.fsencode(name), files[name]))),
    )


def _word(name: str) -> str:
    """Return the name of a problem as names of files may write it."""
    return re.sub(r"[-_ ]+", "", name).lower()


def _is_ignored(name: str) -> bool:
    return is_leftover(name) or name in ("__MACOSX", "Thumbs.db", "desktop.ini")
