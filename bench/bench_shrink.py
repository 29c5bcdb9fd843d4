"""How small do shrinkers get the same failing input, and at what cost?

    python -m bench.bench_shrink [--time 60] [--most 3] [--only TEXT]

For each wrong solution of the repository, the largest case up to 20 kB on which it fails is shrunk as long as the
grammar accepts the input and the solution fails in the same way: by the shrinker of `judge hack`, and by Shrink Ray.
Hypothesis cannot start from an input: it searches with a strategy for the lines of two problems, and shrinks what it
finds. All call the same predicate, one after the other. What is not installed is skipped.
"""

import argparse
import importlib
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from bench.bench_hack import WRONG
from judge.hack.examine import Examiner
from judge.hack.hack_request import HackRequest
from judge.hack.hacking import HackContext
from judge.hack.pool import WarmPool
from judge.hack.shrink import candidates
from judge.hack.values import Kind, count_tokens
from judge.inputs.shrink import measure
from judge.model import Solution
from judge.sandbox.box import Box
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

MOST = 20_000  # bytes of a case: with larger ones, Shrink Ray computes for minutes between two runs
HANDS = {"holdem": (5, 7), "uva131": (10, 10)}  # the cards of a line
OURS, SHRINK_RAY, HYPOTHESIS = "ours", "Shrink Ray", "Hypothesis"


class TimeOverError(BaseException):
    """A shrinker has used up its time. Hypothesis would shrink an input that leads to an Exception."""


class Shrunk(Struct, frozen=True):
    """What a shrinker came to; `before` and `after` are tokens."""

    before: int
    after: int
    runs: int
    seconds: float
    is_complete: bool
    data: bytes


class Predicate:
    """Whether an input is valid, and the solution fails on it in the same way; counts its runs and keeps the best."""

    def __init__(self, examiner: Examiner, box: Box, kind: Kind, seconds: float) -> None:
        self._examiner, self._box, self._kind = examiner, box, kind
        self._end = time.monotonic() + seconds
        self.runs = 0
        self.first = self.best = b""

    def __call__(self, data: bytes) -> bool:
        """Return the answer about an input. Raises TimeOverError after the time."""
        if time.monotonic() > self._end:
            raise TimeOverError
        self.runs += 1
        examined = self._examiner.examine(data, self._box)
        failed = examined.failed and examined.kind == self._kind
        if failed:
            self.first = self.first or data
            self.best = min(self.best or data, data, key=measure)
        return failed


def shrink_ours(data: bytes, fails: Predicate, context: HackContext) -> None:
    """Do what `judge hack -j 1` does."""
    tried: set[int] = set()
    used = context.grammar or context.inferred or context.guess
    simpler, is_guess = None if used is None else used.shrinks, context.inferred is not None
    while True:
        for each in candidates(data, joining=context.target.joining, simpler=simpler, is_guess=is_guess):
            if hash(each) not in tried:
                tried.add(hash(each))
                if fails(each):
                    data = each
                    break
        else:
            return


def shrink_ray(data: bytes, fails: Predicate) -> None:
    """Shrink with the Python interface of Shrink Ray, one test at a time."""
    problem, reducer, work, trio = map(
        importlib.import_module, ("shrinkray.problem", "shrinkray.reducer", "shrinkray.work", "trio")
    )

    async def is_interesting(each: bytes) -> bool:
        await trio.lowlevel.checkpoint()
        return fails(each)

    async def run() -> None:
        context = work.WorkContext(parallelism=1, volume=work.Volume.quiet)
        await reducer.ShrinkRay(problem.BasicReductionProblem(data, is_interesting, work=context)).run()

    try:
        trio.run(run)
    except BaseExceptionGroup as group:
        if group.split(TimeOverError)[1] is not None:
            raise
        raise TimeOverError from group


def shrink_hypothesis(name: str, fails: Predicate) -> None:
    """Search and shrink with a strategy for the lines of a problem."""
    import hypothesis
    from hypothesis import strategies as st

    least, most = HANDS[name]
    card = st.builds(str.__add__, st.sampled_from("23456789TJQKA"), st.sampled_from("CDHS"))
    hand = st.lists(card, min_size=least, max_size=most, unique=True).map(" ".join)
    lines = st.lists(hand, min_size=1, max_size=50).map(lambda hands: "".join(f"{each}\n" for each in hands).encode())
    settings = hypothesis.settings(max_examples=100_000, database=None, deadline=None)
    try:
        hypothesis.find(lines, fails, settings=settings)
    except hypothesis.errors.NoSuchExample:
        return


