"""Folders and zip files of submissions, as teachers have them: which file is whose, and for which problem.

A layout is a pattern such as `{student}/**/{problem}.*`, for paths in the folder. Of those in `LAYOUTS`, the one counts
that finds most submissions; the problems are known by name. Zip files count as folders, also those in zip files. What
fits nothing becomes a row with a fault, so that no file is skipped silently.

The names that platforms give to downloads:
- Moodle: a folder `Surname Firstname_123456_assignsubmission_file_` for each student (mod/assign/locallib.php).
- Canvas: files `surnamefirstname_late_12345_67890_name-1.py`: `late`, the ids of the student and of the file, and the
  number of the attempt, where there are some.
- Gradescope: folders `submission_12345`, and the students in submission_metadata.yml.
"""

import os
import re
import shutil
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from msgspec import Struct

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.files import open_regular
from judge.base.links import leads_out
from judge.base.units import MIB, format_bytes, format_count
from judge.grading.rows import MAX_CODE, hash_parts, parse_row
from judge.grading.values import BadRow, GradeOptions, Row
from judge.languages.table import LANGUAGES, SOME_SUFFIXES, SUFFIXES
from judge.problems.archive import ZIP_ERRORS, check_members, is_link
from judge.problems.folder import natural_key
from judge.problems.paths import is_leftover
from judge.problems.yaml.text import nearest, quote
from judge.workspace.session import open_temporary_folder

