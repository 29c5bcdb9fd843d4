"""Measures the strength of a problem's cases: judges every mutant, the most lethal cases first, up to the first kill.

A mutant first runs with a time limit that follows from the solution's own time. One that exceeds it is only suspected
to be too slow: it runs again with the limits of the case, and these decide. Measurements that are not certified may
leave that out, since mutants that loop cost more than all others together.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import digest
from judge.base.errors import DataError, JudgeError, UsageError
from judge.base.units import Seconds
from judge.hack.hack_programs import build_validators
from judge.hack.hacking import find_search_files
from judge.judging.judge import Job
from judge.judging.programs import JudgePrograms
from judge.languages.build import CompileError, Program
from judge.model import Limits, Problem, Solution, Verdict
from judge.preparation.cases import PreparedCase, ReadyCase, diagnose
from judge.preparation.store import make_key
from judge.runner.cache import environment
from judge.runner.solution import SolutionBuild, judge_job
from judge.sandbox.box import Box
from judge.strength.cases import (
    CaseSize,
    TimedCase,
    case_key,
    case_size,
    is_cheap,
    largest_cases,
    limits_passed,
    mutant_limits,
    order_groups,
    redundant_cases,
)
from judge.strength.killers import KillerSearch, Survivor
from judge.strength.mutants import MutatedSolution, mutate_solution, triage
from judge.strength.mutation.mutant import Mutant
from judge.strength.mutation.probe import PROBES_VERSION
from judge.strength.mutation.switch import SWITCHES
from judge.strength.programs import try_programs
from judge.strength.results import (
    GroupStrength,
    MutantResult,
    ProblemStrength,
    ProgramFault,
    SolutionStrength,
    WrongSolution,
)
from judge.strength.store import MutantStore
from judge.workspace.session import Session

_REPEATS = 5
_FEWEST_COMBINED = 4

Report = Callable[[str, int, int], None]
"""Called with what is being done, and how much of it is done of how much."""


class Measurement(Struct):
    """The state of measuring one problem.

    Attributes:
        most: of more mutants of one solution, an evenly spread part is judged.
        budget: how long to search, for each survivor, for an input that kills it; 0 for none.
        accepted: survivors for which no input is searched for, by solution and changed lines.
        confirms_time: what seems too slow runs again with the limits of the case.
    """

    session: Session
    problem: Problem
    state_folder: Path
    report: Report = lambda *_: None
    most: int | None = None
    budget: Seconds = Seconds(0.0)
    accepted: Collection[tuple[str, str, str]] = ()
    confirms_time: bool = True
    runs: int = 0
    notes: list[str] = field(default_factory=list)
    programs: JudgePrograms | None = None
    cases: list[ReadyCase] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    mutated: dict[Path, MutatedSolution] = field(default_factory=dict)
    stores: dict[Path, MutantStore] = field(default_factory=dict)

    def measure(self) -> ProblemStrength:
        """Judge all mutants and wrong solutions.

        Raises:
            DataError: some test data is wrong.
            UsageError: there is no accepted solution, or no case.
            JudgeError: a program cannot be run.
        """
        self.prepare()
        solutions: list[SolutionStrength] = []
        skipped: list[tuple[str, str]] = []
        for solution in self.problem.solutions:
            if solution.expectation.name == "accepted":
                found = self.measure_solution(solution)
                if isinstance(found, str):
                    skipped.append((solution.display_path, found))
                else:
                    solutions.append(found)
        if self.budget:
            solutions = self.search_killers(solutions)
        wrong = [
            self.judge_wrong(each)
            for each in self.problem.solutions
            if each.expectation.name and Verdict.AC not in each.expectation.required
        ]
        self.report("trying the checker and the validator", 0, 1)
        store, map_runs = self.session.store, self.session.executor.map
        validators, notes = build_validators(self.problem, self.session) if self.problem.is_package else ([], [])
        self.notes += [each for each in notes if each not in self.notes]
        faults = try_programs(self.problem, self.cases, store, self.programs, map_runs, validators=validators)
        return self.sum_up(solutions, wrong, skipped, faults)

    def prepare(self) -> None:
        """Make the test data ready."""
        self.report("preparing the cases", 0, len(self.problem.cases))
        prepared: list[PreparedCase] = list(self.session.prepare(self.problem, self.problem.cases))
        if wrong := diagnose(prepared):
            raise DataError(wrong)
        self.cases = [each for each in prepared if isinstance(each, ReadyCase) and not each.case.is_static]
        if not self.cases:
            raise UsageError(f"{self.problem.id}: it has no case that can be judged here; strength needs at least one")
        self.programs = self.session.store.judge_programs(self.problem)
        self.keys = {each.case.id: case_key(each, self.programs) for each in self.cases}

    def measure_solution(self, solution: Solution) -> SolutionStrength | str:
        """Judge the mutants of one accepted solution; return why it has none if so."""
        mutated = mutate_solution(self.build(solution), most=self.most)
        if isinstance(mutated, str):
            return mutated
        self.mutated[solution.path] = mutated
        identity = mutated.build.identity()
        if identity is None:
            return "it cannot be built on this machine"
        store = MutantStore(self.state_folder, solution.path, self._environment(identity))
        self.stores[solution.path] = store
        cases = self.time_solution(mutated, store)
        if isinstance(cases, str):
            return cases
        try:
            results = self.judge_mutants(mutated, cases, store)
            results = triage(mutated, cases, results, store, map_runs=self.session.executor.map, report=self.report)
        finally:
            store.save()
        return SolutionStrength(
            solution=solution, source=mutated.build.digest, results=results, cpu={each.id: each.cpu for each in cases}
        )

    def time_solution(self, mutated: MutatedSolution, store: MutantStore) -> list[TimedCase] | str:
        """Run the solution itself on all cases; return why it says nothing if it is not accepted."""
        name = mutated.solution.display_path
        source = mutated.build.digest
        unknown = [each for each in self.cases if f"{source} {self.keys[each.case.id]}" not in store.times]
        runs = self.session.executor.map(lambda box, case: self._time_original(mutated, case, box), unknown)
        for done, (case, (verdict, cpu)) in enumerate(zip(unknown, runs, strict=True)):
            self.report(f"timing {name}", done, len(unknown))
            self.runs += 1
            if verdict is not Verdict.AC:
                return f"it is not accepted on {case.case.id}: {verdict}"
            store.times[f"{source} {self.keys[case.case.id]}"] = cpu
        times = [store.times[f"{source} {self.keys[each.case.id]}"] for each in self.cases]
        return [
            TimedCase(each, self.keys[each.case.id], mutant_limits(each.case.limits, cpu), cpu)
            for each, cpu in zip(self.cases, times, strict=True)
        ]

    def judge_mutants(
        self, mutated: MutatedSolution, cases: Sequence[TimedCase], store: MutantStore
    ) -> list[MutantResult]:
        """Judge all mutants of a solution, each up to the first kill in each group."""
        self.combine_mutants(mutated, cases, store)
        groups = order_groups(cases)
        kills: dict[str, int] = dict.fromkeys((each.id for each in cases), 0)
        results: list[MutantResult] = []
        name = mutated.solution.display_path
        most = 32  # mutants after which the order of the cases is decided again
        for first in range(0, len(mutated.mutants), most):
            chunk = mutated.mutants[first : first + most]
            ordered = [sorted(group, key=lambda each: -kills[each.id]) for group in groups]  # small ones stay first

            def run(box: Box, item: tuple[Mutant, str], ordered: list[list[TimedCase]] = ordered) -> _Found:
                return self._judge_mutant(mutated, item, ordered, store, box)

            found = self.session.executor.map(run, chunk)
            for (mutant, key), (verdicts, new) in zip(chunk, found, strict=True):
                self.runs += len(new)
                for case, verdict in new.items():
                    store.put_verdict(key, case, verdict)
                if Verdict.CE in verdicts.values():
                    continue  # the compiler refuses it: no mistake that a case could show
                for case, verdict in verdicts.items():
                    kills[case] += verdict is not Verdict.AC
                results.append(
                    MutantResult(
                        mutant=mutant,
                        digest=key,
                        verdicts=verdicts,
                        before=mutant.before(mutated.text),
                        after=mutant.after(mutated.text),
                    )
                )
            self.report(f"judging the mutants of {name}", first + len(chunk), len(mutated.mutants))
        return results

    def combine_mutants(self, mutated: MutatedSolution, cases: Sequence[TimedCase], store: MutantStore) -> None:
        """Compile the mutants of a solution in C, C++ or Java together, if it behaves there as it does alone."""
        unknown = [each for each in mutated.mutants if all(store.verdict(each[1], case.key) is None for case in cases)]
        if mutated.language not in SWITCHES or len(unknown) < _FEWEST_COMBINED:
            return
        by_time = sorted(cases, key=lambda each: -each.cpu)
        some = by_time[:: max(1, len(by_time) // 8)]  # where the solution must behave there as it does alone
        executor = self.session.executor
        parts = min(executor.workers, len(unknown) // _FEWEST_COMBINED)

        def compile_part(box: Box, part: list[tuple[Mutant, str]]) -> dict[str, Program | CompileError]:
            try:
                original, programs = mutated.combine(part, box)
            except ValueError:  # some mutant does not compile there, in a way that no error names
                if len(part) < 2 * _FEWEST_COMBINED:
                    return {}
                return compile_part(box, part[::2]) | compile_part(box, part[1::2])
            except ImportError:
                note = (
                    "mutants in C, C++ and Java are compiled one by one: pip install 'judge-harness[mutants]' is faster"
                )
                self.notes += [note] if note not in self.notes else []
                return {}
            for case in some:  # where a name means something else in a namespace, or switches take too long
                verdict, cpu = self.judge(original, case.ready, case.limits, box)
                if verdict is not Verdict.AC or cpu > case.limits.cpu / 2:
                    return {}
            return programs

        found = executor.map(compile_part, [unknown[number::parts] for number in range(parts)])
        for done, programs in enumerate(found, 1):
            mutated.combined.update(programs)
            self.report(f"compiling the mutants of {mutated.solution.display_path}", done, parts)

    def search_killers(self, solutions: Sequence[SolutionStrength]) -> list[SolutionStrength]:
        """Search for inputs that kill survivors, except those that are accepted or were searched for as long before."""
        every = self._search_key()
        survivors = [
            Survivor(self.mutated[each.solution.path], result)
            for each in solutions
            for result in each.survivors
            if (each.solution.display_path, result.before, result.after) not in self.accepted
            and self.stores[each.solution.path].searched.get(f"{result.digest} {every}", 0.0) < self.budget
        ]
        if not survivors:
            return list(solutions)
        search = KillerSearch(self.session, self.problem, self.budget, self.report)
        found = search.search(survivors)
        self.notes += search.notes
        for each in survivors:
            if each.result.digest in search.searched:
                store = self.stores[each.mutated.solution.path]
                store.searched[f"{each.result.digest} {every}"] = self.budget
                store.save()
        return [
            replace(each, results=[it.with_killer(found.get(it.digest)) for it in each.results]) for each in solutions
        ]

    def _search_key(self) -> str:
        """Return a hash of all that decides what a search for killers finds, besides the survivor."""
        problem = self.problem
        accepted = [self.build(each).digest for each in problem.solutions if each.expectation.name == "accepted"]
        arguments = sorted({each.validator_args for each in problem.cases})
        files = [
            digest(file)
            for each in find_search_files(problem)
            for file in (sorted(each.rglob("*")) if each.is_dir() else [each])
            if file.is_file()
        ]
        settings = repr((problem.input_format, sorted(problem.constants.items()), arguments))
        return make_key(settings, *sorted(self.keys.values()), *sorted(accepted), *files)[:16]

    def judge_wrong(self, solution: Solution) -> WrongSolution:
        """Judge a solution that is known to be wrong, up to the first failure in each group."""
        self.report(f"judging {solution.display_path}", 0, 1)
        build = self.build(solution)
        identity = build.identity()
        store = MutantStore(self.state_folder, solution.path, self._environment(identity or ()))
        cases = [TimedCase(each, self.keys[each.case.id], each.case.limits, Seconds(0.0)) for each in self.cases]
        verdicts: dict[str, Verdict] = {}

        def run(box: Box, case: TimedCase) -> Verdict:
            program = build.build(box)
            if isinstance(program, CompileError):
                return Verdict.CE
            if isinstance(program, JudgeError):
                raise program
            return self.judge(program, case.ready, case.limits, box)[0]

        for group in order_groups(cases):
            for case in group:
                verdict = store.verdict(build.digest, case.key)
                if verdict is None:
                    verdict = next(self.session.executor.map(run, [case]))
                    self.runs += 1
                    store.put_verdict(build.digest, case.key, verdict)
                verdicts[case.id] = verdict
                if verdict is not Verdict.AC:
                    break
        store.save()
        return WrongSolution(solution=solution, verdicts=verdicts)

    def judge(self, program: Program, ready: ReadyCase, limits: Limits, box: Box) -> tuple[Verdict, Seconds]:
        """Judge a program on a case with other limits; return the CPU time, too. Workers call this.

        Raises JudgeError if the program could not be run.
        """
        case, programs = ready.case, self.programs
        job = Job(
            program=program,
            case=replace(case, limits=limits),
            input=ready.input,
            answer=ready.answer,
            checker=programs.require(case.checker.program, box) if programs else None,
            interactor=programs.require(programs.interactor, box) if programs else None,
            passes=programs.passes if programs else 1,
        )
        result, _ = judge_job(job, box, needs_output=False)
        for _ in range(_REPEATS):  # on a machine that is very busy, a run may fail before it starts
            if result.verdict is Verdict.JE:
                result, _ = judge_job(job, box, needs_output=False)
        if result.verdict is Verdict.JE and job.interactor is not None and result.run is not None:
            return Verdict.WA, result.run.cpu  # as the original is accepted, it is to blame
        if result.verdict in (Verdict.JE, Verdict.SK):
            raise JudgeError(f"{case.id}: {result.reason}")
        return result.verdict, result.run.cpu if result.run else Seconds(0.0)

    def sum_up(
        self,
        solutions: Sequence[SolutionStrength],
        wrong: Sequence[WrongSolution],
        skipped: Sequence[tuple[str, str]],
        faults: Sequence[ProgramFault],
    ) -> ProblemStrength:
        """Return the strength of the problem."""
        if not solutions and not wrong:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in skipped) or "it has no accepted solution"
            raise UsageError(f"{self.problem.id}: nothing to measure: {reasons}")
        killers = [each.killers for solution in solutions for each in solution.results if each.is_killed]
        killers += [each.killers for each in wrong]
        sizes = {each.case.id: case_size(each) for each in self.cases}
        kills = dict.fromkeys(sizes, 0)
        samples = [each.case.id for each in self.cases if each.case.group.startswith("sample")]
        for found in killers:
            for case in found:
                kills[case] += 1
        return ProblemStrength(
            id=self.problem.id,
            solutions=solutions,
            wrong=wrong,
            skipped=skipped,
            groups=_group_strengths(self.cases, sizes, solutions, wrong),
            kills=kills,
            faults=faults,
            notes=self.notes,
            redundant=redundant_cases(list(sizes), samples, [*killers, *largest_cases(sizes)]),
            runs=self.runs,
        )

    def build(self, solution: Solution) -> SolutionBuild:
        """Return how to build a solution of the problem."""
        options = self.session.run_options(use_cache=False)
        return SolutionBuild(solution, self.problem, options, self.programs, is_named=True)

    def _environment(self, identity: Sequence[str]) -> str:
        """Return the key of what decides verdicts and labels besides sources and cases."""
        executor = self.session.executor
        place = environment(executor.level, is_warm=executor.is_warm, place=executor.place)
        return make_key(*place, str(PROBES_VERSION), *identity[1:])  # the tools of the language

    def _time_original(self, mutated: MutatedSolution, ready: ReadyCase, box: Box) -> tuple[Verdict, Seconds]:
        """Run the solution itself; if it is too slow, which a busy machine may cause, a few times."""
        program = mutated.program(mutated.text, box)
        if isinstance(program, CompileError):
            return Verdict.CE, Seconds(0.0)
        found = self.judge(program, ready, ready.case.limits, box)
        for _ in range(_REPEATS):
            if found[0] is Verdict.TLE:
                found = self.judge(program, ready, ready.case.limits, box)
        return found

    def _judge_mutant(
        self,
        mutated: MutatedSolution,
        item: tuple[Mutant, str],
        groups: Sequence[Sequence[TimedCase]],
        store: MutantStore,
        box: Box,
    ) -> "_Found":
        """Judge a mutant in each group up to the first kill; return all verdicts, and the new ones by content."""
        mutant, key = item
        verdicts: dict[str, Verdict] = {}
        new: dict[str, Verdict] = {}
        program: Program | CompileError | None = None
        is_slow = not self.confirms_time  # the shorter limit decides
        for group in groups:
            if not is_cheap(sum(each.cpu for each in group), len(group)) and any(
                each is not Verdict.AC for each in verdicts.values()
            ):
                continue
            known = {
                each.id: store.verdict(key, each.key) or (store.verdict(key, _suspected(each.key)) if is_slow else None)
                for each in group
            }
            killed = next((each for each in group if known[each.id] not in (None, Verdict.AC)), None)
            for case in [killed] if killed else group:
                verdict = known[case.id]
                if verdict is None:
                    program = program or mutated.program(mutant.apply(mutated.text), box)
                    if isinstance(program, CompileError):
                        verdict = new[case.key] = Verdict.CE
                    else:
                        verdict, is_final = self._judge_patiently(mutated, item, program, case, box, is_slow=is_slow)
                        new[case.key if is_final else _suspected(case.key)] = verdict
                is_slow |= verdict is Verdict.TLE
                verdicts[case.id] = verdict
                if verdict is not Verdict.AC:
                    break
        return verdicts, new

    def _judge_patiently(
        self,
        mutated: MutatedSolution,
        item: tuple[Mutant, str],
        program: Program,
        case: TimedCase,
        box: Box,
        *,
        is_slow: bool,
    ) -> tuple[Verdict, bool]:
        """Judge a mutant; return whether the limits of the case decided the verdict, too.

        What is too slow beside others is compiled alone: switches take time.
        """
        ready = case.ready
        verdict, _ = self.judge(program, ready, case.limits, box)
        is_together = item[1] in mutated.combined
        if verdict is not Verdict.TLE or (case.limits.cpu == ready.case.limits.cpu and not is_together):
            return verdict, True
        if is_slow:
            return verdict, False
        if is_together:
            alone = mutated.program(item[0].apply(mutated.text), box, is_alone=True)
            if isinstance(alone, CompileError):
                return Verdict.CE, True
            program = alone
        return self.judge(program, ready, ready.case.limits, box)[0], True


def _suspected(case: str) -> str:
    """Return the key of a verdict that only the shorter time limit gives."""
    return f"{case} suspected"


_Found = tuple[dict[str, Verdict], dict[str, Verdict]]


def _group_strengths(
    cases: Sequence[ReadyCase],
    sizes: Mapping[str, CaseSize],
    solutions: Sequence[SolutionStrength],
    wrong: Sequence[WrongSolution],
) -> list[GroupStrength]:
    timed = [TimedCase(each, "", each.case.limits, Seconds(0.0)) for each in cases]
    results = [each for solution in solutions for each in solution.results]
    killable = sum(len(each.results) - each.equivalent for each in solutions)
    seen: set[int] = set()
    found = []
    for group in order_groups(timed):
        ids = {each.id for each in group}
        killed = {number for number, each in enumerate(results) if ids.intersection(each.killers)}
        cpu = max((sum(it.cpu.get(case, 0.0) for case in ids) for it in solutions), default=0.0)
        alone = len(killed) if is_cheap(cpu, len(ids)) else None
        rejected = sum(bool(ids.intersection(each.killers)) for each in wrong)
        limits = limits_passed(sizes, ids)
        halves = [limits]  # counts half: so it predicts best (bench_correlation)
        halves += [rejected / len(wrong)] * 2 if wrong else []
        halves += [len(killed) / killable] * 2 if killable else []
        found.append(
            GroupStrength(
                group=group[0].ready.case.group,
                cases=len(group),
                alone=alone,
                added=len(killed - seen),
                limits=limits,
                wrong=rejected,
                score=None if alone is None else fmean(halves),
            )
        )
        seen |= killed
    return found
