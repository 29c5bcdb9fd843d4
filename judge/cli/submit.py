"""`judge submit`: judge a file, show what would be sent, ask, hand it over, and wait for the verdict."""

import argparse
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from judge.cli.by_hand import by_hand
from judge.cli.hand_over import HandOver
from judge.cli.online import by_api
from judge.cli.select import Chosen, select
from judge.cli.signals import interruptible
from judge.cli.targets import absolute, problem_of_file
from judge.cli.workspace import cache_of, root_of, workshop
from judge.errors import StoreError, UsageError
from judge.events import RunEnded
from judge.files import make_cache
from judge.history.submissions import Submissions
from judge.languages.source import java_names, read_source
from judge.languages.table import find_language
from judge.model import Problem, Solution
from judge.online.problem_ref import ProblemRef, problem_ref, problem_ref_by_name
from judge.online.submit.manual import JUDGES
from judge.online.submit.values import SourceFile
from judge.problems.native import problem_ids

TARGETS = ("kattis", "domjudge", *JUDGES)
_LONGEST_S = 24 * 60 * 60


def submit_command(args: argparse.Namespace) -> int:
    """Carry out `judge submit`; return the exit status."""
    if not args.yes and not args.follow and not sys.stdin.isatty():
        raise UsageError("standard input is no terminal, so nobody can be asked: say --yes to submit all the same")
    for option in ("timeout", "patience"):
        if not 0 < getattr(args, option) <= _LONGEST_S:
            raise UsageError(f"--{option} {getattr(args, option):g}: expected seconds, at most {_LONGEST_S}")
    root = root_of(args)
    chosen = _chosen(args, root)
    problem, solution = chosen.selections[0].problem, chosen.selections[0].problem.solutions[0]
    source = _source(solution)
    target = _target(args, problem)
    origin = _origin(args, problem, target)
    with interruptible(), open_submissions(root) as submissions:
        way = HandOver(args=args, problem=problem, source=source, submissions=submissions)
        if target in JUDGES:
            if args.follow:
                raise UsageError(f"--follow: {target} tells programs no verdict; look at its page")
            assert origin is not None
            return _by_hand(way, chosen, solution, origin)
        return by_api(way, target, origin, lambda: _is_good(args, chosen, solution, source))


def _by_hand(way: HandOver, chosen: Chosen, solution: Solution, origin: ProblemRef) -> int:
    from judge.cli.euler import answer_of

    answers: list[bytes] = []

    def is_good() -> bool:
        if not _is_good(way.args, chosen, solution, way.source):
            return False
        if origin.judge == "euler":
            answers.append(answer_of(way.args, way.problem, solution, chosen.root))
        return True

    return by_hand(way, origin, is_good, lambda: answers[0] if answers else way.source.text)


# ---- what is submitted, and where ------------------------------------------------------------------------------


def _chosen(args: argparse.Namespace, root: Path) -> Chosen:
    """Return the file as the only solution of its problem."""
    known = problem_ids(root)
    problem = args.problem or problem_of_file(args.file, root, known)
    if problem is None:
        raise UsageError(
            f"{args.file}: which problem is it for? Name it: --problem ID (problems: {', '.join(known) or 'none yet'})"
        )
    if problem not in known:
        raise UsageError(f"--problem {problem}: there is no such problem (problems: {', '.join(known) or 'none yet'})")
    wanted = {"targets": [problem], "solution": [absolute(args.file, root)], "case": [], "group": [], "cases": None}
    chosen = select(argparse.Namespace(**{**vars(args), **wanted}))
    if len(chosen.selections[0].problem.solutions) != 1:
        raise UsageError(f"{args.file}: expected one source file")
    return chosen


def _source(solution: Solution) -> SourceFile:
    text = read_source(solution.path)
    language = find_language(solution.path)
    entry = java_names(text, solution.path.name)[1] if language.is_java else ""
    return SourceFile(name=solution.path.name, text=text, language=language.id, entry=entry)


def _target(args: argparse.Namespace, problem: Problem) -> str:
    if args.to:
        return str(args.to)
    origin = problem_ref(problem.source.url) if problem.source else None
    target = origin.judge if origin else problem.profile
    if target in TARGETS:
        return target
    if args.url:
        return "domjudge"
    raise UsageError(
        f"{problem.id}: neither its `source: url:` nor its profile says where it is submitted; say --to JUDGE "
        f"({', '.join(TARGETS)})"
    )


