"""Layouts: where the files of a problem belong. Paths are relative to the folder that is written to.

repository   problems/ID/, testcases/ID/, solutions/ID/: see docs/format.md
folder       a folder for each problem: abc300/a/a.py with abc300/a/tests/sample-1.in and .out
contest      a folder for each contest: abc300/a.py with abc300/tests/a/sample-1.in and .out

The two plain layouts are conventions by which `judge run FILE` finds the cases of a file.
"""

from pathlib import Path

from msgspec import Struct

from judge.languages.table import SUFFIXES
from judge.online.samples.readers import Draft, Program
from judge.online.samples.repository import problem_files
from judge.problems.yaml.write import text_yaml


class Placement(Struct, frozen=True, kw_only=True):
    """Where a problem belongs in a layout.

    Attributes:
        files: contents by path, without solutions; the last one completes the problem.
        cases: the file or folder with the cases.
        solution: the path of a new solution, without its suffix.
        programs: where a solution that came with the problem goes, with the fields `{expectation}` and `{name}`.
        solutions: a glob pattern for the problem's solutions; other files may match, too.
    """

    files: dict[str, bytes]
    cases: str
    solution: str
    programs: str
    solutions: str

    def program_path(self, program: Program) -> str:
        """Return where a solution that came with the problem goes."""
        return self.programs.format(expectation=program.expectation, name=program.name)

    def find_solution(self, root: Path) -> str | None:
        """Return the path of the first solution that exists.

        Raises:
            OSError: a folder cannot be listed.
        """
        found = sorted(path for path in root.glob(self.solutions) if path.suffix.lower() in SUFFIXES)
        return str(found[0].relative_to(root)) if found else None


def place(draft: Draft, layout: str) -> Placement:
    """Return where a problem belongs in a layout."""
    index = draft.index or draft.id
    match layout:
        case "folder":
            folder = f"{draft.contest}/{index}" if draft.contest else index
            return _plain(draft, cases=f"{folder}/tests", problem=folder, solution=f"{folder}/{index}", pattern="*")
        case "contest":
            top = f"{draft.contest}/" if draft.contest else ""
            cases = f"{top}tests/{index}"
            return _plain(draft, cases=cases, problem=cases, solution=f"{top}{index}", pattern=f"{index}.*")
    groups = {sample.group for sample in draft.samples}
    return Placement(
        files=problem_files(draft),
        cases=f"testcases/{draft.id}" + ("/sample.yaml" if groups == {"sample"} else ""),
        solution=f"solutions/{draft.id}/accepted/{draft.id}",
        programs=f"solutions/{draft.id}/{{expectation}}/{{name}}",
        solutions=f"solutions/{draft.id}/*/*",
    )


def _plain(draft: Draft, *, cases: str, problem: str, solution: str, pattern: str) -> Placement:
    files: dict[str, bytes] = {}
    for sample in draft.samples:
        files[f"{cases}/{sample.name}.in"] = sample.input
        files[f"{cases}/{sample.name}.out"] = sample.answer
    files[f"{problem}/problem.yaml"] = _package_yaml(draft).encode()
    folder = solution.rpartition("/")[0]
    return Placement(
        files=files,
        cases=cases,
        solution=solution,
        programs=f"{folder}/{{name}}" if folder else "{name}",
        solutions=f"{folder}/{pattern}" if folder else pattern,
    )


def _package_yaml(draft: Draft) -> str:
    """Return a problem.yaml of the ICPC format (2025-09), which other tools read, too; `memory` is in MiB."""
    lines = [f"name: {text_yaml(draft.title)}"]
    if draft.source or draft.url:
        lines += ["source:", f"  name: {text_yaml(draft.source or draft.title)}"]
        lines += [f"  url: {text_yaml(draft.url)}"] if draft.url else []
    if draft.cpu or draft.memory:
        lines.append("limits:")
        lines += [f"  time_limit: {draft.cpu:g}"] if draft.cpu else []
        lines += [f"  memory: {draft.memory >> 20}"] if draft.memory else []
    return "\n".join(lines) + "\n"
