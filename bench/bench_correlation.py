"""Does the strength score predict which wrong submissions a suite of cases rejects?

    python -m bench.bench_correlation [ROOT ...] [--cache FOLDER] [--cases 24] [--mutants 60] [--only TEXT]

Each ROOT is a problem package, or a folder with packages anywhere in it. Those with at least five known wrong
submissions in C++ or Python count. Each program (mutants of an accepted solution in Python, or else in C++, and the
wrong submissions) runs once on each of up to 24 cases on which the solution is fast; that takes minutes for a package.
What they got is kept in the cache folder, outside of the repository. Without a ROOT, only the tables are printed, from
what the cache has.

Full suites reject nearly everything, so random parts of them of 1, 2, 4, ... cases are compared. Half of the wrong
submissions are held out, in many seeded splits. A score is computed from the mutants and from those submissions that
are kept. Spearman's rho says how well it orders the suites by the share of the held-out submissions that they reject:

- mixed sizes: suites of all sizes of one package. More cases reject more, so that the size alone predicts a lot here;
- same size: suites of one package that have the same number of cases; the mean over the sizes;
- across packages: one point for each package, with the mean of its suites of a size.

The ceiling is what a perfect score would get: the held-out half is itself a small sample. If the kept half predicts the
held-out one with r, both measure the same with the reliability r, and nothing predicts either better than sqrt(r).

Submissions count that some case rejects for another reason than time, and that another case accepts. Intervals are 95%
bootstrap intervals over the packages.
"""

import argparse
import os
import random
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import correlation, fmean
from typing import TypeVar

import msgspec
from msgspec import Struct

from bench.bench_conformance import find_packages
from bench.larger_mistakes import larger_mistakes
from judge.base.data import digest
from judge.base.errors import JudgeError
from judge.base.units import Seconds
from judge.languages.build import CompileError, Program
from judge.model import Solution, Verdict
from judge.sandbox.box import Box
from judge.strength.cases import CaseSize, TimedCase, case_size, input_size, redundant_cases
from judge.strength.measure import Measurement
from judge.strength.mutants import MutatedSolution, mutate_solution
from judge.strength.mutation.mutant import Mutant
from judge.strength.store import MutantStore
from judge.workspace.options import SessionOptions
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

T = TypeVar("T")
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "judge-correlation"
FEWEST_WRONG = 5
FEWEST_COUNTING = 4
FEWEST_MUTANTS = 3  # of an operator, in a package
FEWEST_CASES = 10
FAST = Seconds(0.03)  # CPU time of the accepted solution on the cases that are used
SLOW = Seconds(1.0)  # the most CPU time of a wrong submission
PYTHON = frozenset({".py", ".py3"})
SUFFIXES = PYTHON | {".c", ".cc", ".cpp", ".cxx"}  # other programs take long to start
LARGER = 60  # mutants with larger mistakes
LARGER_PREFIX = "larger: "
COMMENTS = ("#!", "# ", "//")
SIZES = (1, 2, 4, 8, 16)  # of suites
SUITES = 100  # of each size
SPLITS = 20
RESAMPLES = 1000
MUTANTS, KEPT, ALL = "mutants", "kept wrong submissions", "mutants, limits and kept"


class Row(Struct, frozen=True):
    """A program and its verdicts, one for each case.

    Attributes:
        operator: "" for a wrong submission.
        changes: in how many lines a wrong submission differs from the nearest accepted one.
    """

    name: str
    operator: str
    verdicts: list[Verdict]
    changes: int = 0


class Matrix(Struct, frozen=True):
    """What the programs of a package got on its cases, and how large these are."""

    package: str
    cases: list[str]
    rows: list[Row]
    sizes: list[CaseSize]


# ---- running the programs -------------------------------------------------------------------------------------------