def _origin(args: argparse.Namespace, problem: Problem, target: str) -> ProblemRef | None:
    """Return where the problem lives at its judge.

    Raises:
        UsageError: it must be known for this judge, and is not.
    """
    known = problem_ref(problem.source.url, problem.source.name) if problem.source else None
    if known is not None and known.judge != target:
        known = None
    if target == "domjudge":
        return None
    if target == "kattis":
        if known is None and not args.name:
            raise UsageError(f"{problem.id}: what does Kattis call it? Say --as NAME, as in .../problems/NAME")
        return known
    named = problem_ref_by_name(target, args.name) if args.name else known
    if named is None:
        given = f"--as {args.name}" if args.name else f"{problem.id}: no `source: url:` that says which problem it is"
        examples = {"uva": "131", "codeforces": "1900A", "atcoder": "abc300_a", "euler": "54"}
        raise UsageError(f"{given}; say --as NAME, such as --as {examples[target]}")
    return named


@contextmanager
def open_submissions(root: Path) -> Iterator[Submissions]:
    """Give the table of submissions."""
    folder = cache_of(root)
    try:
        make_cache(folder)
        connection = sqlite3.connect(folder / "submissions.sqlite", timeout=10)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{folder / 'submissions.sqlite'} cannot be opened: {error}") from error
    with closing(connection):
        yield Submissions(connection)


# ---- is it good enough? ------------------------------------------------------------------------------------------


def _is_good(args: argparse.Namespace, chosen: Chosen, solution: Solution, source: SourceFile) -> bool:
    """Check and judge the file; return whether it may go on. With --force it may whatever is found, and is told so."""
    is_good = _is_ready(args, chosen, solution) and _is_as_expected(args, chosen)
    if read_source(solution.path) != source.text:
        raise UsageError(f"{solution.display_path} was changed while it was judged; judge submit it again")
    if not is_good:
        end = "sent all the same, as --force says" if args.force else "nothing was sent; --force sends it all the same"
        print(f"judge: {solution.display_path} is not as it should be: {end}", file=sys.stderr)
    return is_good or bool(args.force)


def _is_ready(args: argparse.Namespace, chosen: Chosen, solution: Solution) -> bool:
    """Whether nothing speaks against sending the file: neither its folder nor what `judge check` finds."""
    from judge.cli.check import check_submission
    from judge.cli.submission import Submission
    from judge.online.lint.judges import JUDGES as KNOWN
    from judge.reporters.check_report import render_text

    selection = chosen.selections[0]
    # nobody knows which Python a DOMjudge has: the problem's profile says what to expect
    judge = KNOWN.get(_target(args, selection.problem)) or KNOWN[selection.problem.profile]
    submission = Submission(path=solution.path, data=read_source(solution.path), root=chosen.root, selection=selection)
    report = check_submission(args, submission, judge)
    print(render_text(report), end="", file=sys.stderr)
    if solution.expectation.name != "accepted":
        print(
            f"judge: {solution.display_path} stands in a folder of {solution.expectation.name} solutions",
            file=sys.stderr,
        )
        return False
    return report.is_ready


def _is_as_expected(args: argparse.Namespace, chosen: Chosen) -> bool:
    """Judge the file on all cases, with a report on standard error: standard output is for what the judge says."""
    from judge.history.results import ResultStore
    from judge.reporters import make_reporter
    from judge.runner import RunOptions, run

    ended: RunEnded | None = None
    selections = [replace(chosen.selections[0], named=frozenset({chosen.selections[0].problem.solutions[0].path}))]
    with (
        workshop(args, chosen.root) as (executor, store),
        closing(ResultStore(cache_of(chosen.root) / "results.sqlite")) as results,
    ):
        options = RunOptions(store=store, diagnostics=chosen.diagnostics, results=results)
        with make_reporter(None, sys.stderr, sys.stderr) as reporter:
            for event in run(selections, executor, options):
                reporter.handle(event)
                ended = event if isinstance(event, RunEnded) else ended
    assert ended is not None
    if ended.interrupted:
        raise KeyboardInterrupt
    return ended.as_expected
