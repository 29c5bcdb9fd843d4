"""The mutants of a solution as programs: Python mutants start from one initialized interpreter, others are compiled."""

import threading
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from judge.errors import JudgeError, describe_error
from judge.languages.build import CompileError, Program, build, read_source
from judge.languages.source import solution_options
from judge.model import Problem, Solution
from judge.mutation.mutant import Mutant, mutant_digest
from judge.mutation.python import python_mutants
from judge.mutation.tokens import MOST_COMPILED, token_mutants
from judge.runner.options import RunOptions
from judge.runner.solution import SolutionBuild
from judge.sandbox.box import Box

_MUTATORS: dict[str, Callable[[bytes], list[Mutant]]] = {
    "python3": python_mutants,
    "pypy3": python_mutants,
    "c": token_mutants,
    "cpp": token_mutants,
    "java": token_mutants,
}
"""How mutants are made, by the id of a language."""


class MutatedSolution(Struct):
    """An accepted solution with its mutants.

    Attributes:
        build: builds the solution itself.
        mutants: with the hash of each mutated source.
    """

    solution: Solution
    build: SolutionBuild
    text: bytes
    language: str
    problem: Problem
    options: RunOptions
    mutants: Sequence[tuple[Mutant, str]]

    @property
    def is_python(self) -> bool:
        """Whether the mutants are Python programs."""
        return self.language in ("python3", "pypy3")

    def program(self, text: bytes, box: Box) -> Program | CompileError:
        """Return a variant of the solution as a program. Workers call this.

        Raises:
            JudgeError: the solution cannot be built, or a compiler cannot be run.
            OSError: the variant cannot be written.
        """
        original = self.build.build(box)
        if isinstance(original, JudgeError):
            raise original
        if isinstance(original, CompileError):
            return original
        store = self.options.store
        if text == self.text and not self.is_python:
            return original  # several workers may want it at once, and a compiler writes into one place
        if not (self.is_python and original.argv[-1] == str(original.copy)):
            return build(
                self.solution.path,
                store.build,
                box,
                self.options.tools,
                text=text,
                source_options=solution_options(self.solution, self.problem.folder),
                options=self.options.build.add_flags(self.problem.compile_flags),
            )
        path = original.place / f"{mutant_digest(text)}.py"
        if not path.exists():
            partial = path.with_suffix(f".{threading.get_ident()}")  # another worker may want it, too
            partial.write_bytes(text)
            partial.chmod(0o644)  # runs may be another user
            partial.replace(path)
        return replace(original, argv=(*original.argv[:-1], str(path)), copy=path, base=original.copy)


def mutate_solution(
    solution: Solution, solution_build: SolutionBuild, problem: Problem, options: RunOptions, *, most: int | None
) -> MutatedSolution | str:
    """Return a solution with its mutants, or why it has none.

    Args:
        solution: one that is accepted.
        solution_build: builds it.
        problem: that it solves.
        options: of the runs.
        most: of more mutants than this, an evenly spread part is taken.
    """
    try:
        source = read_source(solution.path, solution_options(solution, problem.folder))
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
    digests = [(each, mutant_digest(each.apply(text))) for each in _spread(mutants, most)]
    return MutatedSolution(
        solution=solution,
        build=solution_build,
        text=text,
        language=source.language.id,
        problem=problem,
        options=options,
        mutants=digests,
    )


def _spread(mutants: list[Mutant], most: int | None) -> list[Mutant]:
    if most is None or len(mutants) <= most:
        return mutants
    return [mutants[index * len(mutants) // most] for index in range(most)]
