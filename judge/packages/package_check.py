"""Checks a package of a contest itself: its files by rules, its data by its validators, and these by their tests."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.packages.verification.package_tests import PackageTester
from judge.packages.verification.program_tests import problem_tests, run_tests
from judge.preparation.store import read_lock
from judge.problems.icpc.load import load_package
from judge.problems.icpc.package_files import read_package_files
from judge.problems.icpc.package_rules import check_rules
from judge.problems.paths import is_polygon, shown_path
from judge.problems.polygon.load import load_polygon, read_polygon_files
from judge.workspace.session import Session

_READING = "package"  # the rule of what reading a package reports
_PROGRAM = "program-test"


class PackageReport(Struct, frozen=True, kw_only=True):
    """What is wrong with a package, and how much of it was tested.

    Attributes:
        path: its folder, or the zip file that it is in, as the user should see it.
        diagnostics: each with a rule; errors first, each kind in the order of the files.
        counts: those of `PackageTester`.
    """

    path: Path
    diagnostics: Sequence[Diagnostic]
    counts: Counter[str]

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(each.severity is Severity.ERROR for each in self.diagnostics)

    @property
    def warnings(self) -> int:
        """The number of warnings."""
        return len(self.diagnostics) - self.errors


def check_package(folder: Path, root: Path, session: Session, *, shown: Path | None = None) -> PackageReport:
    """Check a package; nothing is written into it.

    The folder is absolute. Messages show paths relative to `root`, if the package is in it; reports call it `shown`, by
    default its folder.
    """
    path, place, is_of_polygon = shown or shown_path(folder, root), shown_path(folder, root), is_polygon(folder)
    try:
        if is_of_polygon:
            problem, found = load_polygon(folder, root_for_display=root)
            files, more = read_polygon_files(folder, problem.cases, root_for_display=root)
        else:
            problem, found = load_package(folder, root_for_display=root)
            files, more = read_package_files(folder, root_for_display=root)
    except DataError as error:
        return _report(path, error.diagnostics, Counter())
    diagnostics = [*found, *more]
    if not is_of_polygon:
        diagnostics += check_rules(problem, files, root_for_display=root)
    tester = PackageTester(problem=problem, files=files, store=session.store, shown=place)
    cases = [case for case in problem.cases if not case.is_static]
    prepared = list(session.prepare(problem, [*cases, *(test.case for test in files.self_tests)]))
    tester.run(prepared[: len(cases)], prepared[len(cases) :], session.executor.map)
    diagnostics += tester.diagnostics
    counts = tester.counts
    if is_of_polygon:  # its checker and its validator have tests, too
        tests = problem_tests(problem)
        results = run_tests(problem, tests, session.store, read_lock(problem.lock), session.executor.map)
        diagnostics += [replace(each, rule=_PROGRAM) for each in results if each]
        counts.update(self_tests=len(tests), runs=len(tests))
    return _report(path, diagnostics, counts)


def _report(path: Path, diagnostics: Sequence[Diagnostic], counts: Counter[str]) -> PackageReport:
    unique = dict.fromkeys(replace(each, rule=each.rule or _READING) for each in diagnostics)
    ordered = sorted(unique, key=lambda each: each.severity is not Severity.ERROR)
    return PackageReport(path=path, diagnostics=ordered, counts=counts)
