"""The mutants of a solution as programs, and why one survives.

Python mutants start from one initialized interpreter, others are compiled. Probes tell whether the place of a survivor
is executed, and whether its expression ever differs.
"""

import threading
from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import JudgeError, describe_error
from judge.base.units import Seconds
from judge.judging.judge import Job, job_command
from judge.languages.build import CompileError, Program, build
from judge.languages.program_source import read_source
from judge.languages.source import solution_options
from judge.model import Solution
from judge.preparation.cases import MapRuns
from judge.preparation.store import make_key
from judge.runner.solution import SolutionBuild
from judge.sandbox.box import Box
from judge.strength.cases import TimedCase
from judge.strength.mutation.mutant import Mutant, mutant_digest
from judge.strength.mutation.probe import INFECTED, REACHED, python_probe
from judge.strength.mutation.python import python_mutants
from judge.strength.mutation.schemata import Schemata
from judge.strength.mutation.switch import VARIABLE
from judge.strength.mutation.tokens import MOST_COMPILED, token_mutants
from judge.strength.results import Label, MutantResult
from judge.strength.store import MutantStore

_MUTATORS: dict[str, Callable[[bytes], list[Mutant]]] = {
    "python3": python_mutants,
    "pypy3": python_mutants,
    "c": token_mutants,
    "cpp": token_mutants,
    "java": token_mutants,
}
"""How mutants are made, by the id of a language."""


class MutatedSolution(Struct):
    """An accepted solution with its mutants, and the hash of each mutated source.

    `language` is its id. `combined` has the mutants that `combine_mutants` has compiled, by their hashes.
    """

    build: SolutionBuild
    text: bytes
    language: str
    mutants: Sequence[tuple[Mutant, str]]
    combined: dict[str, Program | CompileError] = field(default_factory=dict)

    @property
    def solution(self) -> Solution:
        """The solution."""
        return self.build.solution

    @property
    def is_python(self) -> bool:
        """Whether the mutants are Python programs."""
        return self.language in ("python3", "pypy3")

    def program(self, text: bytes, box: Box, *, is_alone: bool = False) -> Program | CompileError:
        """Return a variant of the solution as a program, which may have others, too. Workers call this.

        Raises JudgeError if the solution cannot be built, or a compiler cannot be run, and OSError.
        """
        original = self.build.build(box)
        if isinstance(original, JudgeError):
            raise original
        if isinstance(original, CompileError):
            return original
        if text == self.text and not self.is_python:
            return original  # several workers may want it at once, and a compiler writes into one place
        if self.combined and not is_alone and (combined := self.combined.get(mutant_digest(text))):
            return combined
        if not (self.is_python and original.argv[-1] == str(original.copy)):
            return self._compile(text, box)
        path = original.place / f"{mutant_digest(text)}.py"
        if not path.exists():
            partial = path.with_suffix(f".{threading.get_ident()}")  # another worker may want it, too
            partial.write_bytes(text)
            partial.chmod(0o644)  # runs may be another user
            partial.replace(path)
        return replace(original, argv=(*original.argv[:-1], str(path)), copy=path, base=original.copy)

    def combine(
        self, mutants: Sequence[tuple[Mutant, str]], box: Box
    ) -> tuple[Program, dict[str, Program | CompileError]]:
        """Compile several mutants as one program. Workers call this.

        Return that of the unchanged source, and those of the mutants by their hashes.

        Raises:
            ImportError: the parser is not installed.
            ValueError: the source does not compile with switches.
            JudgeError, OSError: as from `program`.
        """
        schemata = Schemata(self.text, self.language, {at: mutant for at, (mutant, _) in enumerate(mutants, 1)})
        for _ in range(20):  # a compiler does not report all errors at once
            try:
                found = self._compile(schemata.write(), box)
                if isinstance(found, Program):
                    break
                schemata.learn(found.text, self.solution.path.name)
            except ValueError:
                if not schemata.drop_copies():
                    raise
        else:
            raise ValueError("it does not compile beside others")
        programs: dict[int, Program | CompileError] = {
            number: replace(found, environment={**found.environment, VARIABLE: str(number)})
            for number in schemata.mutants
        }
        programs |= dict.fromkeys(schemata.refused, CompileError(message="it does not compile beside others, either"))
        original = replace(found, environment={**found.environment, VARIABLE: "0"})
        return original, {mutants[number - 1][1]: each for number, each in programs.items()}

    def _compile(self, text: bytes, box: Box) -> Program | CompileError:
        options, problem = self.build.options, self.build.problem
        return build(
            self.solution.path,
            options.store.build,
            box,
            options.tools,
            text=text,
            source_options=solution_options(self.solution, problem.folder),
            options=options.build.add_flags(problem.compile_flags),
        )


