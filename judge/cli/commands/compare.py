"""`judge compare`: what changed since a baseline, a commit or an earlier run."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.session import judge_records, open_session, print_lines, report_notes
from judge.history.changes import Change, ChangeKind, changes
from judge.history.recorder import Collector
from judge.languages.table import SUFFIXES
from judge.model import Problem
from judge.reporters.changes import change_lines, change_record, is_regression
from judge.reporters.lines import DisplayOptions, Line, Span, Style, make_line
from judge.workspace.match import suggest_file
from judge.workspace.query import Query, absolute_path, split_name
from judge.workspace.select import with_solutions
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when the comparison starts: help and completion need none of them
    from judge.hack.reference import Reference
    from judge.reporters.html.page import PageFile
    from judge.timing.comparison import Comparison
    from judge.timing.edits import SolutionKey

EPILOG = """\
REFERENCE is a baseline's name, a commit, branch or tag, or run-N of the history. Without one it is the baseline
`main` if it exists, else the last commit. A commit's solutions are judged again now; a baseline or a run is compared
as recorded. Two files are compared with each other: OLD NEW; so are two runs: run-3 run-5.

examples:
  judge compare                      what did my edits change?
  judge compare v1.2 uva131
  judge compare HEAD~3 solutions/uva131/accepted/try_all.py
  judge compare run-12 a.py          since a run of the history; also in your own folder
  judge compare run-12 run-15        two runs, as recorded
  judge compare --timing             did my edits make it slower?
  judge compare --timing --max-time 5min
  judge compare main --html changes.html    as one file for a browser
  judge compare --timing old.py new.py    two files, on the cases beside the new one

