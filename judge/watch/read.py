"""Problems as they were read last: one is read again only when a file of it changed."""

from pathlib import Path

from judge.errors import DataError
from judge.layouts.native import load_problem
from judge.model import Problem


class ReadProblems:
    """Reads problems, and remembers them or what is wrong with them.

    Attributes:
        problems: those that could be read, by id.
    """

    def __init__(self) -> None:
        self.problems: dict[str, Problem] = {}
        self._wrong: dict[str, DataError] = {}

    def load(self, root: Path, problem_id: str) -> Problem:
        """Return a problem, as `load_problem` does.

        Raises:
            UsageError: there is no such problem.
            DataError: its files are wrong.
        """
        if problem_id in self._wrong:
            raise DataError(self._wrong[problem_id].findings)
        if problem_id not in self.problems:
            try:
                self.problems[problem_id] = load_problem(root, problem_id)
            except DataError as error:
                self._wrong[problem_id] = error
                raise
        return self.problems[problem_id]

    def is_wrong(self, problem_id: str) -> bool:
        """Return whether a problem's files were found to be wrong."""
        return problem_id in self._wrong

    def forget(self, problem_id: str | None = None) -> None:
        """Read a problem, or all, again when asked for."""
        if problem_id is None:
            self.problems.clear()
            self._wrong.clear()
        self.problems.pop(problem_id or "", None)
        self._wrong.pop(problem_id or "", None)
