"""How long 300 mutants take on the sample cases, and what starting every mutant cold or compiling them would cost.

For a problem package, each solution in C, C++ or Java has a line of its own: how long the mutants take to compile.

As with `judge strength uva131/sample`, a mutant that takes ten times as long as the solution counts as killed.

The times include running the solutions themselves and looking at the survivors. On a busy machine only the CPU time,
which is of all cores together, says something.

python -m bench.bench_strength [PROBLEM or PACKAGE ...]
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from bench.measure import ROOT
from judge.runner.executors import default_workers
from judge.strength.measure import Measurement
from judge.strength.mutants import MutatedSolution, mutate_solution
from judge.strength.store import MutantStore
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

MUTANTS = 300
COLD = 24  # mutants that are started cold, for comparison
PROBLEMS = ("uva131", "mahjonghu")


def main() -> None:
    """Measure and print."""
    workspace = Workspace.find(ROOT)
    print(f"{default_workers()} cores; mutants of all accepted solutions on the sample cases, up to the first kill")
    print(f"{'problem':<12} {'mutants':>8} {'killed':>7} {'warm':>8} {'for 300':>8} {'CPU':>8} {'cold, for 300':>14}")
    for problem in sys.argv[1:] or PROBLEMS:
        if Path(problem).is_dir():
            compile_package(Path(problem))
            continue
        before = cpu()
        mutants, killed, warm = measure(workspace, problem, None, is_warm=True)
        spent = cpu() - before
        some, _, cold = measure(workspace, problem, COLD // 4, is_warm=False)
        print(
            f"{problem:<12} {mutants:>8} {killed:>7} {warm:>6.1f} s {warm / mutants * MUTANTS:>6.1f} s "
            f"{spent / mutants * MUTANTS:>6.1f} s "
            f"{cold / some * MUTANTS:>12.1f} s"
        )


def cpu() -> float:
    """Return the CPU seconds of this process and of all its children that have ended."""
    usages = (resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in usages)


def measure(workspace: Workspace, problem: str, most: int | None, *, is_warm: bool) -> tuple[int, int, float]:
    """Return how many mutants were judged and killed, and the seconds that took; nothing is known from before."""
    (part,) = workspace.select(Query(targets=(f"{problem}/sample",))).problems
    seconds, mutants, killed = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as state, workspace.open_session(SessionOptions(is_warm=is_warm)) as session:
        measurement = Measurement(session, part.problem, Path(state), most=most, confirms_time=False)
        measurement.prepare()
        for solution in part.problem.solutions:
            if solution.expectation.name == "accepted":
                start = time.monotonic()
                found = measurement.measure_solution(solution)
                seconds += time.monotonic() - start
                assert not isinstance(found, str), found
                mutants += len(found.results)
                killed += found.killed
    return mutants, killed, seconds


def compile_package(package: Path) -> None:
    """Print for each compiled solution how long its mutants take: to compile on one worker, and in all."""
    workspace = Workspace.find_or_use(package)
    (part,) = workspace.select(Query(targets=(str(package),))).problems
    for solution in part.problem.solutions:
        if solution.expectation.name != "accepted" or solution.path.suffix not in (".c", ".cpp", ".cc", ".java"):
            continue
        figures: list[float] = []
        line = solution.display_path
        for compiles_only in (True, False):
            before = cpu()
            with tempfile.TemporaryDirectory() as state, workspace.open_session(SessionOptions(jobs=1)) as session:
                measurement = Measurement(session, part.problem, Path(state), most=MUTANTS, confirms_time=False)
                measurement.prepare()
                measurement.cases = [each for each in measurement.cases if each.case.group.startswith("sample")]
                if compiles_only:
                    mutated = mutate_solution(measurement.build(solution), most=MUTANTS)
                    assert isinstance(mutated, MutatedSolution), mutated
                    store = MutantStore(Path(state), solution.path, "")
                    cases = measurement.time_solution(mutated, store)
                    assert not isinstance(cases, str), cases
                    measurement.combine_mutants(mutated, cases, store)
                    line += f": {len(mutated.mutants)} mutants, {len(mutated.combined)} together"
                else:
                    found = measurement.measure_solution(solution)
                    assert not isinstance(found, str), found
                    line += f", {len(found.results)} compile, {found.killed} killed"
            figures.append(cpu() - before)
        print(f"{line}; {figures[0]:.1f} s of CPU time to compile, {figures[1]:.1f} s in all")


if __name__ == "__main__":
    main()
