"""Check whether a source is ready for an online judge, by its text and by its runs."""

import platform
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from judge.base.errors import DataError, Diagnostic, Severity
from judge.languages.table import find_language
from judge.online.lint.dry_run import DryRun, check_dry_run
from judge.online.lint.judges import OnlineJudge
from judge.online.lint.requirements import Guards, Names, check_requirements
from judge.online.lint.restrictions import check_access, check_file, check_imports
from judge.online.lint.versions import find_version_requirements
from judge.online.python_source import find_bundled, parse_source


class CheckReport(Struct, frozen=True, kw_only=True):
    """What a check finds.

    Attributes:
        path: the file, as the user should see it.
        diagnostics: first those of the text, in its order, then those of the runs.
        notes: what was not checked, and why; a line each.
        dry_run: the runs; None if nothing ran.
        ran_on: the name of the interpreter or language; "" if nothing ran.
    """

    path: Path
    judge: OnlineJudge
    diagnostics: Sequence[Diagnostic]
    notes: Sequence[str] = ()
    dry_run: DryRun | None = None
    ran_on: str = ""

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(each.severity is Severity.ERROR for each in self.diagnostics)

    @property
    def is_ready(self) -> bool:
        """Whether the file can be submitted: there may be warnings."""
        return not self.errors


def check_source(
    path: Path,
    data: bytes,
    judge: OnlineJudge,
    *,
    shown: Path | None = None,
    problem: str = "",
    dry_run: DryRun | None = None,
    interpreter: str = "",
    notes: Sequence[str] = (),
) -> CheckReport:
    """Check a file for a judge.

    Args:
        path: the file.
        data: its bytes.
        judge: the judge that gets it.
        shown: the file as the user should see it; `path` by default.
        problem: the id of its problem in the repository; "" if it is not in one.
        dry_run: its runs on the cases of its problem; None if the problem is unknown.
        interpreter: the name and version of the Python of the runs; "" for that of `judge`.
        notes: what the caller adds to the report's notes.

    Raises:
        ToolError: no language has the file's suffix.
        OSError: the file's folder cannot be read.
    """
    shown = shown or path
    language = find_language(path)
    is_python = language.id == "python3"
    names = (each.case.file_names for each in dry_run.results.values()) if dry_run else ()
    files = frozenset(name for each in names if each for name in each.used)
    modules = find_own_modules(path) if is_python else frozenset[str]()
    diagnostics = check_text(shown, data, judge, modules, files)
    notes = list(notes)
    ran_on = ""
    if dry_run is None:
        notes.append("nothing was run: the problem is unknown; name it with --problem ID")
    else:
        ran_on = interpreter or (f"CPython {platform.python_version()}" if is_python else language.name)
        notes += [f"skipped: {line}" for line in dry_run.skipped]
        diagnostics += check_dry_run(dry_run, judge, shown, problem=problem, ran_on=ran_on)
    if not judge.runs_code:
        notes.append(f"{judge.name} runs no code: you submit the answer, and the program may do anything")
    return CheckReport(path=shown, judge=judge, diagnostics=diagnostics, notes=notes, dry_run=dry_run, ran_on=ran_on)


def find_own_modules(path: Path) -> frozenset[str]:
    """Return the names of the modules and packages in a file's folder; for a link, in the folder of its target."""
    path = path.resolve()
    entries = [entry for entry in path.parent.iterdir() if entry != path]
    modules = {entry.stem for entry in entries if entry.suffix == ".py"}
    for folder in filter(Path.is_dir, entries):
        # without `__init__.py`, a module of the standard library comes first
        is_namespace = folder.name not in sys.stdlib_module_names and any(folder.glob("*.py"))
        if is_namespace or (folder / "__init__.py").is_file():
            modules.add(folder.name)
    return frozenset(modules)


# ---- the text --------------------------------------------------------------------------------------------------------


def check_text(
    path: Path,
    data: bytes,
    judge: OnlineJudge,
    own_modules: frozenset[str] = frozenset(),
    files: frozenset[str] = frozenset(),
) -> list[Diagnostic]:
    """Check a file without running it; it may open `files`, which take the place of standard input and output.

    Returns:
        The findings in the order of the text, those about the whole file last; none if the judge runs no code.
    """
    if not judge.runs_code:
        return []
    found = dict.fromkeys(check_file(path, data, judge))
    if path.suffix.lower() == ".py" and data.strip():
        found |= dict.fromkeys(_check_python(path, data, judge, own_modules, files))
    return sorted(found, key=lambda each: (each.line == 0, each.line, each.column, each.message))


def _check_python(
    path: Path, data: bytes, judge: OnlineJudge, own_modules: frozenset[str], files: frozenset[str]
) -> Sequence[Diagnostic]:
    found: list[Diagnostic] = []
    try:
        main = parse_source(path, data)
        modules = dict(find_bundled(main))
        bundled = {name.partition(".")[0] for name in modules}
        for source in (main, *modules.values()):
            names = Names(source.tree)
            guards = Guards(source.tree, names)
            requirements = guards.apply(find_version_requirements(source, names))
            found += check_requirements(requirements, judge, path)
            found += check_imports(source, guards, judge, own_modules, bundled)
            found += check_access(source, names, judge, files)
    except DataError as error:
        return error.diagnostics
    except RecursionError:
        message = "the expressions are nested too deeply to check; a judge's Python may reject them too"
        return [Diagnostic(path=path, severity=Severity.WARNING, rule="source", message=message, fix="split them")]
    return found
