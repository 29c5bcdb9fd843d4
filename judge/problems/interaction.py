"""The programs of problem.yaml that judge: a checker, or an interactor, and the passes that they ask for."""

from judge.errors import ToolError
from judge.languages.table import find_language
from judge.model import CheckerConfig
from judge.problems.file_format import CheckerEntry, InteractorEntry, ProblemFile
from judge.problems.paths import AssetRoot, Report
from judge.programs import JudgeProgram, Protocol

_ICPC_PROGRAM = "a program by the protocol `icpc`, which writes `nextpass.in`"


def read_program(
    entry: CheckerEntry | InteractorEntry, key: str, assets: AssetRoot, report: Report
) -> CheckerConfig | None:
    """Return a program that judges, with its arguments; None if it was reported.

    Args:
        entry: from the file; it names a program.
        key: where the entry is, for messages.
        assets: the folder with the programs of the problem.
        report: called with a message and the keys that it concerns.
    """
    if entry.program is None:
        return None
    try:
        source = assets.find(entry.program)
        find_language(source)
    except (ValueError, ToolError) as error:
        report(str(error), key, "program")
        return None
    program = JudgeProgram(source=source, protocol=Protocol(entry.protocol or Protocol.ICPC))
    args = tuple(each for each in entry.args or () if each is not None)
    return CheckerConfig(name="program", program=program, args=args)


def read_interaction(
    value: ProblemFile, checker: CheckerConfig, assets: AssetRoot, report: Report
) -> tuple[JudgeProgram | None, CheckerConfig]:
    """Return the interactor of a problem with an interactor or several passes, and the checker of its cases.

    That is the interactor itself, unless a program checks what a testlib interactor leaves.

    Args:
        value: problem.yaml.
        checker: what the file gives, or the default of its profile.
        assets: the folder with the programs of the problem.
        report: called with a message and the keys that it concerns.
    """
    _check_answers(value, report)
    if value.interactor is None:
        if "interactor" not in value.given and not _may_ask_for_pass(checker):
            report(f"`passes` requires an `interactor` or a `checker` that is {_ICPC_PROGRAM}: add one", "passes")
        return None, checker
    found = read_program(value.interactor, "interactor", assets, report)
    if found is None or found.program is None:
        return None, checker
    is_testlib = found.program.protocol is Protocol.TESTLIB
    if value.passes is not None and is_testlib:
        report(f"`passes` requires {_ICPC_PROGRAM}; the protocol `testlib` has only one pass", "passes")
    if value.checker is None:
        if value.checker_tests is not None:
            report("an interactor is not tested with outputs: remove `checker_tests`", "checker_tests", at_key=True)
        return found.program, found
    if not is_testlib:
        report("the interactor decides: remove `checker`", "checker")
    elif checker.program is None:
        report("only a program can check what an interactor leaves: use `program`, or remove `checker`", "checker")
    elif found.args:
        report("the checker has the arguments of the cases: remove `args` of the interactor", "interactor", "args")
    return found.program, checker


def check_own_checker(checker: CheckerConfig, report: Report, *, has_interactor: bool) -> None:
    """Report the checker of a case or a group that does not fit the interactor or the passes of the problem."""
    if has_interactor:
        report("the problem has an interactor, which decides on all cases: remove `checker`", "checker")
    elif not _may_ask_for_pass(checker):
        report(f"the problem has several passes: expected {_ICPC_PROGRAM}", "checker")


def _may_ask_for_pass(checker: CheckerConfig) -> bool:
    return checker.program is not None and checker.program.protocol is Protocol.ICPC


def _check_answers(value: ProblemFile, report: Report) -> None:
    kind = "several passes" if value.interactor is None else "an interactor"
    for key in ("reference", "independent"):
        if getattr(value, key) is not None:
            message = f"no solution computes the answers of a problem with {kind}, and cases need none: remove `{key}`"
            report(message, key)
