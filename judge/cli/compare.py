"""`judge compare`: what changed since a baseline, a commit or an earlier run."""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.cli.collect import sheets_of
from judge.cli.select import Chosen, select
from judge.cli.slower import Key, Sources, Timing, timings
from judge.cli.targets import Wanted, wanted_of, words_as_targets
from judge.cli.workspace import cache_of, root_of, say_warning, workshop
from judge.errors import DataError, UsageError
from judge.executors import LocalExecutor
from judge.git import commit_of, extract, text_of
from judge.history import baseline
from judge.history.changes import Change, changes
from judge.history.history import History
from judge.history.records import SolutionRecord
from judge.history.results import ResultStore
from judge.preparation.cases import DataStore
from judge.problems.native import problem_ids
from judge.reporters.canvas import Canvas
from judge.reporters.changes import change_lines, change_record, is_regression
from judge.reporters.lines import Span, Style, make_line
from judge.reporters.reporter import OutputOptions as Showing
from judge.runner import Selection
from judge.runner.cache import machine
from judge.timing.comparison import ComparisonKind as Slowness

_RUN = re.compile(r"run-(\d{1,18})", re.ASCII)  # of the history; SQLite counts up to 2 ** 63
_FOLDERS = ("problems", "testcases", "solutions")


@dataclass(frozen=True, slots=True, kw_only=True)
class Then:
    """What is compared with.

    Attributes:
        title: for people.
        sheets: what the solutions did.
        same_machine: times and memory can be compared.
        commit: which has the sources; "" when none is known.
    """

    title: str
    sheets: Sequence[SolutionRecord]
    same_machine: bool = True
    commit: str = ""


def compare_command(args: argparse.Namespace) -> int:
    """Carry out `judge compare`; return the exit status."""
    root = root_of(args)
    word, args.targets = words_as_targets(args.words, root, what="reference")
    chosen = select(args)
    with workshop(args, root) as (executor, store):
        with closing(ResultStore(cache_of(root) / "results.sqlite")) as results:
            judging = _Judging(executor, store, results)
            then = _then(word, args, root, chosen, judging)
            now = judging.sheets(chosen)
        found = list(changes(_comparable(then.sheets, args, root), now, costs=then.same_machine))
        timed: dict[Key, Timing] = {}
        if args.timing:
            sources = Sources(old=_old_texts(found, then, root), root=root)
            problems = [each.problem for each in chosen.selections]
            timed = dict(timings(found, sources, problems, executor, store))
    _report(args, then, found, timed)
    return 1 if is_regression(found) or _slower(timed) else 0


def _slower(timed: Mapping[Key, Timing]) -> int:
    return sum(each.comparison.kind is Slowness.SLOWER for each in timed.values())


def _old_texts(found: Sequence[Change], then: Then, root: Path) -> dict[Key, bytes | None]:
    """Return the old text of each solution that was edited, from the history or the commit: the one that was judged."""
    texts: dict[Key, bytes | None] = {}
    with closing(History(cache_of(root) / "history.sqlite")) as history:
        for change in found:
            if change.old and change.source_changed:
                text = history.source(change.old.source)
                if text is None and then.commit:
                    text = text_of(root, then.commit, change.old.solution)
                is_it = text is not None and hashlib.sha256(text).hexdigest() == change.old.source
                texts[change.old.problem, change.old.solution] = text if is_it else None
    return texts


@dataclass(frozen=True, slots=True)
class _Judging:
    """What judging needs, for both sides."""

    executor: LocalExecutor
    store: DataStore
    results: ResultStore

    def sheets(self, chosen: Chosen) -> list[SolutionRecord]:
        return sheets_of(chosen, self.executor, self.store, self.results)


def _then(word: str | None, args: argparse.Namespace, root: Path, chosen: Chosen, judging: _Judging) -> Then:
    """Return what a word means: a baseline, a run, or a commit; without one the first of these that there is.

    Raises:
        UsageError: it means nothing, or there is nothing to compare with.
    """
    problems = [each.problem.id for each in chosen.selections]
    if word is not None and (found := _RUN.fullmatch(word)):
        return _of_run(int(found[1]), root)
    name = word or baseline.DEFAULT
    if any(name in baseline.names_in(root / "testcases" / problem) for problem in problems):
        return _of_baseline(name, problems, root)
    commit = commit_of(root, word or "HEAD")
    if commit is not None:
        return _of_commit(commit, word or "HEAD", args, root, judging)
    if word is None:
        raise UsageError(
            "nothing to compare with: there is no baseline (`judge baseline save` makes one) and no commit; "
            "a run of the past: judge compare run-N (`judge history` lists them)"
        )
    known = sorted({name for problem in problem_ids(root) for name in baseline.names_in(root / "testcases" / problem)})
    raise UsageError(
        f"{word}: neither a baseline ({', '.join(known) or 'there is none'}), nor a commit, nor a run (run-N), "
        "nor anything to judge"
    )


