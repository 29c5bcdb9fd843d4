"""Static validation: a program of the problem judges the source of a submission (ICPC 2025-09, "Static validator")."""

import shutil
from collections.abc import Iterator

from msgspec.structs import replace

from judge.errors import SandboxError, describe_error
from judge.judging.feedback import FeedbackError, read_feedback
from judge.judging.program_checker import Said, interpret
from judge.judging.program_files import ProgramFiles
from judge.judging.programs import ReadyProgram
from judge.languages.build import Program
from judge.model import Case, CaseResult, CheckerConfig, Inline, Problem, Verdict
from judge.sandbox.box import Box

NAME = "(static)"  # no file can have this name
_FEEDBACK = "(feedback)"  # the folder of the feedback, beside the files of the submission


def static_cases(problem: Problem) -> Iterator[Case]:
    """Yield the static validation case of each group that has one."""
    if problem.static_validator is None or problem.groups is None or problem.folder is None:
        return
    for group in problem.groups.walk():
        if group.has_static_case:
            yield Case(
                group=group.name,
                name=NAME,
                why="the static validator accepts the source",
                input=Inline(b""),
                answer=Inline(b""),
                limits=problem.limits,
                checker=CheckerConfig(name="static", program=problem.static_validator, args=group.static_args),
                origin=problem.folder / "data" / group.name,
                is_static=True,
            )


def judge_source(validator: ReadyProgram, case: Case, program: Program, entry_point: str, box: Box) -> CaseResult:
    """Run the static validator on the source of a submission; return the verdict, JE if the validator fails.

    Args:
        validator: the program.
        case: the static validation case.
        program: the submission, built.
        entry_point: the file or class that runs; "" for the file that was built.
        box: the box of the worker.
    """
    try:
        return _judge_source(validator, case, program, entry_point or program.copy.name, box)
    except (SandboxError, OSError, FeedbackError, shutil.Error) as error:
        reason = str(error) if isinstance(error, (FeedbackError, shutil.Error)) else describe_error(error)
        return CaseResult(case=case, verdict=Verdict.JE, reason=f"the static validator {validator.name}: {reason}")


def _judge_source(validator: ReadyProgram, case: Case, program: Program, entry_point: str, box: Box) -> CaseResult:
    partner = box.partner
    files = ProgramFiles(partner.work_folder)
    files.clear_feedback()
    # Its current folder has the files of the submission and nothing else ("Working directory") but the feedback.
    shutil.copytree(program.place, files.feedback, dirs_exist_ok=True)
    feedback = files.feedback / _FEEDBACK
    feedback.mkdir()
    words = (program.language.code, entry_point, f"{feedback}/", *case.checker.args)
    command = validator.program.command(b"", validator.limits, words)
    command = replace(command, writable=files.feedback, disk=int(validator.limits.output))
    outcome = partner.run(command, validator.limits)
    restore = validator.program.restore_source_path
    run = replace(outcome.result, stderr_tail=restore(outcome.result.stderr_tail))
    said = Said(run=run, stderr=restore(outcome.stderr), feedback=read_feedback(feedback))
    files.clear_feedback()
    checked = interpret(f"the static validator {validator.name}", validator.protocol, validator.limits, said)
    return CaseResult(
        case=case,
        verdict=checked.verdict,
        reason=checked.reason,
        message=checked.message,
        team_message=checked.team_message,
        has_debug_message=checked.has_debug_message,
        raw_score=checked.raw_score,
    )
