"""What a query selects: parts of problems and packages, and files with the cases beside them."""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from judge.base.errors import Diagnostic
from judge.model import Problem

if TYPE_CHECKING:  # few queries are about files with the cases beside them
    from judge.problems.folder import FoundCases


class ProblemQuery(Struct):
    """What a query selects of one problem; an empty list means everything.

    Attributes:
        solutions: paths of files and folders.
        cases: glob patterns for `group/name`, or for a group or a folder of groups: then all of its cases.
    """

    solutions: list[Path] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)

    def has_solution(self, path: Path) -> bool:
        """Return whether the solution with this path is selected."""
        return not self.solutions or any(path.is_relative_to(each) for each in self.solutions)

    def has_case(self, case_id: str) -> bool:
        """Return whether the case with this id is selected."""
        return not self.cases or any(matches_pattern(case_id, pattern) for pattern in self.cases)


def matches_pattern(case_id: str, pattern: str) -> bool:
    """Return whether a pattern is for a case, or for a group that it is in."""
    return fnmatchcase(case_id, pattern) or fnmatchcase(case_id, f"{pattern}/*")


class LooseProblem(Struct, kw_only=True):
    """Files that belong to no problem of a repository, and the cases that they are judged on.

    Attributes:
        problem: with the cases and without the files; the overrides apply to it if the user named the cases.
        found: where the cases are; None if the user named them.
        named: those of the files that the user named.
    """

    problem: Problem
    found: "FoundCases | None" = None
    files: list[Path] = field(default_factory=list)
    named: set[Path] = field(default_factory=set)


class Resolution(Struct):
    """What a query selects.

    Attributes:
        problems: of the repository, by id.
        packages: by their absolute folders.
        archives: the zip files that packages were extracted from, by the folders of the packages.
        loose: files that belong to no problem, with the cases beside them.
        notes: what the user should know, a line each.
        diagnostics: errors in files that are left out.
    """

    problems: dict[str, ProblemQuery] = field(default_factory=dict)
    packages: dict[Path, ProblemQuery] = field(default_factory=dict)
    archives: dict[Path, Path] = field(default_factory=dict)
    loose: list[LooseProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def problem(self, name: str) -> ProblemQuery:
        """Return what is selected of a problem of the repository, which is added."""
        return self.problems.setdefault(name, ProblemQuery())

    def package(self, folder: Path) -> ProblemQuery:
        """Return what is selected of a package, which is added."""
        return self.packages.setdefault(folder, ProblemQuery())
