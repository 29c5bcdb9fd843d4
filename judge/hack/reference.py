"""What a comparison compares with: a baseline, a commit, or an earlier run."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, UsageError
from judge.base.git import extract_folders, resolve_commit
from judge.history.baseline import DEFAULT, baseline_path, list_baselines, read_baseline
from judge.history.history import History
from judge.history.records import SolutionRecord
from judge.model import Problem, Verdict
from judge.problems.paths import shown_path
from judge.runner.cache import machine
from judge.runner.options import ProblemSelection
from judge.workspace.query import Query
from judge.workspace.resolution import ProblemQuery
from judge.workspace.select import Selection, find_unchanged
from judge.workspace.session import Session
from judge.workspace.workspace import Workspace

_RUN = re.compile(r"run-(\d{1,18})", re.ASCII)  # SQLite counts up to 2 ** 63
_FOLDERS = ("problems", "testcases", "solutions")

Judge = Callable[[Selection], Sequence[SolutionRecord]]


class Reference(Struct, frozen=True, kw_only=True):
    """What solutions did at another time.

    Attributes:
        same_machine: whether times and memory can be compared.
        commit: the commit that has the sources, or "".
        unchanged: ids of problems that need no run: no file of them differs from the commit.
        warning: why the records may be incomplete, or "".
    """

    title: str
    records: Sequence[SolutionRecord]
    same_machine: bool = True
    commit: str = ""
    unchanged: frozenset[str] = frozenset()
    warning: str = ""


def find_reference(
    name: str | None, query: Query, *, workspace: Workspace, problems: Sequence[Problem], session: Session, judge: Judge
) -> Reference:
    """Return what a name refers to: a run, a baseline or a commit; without a name, the baseline `main` or HEAD.

    Raises:
        UsageError: the name is unknown, or there is nothing to compare with.
    """
    root = workspace.root
    if name is not None and is_run(name):
        return read_run(name, session.history)
    wanted = name or DEFAULT
    folders = [workspace.baseline_folder(each.id, each.folder if each.is_package else None) for each in problems]
    if any(wanted in list_baselines(folder) for folder in folders):
        return _baseline_reference(wanted, folders)
    if packages := [each.id for each in problems if each.is_package]:
        known = sorted({each for folder in folders for each in list_baselines(folder)})
        raise UsageError(
            f"{name or 'nothing to compare with'}: packages such as {packages[0]} are compared with a baseline "
            f"({', '.join(known) or 'there is none; create one with `judge baseline save`'}) or a run (run-N)"
        )
    commit = resolve_commit(root, name or "HEAD")
    if commit is not None:
        unchanged = find_unchanged(root, problems, workspace.problem_ids(), commit)
        return _commit_reference(commit, name or "HEAD", query, workspace, judge, unchanged=unchanged)
    if name is None:
        raise UsageError(
            "nothing to compare with: there is no baseline (create one with `judge baseline save`) and no commit; "
            "to compare with an earlier run: judge compare run-N (`judge history` lists them)"
        )
    known = sorted(
        {each for problem in workspace.problem_ids() for each in list_baselines(root / "testcases" / problem)}
    )
    raise UsageError(
        f"{name}: not a baseline ({', '.join(known) or 'there are none'}), a commit, a run (run-N), or a target"
    )


def is_run(name: str) -> bool:
    """Return whether a name is that of a run of the history."""
    return _RUN.fullmatch(name) is not None


def read_run(name: str, history: History) -> Reference:
    """Return what a run of the history recorded. Raises UsageError if there is no such run."""
    number = int(name.removeprefix("run-"))
    records = history.records(number)
    if not records:
        message = f"run {number} is not in the history, or it judged nothing; `judge history` lists the runs"
        raise UsageError(f"{message}\n{history.warning}" if history.warning else message)
    return Reference(title=f"run {number}", records=records, warning=history.warning)


def keep_selected(records: Sequence[SolutionRecord], query: Query, workspace: Workspace) -> Iterator[SolutionRecord]:
    """Yield the part of old records that a query selects now."""
    resolved = workspace.resolve(query)
    parts = {problem: (part, workspace.root) for problem, part in resolved.problems.items()}
    if resolved.packages:
        from judge.workspace.packages import package_ids

        parts |= {name: (resolved.packages[path], path) for path, name in package_ids(resolved.packages).items()}
    files = {str(shown_path(file, workspace.root)): each.problem.id for each in resolved.loose for file in each.files}
    for record in records:
        if problem := files.get(record.solution):
            yield replace(record, problem=problem)  # the id of its problem depends on how many files share the cases
        part, base = parts.get(record.problem, (None, workspace.root))
        if part and part.has_solution(base / record.solution):
            yield replace(record, cases={name: each for name, each in record.cases.items() if part.has_case(name)})


def unjudged_records(problems: Iterable[Problem]) -> Iterator[SolutionRecord]:
    """Yield a record without a verdict for each solution of problems that need no run."""
    for problem in problems:
        for solution in problem.solutions:
            yield SolutionRecord(
                problem=problem.id,
                solution=solution.display_path,
                language="",
                expected="",
                source="",
                verdict=Verdict.SK,
                as_expected=True,
            )


def _baseline_reference(name: str, folders: Sequence[Path]) -> Reference:
    paths = [baseline_path(folder, name) for folder in folders]
    found = [read_baseline(path) for path in paths if path.exists()]
    commits = dict.fromkeys(
        each.commit[:12] + (" with edits" if each.is_dirty else "") for each in found if each.commit
    )
    at = f", saved at {', '.join(commits)}" if commits else ""
    return Reference(
        title=f"baseline {name}{at}",
        records=[record for each in found for record in each.records],
        same_machine=all(each.machine == " ".join(machine()) for each in found),
        commit=next((each.commit for each in found), ""),
    )


def _commit_reference(
    commit: str, name: str, query: Query, workspace: Workspace, judge: Judge, *, unchanged: frozenset[str]
) -> Reference:
    """Judge the files of a commit, each solution as it was, without the unchanged problems."""
    title = f"{name} ({commit[:12]})"
    resolved = {name: part for name, part in workspace.resolve(query).problems.items() if name not in unchanged}
    if not resolved:
        return Reference(title=title, records=[], commit=commit, unchanged=unchanged)
    with TemporaryDirectory(prefix="judge-commit-") as old_root:
        extract_folders(workspace.root, commit, _FOLDERS, Path(old_root))
        old = Workspace(root=Path(old_root), state_folder=workspace.state_folder, is_repository=True)
        known = old.problem_ids()
        targets = tuple(problem for problem in resolved if problem in known)
        if not targets:
            return Reference(title=title, records=[], unchanged=unchanged)
        try:
            selection = old.select(Query(targets=targets))
            parts = [_keep_part(each, resolved[each.problem.id], workspace.root) for each in selection.problems]
            for part in parts:
                if part.problem.solutions and not part.problem.cases:
                    raise UsageError(
                        f"{title} has none of these cases of {part.problem.id}, so there is nothing to compare with; "
                        f"to compare all cases: judge compare {name} {part.problem.id}"
                    )
            selection = replace(selection, problems=[each for each in parts if each.problem.solutions])
            records = judge(selection) if selection.problems else []
            return Reference(title=title, records=records, commit=commit, unchanged=unchanged)
        except DataError as error:
            message = str(error).replace(f"{old_root}/", "")
            raise UsageError(f"the files of {title} cannot be judged:\n{message}") from error


def _keep_part(selection: ProblemSelection, wanted: ProblemQuery, root: Path) -> ProblemSelection:
    problem = selection.problem
    solutions = tuple(each for each in problem.solutions if wanted.has_solution(root / each.display_path))
    cases = tuple(each for each in problem.cases if wanted.has_case(each.id))
    is_complete = len(cases) == len(problem.cases)
    return replace(selection, problem=replace(problem, solutions=solutions, cases=cases), is_complete=is_complete)
