"""From a problem and the data of its cases to a package."""

import re
from collections.abc import Iterable

from judge.errors import JudgeError, describe_error
from judge.export.cases import DataWriter, common_flags, report_checkers
from judge.export.grading import name_groups
from judge.export.metadata import add_metadata
from judge.export.package import Package, Target
from judge.export.programs import add_programs
from judge.export.statement import add_statement
from judge.export.submissions import SubmissionWriter
from judge.model import Problem
from judge.preparation.cases import PreparedCase
from judge.problems.yaml.text import quote

_NOT_SHORT = re.compile(r"[^a-z0-9]")


def export(problem: Problem, prepared: Iterable[PreparedCase], target: Target) -> Package:
    """Return a problem as a package of another format.

    Args:
        problem: of our own format, or a package.
        prepared: its cases with their data.
        target: the format.

    Raises:
        DataError: some test data is wrong.
        JudgeError: a file of the problem cannot be read.
    """
    package = Package(target=target, name=short_name(problem.id))
    if target is Target.POLYGON:
        from judge.export.polygon import write_polygon

        try:
            write_polygon(package, problem, prepared)
        except OSError as error:
            raise JudgeError(describe_error(error)) from error
        return package
    if package.name != problem.id and target.has_top_folder:
        package.notes.append(f"the folder is {quote(package.name)}: the format allows lower-case letters and digits")
    flags = common_flags(problem)
    try:
        add_metadata(package, problem, flags=flags or ())
        add_statement(package, problem)
        add_programs(package, problem)
        report_checkers(package, [problem.checker, *(case.checker for case in problem.cases)])
        DataWriter(package=package, problem=problem, flags=flags, groups=name_groups(problem)).write(prepared)
        SubmissionWriter(package, problem).write()
    except OSError as error:
        raise JudgeError(describe_error(error)) from error
    return package


def short_name(problem_id: str) -> str:
    """Return the name of a package's folder ("Problem package": lower-case letters and digits)."""
    return _NOT_SHORT.sub("", problem_id.lower()) or "problem"