def compare(context: HackContext, solution: Solution, box: Box, seconds: float, tools: list[str]) -> dict[str, Shrunk]:
    """Return what each shrinker makes of the largest known input on which a solution fails; none if there is none."""
    found: dict[str, Shrunk] = {}
    with WarmPool() as pool:
        examiner = Examiner(context.target, pool)
        known = sorted((each for each in context.known if len(each) <= MOST), key=len, reverse=True)
        failing = (examiner.examine(each, box) for each in known)
        start = next((each for each in failing if each.failed), None)
        if start is None or start.kind is None:
            return {}
        problem = context.request.whole.id
        shrinkers: dict[str, Callable[[Predicate], None]] = {
            OURS: lambda fails: shrink_ours(start.data, fails, context),
            SHRINK_RAY: lambda fails: shrink_ray(start.data, fails),
            HYPOTHESIS: lambda fails: shrink_hypothesis(problem, fails),
        }
        for tool in tools:
            if tool == HYPOTHESIS and problem not in HANDS:
                continue
            fails = Predicate(examiner, box, start.kind, seconds)
            began = time.monotonic()
            is_complete = True
            try:
                shrinkers[tool](fails)
            except TimeOverError:
                is_complete = False
            if not fails.best and tool == HYPOTHESIS:
                print(f"  {problem}/{solution.path.name}: {tool} finds nothing in {fails.runs} inputs", flush=True)
                continue
            best = fails.best or start.data
            before = count_tokens(fails.first if tool == HYPOTHESIS else start.data)
            spent = time.monotonic() - began
            found[tool] = Shrunk(before, count_tokens(best), fails.runs, spent, is_complete, best)
    return found


def wrong_solutions(args: argparse.Namespace) -> Iterator[tuple[Workspace, HackRequest, Solution]]:
    """Yield the wrong solutions of the repository."""
    workspace = Workspace.find(Path(__file__).parents[1])
    for name in workspace.problem_ids():
        whole = workspace.load_problem(name)
        wrong = [each for each in whole.solutions if each.path.parent.name in WRONG]
        for solution in [each for each in wrong if args.only in f"{name}/{each.path.name}"][: args.most]:
            selection = workspace.select(Query(targets=(name,), solutions=(solution.path,)))
            yield workspace, HackRequest(part=selection.problems[0], whole=whole), solution


def is_installed(module: str) -> bool:
    """Return whether a module can be imported; print that it is skipped if not."""
    try:
        importlib.import_module(module)
    except ImportError:
        print(f"{module} is not installed: skipped")
        return False
    return True


def print_table(results: list[dict[str, Shrunk]], tools: list[str]) -> None:
    """Print the medians of each shrinker, and of ours on the same solutions."""
    print(f"{'':12} solutions  before  after (ours)  fewer/more than ours     runs  seconds (/ ours)  out of time")
    for tool in tools:
        both = [(each[tool], each[OURS]) for each in results if tool in each]
        if not both:
            continue

        def median(value: Callable[[Any], float], at: int = 0, pairs: list[tuple[Shrunk, Shrunk]] = both) -> float:
            return statistics.median(value(each[at]) for each in pairs)

        fewer = sum(one.after < ours.after for one, ours in both)
        more = sum(one.after > ours.after for one, ours in both)
        seconds = median(lambda each: each.seconds)
        print(
            f"{tool:12} {len(both):9} {median(lambda each: each.before):7.0f} {median(lambda each: each.after):6.0f}"
            f" ({median(lambda each: each.after, 1):4.0f}) {f'{fewer}/{more}':>21}"
            f" {median(lambda each: each.runs):8.0f} {seconds:8.1f}"
            f" ({seconds / median(lambda each: each.seconds, 1):5.1f}) {sum(not one.is_complete for one, _ in both):12}"
        )


def main() -> None:
    """Compare, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=float, default=60.0, help="seconds for each shrinker and solution")
    parser.add_argument("--most", type=int, default=10**9, help="solutions of a problem")
    parser.add_argument("--only", default="", help="a part of the names")
    args = parser.parse_args()
    tools = [OURS]
    tools += [SHRINK_RAY] if is_installed("shrinkray") else []
    tools += [HYPOTHESIS] if is_installed("hypothesis") else []
    results = []
    for workspace, request, solution in wrong_solutions(args):
        with workspace.open_session(SessionOptions(jobs=1)) as session:
            context = HackContext(request, session)
            (found,) = session.executor.map(
                lambda box, suspect: compare(context, suspect, box, args.time, tools),  # noqa: B023 - called at once
                [solution],
            )
        facts = "; ".join(
            f"{tool} {each.after} of {each.before} tokens, {each.runs} runs, {each.seconds:.1f} s"
            + ("" if each.is_complete else ", out of time")
            for tool, each in found.items()
        )
        print(f"{request.whole.id}/{solution.path.name}: {facts or 'no case fails'}", flush=True)
        for tool, each in found.items():
            if each.after < found[OURS].after:
                print(f"  {tool} is smaller: {each.data[:300]!r}, ours: {found[OURS].data[:300]!r}", flush=True)
        results.append(found)
    print_table(results, tools)


if __name__ == "__main__":
    main()