_INSIDE = ("**/{problem}.*", "**/{problem}/**/*.*")
_ONE_FOLDER_EACH = tuple(f"{{student}}/{each}" for each in _INSIDE)
_ONE_FOLDER_PER_PROBLEM = ("{problem}/{student}.*", "{problem}/{student}/**/*.*")
LAYOUTS: Mapping[str, Sequence[str]] = {
    "Moodle": tuple(f"{{student}}_{{number}}_assignsubmission_file*/{each}" for each in _INSIDE),
    "Canvas": (
        "{student}_{late}{number}_{number}_{problem}.*",
        *(f"{{student}}_{{late}}{{number}}_{{number}}_*/{each}" for each in _INSIDE),
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
    "{number}": r"\d+",
    "{late}": r"(?P<late>(?:late_)?)",
    "**/": r"(?:.+/)?",
    "*": r"[^/]*",
}
_ANY = r"[^/]*?"
_VERSION = r"(?:[-_ .]?\(?v?(?P<version>\d{1,9})\)?)?"  # sums-1.py, sums_v2.py, sums (1).py
_METADATA = "submission_metadata.yml"
_OTHER_ARCHIVES = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz", ".zst")
_MAX_DEPTH = 4  # of zip files in zip files
_MAX_FILES = 200_000
_MAX_NESTED = 256 * MIB  # of a zip file in a zip file
_MOST_NAMED = 20


class _File(Struct, frozen=True, kw_only=True):
    """A file of the folder.

    Attributes:
        path: in the folder, where zip files are folders without `.zip`.
        shown: as messages name it.
        time: when it was changed; comparable only.
        read: returns its first bytes.
        fault: why it cannot be read; "" if it can.
    """

    path: str
    shown: str
    time: float = 0.0
    read: Callable[[], bytes] = bytes
    fault: str = ""

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()


class _Claim(NamedTuple):
    """What the name of a file says; the latest one counts."""

    version: int
    time: float
    key: str
    file: _File
    is_late: bool


class Layout(Struct, frozen=True, kw_only=True):
    """How the files of a folder are named.

    Attributes:
        name: for people.
        patterns: as in `LAYOUTS`.
        top: the folder that the patterns start from, with a `/`; "" for the whole.
    """

    name: str
    patterns: Sequence[str]
    top: str = ""
    regexes: Sequence[re.Pattern[str]]
    loose: Sequence[re.Pattern[str]]

    def match(self, path: str) -> re.Match[str] | None:
        """Return what a path says."""
        return self._match(self.regexes, path)

    def find_student(self, path: str) -> str:
        """Return whose file it is, even if it is for no problem; "" if that is not known."""
        found = self._match(self.loose, path)
        return found["student"] if found else ""

    def _match(self, regexes: Sequence[re.Pattern[str]], path: str) -> re.Match[str] | None:
        if not path.startswith(self.top):
            return None
        return next(filter(None, (regex.fullmatch(path, len(self.top)) for regex in regexes)), None)

    def __str__(self) -> str:
        return " or ".join(f"{self.top}{pattern}" for pattern in self.patterns)


def _make_layout(name: str, patterns: Sequence[str], names: str, top: str = "") -> Layout:
    return Layout(
        name=name,
        patterns=patterns,
        top=top,
        regexes=[_compile(each, names) for each in patterns],
        loose=[_compile(each, _ANY) for each in patterns],
    )


def _compile(pattern: str, names: str) -> re.Pattern[str]:
    """Return the expression of a pattern; `names` matches the problems."""
    tokens = {**_TOKENS, "{problem}": f"(?P<problem>{names}){_VERSION}"}
    parts = [tokens.get(part) or re.escape(part) for part in _TOKEN.split(pattern)]
    return re.compile("".join(parts), re.IGNORECASE | re.DOTALL)


class SubmissionFolder(AbstractContextManager["SubmissionFolder"]):
    """Reads the submissions of a class; a context manager.

    Args:
        place: the folder, or a zip file.
        problems: where they are, by name.
        pattern: the layout; None to find it.

    Attributes:
        problems: as given.
        notes: what was found, and what was not used, a line each.
        students: all who handed in a file, sorted.
        late: the ids of the rows that the platform marks.

    Raises:
        UsageError: there are no submissions, or the pattern is none.
        DataError: the zip file is damaged, encrypted, or could do harm.
    """

    def __init__(self, place: Path, problems: Mapping[str, Path], pattern: str | None = None) -> None:
        self._place = place
        self.problems = problems
        self._by_word = {_word(name): name for name in problems}
        self._stack = ExitStack()
        self._folder: Path | None = None  # for zip files in zip files
        self._open = lru_cache(maxsize=4)(zipfile.ZipFile)
        self._given = 0
        self._names: dict[str, str] = {}
        self.notes: list[str] = []
        self.late: set[str] = set()
        with ExitStack() as stack:
            stack.push(self)
            files = self._list()
            sources = [each for each in files if each.suffix in SUFFIXES and not each.fault]
            self._layout = self._parse(pattern) if pattern is not None else self._recognize(sources)
            self._rest, self._claims = self._sort(files)
            self._check_claims(sources or files)
            stack.pop_all()
        owners = {self._layout.find_student(each.path) for each in self._rest}
        self.students = sorted({student for student, _ in self._claims} | {self._name(each) for each in owners - {""}})
        self._describe()

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def share_read(self) -> float:
        """Return how much was graded, from 0 to 1."""
        return self._given / (len(self._claims) + len(self._rest))

    def rows(self, options: GradeOptions) -> Iterator[Row]:
        """Yield a row for each submission that counts, and one with a fault for each file that fits nothing."""
        for (student, problem), claims in self._claims.items():
            self._given += 1
            file, row_id = claims[-1].file, f"{student}/{problem}"
            try:
                code = file.read()
            except (OSError, *ZIP_ERRORS) as error:
                yield self._refuse(row_id, f"{file.shown}: {error}", problem)
                continue
            yield parse_row(
                {
                    "id": row_id,
                    "task": problem,
                    "problem": str(self.problems[problem]),
                    "code": code,
                    "language": next(each.id for each in LANGUAGES if file.suffix in each.suffixes),
                },
                self._given,
                options,
            )
        for file in self._rest:
            self._given += 1
            student = self._name(self._layout.find_student(file.path))
            name = PurePosixPath(file.path).name if student else file.path
            yield self._refuse(f"{student}/{name}".lstrip("/"), f"{file.shown}: {self._find_fault(file)}")

    def _refuse(self, row_id: str, reason: str, problem: str = "") -> BadRow:
        row_id, reason = (each.encode("utf-8", "replace").decode() for each in (row_id, reason))
        digest = hash_parts(b"refused", row_id.encode(), reason.encode())
        return BadRow(id=row_id, line=self._given, reason=reason, digest=digest, group=problem)

    # ---- files -----------------------------------------------------------------------------------------------------

    def _list(self) -> list[_File]:
        is_folder = self._place.is_dir()
        found: list[_File] = []
        try:
            for each in self._walk(self._place) if is_folder else self._read_zip(self._place, "", self._place, 1):
                found.append(each)
                if len(found) > _MAX_FILES:
                    raise UsageError(f"{self._place}: more than {_MAX_FILES:,} files; name the folder of one class")
        except ZIP_ERRORS as error:
            message = f"cannot be read as a zip file: {error}"
            raise DataError([Diagnostic(path=self._place, message=message)]) from error
        if not found:
            raise UsageError(f"{self._place}: no files; expected submissions such as student/problem.py")
        return sorted(found, key=lambda each: natural_key(each.path))

    def _walk(self, folder: Path) -> Iterator[_File]:
        real = os.path.realpath(self._place)

        def fail(error: OSError) -> None:
            raise error

        for name, folders, names in os.walk(folder, onerror=fail):
            here = Path(name)
            folders[:] = sorted(each for each in folders if not _is_ignored(each))
            for each in [*names, *(each for each in folders if (here / each).is_symlink())]:
                path = here / each
                shown, inner = str(path), path.relative_to(self._place).as_posix()
                if _is_ignored(each):
                    continue
                if leads_out(path, real) or path.is_dir() or not path.exists():
                    fault = "a link that leads out of the folder" if leads_out(path, real) else "a link to no file"
                    yield _File(path=inner, shown=shown, fault=fault)
                elif path.suffix.lower() == ".zip":
                    yield from self._read_inner(path, inner, path, 1)
                elif each == _METADATA:
                    self._read_names(path)
                else:
                    yield _File(path=inner, shown=shown, time=path.stat().st_mtime, read=partial(_read_file, path))

    def _read_inner(self, archive: Path, inner: str, shown: Path, depth: int) -> Iterator[_File]:
        """Yield the files of a zip file that somebody handed in, or the one that says what is wrong with it."""
        try:
            yield from list(self._read_zip(archive, f"{inner[:-4]}/", shown, depth))
        except DataError as error:
            yield _File(path=inner, shown=str(shown), fault=error.diagnostics[0].message)
        except (OSError, *ZIP_ERRORS) as error:
            yield _File(path=inner, shown=str(shown), fault=f"cannot be read as a zip file: {error}")

    def _read_zip(self, archive: Path, top: str, shown: Path, depth: int) -> Iterator[_File]:
        """Yield the files of a zip file; `top` is its path in the folder, `shown` its name for people.

        Raises:
            DataError: it could do harm.
        """
        opened = self._open(archive)
        for path, info in check_members(shown, opened, archive.stat().st_size):
            if any(map(_is_ignored, path.parts)):
                continue
            name, inner = str(shown / path), f"{top}{path}"
            if is_link(info):
                yield _File(path=inner, shown=name, fault="a link")
            elif path.suffix.lower() == ".zip":
                if depth >= _MAX_DEPTH or info.file_size > _MAX_NESTED:
                    most = f"more than {_MAX_DEPTH} zip files in each other, or {format_bytes(_MAX_NESTED)}: extract it"
                    yield _File(path=inner, shown=name, fault=most)
                    continue
                yield from self._read_inner(self._extract(opened, info), inner, shown / path, depth + 1)
            elif path.name == _METADATA:
                self._read_names(self._extract(opened, info))
            else:
                time = float("".join(f"{each:02}" for each in info.date_time))
                yield _File(path=inner, shown=name, time=time, read=partial(self._read_member, archive, info))

    def _extract(self, opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> Path:
        """Return a copy of a member."""
        self._folder = self._folder or self._stack.enter_context(open_temporary_folder())
        target = self._folder / f"{sum(1 for _ in self._folder.iterdir())}"
        with opened.open(info) as source, target.open("xb") as file:
            shutil.copyfileobj(source, file)  # no more than its header says, or zipfile finds another checksum
        return target

    def _read_member(self, archive: Path, info: zipfile.ZipInfo) -> bytes:
        with self._open(archive).open(info) as file:
            return file.read(MAX_CODE + 1)

    def _read_names(self, path: Path) -> None:
        """Read the students of Gradescope's folders; without their names, these are what the folders are called."""
        from judge.problems.yaml.parse import Mapping, Scalar, Sequence, parse_file  # few folders have the file

        try:
            root, _ = parse_file(path, Path(_METADATA), max_size=16 * MIB, advice="")
        except DataError as error:
            self.notes.append(f"{error.diagnostics[0]}: students are called by their folders")
            return
        for folder, entry in root.values.items() if isinstance(root, Mapping) else ():
            group = entry.values.get(":submitters") if isinstance(entry, Mapping) else None
            people = (
                [each.values.get(":name") for each in group.items if isinstance(each, Mapping)]
                if isinstance(group, Sequence)
                else []
            )
            if names := [each.text for each in people if isinstance(each, Scalar) and each.text]:
                self._names[folder] = " and ".join(names).replace("/", "-")

    # ---- names -----------------------------------------------------------------------------------------------------

    def _parse(self, pattern: str) -> Layout:
        """Return the layout that the user gives.

        Raises:
            UsageError: it is none.
        """
        needed = ("{student}",) if len(self.problems) == 1 else ("{student}", "{problem}")
        tokens = _TOKEN.findall(pattern)
        known = (*_TOKENS, "{problem}")
        unknown = [each for each in tokens if each not in known or (each in known[:1] and tokens.count(each) > 1)]
        if unknown or not set(needed) <= set(tokens) or tokens.count("{problem}") > 1:
            raise UsageError(
                f"--as {pattern}: expected a pattern with {' and '.join(needed)}, once each, such as "
                "'{student}_{problem}.*'; also {number}, {late}, * and **/"
            )
        return _make_layout("given", [pattern], self._problem_names)

    @property
    def _problem_names(self) -> str:
        """The expression of the names of all problems; signs and spaces in them may differ."""
        names = sorted(self.problems, key=len, reverse=True)
        return "|".join("[-_ ]*".join(map(re.escape, re.split("[-_ ]+", name))) for name in names)

    def _recognize(self, sources: Sequence[_File]) -> Layout:
        """Return the layout in which most submissions are found."""
        tops = [""]
        first = {each.path.partition("/")[0] for each in sources}
        if len(first) == 1 and all("/" in each.path for each in sources):  # most archives have everything in a folder
            tops.append(f"{first.pop()}/")
        layouts = [
            _make_layout(name, patterns, names, top)
            for names in [self._problem_names, *([_ANY] if len(self.problems) == 1 else [])]
            for name, patterns in LAYOUTS.items()
            if names == _ANY or "{problem}" in patterns[0]
            for top in tops
        ]

        def count(layout: Layout) -> int:
            found = filter(None, (layout.match(each.path) for each in sources))
            return len({(each["student"], each.groupdict().get("problem", "").lower()) for each in found})

        return max(layouts, key=count)

    def _sort(self, files: Sequence[_File]) -> tuple[list[_File], dict[tuple[str, str], list[_Claim]]]:
        """Return the files that fit nothing, and those of each student and problem, the latest last."""
        rest: list[_File] = []
        claims: dict[tuple[str, str], list[_Claim]] = {}
        for file in files:
            found = self._layout.match(file.path) if file.suffix in SUFFIXES and not file.fault else None
            if found is None:
                rest.append(file)
                continue
            said = found.groupdict("")
            problem = self._by_word.get(_word(said.get("problem", "")), next(iter(self.problems)))
            student = self._name(said["student"])
            is_late = bool(said.get("late"))
            claim = _Claim(int(said.get("version") or 0), file.time, natural_key(file.path), file, is_late)
            claims.setdefault((student, problem), []).append(claim)
        for (student, problem), each in claims.items():
            each.sort(key=lambda claim: claim[:3])
            if each[-1].is_late:
                self.late.add(f"{student}/{problem}")
        order = list(self.problems)
        return rest, dict(sorted(claims.items(), key=lambda item: (natural_key(item[0][0]), order.index(item[0][1]))))

    def _name(self, student: str) -> str:
        return self._names.get(student, student)

    def _find_fault(self, file: _File) -> str:
        """Return why a file is no submission."""
        if file.fault:
            return file.fault
        if file.suffix in _OTHER_ARCHIVES:
            return "an archive, but no zip file: extract it"
        if file.suffix not in SUFFIXES:
            kind = f"no language has the suffix `{file.suffix}`" if file.suffix else "the name has no suffix"
            return f"not a source: {kind}; expected {SOME_SUFFIXES}"
        stem = PurePosixPath(file.path).stem
        near = nearest(stem, self.problems)
        hint = f"did you mean {near}?" if near else f"expected {', '.join(self.problems)}"
        return f"no problem is called {quote(stem)}: {hint}"

    def _check_claims(self, files: Sequence[_File]) -> None:
        if not self._claims:
            raise UsageError(
                f"{self._place}: no file is named like a submission: found {quote(files[0].path)}; expected a layout "
                f"such as student/problem.py, with a problem of {', '.join(self.problems)}; to name another layout: "
                "--as '{student}_{problem}.*'; another folder of problems: --problems DIR"
            )

    def _describe(self) -> None:
        """Add notes on the layout, and on what does not count."""
        problems = Counter(problem for _, problem in self._claims)
        found = f"{format_count(len(self._claims), 'submission')} of {format_count(len(self.students), 'student')}"
        self.notes.insert(
            0, f"{found} to {format_count(len(problems), 'problem')}; layout: {self._layout.name}, {self._layout}"
        )
        repeated = {key: claims for key, claims in self._claims.items() if len(claims) > 1}
        if repeated:
            self.notes.append(
                f"{len(repeated):,} with several files; the last counts, by the number in its name, else by its time:"
            )
            self.notes += _cut([
                f"  {'/'.join(key)}: {claims[-1].file.path}, not {', '.join(each.file.path for each in claims[:-1])}"
                for key, claims in repeated.items()
            ])  # fmt: skip
        if self.late:
            late = sorted(self.late, key=natural_key)
            self.notes.append(f"{len(late):,} marked as late, which count like the others: {', '.join(_cut(late))}")
        if self._rest:
            self.notes.append(f"{format_count(len(self._rest), 'file')} not graded:")
            self.notes += _cut([f"  {each.shown}: {self._find_fault(each)}" for each in self._rest])


def _cut(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _MOST_NAMED
    return [*lines[:_MOST_NAMED], f"  and {more:,} more, each with its reason in the results"] if more > 0 else [*lines]


def _word(name: str) -> str:
    """Return the name of a problem as names of files may write it."""
    return re.sub(r"[-_ ]+", "", name).lower()


def _is_ignored(name: str) -> bool:
    return is_leftover(name) or name in ("__MACOSX", "Thumbs.db", "desktop.ini")


def _read_file(path: Path) -> bytes:
    with os.fdopen(open_regular(path, follows_link=True), "rb") as file:
        return file.read(MAX_CODE + 1)
