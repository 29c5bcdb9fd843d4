"""How many wrong solutions `judge hack` breaks, with all cases but the samples removed.

    python -m bench.bench_hack [--time 10] [--cpu] [--jobs 1] [--compare] [FOLDER ...]

Without folders, the wrong solutions of the repository are searched. A folder is searched for ICPC packages; their
submissions in `wrong_answer` and `run_time_error` count, and those in `time_limit_exceeded` with --slow. With
--compare, the same time is spent on uniform random inputs, and on the problem's own generators. With --cpu, the time is
CPU time, of the search and of all that it runs: on a busy machine, it does as much as on an idle one.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from bench import cpu_clock
from judge.base.errors import JudgeError
from judge.base.units import Seconds
from judge.hack.hack_request import HackRequest
from judge.hack.hacking import hack
from judge.hack.values import SearchOptions
from judge.model import Problem, Solution
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

WRONG = ("wrong_answer", "run_time_error", "presentation_error", "rejected")
SLOW = ("time_limit_exceeded", "memory_limit_exceeded", "output_limit_exceeded", "brute_force")
WAYS = {
    "hack": None,
    "uniform": frozenset({"usual values", "grammar: random"}),
    "generators": frozenset({"generators"}),
}


class Outcome(Struct, frozen=True):
    """What a search came to."""

    name: str
    is_found: bool
    tokens: int
    seconds: float
    note: str
    strategy: str = ""


def wrong_solutions(problem: Problem, *, with_slow: bool) -> Iterator[Solution]:
    """Yield the solutions that some input must break."""
    names = (*WRONG, *SLOW) if with_slow else WRONG
    for each in problem.solutions:
        if each.expectation.name in names or each.path.parent.name in names:
            yield each


def search(
    workspace: Workspace, target: str, solution: Solution, whole: Problem, *, way: str, args: argparse.Namespace
) -> Outcome:
    """Hack one solution."""
    name = f"{whole.id}/{solution.display_path}"
    start = time.monotonic()
    try:
        selection = workspace.select(Query(targets=(target,), solutions=(solution.path,)))
        request = HackRequest(
            part=selection.problems[0],
            whole=whole,
            uses_cases=lambda case: case.group.startswith("sample"),
            sources=WAYS[way],
        )
        with workspace.open_session(SessionOptions(jobs=args.jobs)) as session:
            result = hack(request, SearchOptions(budget=Seconds(args.time), seed=args.seed), session)
    except JudgeError as error:
        return Outcome(name, False, 0, time.monotonic() - start, str(error).splitlines()[0][:150])
    note = f"{result.inputs} inputs, {result.rejected} rejected; " + "; ".join(result.faults)
    if result.disagreements:
        note = "two accepted solutions disagree; " + note
    found = result.found[0] if result.found else None
    if found is None:
        return Outcome(name, False, 0, result.seconds, note[:200])
    return Outcome(name, True, found.tokens, result.seconds, f"{found.kind.verdict}; {note}"[:160], found.strategy)


def find_problems(folders: list[Path]) -> Iterator[tuple[Workspace, str, Problem]]:
    """Yield problems with their wrong solutions."""
    if not folders:
        workspace = Workspace.find(Path(__file__).parents[1])
        for each in workspace.problem_ids():
            yield workspace, each, workspace.load_problem(each)
        return
    for folder in folders:
        for path in sorted({each.parent for each in folder.rglob("problem.yaml")}):
            workspace = Workspace.find_or_use(path)
            try:
                selection = workspace.select(Query(targets=(str(path),)))
                yield workspace, str(path), selection.problems[0].problem
            except (JudgeError, IndexError) as error:
                print(f"{path}: not read: {str(error).splitlines()[0][:100]}", flush=True)


def is_searched(problem: Problem, args: argparse.Namespace) -> bool:
    """Return whether a problem counts."""
    has_dialogue = problem.interactor is not None or problem.passes > 1
    return args.checkers or not (has_dialogue or problem.checker.program or problem.types & {"interactive"})


def main() -> None:
    """Search, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--cpu", action="store_true", help="the time is CPU time")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slow", action="store_true", help="solutions that are too slow count, too")
    parser.add_argument("--checkers", action="store_true", help="problems with a checker or an interactor count, too")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--most", type=int, default=10**9, help="solutions of a problem")
    parser.add_argument("--only", default="", help="a part of the names")
    args = parser.parse_args()
    if args.cpu:
        cpu_clock.install()
    outcomes: dict[str, list[Outcome]] = {way: [] for way in WAYS if way == "hack" or args.compare}
    for workspace, target, problem in find_problems(args.folders):
        if not is_searched(problem, args):
            continue
        wrong = [each for each in wrong_solutions(problem, with_slow=args.slow) if args.only in f"{target}/{each.path}"]
        for solution in wrong[: args.most]:
            for way, found in outcomes.items():
                found.append(search(workspace, target, solution, problem, way=way, args=args))
                last = found[-1]
                mark = "broken" if last.is_found else "  -   "
                facts = f"{last.tokens:4} tokens {last.seconds:6.1f} s  {last.name}  {last.strategy} {last.note}"
                print(f"{way:10} {mark} {facts}", flush=True)
    for way, found in outcomes.items():
        broken = [each for each in found if each.is_found]
        if not found:
            continue
        print(
            f"{way}: {len(broken)} of {len(found)} broken ({100 * len(broken) / len(found):.0f}%), "
            f"median {statistics.median([each.tokens for each in broken] or [0]):.0f} tokens, "
            f"{statistics.median([each.seconds for each in broken] or [0]):.1f} s"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