def measure_package(package: Path, *, cases: int, mutants: int) -> Matrix:
    """Run all programs of a package on a seeded part of its cases.

    Raises:
        JudgeError: the package cannot be used.
    """
    workspace = Workspace.find_or_use(package)
    problem = workspace.select(Query(targets=(str(package),))).problems[0].problem
    wrong = [
        each
        for each in problem.solutions
        if each.expectation.name not in ("", "accepted") and each.path.suffix in SUFFIXES
    ]
    if problem.interactor is not None or problem.passes > 1 or len(wrong) < FEWEST_WRONG:
        raise JudgeError("interactive, several passes, or too few wrong submissions")
    with workspace.open_session(SessionOptions(jobs=1, is_warm=True)) as session:
        measurement = Measurement(session, problem, workspace.state_folder)
        measurement.prepare()
        random.Random(problem.id).shuffle(measurement.cases)
        measurement.cases = measurement.cases[: 2 * cases]
        rows: list[Row] = []
        for solution in sorted(problem.solutions, key=lambda each: (each.path.suffix not in PYTHON, each.path)):
            if rows or solution.expectation.name != "accepted" or solution.path.suffix not in SUFFIXES:
                continue
            mutated = mutate_solution(measurement.build(solution), most=mutants)
            if isinstance(mutated, str):
                continue
            timed = measurement.time_solution(mutated, MutantStore(workspace.state_folder, solution.path, ""))
            if isinstance(timed, str):
                print(f"    {solution.display_path}: {timed}", flush=True)
                continue
            fast = [each for each in timed if each.cpu <= FAST]
            if len(fast) < FEWEST_CASES:
                print(f"    {solution.display_path}: fast on {len(fast)} cases only", flush=True)
                continue
            rows = measure_mutants(measurement, mutated, sorted(fast[:cases], key=lambda each: input_size(each.ready)))
        if not rows:
            raise JudgeError("no accepted solution is fast and has mutants")
        accepted = [
            each.path
            for each in problem.solutions
            if each.expectation.name == "accepted" and each.path.suffix in SUFFIXES
        ]
        for each in wrong:
            same = [
                it.read_text(errors="replace")
                for it in accepted
                if (it.suffix in PYTHON) == (each.path.suffix in PYTHON)
            ]
            changes = count_changes(each.path.read_text(errors="replace"), same)
            rows += [msgspec.structs.replace(row, changes=changes) for row in measure_wrong(measurement, each)]
    every = measurement.cases
    return Matrix(package.name, [each.case.id for each in every], rows, [case_size(each) for each in every])


def measure_mutants(measurement: Measurement, mutated: MutatedSolution, cases: Sequence[TimedCase]) -> list[Row]:
    """Run the mutants of an accepted solution on some cases; in C++ only if they can be compiled together.

    Only these cases count from then on.
    """
    measurement.cases = [each.ready for each in cases]
    measurement.combine_mutants(mutated, cases, MutantStore(measurement.state_folder, mutated.solution.path, ""))
    if not (mutated.is_python or mutated.combined):
        return []
    return [
        *run_mutants(measurement, mutated, cases, [each for each, _ in mutated.mutants]),
        *measure_larger(measurement, mutated, cases),
    ]


def measure_larger(measurement: Measurement, mutated: MutatedSolution, cases: Sequence[TimedCase]) -> list[Row]:
    """Run mutants with larger mistakes than those of `judge strength`; there are none in C++."""
    mutants = larger_mistakes(mutated.text, LARGER) if mutated.is_python else []
    found = run_mutants(measurement, mutated, cases, mutants)
    return [msgspec.structs.replace(each, operator=LARGER_PREFIX + each.operator) for each in found]


def run_mutants(
    measurement: Measurement, mutated: MutatedSolution, cases: Sequence[TimedCase], mutants: Sequence[Mutant]
) -> list[Row]:
    """Run mutants; those that cannot be built have no row."""
    texts = [each.apply(mutated.text) for each in mutants]
    found = run_programs(measurement, lambda number, box: mutated.program(texts[number], box), len(texts), cases)
    return [
        Row(f"{mutated.solution.path.name}:{mutant.line}", mutant.operator, verdicts)
        for mutant, verdicts in zip(mutants, found, strict=True)
        if verdicts
    ]


def measure_wrong(measurement: Measurement, solution: Solution) -> list[Row]:
    """Run a wrong submission; return nothing if it cannot be built here."""
    build = measurement.build(solution)
    timed = [
        TimedCase(each, "", each.case.limits.override(cpu=min(each.case.limits.cpu, SLOW)), SLOW)
        for each in measurement.cases
    ]
    found = run_programs(measurement, lambda _, box: build.build(box), 1, timed)
    return [Row(solution.display_path, "", verdicts) for verdicts in found if verdicts]


