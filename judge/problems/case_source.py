"""What `--cases` names: a folder, an input, a zip file, a problem file of cph, or a pattern (`tests/%s.in:%s.out`)."""

import glob
import os
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from shlex import quote

import msgspec
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.units import MIB, Bytes, Seconds
from judge.model import Case, InFile, Inline, Problem, ProblemSource
from judge.problems.conventions import (
    answer_names,
    answer_names_elsewhere,
    case_name,
    find_pairs,
    is_folder_of_inputs,
    is_input_beside,
)
from judge.problems.folder import FoundCases, load_cases, natural_key
from judge.problems.paths import find_file_error, is_program, shown_path

_MAX_MATCHES = 100_000
_ZIP_MAGIC = b"PK"


def is_pattern(path: Path) -> bool:
    """Return whether these are the names of inputs and answers, with `%s` for what differs, rather than one file."""
    return "%s" in str(path) and not os.path.lexists(path)


def find_case_folder(path: Path) -> Path:
    """Return the folder that has the cases: the path itself, if it is one."""
    if is_pattern(path):
        return _start_of(str(path).partition(":")[0])
    return path if os.path.isdir(path) else path.parent  # noqa: PTH112 - see `load_case_source`


def _start_of(pattern: str) -> Path:
    """Return the deepest folder that all files of a pattern are in."""
    return _absolute(pattern.partition("%s")[0] + "x").parent


def _absolute(path: str) -> Path:
    return Path(os.path.abspath(os.path.expanduser(path)))  # noqa: PTH100, PTH111 - not resolve(): a link keeps its name


def load_case_source(path: Path, problem: Problem) -> tuple[Sequence[Case], tuple[Diagnostic, ...]]:
    """Return the cases in whatever a path names, judged as the problem says, and what is wrong with some files.

    Raises:
        UsageError: there is nothing of this name, or no case in it.
        DataError: it cannot be read.
    """
    if is_pattern(path):
        return _load_pattern(str(path), problem), ()
    if "*" in str(path) and not os.path.lexists(path):
        raise UsageError(
            f"--cases {path}: no such file or folder; in a pattern, `%s` stands for the name of a case: "
            f"--cases '{str(path).replace('*', '%s', 1)}'"
        )
    if not os.path.isfile(path):  # noqa: PTH113 - Path.is_file raises if a folder above cannot be entered
        return load_cases(path, problem)
    path = Path(os.path.abspath(path))  # noqa: PTH100 - not resolve(): a link keeps its name
    if error := find_file_error(path):
        raise DataError([Diagnostic(path=path, message=error)])
    if path.suffix == ".prob":
        if not (cases := read_problem_file(path, problem).cases):
            raise UsageError(f"{path}: this problem has no tests; add one in cph, or name other cases with --cases")
        return cases, ()
    with path.open("rb") as file:
        is_zip = file.read(2) == _ZIP_MAGIC
    if is_zip or path.suffix.lower() == ".zip":
        from judge.problems.archive import load_zip

        return load_zip(path, problem), ()
    near = find_input(path)
    if near is not None and near != path:
        given = quote(str(shown_path(near, Path.cwd())))
        raise UsageError(f"{path}: this is the answer to {near.name}; name the input: --cases {given}")
    name = case_name(path.name) if any(answer_names(path.name)) else path.stem
    return [_make_case(path.parent.name, name, path, _find_answer(path), problem)], ()


def find_input(path: Path) -> Path | None:
    """Return the file if it is an input by its name, or the input beside it that it answers; or None."""
    names = os.listdir(path.parent)  # noqa: PTH208 - names are enough
    if is_input_beside(path.name, set(names).__contains__):
        return path
    near = next((name for name in sorted(names) if path.name in answer_names(name)), None)
    return None if near is None else path.parent / near


def _find_answer(source: Path) -> Path | None:
    """Return the answer beside an input, or in the folder of answers beside its folder."""
    folder, elsewhere = source.parent, [*answer_names_elsewhere(source.name)]
    places = [folder / name for name in elsewhere if name != source.name]
    if is_folder_of_inputs(folder.name):
        pairs = find_pairs(each.name for each in folder.parent.iterdir())
        places += (folder.parent / pairs[folder.name] / name for name in elsewhere if folder.name in pairs)
    return next((each for each in places if each.is_file() and not is_program(str(each))), None)


