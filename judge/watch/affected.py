"""What changed files mean: which solutions are due, and which problems are to be read again."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from judge.layouts.paths import why_no_file
from judge.model import Problem, Solution
from judge.watch.places import Places
from judge.watch.read import ReadProblems


@dataclass(slots=True)
class Due:
    """What is to be judged; grows as files change.

    Attributes:
        everything: all that is watched.
        fresh: nothing of it from the cache.
        problems: all solutions of these.
        files: these solutions.
    """

    everything: bool = False
    fresh: bool = False
    problems: set[str] = field(default_factory=set)
    files: set[Path] = field(default_factory=set)

    def has(self, problem: Problem, solution: Solution) -> bool:
        """Return whether a solution is due."""
        return self.everything or problem.id in self.problems or solution.path in self.files


def note(paths: Iterable[Path], places: Places, read: ReadProblems, due: Due) -> None:
    """Add what a change of some paths means, and forget what is out of date."""
    for path in paths:
        if path in places.files:
            due.files.add(path)
        elif any(path.is_relative_to(folder) for folder in places.folders):
            due.everything = True
        elif path.is_relative_to(places.root):
            _note_in_repository(path.relative_to(places.root).parts, path, read, due)


def _note_in_repository(parts: tuple[str, ...], path: Path, read: ReadProblems, due: Due) -> None:
    if len(parts) < 2:  # all of them may be others now
        read.forget()
        due.everything = True
        return
    top, problem_id = parts[:2]
    problem = read.problems.get(problem_id)
    if top != "solutions":
        read.forget(problem_id)
        due.problems.add(problem_id)
    elif problem is None or why_no_file(path) or not any(path == each.path for each in problem.solutions):
        read.forget(problem_id)  # a solution came, went or has another name
        due.files.add(path)
    elif path in (problem.reference, problem.independent):
        due.problems.add(problem_id)  # it makes or confirms the answers
    else:
        due.files.add(path)