def count_changes(text: str, accepted: Iterable[str]) -> int:
    """Return in how many lines a source differs from the nearest accepted one, besides comments and indentation."""

    def lines(source: str) -> list[str]:
        return [line for each in source.splitlines() if (line := each.strip()) and not line.startswith(COMMENTS)]

    pairs = [SequenceMatcher(None, lines(each), lines(text), autojunk=False) for each in accepted]
    return min(
        (
            sum(
                max(end - start, last - first)
                for kind, start, end, first, last in each.get_opcodes()
                if kind != "equal"
            )
            for each in pairs
        ),
        default=len(lines(text)),
    )


def run_programs(
    measurement: Measurement,
    make: Callable[[int, Box], Program | CompileError | JudgeError],
    count: int,
    cases: Sequence[TimedCase],
) -> Iterator[list[Verdict]]:
    """Yield the verdicts of each program on all cases, small ones first; none if it cannot be built.

    What a quarter of the cases rejects entirely counts as rejected by all, and what is too slow on two cases as too
    slow on all larger ones.
    """

    def run(box: Box, number: int) -> list[Verdict]:
        program = make(number, box)
        if not isinstance(program, Program):
            return []
        found: dict[int, Verdict] = {}
        for place in [*range(0, len(cases), 4), *(each for each in range(len(cases)) if each % 4)]:
            if place == 1 and Verdict.AC not in found.values():
                return [found[each - each % 4] for each in range(len(cases))]
            slow = sum(each < place and verdict is Verdict.TLE for each, verdict in found.items())
            case = cases[place]
            found[place] = Verdict.TLE if slow > 1 else measurement.judge(program, case.ready, case.limits, box)[0]
        return [found[place] for place in range(len(cases))]

    return measurement.session.executor.map(run, range(count))


# ---- what the scores are worth --------------------------------------------------------------------------------------

Score = Callable[[int], float]
"""Of a suite; its cases are the bits of a number."""


class Evidence(Struct, frozen=True):
    """What is computed from the matrix of one package; the cases that reject a program are the bits of a number.

    Attributes:
        mutants: by their operators.
        larger: those with larger mistakes, by kind.
        limits: programs that are right only up to a limit, each with its weight.
        wrong: the submissions that count, each with the lines in which it differs from the nearest accepted one.
        splits: those that are kept, and those that are held out.
        suites: random ones, by size.
    """

    package: str
    cases: int
    mutants: Mapping[str, Sequence[int]]
    larger: Mapping[str, Sequence[int]]
    limits: Sequence[tuple[int, float]]
    wrong: Sequence[tuple[int, int]]
    splits: Sequence[tuple[Sequence[int], Sequence[int]]]
    suites: Mapping[int, Sequence[int]]


class Worth(Struct, frozen=True):
    """How well a score predicts the held-out submissions of a package: rho, or None where it is not defined.

    Attributes:
        sizes: rho among the suites of a size.
        means: the mean score of the suites of a size, and their mean share of held-out submissions, in each split.
        levels: the mean share of held-out submissions that suites reject, by their score in tenths.
    """

    mixed: float | None
    fixed: float | None
    sizes: Mapping[int, float | None]
    means: Mapping[int, Sequence[tuple[float, float]]]
    levels: Mapping[int, float]


def read_evidence(matrix: Matrix) -> Evidence | None:
    """Return what is computed from a matrix; None if it has too few submissions that count."""
    chance = random.Random(matrix.package)
    wrong: list[tuple[int, int]] = []
    mutants: dict[str, list[int]] = {}
    larger: dict[str, list[int]] = {}
    for row in matrix.rows:
        mask = sum(1 << number for number, verdict in enumerate(row.verdicts) if verdict is not Verdict.AC)
        if row.operator.startswith(LARGER_PREFIX):
            larger.setdefault(row.operator.removeprefix(LARGER_PREFIX), []).append(mask)
        elif row.operator:
            mutants.setdefault(row.operator, []).append(mask)
        elif Verdict.AC in row.verdicts and not {Verdict.AC, Verdict.TLE}.issuperset(row.verdicts):
            wrong.append((mask, row.changes))
    count, half = len(matrix.cases), len(wrong) // 2
    if len(wrong) < FEWEST_COUNTING:
        return None
    shuffled = [chance.sample([mask for mask, _ in wrong], len(wrong)) for _ in range(SPLITS)]
    sizes = [size for size in SIZES if size <= count / 2]
    return Evidence(
        package=matrix.package,
        cases=count,
        mutants=mutants,
        larger=larger,
        limits=list(find_limits(matrix.sizes)),
        wrong=wrong,
        splits=[(each[half:], each[:half]) for each in shuffled],
        suites={
            size: [sum(1 << case for case in chance.sample(range(count), size)) for _ in range(SUITES)]
            for size in sizes
        },
    )