def _load_pattern(pattern: str, problem: Problem) -> list[Case]:
    """Return the cases of a pattern; as in oj, `%s` is the name of a case.

    An answer's pattern without a folder is in that of the input; without any, the usual names are tried.
    """
    given, _, answer = pattern.partition(":")
    if "%s" not in given or answer.count("%s") > 1 or (answer and "%s" not in answer):
        raise UsageError(f"--cases {pattern}: expected `%s` once in each part, as in 'tests/%s.in:%s.out'")
    start = _start_of(given)
    given = str(_absolute(given))
    before, *rest = given.split("%s")
    names = re.compile(re.escape(before) + "(.+?)" + r"\1".join(map(re.escape, rest)) if rest else re.escape(before))
    cases: list[Case] = []
    for found in glob.iglob("*".join(map(glob.escape, given.split("%s")))):  # noqa: PTH207 - the pattern is absolute
        match = names.fullmatch(found)
        if match is None or not os.path.isfile(found):  # noqa: PTH113
            continue
        if len(cases) == _MAX_MATCHES:
            raise UsageError(f"--cases {pattern}: more than {_MAX_MATCHES:,} inputs")
        source = Path(found)
        filled = answer.replace("%s", match[1])
        place = _absolute(filled) if "/" in filled else source.parent / filled
        beside = (place if place.is_file() else None) if answer else _find_answer(source)
        if beside == source:
            raise UsageError(f"--cases {pattern}: {source} would be its own answer")
        cases.append(_make_case(start.name, match[1], source, beside, problem))
    if not cases:
        raise UsageError(f"--cases {pattern}: no file matches {given.replace('%s', '*')}")
    if answer and not any(case.answer for case in cases):
        raise UsageError(
            f"--cases {pattern}: no answer matches {answer.replace('%s', '*')}; to run without answers: "
            f"--cases {pattern.partition(':')[0]}"
        )
    return sorted(cases, key=lambda case: (natural_key(case.name), case.name))


def _make_case(group: str, name: str, source: Path, answer: Path | None, problem: Problem) -> Case:
    return Case(
        group=group or "cases",
        name=name,
        input=InFile(source),
        answer=None if answer is None else InFile(answer),
        limits=problem.limits,
        checker=problem.checker,
        origin=source,
        file_names=problem.file_names,
    )


# ---- cph -----------------------------------------------------------------------------------------------------------

# Its problem files, `.cph/.a.py_<hash>.prob` beside `a.py`, are JSON in the format of Competitive Companion.


class CompanionTest(msgspec.Struct):
    """An input and its answer."""

    input: str
    output: str


class CompanionTask(msgspec.Struct, rename="camel", kw_only=True):
    """The members of a problem that are used; others are ignored."""

    name: str = ""
    tests: list[CompanionTest]
    url: str | None = None
    interactive: bool | None = None
    memory_limit: float | None = None
    time_limit: float | None = None


def find_problem_file(source: Path) -> Path | None:
    """Return cph's file for a source, or None; the hash in its name depends on where cph saw the source."""
    folder = source.parent / ".cph"
    prefix = f".{source.name}_"
    try:
        names = sorted(each.name for each in folder.iterdir())
    except OSError:
        return None
    return next((folder / name for name in names if name.startswith(prefix) and name.endswith(".prob")), None)


def read_problem_file(path: Path, problem: Problem) -> FoundCases:
    """Read a problem file; the problem has what it does not say.

    Raises:
        DataError: it cannot be read, or is something else.
    """
    if reason := find_file_error(path, max_size=64 * MIB):
        raise DataError([Diagnostic(path=path, message=reason)])
    try:
        task = msgspec.json.decode(path.read_bytes(), type=CompanionTask)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OSError) as error:
        message = f"not a problem file of cph: {error}; delete it, or name other cases with --cases"
        raise DataError([Diagnostic(path=path, message=message)]) from error
    cpu, memory = read_time_limit(task.time_limit), read_memory_limit(task.memory_limit)
    limits, url = problem.limits.override(cpu=cpu, memory=memory), task.url or ""
    source = ProblemSource(name=task.name, url=url) if url.startswith(("http://", "https://")) else None
    make = partial(Case, group="cph", limits=limits, checker=problem.checker, origin=path)
    return FoundCases(
        problem=replace(problem, source=source, limits=limits),
        places=(path,),
        cases=tuple(
            make(name=str(number), input=Inline(test.input.encode()), answer=Inline(test.output.encode()))
            for number, test in enumerate(task.tests, 1)
        ),
        limits_from="" if limits == problem.limits else "cph",
        notes=("the problem is interactive, and its samples are dialogues",) if task.interactive else (),
    )


def read_time_limit(limit: float | None) -> Seconds | None:
    """Return a time limit, given in milliseconds; None if it means nothing."""
    return Seconds(round(limit) / 1000) if limit is not None and 1 <= limit <= 24 * 60 * 60 * 1000 else None


def read_memory_limit(limit: float | None) -> Bytes | None:
    """Return a memory limit, given in MiB; None if it means nothing."""
    return Bytes(round(limit) * MIB) if limit is not None and 1 <= limit <= 1024 * 1024 else None
