"""The proof of a bundle: it earns, on every case of its problem, the verdict that the original earns.

The original is run from copies of its files in the same places to each other, by a few lines that set the search path
as `python FILE` (for a file in a package: `python -m PACKAGE.FILE`) does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from judge.executors import LocalExecutor
from judge.languages.table import CompileError
from judge.model import Problem, Verdict
from judge.online.bundle.assemble import Bundle
from judge.online.lint.dry_run import DryRun, built, run_all
from judge.preparation.cases import DataStore

_RUNNER = "run_the_original.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What the two runs showed.

    Attributes:
        differences: cases whose verdicts differ, a line each; empty when the bundle is proved.
        cases: how many were run.
        skipped: how many were not, for want of their data.
        verdicts: that both earned.
    """

    differences: tuple[str, ...]
    cases: int
    skipped: int = 0
    verdicts: frozenset[Verdict]


def prove(
    made: Bundle, entry: Path, problem: Problem, executor: LocalExecutor, *, store: DataStore, tools: Mapping[str, str]
) -> Proof:
    """Run a bundle and its original on all cases of a problem.

    Raises:
        DataError: the problem's data is wrong.
        JudgeError: one cannot be run here.
    """
    written = _write(store.build / "bundle", Path(entry.name), made.data)
    program = built(written, executor, store, tools)
    if isinstance(program, CompileError):
        return Proof(differences=(f"the bundle does not compile: {program.message}",), cases=0, verdicts=frozenset())
    runner = _copies(made, store.build / "original")
    argv = tuple(str(runner) if word == str(program.copy) else word for word in program.argv)
    original = replace(program, argv=argv, source=entry, copy=runner)
    trials = [run_all(each, problem, executor, store) for each in (original, program)]
    return _compared(*trials)


def _compared(original: DryRun, bundle: DryRun) -> Proof:
    pairs = list(zip(original.cases, bundle.cases, strict=True))
    differences = tuple(
        f"{one.case.id}: the original earns {one.verdict}, the bundle {other.verdict} ({other.reason or one.reason})"
        for one, other in pairs
        if one.verdict is not other.verdict
    )
    verdicts = frozenset(each.verdict for each in original.cases)
    return Proof(differences=differences, cases=len(pairs), skipped=len(original.skipped), verdicts=verdicts)


def _copies(made: Bundle, folder: Path) -> Path:
    """Copy the original's files, in their places to each other; return what runs them."""
    package, entry = made.found.package, made.found.entry.path
    top = entry.parents[package.count(".") + 1 if package else 0]
    sources = [each.source for each in made.found.modules.values() if each.source]
    for path, data in ((entry, made.found.entry.data), *((source.path, source.data) for source in sources)):
        _write(folder, path.relative_to(top), data)
    copy = folder / entry.relative_to(top)
    how = f'runpy.run_path({str(copy)!r}, run_name="__main__")'
    if package:
        how = f'runpy.run_module("{package}.{entry.stem}", run_name="__main__", alter_sys=True)'
    text = f"import runpy, sys\nsys.path[:0] = [{str(copy.parent)!r}, {str(folder)!r}]\n{how}\n"
    return _write(folder, Path(_RUNNER), text.encode())


def _write(top: Path, place: Path, data: bytes) -> Path:
    """Write a file that the sandbox, perhaps as another user, can read; return its path.

    Args:
        top: a folder of our own.
        place: the file's place in it.
        data: what it holds.
    """
    path = top / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o644)
    for folder in (top, *(top / each for each in place.parents)):
        folder.chmod(0o755)
    return path