def find_limits(sizes: Sequence[CaseSize]) -> Iterator[tuple[int, float]]:
    """Yield the programs that are right only up to a limit between the sizes of the cases, with weights."""
    for values in zip(*sizes, strict=True):
        limits = set(values) - {max(values)}
        for limit in limits:
            yield sum(1 << case for case, value in enumerate(values) if value > limit), 1 / len(limits)


def share(programs: Iterable[int]) -> Score:
    """Return what computes the share of programs that a suite rejects."""
    return weighted_share((each, 1.0) for each in programs)


def weighted_share(programs: Iterable[tuple[int, float]]) -> Score:
    """Return what computes the weighted share of programs that a suite rejects."""
    weights: dict[int, float] = {}
    for mask, weight in programs:
        weights[mask] = weights.get(mask, 0.0) + weight
    whole = sum(weights.values()) or 1.0
    return lambda suite: sum(weight for mask, weight in weights.items() if mask & suite) / whole


def all_mutants(evidence: Evidence) -> list[int]:
    """Return the mutants of all operators."""
    return [mask for masks in evidence.mutants.values() for mask in masks]


def mean_of(*scores: Score) -> Score:
    """Return what computes the mean of scores."""
    return lambda suite: fmean(score(suite) for score in scores)


Predictor = Callable[[Evidence, Sequence[int]], Score]
"""Makes the score from a package and the wrong submissions that are kept."""

PREDICTORS: dict[str, Predictor] = {
    "number of cases": lambda evidence, _: lambda suite: suite.bit_count() / evidence.cases,
    MUTANTS: lambda evidence, _: share(all_mutants(evidence)),
    "a quarter of the mutants": lambda evidence, _: share(all_mutants(evidence)[::4]),
    "half of the mutants": lambda evidence, _: share(all_mutants(evidence)[::2]),
    "mutants, rare kills": lambda evidence, _: weighted_share(
        (mask, 1 / mask.bit_count()) for mask in all_mutants(evidence) if mask
    ),
    "limits": lambda evidence, _: weighted_share(evidence.limits),
    "mutants and limits": lambda evidence, _: mean_of(
        *[share(all_mutants(evidence))] * 2, weighted_share(evidence.limits)
    ),
    KEPT: lambda _, kept: share(kept),
    "mutants and kept": lambda evidence, kept: mean_of(share(all_mutants(evidence)), share(kept)),
    ALL: lambda evidence, kept: mean_of(
        *[share(all_mutants(evidence)), share(kept)] * 2, weighted_share(evidence.limits)
    ),
}


NO_WRONG = (MUTANTS, "limits", "mutants and limits")
CHANGES = ((0, 3), (4, 10), (11, 999))


def find_worth(evidence: Evidence, predictor: Predictor) -> Worth:
    """Compute how well a score predicts."""
    mixed: list[float | None] = []
    fixed: dict[int, list[float | None]] = {size: [] for size in evidence.suites}
    means: dict[int, list[tuple[float, float]]] = {size: [] for size in evidence.suites}
    levels: dict[int, list[float]] = {}
    for kept, held in evidence.splits:
        score, target = predictor(evidence, kept), share(held)
        every: tuple[list[float], list[float]] = ([], [])
        for size, suites in evidence.suites.items():
            scores, rejected = [score(each) for each in suites], [target(each) for each in suites]
            fixed[size].append(spearman(scores, rejected))
            means[size].append((fmean(scores), fmean(rejected)))
            every[0].extend(scores)
            every[1].extend(rejected)
        mixed.append(spearman(*every))
        for level, outcome in zip(*every, strict=True):
            levels.setdefault(min(int(10 * level), 9), []).append(outcome)
    return Worth(
        mixed=known_mean(mixed),
        fixed=known_mean([each for found in fixed.values() for each in found]),
        sizes={size: known_mean(found) for size, found in fixed.items()},
        means=means,
        levels={level: fmean(found) for level, found in levels.items()},
    )


