"""Why does a mutant survive? Probes tell whether its place is executed, and whether its expression ever differs."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from judge.judging.judge import Job, job_command
from judge.languages.build import CompileError
from judge.model import default_wall
from judge.mutation.probe import INFECTED, REACHED, python_probe
from judge.preparation.cases import MapRuns
from judge.preparation.store import make_key
from judge.sandbox.box import Box
from judge.strength.cases import TimedCase
from judge.strength.mutants import MutatedSolution
from judge.strength.results import Label, MutantResult
from judge.strength.store import MutantStore
from judge.units import Seconds

_SLOWER = 20  # a probe may take so many times the time of the solution
_ALLOWANCE = Seconds(1.0)


def triage(
    mutated: MutatedSolution,
    cases: Sequence[TimedCase],
    results: Sequence[MutantResult],
    store: MutantStore,
    *,
    map_runs: MapRuns,
    report: Callable[[str, int, int], None],
) -> list[MutantResult]:
    """Return the results with a label for each survivor."""
    survivors = [each for each in results if not each.is_killed]
    all_cases = make_key(*(each.key for each in cases))[:16]
    labels: dict[str, Label] = {}
    unknown = []
    for each in survivors:
        known = store.label(f"{each.digest} {all_cases}")
        if known is None:
            unknown.append(each)
        else:
            labels[each.digest] = known
    ordered = sorted(cases, key=lambda each: (each.cpu, each.id))

    def run(box: Box, each: MutantResult) -> Label:
        return _label(mutated, ordered, each, box)

    found = map_runs(run, unknown)
    for done, (each, label) in enumerate(zip(unknown, found, strict=True)):
        report(f"looking at the survivors of {mutated.solution.display_path}", done, len(unknown))
        labels[each.digest] = label
        store.put_label(f"{each.digest} {all_cases}", label)
    return [each if each.is_killed else replace(each, label=labels[each.digest]) for each in results]


def _label(mutated: MutatedSolution, cases: Sequence[TimedCase], result: MutantResult, box: Box) -> Label:
    """Run the probe of a survivor on all cases, up to the first that shows a difference. Workers call this."""
    text = python_probe(mutated.text, result.mutant) if mutated.is_python else None
    if text is None or mutated.problem.interactor is not None:
        return Label.REACHED
    program = mutated.program(text, box)
    if isinstance(program, CompileError):
        return Label.REACHED
    was_reached, was_complete = False, True
    for case in cases:
        cpu = Seconds(_SLOWER * case.cpu + _ALLOWANCE)
        limits = replace(case.ready.case.limits, cpu=cpu, wall=default_wall(cpu))
        job = Job(
            program=program,
            case=replace(case.ready.case, limits=limits),
            input=case.ready.input,
            answer=case.ready.answer,
        )
        outcome = box.run(replace(job_command(job, case.ready.input), keeps_stderr=True), limits)
        was_complete &= outcome.result.exit_code == 0
        was_reached |= REACHED in outcome.stderr
        if INFECTED in outcome.stderr:
            return Label.INFECTED
        if was_reached and not result.mutant.has_probe:
            return Label.REACHED
    if not was_reached:
        return Label.UNREACHED if was_complete else Label.REACHED
    return Label.EQUIVALENT if was_complete else Label.REACHED
