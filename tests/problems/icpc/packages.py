"""Small packages for tests, written as code."""

from collections.abc import Mapping
from pathlib import Path

from judge.base.errors import DataError, Diagnostic, Severity
from judge.model import Problem
from judge.problems.icpc.load import load_package

MINIMAL: Mapping[str, str] = {
    "problem.yaml": "name: Sum\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/1.in": "2 3\n",
    "data/secret/1.ans": "5\n",
    "submissions/accepted/sum.py": "print(sum(map(int, input().split())))\n",
}


def write(folder: Path, files: Mapping[str, str | bytes | None]) -> Path:
    """Write the files into a folder; None removes one."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def load(folder: Path, files: Mapping[str, str | bytes | None] | None = None) -> tuple[Problem, list[Diagnostic]]:
    """Load the minimal package with other files added."""
    package = write(folder / "sum", {**MINIMAL, **(files or {})})
    return load_package(package, root_for_display=folder)


def load_clean(folder: Path, files: Mapping[str, str | bytes | None] | None = None) -> Problem:
    """Load a package with which nothing is wrong."""
    problem, diagnostics = load(folder, files)
    assert not diagnostics, "\n".join(map(str, diagnostics))
    return problem


def messages(folder: Path, files: Mapping[str, str | bytes | None], severity: Severity | None = None) -> list[str]:
    """Load a package and return what is wrong with it, as it is printed."""
    try:
        _, diagnostics = load(folder, files)
    except DataError as error:
        diagnostics = list(error.diagnostics)
    return [str(each) for each in diagnostics if severity in (None, each.severity)]