def spearman(scores: Sequence[float], outcomes: Sequence[float]) -> float | None:
    """Return Spearman's rho: 0 if only the scores are all the same, None if the outcomes are."""
    if len(set(outcomes)) < 2:
        return None
    return correlation(rank(scores), rank(outcomes)) if len(set(scores)) > 1 else 0.0


def rank(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal ones share the mean of their ranks."""
    ordered = sorted(values)
    return [(bisect_left(ordered, each) + bisect_right(ordered, each)) / 2 for each in values]


def known_mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are known."""
    known = [each for each in values if each is not None]
    return fmean(known) if known else None


def across(found: Sequence[Worth]) -> float | None:
    """Return rho over packages, of the means over the suites of a size in a split: the mean over sizes and splits."""
    points = [
        [each.means[size][split] for each in found if size in each.means] for size in SIZES for split in range(SPLITS)
    ]
    return known_mean(spearman([x for x, _ in each], [y for _, y in each]) for each in points)


def interval(found: Sequence[T], statistic: Callable[[Sequence[T]], float | None]) -> str:
    """Return a statistic, with its 95% bootstrap interval over the packages."""
    chance = random.Random(0)
    samples = [statistic(chance.choices(found, k=len(found))) for _ in range(RESAMPLES)]
    known = sorted(each for each in samples if each is not None)
    value = statistic(found)
    if value is None:
        return "-"
    return f"{value:.2f} ({known[len(known) // 40]:.2f} to {known[-1 - len(known) // 40]:.2f})"


# ---- tables ---------------------------------------------------------------------------------------------------------


def operator_rhos(packages: Sequence[Evidence]) -> dict[str, dict[str, float]]:
    """Return how well each operator alone predicts among suites of the same size, by package."""
    found: dict[str, dict[str, float]] = {}
    for evidence in packages:
        for operator, masks in evidence.mutants.items():
            if len(masks) >= FEWEST_MUTANTS:
                worth = find_worth(evidence, lambda *_, masks=masks: share(masks))
                if worth.fixed is not None:
                    found.setdefault(operator, {})[evidence.package] = worth.fixed
    return found


def learn_weights(rhos: Mapping[str, Mapping[str, float]], *, without: str) -> dict[str, float]:
    """Return a weight for each operator, its mean rho, from all packages but one."""
    found = {operator: known_mean(rho for name, rho in by.items() if name != without) for operator, by in rhos.items()}
    return {operator: max(0.0, mean or 0.0) for operator, mean in found.items()}


def subsuming(masks: Iterable[int]) -> list[int]:
    """Return the mutants, one of each kind, that no other mutant is sure to be killed with."""
    kinds = {each for each in masks if each}
    return [each for each in kinds if not any(other & each == other != each for other in kinds)]


def show_changes(packages: Sequence[Evidence]) -> None:
    """Print what scores say about submissions that are near to an accepted one, and about those that are not."""
    print(
        f"\n{'lines changed':<16}{'wrong':>6}{'rejecting cases':>17}  "
        + "".join(f"{name:<24}" for name in NO_WRONG).rstrip()
    )
    for first, last in CHANGES:
        some = [
            msgspec.structs.replace(each, wrong=near, splits=[([], [mask for mask, _ in near])])
            for each in packages
            if (near := [it for it in each.wrong if first <= it[1] <= last])
        ]
        several = [each for each in some if len(each.wrong) > 1]
        masks = [mask.bit_count() / each.cases for each in some for mask, _ in each.wrong]
        columns = [
            interval([find_worth(each, PREDICTORS[name]).fixed for each in several], known_mean) for name in NO_WRONG
        ]
        print(
            f"{first:>3} to {last:<9}{len(masks):>6}{fmean(masks):>17.2f}  "
            + "".join(f"{each:<24}" for each in columns).rstrip()
        )


def show_larger(packages: Sequence[Evidence]) -> None:
    """Print what mutants with larger mistakes are worth, and those that few cases kill."""
    if not packages:
        return
    first = {each.package: all_mutants(each) for each in packages}
    larger = {each.package: [mask for masks in each.larger.values() for mask in masks] for each in packages}
    scores: dict[str, Mapping[str, Sequence[int]]] = {
        MUTANTS: first,
        "subsuming mutants": {name: subsuming(first[name]) for name in first},
        **{
            f"only: {kind}": {each.package: each.larger.get(kind, ()) for each in packages}
            for kind in sorted({kind for each in packages for kind in each.larger})
        },
        "all larger mistakes": larger,
        "mutants and larger": {name: [*first[name], *larger[name]] for name in first},
        "subsuming of both": {name: subsuming([*first[name], *larger[name]]) for name in first},
    }
    print(f"\nlarger mistakes{'':<23}{'packages':>10}  {'mixed sizes':<24}{'same size':<24}")
    for name, by_package in scores.items():
        some = [each for each in packages if len(by_package[each.package]) >= FEWEST_MUTANTS or name == MUTANTS]
        worths = [find_worth(each, partial(_of_package, by_package)) for each in some]
        columns = [interval([getattr(each, kind) for each in worths], known_mean) for kind in ("mixed", "fixed")]
        print(f"{name:<38}{len(some):>10}  " + "".join(f"{each:<24}" for each in columns).rstrip())


def _of_package(masks: Mapping[str, Sequence[int]], evidence: Evidence, _: Sequence[int]) -> Score:
    return share(masks[evidence.package])


def show_covers(packages: Sequence[Evidence]) -> None:
    """Print what those cases reject that `judge strength` does not call redundant, and other suites as large."""
    rows: dict[str, list[tuple[int, float]]] = {}
    chance = random.Random(0)
    for evidence in packages:
        every = range(evidence.cases)
        fewer = find_cover(evidence.cases, all_mutants(evidence))
        more = find_cover(evidence.cases, [*all_mutants(evidence), *subsuming(mask for mask, _ in evidence.limits)])
        rest, missing = [case for case in every if case not in fewer], max(0, len(more) - len(fewer))
        score = share(mask for mask, _ in evidence.wrong)
        for name, suites in {
            "as many random cases": [chance.sample(every, len(more)) for _ in range(SUITES)],
            "for mutants": [fewer],
            "for mutants, and random ones": [[*fewer, *chance.sample(rest, missing)] for _ in range(SUITES)],
            "for mutants, and the largest": [more],
        }.items():
            found = [score(sum(1 << case for case in suite)) for suite in suites]
            rows.setdefault(name, []).append((len(suites[0]), fmean(found)))
    print(f"\n{'cases that are enough':<30}{'cases':>6}{'wrong rejected':>22}")
    for name, each in rows.items():
        column = interval([part for _, part in each], known_mean)
        print(f"{name:<30}{fmean(size for size, _ in each):>6.1f}{column:>22}")


def find_cover(cases: int, masks: Sequence[int]) -> list[int]:
    """Return the cases that are not redundant if these programs are to be rejected."""
    names = [str(case) for case in range(cases)]
    redundant = redundant_cases(names, (), [[case for case in names if mask >> int(case) & 1] for mask in masks])
    return [case for case in range(cases) if str(case) not in redundant]


def show_tables(matrices: Sequence[Matrix]) -> None:
    """Print what each score is worth."""
    packages = [evidence for each in matrices if (evidence := read_evidence(each)) is not None]
    if not packages:
        print("no package has enough wrong submissions; name folders with packages")
        return
    print(
        f"{len(packages)} of {len(matrices)} packages count: "
        f"{sum(len(each.wrong) for each in packages)} wrong submissions, "
        f"{sum(len(masks) for each in packages for masks in each.mutants.values())} mutants, "
        f"{sum(each.cases for each in packages)} cases"
    )
    rhos = operator_rhos(packages)
    weights = {each.package: learn_weights(rhos, without=each.package) for each in packages}

    def weighted(evidence: Evidence, _: Sequence[int]) -> Score:
        known = weights[evidence.package]
        return weighted_share(
            (mask, known.get(name, 0.0)) for name, masks in evidence.mutants.items() for mask in masks
        )

    found = {
        name: [find_worth(each, predictor) for each in packages]
        for name, predictor in {**PREDICTORS, "mutants, weighted": weighted}.items()
    }
    print(f"\n{'rho of the score':<26}{'mixed sizes':<24}{'same size':<24}{'across packages':<24}")
    for name, worths in found.items():
        means = [interval([getattr(each, kind) for each in worths], known_mean) for kind in ("mixed", "fixed")]
        columns = [*means, interval(worths, across)]
        print(f"{name:<26}" + "".join(f"{each:<24}" for each in columns).rstrip())
    kept_rho = [[getattr(each, kind) for each in found[KEPT]] for kind in ("mixed", "fixed")]
    columns = [
        *(interval(rhos, lambda some: sqrt(max(0.0, known_mean(some) or 0.0))) for rhos in kept_rho),
        interval(found[KEPT], lambda worths: sqrt(max(0.0, across(worths) or 0.0))),
    ]
    print(f"{'ceiling':<26}" + "".join(f"{each:<24}" for each in columns).rstrip())
    print(
        f"\n{'cases':<7}{'rho of mutants':<24}{'rho of kept wrong':<24}{'mutants killed':>15}{'held out rejected':>19}"
    )
    for size in SIZES:
        mutants, kept = ([each for each in found[name] if size in each.sizes] for name in (MUTANTS, KEPT))
        if mutants:
            rho = [interval([each.sizes[size] for each in some], known_mean) for some in (mutants, kept)]
            score, rejected = (fmean(point[axis] for each in mutants for point in each.means[size]) for axis in (0, 1))
            print(f"{size:<7}{rho[0]:<24}{rho[1]:<24}{score:>15.2f}{rejected:>19.2f}")
    print(f"\n{'mutants killed':<20}{'packages':>10}{'held out rejected':>22}")
    for level in range(10):
        known = [each.levels[level] for each in found[MUTANTS] if level in each.levels]
        if known:
            print(f"{level * 10:>3}% to {level * 10 + 10:>3}%{'':<8}{len(known):>10}{interval(known, known_mean):>22}")
    show_covers(packages)
    show_changes(packages)
    show_larger([each for each in packages if each.larger])
    print(f"\n{'operator':<20}{'packages':>10}{'mutants':>10}{'rho':>8}")
    for operator, by_package in sorted(rhos.items(), key=lambda item: -fmean(item[1].values())):
        count = sum(len(each.mutants.get(operator, ())) for each in packages)
        print(f"{operator:<20}{len(by_package):>10}{count:>10}{fmean(by_package.values()):>8.2f}")


def main() -> None:
    """Run what is not known yet, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("roots", nargs="*", type=Path, metavar="ROOT")
    parser.add_argument("--cache", type=Path, default=CACHE, metavar="FOLDER", help="default: %(default)s")
    parser.add_argument("--cases", type=int, default=24, help="most cases of a package")
    parser.add_argument("--mutants", type=int, default=60, help="most mutants of a solution")
    parser.add_argument("--only", default="", metavar="TEXT", help="a part of the paths of the packages")
    args = parser.parse_args()
    args.cache.mkdir(parents=True, exist_ok=True)
    packages = sorted({package for root in args.roots for package in find_packages(root.resolve())})
    for package in packages:
        path = args.cache / f"{digest(str(package).encode())[:8]}-{package.name}.json"
        if path.exists() or args.only not in str(package):
            continue
        start = time.monotonic()
        try:
            matrix = measure_package(package, cases=args.cases, mutants=args.mutants)
        except (JudgeError, OSError) as error:
            print(f"{package}: left out: {str(error).splitlines()[0][:150]}", flush=True)
            continue
        path.write_bytes(msgspec.json.encode(matrix))
        took = time.monotonic() - start
        print(f"{package}: {len(matrix.rows)} programs, {len(matrix.cases)} cases, {took:.0f} s", flush=True)
    show_tables([msgspec.json.decode(path.read_bytes(), type=Matrix) for path in sorted(args.cache.glob("*.json"))])


if __name__ == "__main__":
    main()