def _of_baseline(name: str, problems: Sequence[str], root: Path) -> Then:
    found = []
    for problem in problems:
        path = baseline.path_of(root / "testcases" / problem, name)
        if path.exists():
            found.append(baseline.read(path))
    commits = dict.fromkeys(
        each.commit[:12] + (" with edits" if each.is_dirty else "") for each in found if each.commit
    )
    at = f", saved at {', '.join(commits)}" if commits else ""
    return Then(
        title=f"baseline {name}{at}",
        sheets=[sheet for each in found for sheet in each.sheets],
        same_machine=all(each.machine == " ".join(machine()) for each in found),
        commit=next((each.commit for each in found), ""),
    )


def _of_run(number: int, root: Path) -> Then:
    with closing(History(cache_of(root) / "history.sqlite")) as history:
        sheets = history.sheets(number)
        say_warning(history)
    if not sheets:
        raise UsageError(f"there is no run {number} in the history, or it judged nothing; `judge history` lists them")
    return Then(title=f"run {number}", sheets=sheets)


def _of_commit(commit: str, word: str, args: argparse.Namespace, root: Path, judging: _Judging) -> Then:
    """Judge the files of a commit, each solution as it was; what is unchanged comes from the cache."""
    title = f"{word} ({commit[:12]})"
    with _checked_out(root, commit) as old_root:
        wanted = wanted_of(args, root)
        targets = [problem for problem in wanted if problem in problem_ids(old_root)]
        if not targets:
            return Then(title=title, sheets=[])
        try:
            old = select(argparse.Namespace(**{**vars(args), "root": old_root, "targets": targets}))
            parts = [_wanted_part(each, wanted[each.problem.id], root) for each in old.selections]
            for part in parts:
                if part.problem.solutions and not part.problem.cases:
                    raise UsageError(
                        f"{title} has none of these cases of {part.problem.id}, so there is nothing to compare with; "
                        f"all its cases: judge compare {word} {part.problem.id}"
                    )
            old = replace(old, selections=[each for each in parts if each.problem.solutions])
            return Then(title=title, sheets=judging.sheets(old) if old.selections else [], commit=commit)
        except DataError as error:
            there = str(error).replace(f"{old_root}/", "")
            raise UsageError(f"the files of {title} cannot be judged:\n{there}") from error


def _wanted_part(selection: Selection, wanted: Wanted, root: Path) -> Selection:
    """Return what a command line wants of a problem as it was; what did not exist then is not there."""
    problem = selection.problem
    solutions = tuple(each for each in problem.solutions if wanted.has_solution(root / each.display_path))
    cases = tuple(each for each in problem.cases if wanted.has_case(each.id))
    complete = len(cases) == len(problem.cases)
    return replace(selection, problem=replace(problem, solutions=solutions, cases=cases), is_complete=complete)


@contextmanager
def _checked_out(root: Path, commit: str) -> Iterator[Path]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="judge-commit-")))
        extract(root, commit, _FOLDERS, folder)
        yield folder


def _comparable(old: Sequence[SolutionRecord], args: argparse.Namespace, root: Path) -> Iterator[SolutionRecord]:
    """Yield of the old sheets what is asked for now."""
    wanted = wanted_of(args, root)
    for sheet in old:
        part = wanted.get(sheet.problem)
        if part and part.has_solution(root / sheet.solution):
            marks = {name: mark for name, mark in sheet.marks.items() if part.has_case(name)}
            yield replace(sheet, marks=marks)


def _report(args: argparse.Namespace, then: Then, found: Sequence[Change], timed: Mapping[Key, Timing]) -> None:
    words = {key: str(timing) for key, timing in timed.items()}
    if args.format == "json":
        record = {
            "version": 1,
            "compared_with": then.title,
            "regression": is_regression(found) or _slower(timed) > 0,
            "changes": [change_record(change, words) for change in found],
        }
        print(json.dumps(record, indent=1))
        return
    canvas = Canvas(sys.stdout, Showing())
    costs = "" if then.same_machine else " (another machine: times and memory are not compared)"
    canvas.write(
        make_line(Span(f"now against {then.title}{costs}", Style.DIM)),
        *change_lines(found, canvas.display, words, slower=_slower(timed)),
    )
