"""An ICPC problem package as a problem of a repository: what of it a repository can hold, and what it cannot.

Imported are the name, the limits, the flags of the default output validator, the samples and secret data, a statement
in Markdown or LaTeX, and the submissions that are single files with one expected verdict.
"""

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import DataError, Severity, UsageError
from judge.base.units import GIB, Bytes
from judge.languages.table import SUFFIXES
from judge.model import DEFAULT_LIMITS, EXPECTATIONS, ProblemType
from judge.online.problem_ref import slug
from judge.online.samples.readers import Draft, Program, Sample, printable_line, read_pairs
from judge.problems.icpc.expectations import find_annotations
from judge.problems.icpc.files import PackageFolder, find_statements
from judge.problems.icpc.load import read_rules
from judge.problems.icpc.test_data import DATA
from judge.problems.paths import find_file_error, list_folder
from judge.problems.statement import read_statement

_STATEMENTS = ("statement", "problem_statement")
_VALIDATORS = {
    "its input validators": ("input_validators", "input_format_validators"),
    "its output validator": ("output_validator", "output_validators"),
}
_OTHER_PARTS = ("generators", "generator", "include", "attachments", "answer_validators", "solution")
_EXPECTED = {"AC": "accepted", "WA": "wrong_answer", "TLE": "time_limit_exceeded", "RTE": "run_time_error"}


def is_package(folder: Path) -> bool:
    """Return whether a folder is an ICPC package; its problem.yaml may be missing in old ones."""
    parts = [each for each in ("problem.yaml", "data", "submissions", *_STATEMENTS) if (folder / each).exists()]
    return "data" in parts and len(parts) > 1 and any((folder / "data" / each).is_dir() for each in DATA)


def read_package_draft(folder: Path, wanted_id: str | None) -> Draft:
    """Read a package.

    Raises:
        UsageError: its name makes no id.
        DataError: problem.yaml or some files of its test data are wrong; carries a diagnostic for each.
    """
    problem_id = wanted_id or slug(folder.resolve().name)
    if not problem_id:
        raise UsageError(f"{folder}: cannot derive an id from the folder's name; pass --id ID")
    package = PackageFolder.at(folder)
    defaults = replace(DEFAULT_LIMITS, memory=Bytes(2 * GIB))  # of the format, unless problem.yaml says otherwise
    problem, is_custom = read_rules(package, defaults)
    if errors := [each for each in package.found() if each.severity is Severity.ERROR]:
        raise DataError(errors)
    left_out: list[str] = []  # what is not imported
    samples = [*_read_data(folder, "sample"), *(secret := _read_data(folder, "secret"))]
    statement = _read_statement(package, left_out)
    left_out += [kind for kind, places in _VALIDATORS.items() if any(_list(folder / place) for place in places)]
    programs = _read_submissions(package, left_out)
    left_out += [f"{each}/" for each in _OTHER_PARTS if (folder / each).is_dir()]
    left_out += [f"data/{each}/" for each in _list(folder / "data") if each not in DATA]
    notes = ["its own output validator is not run: outputs are compared by tokens"] if is_custom else []
    if not secret and (folder / "generators" / "generators.yaml").exists():
        notes.append("it has no secret cases: BAPCtools generates them: `bt generate`, then import again")
    if ProblemType.SCORING in problem.types:
        notes.append("it is scored; here a case is right or wrong")
    if problem.needs_time_limit:
        notes.append("it sets no time limit; the default applies, 2 s")
    return Draft(
        id=problem_id,
        title=printable_line(problem.name),
        cpu=problem.limits.cpu,
        memory=problem.limits.memory,
        checker=problem.checker,
        samples=tuple(samples),
        programs=programs,
        statement=statement,
        package=folder,
        is_interactive=bool(problem.types - {ProblemType.SCORING}),
        summary=tuple(f"not imported: {each}" for each in left_out),
        notes=tuple(notes),
    )


def _read_data(folder: Path, group: str) -> Sequence[Sample]:
    place = folder / "data" / group
    try:
        return read_pairs(place, group) if place.is_dir() else []
    except UsageError:  # no cases
        return []


def _read_statement(package: PackageFolder, left_out: list[str]) -> str:
    """Return a statement in Markdown; "" if there is none."""
    statements = find_statements(package)
    path = next((path for path in statements.values() if path.suffix != ".pdf"), None)
    if path is None:
        left_out += ["the statement (only Markdown and LaTeX are)"] if statements else []
        return ""
    try:
        statement = read_statement(path)
    except UsageError as error:
        left_out.append(f"the statement: {error}")
        return ""
    left_out += [f"{each} of the statement" for each in statement.left_out]
    return statement.text


def _read_submissions(package: PackageFolder, left_out: list[str]) -> tuple[Program, ...]:
    """Return the submissions that are single files with one expected verdict."""
    top = package.path / "submissions"
    programs: dict[tuple[str, str], Program] = {}
    others = []
    for folder in _list(top):
        for name in _list(top / folder):
            path = top / folder / name
            data, expectation = b"", None
            if path.suffix.lower() in SUFFIXES and not find_file_error(path) and not package.leads_out(path):
                data = path.read_bytes()
                expectation = folder if folder in EXPECTATIONS else None
                if annotations := find_annotations(data):  # `@EXPECTED_RESULTS@`
                    verdicts = annotations[0].verdicts
                    expectation = _EXPECTED.get(verdicts[0]) if len(verdicts) == 1 else None
            if expectation is None:
                others.append(f"submissions/{folder}/{name}")
                continue
            unique = name if (expectation, name) not in programs else f"{folder}-{name}"
            programs[expectation, unique] = Program(expectation=expectation, name=unique, data=data)
    if others:
        left_out.append(f"{', '.join(others)} (not a single source file with one expected verdict)")
    return tuple(programs.values())


def _list(folder: Path) -> list[str]:
    """Return the names in a folder that count, sorted; none if it cannot be listed."""
    return [entry.name for entry in list_folder(folder, folder, [])]