def mutate_solution(accepted: SolutionBuild, *, most: int | None) -> MutatedSolution | str:
    """Return an accepted solution with its mutants, or why it has none.

    `most`: of more mutants than this, an evenly spread part is taken.
    """
    solution = accepted.solution
    try:
        source = read_source(solution.path, solution_options(solution, accepted.problem.folder))
    except (JudgeError, OSError) as error:
        return describe_error(error)
    mutator = _MUTATORS.get(source.language.id)
    if mutator is None:
        return f"there are no mutants of {source.language.name} yet; expected Python, C, C++ or Java"
    if source.is_folder:
        return "it consists of several files; only single files have mutants"
    text = source.files[source.main]
    try:
        mutants = mutator(text)
    except (SyntaxError, RecursionError, ValueError) as error:
        return f"it cannot be parsed: {error}"
    if source.language.id not in ("python3", "pypy3"):
        most = min(most or MOST_COMPILED, MOST_COMPILED)
    if most is not None and len(mutants) > most:
        mutants = [mutants[index * len(mutants) // most] for index in range(most)]
    digests = [(each, mutant_digest(each.apply(text))) for each in mutants]
    return MutatedSolution(build=accepted, text=text, language=source.language.id, mutants=digests)


def triage(
    mutated: MutatedSolution,
    cases: Sequence[TimedCase],
    results: Sequence[MutantResult],
    store: MutantStore,
    *,
    map_runs: MapRuns,
    report: Callable[[str, int, int], None],
) -> list[MutantResult]:
    """Return the results with a label for each survivor: its probe runs on the cases until one shows a difference."""
    all_cases = make_key(*(each.key for each in cases))[:16]
    unknown = [each for each in results if not each.is_killed and f"{each.digest} {all_cases}" not in store.labels]
    ordered = sorted(cases, key=lambda each: (each.cpu, each.id))

    def label(box: Box, result: MutantResult) -> Label:
        text = python_probe(mutated.text, result.mutant) if mutated.is_python else None
        if text is None or mutated.build.problem.interactor is not None:
            return Label.REACHED
        program = mutated.program(text, box)
        if isinstance(program, CompileError):
            return Label.REACHED
        was_reached, was_complete = False, True
        for timed in ordered:
            ready = timed.ready
            limits = ready.case.limits.override(cpu=Seconds(20 * timed.cpu + 1.0))
            case = replace(ready.case, limits=limits)
            command = job_command(Job(program=program, case=case, input=ready.input, answer=ready.answer), ready.input)
            outcome = box.run(replace(command, keeps_stderr=True), limits)
            was_complete &= outcome.result.exit_code == 0
            was_reached |= REACHED in outcome.stderr
            if INFECTED in outcome.stderr:
                return Label.INFECTED
            if was_reached and not result.mutant.has_probe:
                return Label.REACHED
        if not was_complete:
            return Label.REACHED
        return Label.EQUIVALENT if was_reached else Label.UNREACHED

    found = map_runs(label, unknown)
    for done, (each, name) in enumerate(zip(unknown, found, strict=True)):
        report(f"looking at the survivors of {mutated.solution.display_path}", done, len(unknown))
        store.labels[f"{each.digest} {all_cases}"] = name
    return [
        each if each.is_killed else replace(each, label=store.labels[f"{each.digest} {all_cases}"]) for each in results
    ]
