"""The time limit of a problem whose package gives none: measured once, with the submissions that must be in time.

The limit is a fact of this machine. It is stored, so that later runs have the same limit, however busy the machine is
then. Edited submissions or test data make it be measured again.
"""

import json
import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from judge.base.errors import join_lines
from judge.base.units import Seconds, format_count, format_seconds
from judge.model import CaseResult, InFile, Inline, Problem, Solution, Verdict
from judge.model.events import Event, Notice, Preparing
from judge.model.groups import matches
from judge.preparation.cases import PreparedCase, ReadyCase
from judge.preparation.store import make_key
from judge.runner.cache import arguments_text, machine
from judge.runner.executors import LocalExecutor
from judge.runner.options import RunOptions
from judge.runner.solution import SolutionBuild, judge_one

_ROUNDS = 3  # how often the slowest runs are measured; the fastest time of each counts
_MAX_REPEATED = 8


def with_time_limit(problem: Problem, limit: Seconds) -> Problem:
    """Return a problem with another time limit."""
    cases = tuple(replace(case, limits=case.limits.override(cpu=limit)) for case in problem.cases)
    return replace(problem, limits=problem.limits.override(cpu=limit), cases=cases)


def infer_time_limit(
    problem: Problem,
    prepared: Sequence[PreparedCase],
    options: RunOptions,
    executor: LocalExecutor,
) -> Generator[Event, None, Seconds | None]:
    """Measure the time limit of a whole problem, or find it among the facts; yield the progress, and where it is from.

    Returns:
        None if no submission bounds the limit, or one that does is not accepted.
    """
    rule, facts = problem.time_rule, options.store.facts
    assert rule is not None
    judges = options.store.judge_programs(problem)
    bounding = [each for each in problem.solutions if each.path in rule.lower]
    builds = [SolutionBuild(each, problem, options, judges) for each in bounding]
    # all that the slowest time depends on
    programs = [f"{build.identity()} {rule.lower[build.solution.path]}" for build in builds]
    key = make_key("time limit", *machine(), *programs, *_describe_cases(problem), repr(problem.limits))
    known = facts.get(key)
    if known is None:
        slowest = yield from _measure(problem, prepared, builds, executor)
        if slowest is None:
            return None
        known = json.dumps(slowest)
        facts.put(key, known)
        facts.save()
    seconds, solution, name = json.loads(known)
    limit = rule.infer(Seconds(seconds))
    yield Notice(
        text=f"{problem.id}: time limit {format_seconds(limit)}, from {solution} with "
        f"{format_seconds(Seconds(seconds))} on {name}, times {rule.ac_to_time_limit:g}, rounded up to a multiple of "
        f"{rule.resolution:g} s"
    )
    return limit


def _measure(
    problem: Problem, prepared: Sequence[PreparedCase], builds: Sequence[SolutionBuild], executor: LocalExecutor
) -> Generator[Event, None, tuple[Seconds, str, str] | None]:
    """Return the slowest time of submissions, on which case it was, and yield the progress; None after a notice."""
    rule = problem.time_rule
    assert rule is not None
    cases = [each for each in prepared if isinstance(each, ReadyCase)]
    jobs = [
        (build, case) for build in builds for case in cases if matches(rule.lower[build.solution.path], case.case.id)
    ]
    runs = format_count(len(jobs), "run")
    yield Notice(
        text=f"{problem.id}: no time limit is given; measuring it with {format_count(len(builds), 'submission')} "
        f"({runs}, once)"
    )
    results: _Results = {}
    for (build, case), result in zip(jobs, executor.map(judge_one, jobs), strict=True):
        results[build.solution.path, case.case.id] = (build.solution, result)
        done = len(problem.cases)
        yield Preparing(problem=problem, done=done, total=done, runs_left=len(jobs) - len(results))
    failed = next((each for each in results.values() if each[1].verdict in (Verdict.TLE, Verdict.JE)), None)
    if failed is not None:
        name, result = failed
        yield Notice(
            text=f"{problem.id}: no time limit can be measured: {join_lines(name.display_path)} on {result.case.id}: "
            f"{result.verdict} ({result.reason}); judging with {format_seconds(problem.limits.cpu)}"
        )
        return None
    slowest = _slowest(results, {build.solution.path: build for build in builds}, cases, executor)
    if slowest is None:
        yield Notice(
            text=f"{problem.id}: no time limit can be measured, since no submission that must be in time can be "
            f"judged here; judging with {format_seconds(problem.limits.cpu)}"
        )
    return slowest


_Results = dict[tuple[Path, str], tuple[Solution, CaseResult]]


def _slowest(
    results: _Results, builds: dict[Path, SolutionBuild], cases: Iterable[ReadyCase], executor: LocalExecutor
) -> tuple[Seconds, str, str] | None:
    """Return the slowest time, and its solution and case; the slowest runs are repeated, and their best time counts.

    A machine that is busy makes single runs slow, never fast.
    """
    times = {at: result.run.cpu for at, (_, result) in results.items() if result.run is not None}
    by_id = {each.case.id: each for each in cases}
    repeated: set[tuple[Path, str]] = set()
    while times:
        worst = max(times, key=lambda at: times[at])
        if worst in repeated or len(repeated) == _MAX_REPEATED:
            return times[worst], join_lines(results[worst][0].display_path), worst[1]
        repeated.add(worst)
        jobs = [(builds[worst[0]], by_id[worst[1]])] * (_ROUNDS - 1)
        again = [each.run.cpu for each in executor.map(judge_one, jobs) if each.run is not None]
        times[worst] = min([times[worst], *again])
    return None


def _describe_cases(problem: Problem) -> Iterator[str]:
    """Yield what identifies the test data without reading it: a large file is not hashed for this."""
    for case in problem.cases:
        yield arguments_text(case)
        match case.input:
            case InFile(path):
                try:
                    found = path.stat()
                    yield f"{case.id} {os.fspath(path)} {found.st_size} {found.st_mtime_ns}"
                except OSError as error:
                    yield f"{case.id} {error}"
            case Inline(data):
                yield f"{case.id} {data!r}"
            case other:
                yield f"{case.id} {other!r}"