exit status: 0 if nothing that matters changed; 1 if a solution is worse, different or gone, a new one is not as
expected, the certificate of a problem's strength is weaker than in the commit, or with --timing a solution is slower;
2 for wrong usage or an error of the judge
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge compare` does: `words` are a reference, then targets; `max_time` is for each timed solution."""

    words: Annotated[tuple[str, ...], positional("REFERENCE|TARGET", "what to compare with; what to compare")] = ()
    timing: Annotated[
        bool,
        option("run the old and the new source of each edited solution in turn until it is clear whether it is slower"),
    ] = False
    max_time: Annotated[
        Seconds | None, option("with --timing, seconds for each solution, or such as `5 min` (default: 60 s)")
    ] = None
    format: shared.Format = "text"
    page: shared.PageArguments
    problem: shared.Problem = None
    cases: shared.Cases = None

    def __post_init__(self) -> None:
        if self.max_time is not None and not self.timing:
            raise UsageError(f"--max-time {self.max_time:g}: needs --timing")


def execute(options: Options) -> ExitStatus:
    """Judge both times, compare and report; return the exit status."""
    from judge.hack.reference import find_reference, is_run, keep_selected, unjudged_records
    from judge.timing.edits import plan_timings

    page = options.page.open()
    workspace = Workspace.find_or_use(options.root)
    if files := _find_two_files(options, workspace):
        return _compare_files(options, workspace, *files, page)
    name: str | None
    if all(map(is_run, options.words[:2])) and len(options.words) > 1:
        return _compare_runs(options, workspace, page)
    if all(map(is_run, options.words[:1])) and options.words:
        name, targets = options.words[0], options.words[1:]
    elif not (workspace.is_repository or workspace.packages):
        raise UsageError(
            "there is no repository of problems or package here; to compare two files: judge compare OLD NEW; to "
            "compare with an earlier run: judge compare run-N (`judge history` lists them)"
        )
    else:
        name, targets = split_name(options.words, workspace.root, what="reference", packages=workspace.packages)
    query = Query(targets=targets)
    selection = workspace.select(query)
    problems = [each.problem for each in selection.problems]
    with open_session(workspace, options.session) as session:
        reference = find_reference(
            name,
            query,
            workspace=workspace,
            problems=problems,
            session=session,
            judge=lambda old: judge_records(session, old, report=options.format),
        )
        if reference.warning:
            report_notes([reference.warning])
        old = keep_selected(reference.records, query, workspace)
        same = list(unjudged_records(each for each in problems if each.id in reference.unchanged))
        rest = [each for each in selection.problems if each.problem.id not in reference.unchanged]
        has_work = rest or selection.diagnostics or not same
        collector = Collector()
        try:
            part = replace(selection, problems=rest)
            records = judge_records(session, part, collector, report=options.format) if has_work else []
        except KeyboardInterrupt:
            keys = {(each.problem, each.solution) for each in collector.records}
            known = changes([each for each in old if (each.problem, each.solution) in keys], collector.records)
            _report(options, reference, list(known), {}, page, is_interrupted=True)
            raise
        found = list(changes([*same, *old], [*same, *records], costs=reference.same_machine))
        timings: dict[SolutionKey, Comparison] = {}
        if options.timing:
            for task in plan_timings(found, problems, reference.commit, session):
                print(f"timing {task.new.solution} ...", file=sys.stderr, flush=True)
                timings[task.key] = task.run(session, options.max_time)
        is_worse = _report(options, reference, found, timings, page)
    is_weaker = _report_strength(problems, workspace, reference.commit)
    return ExitStatus.FAILURE if is_worse or is_weaker else ExitStatus.SUCCESS


def _report_strength(problems: Sequence[Problem], workspace: Workspace, commit: str) -> bool:
    """Say whose certificate of strength is weaker than in a commit, or outdated; return whether one fell."""
    has_fallen = False
    for problem in problems:
        path = None if problem.lock is None or problem.is_package else problem.lock.with_name("strength.lock")
        if not commit or path is None:
            continue
        from judge.base.git import read_file
        from judge.strength.certificate import compare_certificates

        old = read_file(workspace.root, commit, path.relative_to(workspace.root).as_posix())
        if (old is not None or path.exists()) and (text := compare_certificates(problem, old)):
            has_fallen |= "outdated" not in text
            report_notes([f"{problem.id}: {text}"])
    return has_fallen


def _find_two_files(options: Options, workspace: Workspace) -> tuple[Path, Path] | None:
    """Return the old and the new file, if the words are two source files.

    Raises:
        UsageError: they are not, although the options are for that.
    """
    paths = [absolute_path(Path(word), workspace.root) for word in options.words]
    if len(paths) == 2 and all(path.is_file() and path.suffix.lower() in SUFFIXES for path in paths):
        return paths[0], paths[1]
    for path, word in zip(paths, options.words, strict=True):
        if path.suffix.lower() in SUFFIXES and not path.exists():
            raise UsageError(f"{word}: no such file{suggest_file(path)}")
    if options.problem or options.cases:
        raise UsageError("--problem and --cases are for two files: judge compare OLD NEW")
    return None


def _compare_runs(options: Options, workspace: Workspace, page: "PageFile | None") -> ExitStatus:
    """Compare two runs of the history, as recorded, and report; return the exit status."""
    from judge.hack.reference import keep_selected, read_run

    if options.timing:
        raise UsageError("--timing runs what is here now; two runs are compared as recorded")
    with workspace.open_history() as history:
        old, new = (read_run(name, history) for name in options.words[:2])
        report_notes([old.warning] if old.warning else [])
    before, after = list(old.records), list(new.records)
    if targets := options.words[2:]:
        before, after = (list(keep_selected(each, Query(targets=targets), workspace)) for each in (before, after))
    if not (workspace.is_repository or workspace.packages):  # a file's problem depends on who shares its cases
        ids = {each.solution: each.problem for each in after}
        before = [replace(each, problem=ids.get(each.solution, each.problem)) for each in before]
    found = list(changes(before, after))
    return ExitStatus.FAILURE if _report(options, old, found, {}, page, new=new.title) else ExitStatus.SUCCESS


def _compare_files(
    options: Options, workspace: Workspace, old_path: Path, new_path: Path, page: "PageFile | None"
) -> ExitStatus:
    """Judge two files on the cases of the new one, compare and report; return the exit status."""
    from judge.hack.reference import Reference
    from judge.timing.edits import plan_file_timing

    targets = (options.problem,) if options.problem else ()
    selection = workspace.select(Query(targets=targets, solutions=(new_path,), case_source=options.cases))
    selection = with_solutions(selection, [old_path, new_path])
    problem = selection.problems[0].problem
    if len(problem.solutions) == 1:
        raise UsageError(f"{options.words[0]} and {options.words[1]} are the same file")
    reference = Reference(title=options.words[0], records=[])
    with open_session(workspace, options.session) as session:
        try:
            old, new = judge_records(session, selection, report=options.format)
        except KeyboardInterrupt:
            _report(options, reference, [], {}, page, is_interrupted=True)
            raise
        old = replace(old, solution=new.solution)  # its role, not its name, makes it comparable
        found = list(changes([old], [new]))
        timings: dict[SolutionKey, Comparison] = {}
        if options.timing:
            task = plan_file_timing(old, new, (old_path, new_path), problem, session)
            print(f"timing {options.words[0]} and {options.words[1]} ...", file=sys.stderr, flush=True)
            timings[task.key] = task.run(session, options.max_time)
        is_worse = _report(options, reference, found, timings, page)
    return ExitStatus.FAILURE if is_worse else ExitStatus.SUCCESS


def _report(
    options: Options,
    reference: "Reference",
    found: Sequence[Change],
    timings: "Mapping[SolutionKey, Comparison]",
    page: "PageFile | None",
    *,
    new: str = "now",
    is_interrupted: bool = False,
) -> bool:
    """Print what changed; return whether something is worse or slower.

    After a signal, nothing is printed, and the page has what is known.
    """
    sentences = {key: str(timing) for key, timing in timings.items()}
    slower = sum(each.kind == "slower" for each in timings.values())
    is_worse = is_regression(found) or slower > 0
    document = {
        "version": 1,
        "compared_with": reference.title,
        "regression": is_worse,
        "changes": [change_record(change, sentences) for change in found],
    }
    costs = "" if reference.same_machine else " (another machine: times and memory are not compared)"
    subject = f"{new} against {reference.title}{costs}"

    def lines(display: DisplayOptions) -> list[Line]:
        title = make_line(Span(subject, Style.DIM))
        return [title, *change_lines(found, display.glyphs, sentences, slower=slower)]

    if is_interrupted:
        document["interrupted"] = True
    elif options.format == "json":
        print(json.dumps(document, indent=1))
    else:
        print_lines(lines)
    if page is not None:
        from judge.reporters.html.page import SHOWN, plain_text

        _, *changed, outcome = lines(SHOWN)
        page.write(
            "compare.html",
            plain_text(lines),
            document,
            title="Comparison",
            subject=subject,
            is_worse=is_worse,
            outcome=outcome,
            changes=[each for each in found if each.kind is not ChangeKind.SAME],
            lines=changed,
            is_interrupted=is_interrupted,
        )
    return is_worse
