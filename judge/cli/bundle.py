"""`judge bundle`: one file of a solution and the user's modules, proved on the problem's cases."""

import argparse
import sys
from pathlib import Path

from judge.cli.submission import Submission, submission_of
from judge.cli.workspace import workshop
from judge.errors import StoreError, UsageError
from judge.languages.interpreters import find_interpreter
from judge.online.bundle.assemble import Bundle, bundle


def bundle_command(args: argparse.Namespace) -> int:
    """Carry out `judge bundle`; return the exit status."""
    from judge.cli import NOT_AS_EXPECTED

    submission = submission_of(args)
    if submission.path.suffix.lower() != ".py":
        raise UsageError(f"{args.file}: only Python solutions are bundled; a program of another language is one file")
    _see_that_it_may_be_written(args, submission)
    made = bundle(submission.path)
    _see_that_no_part_is_lost(args, made)
    for warning in made.warnings:
        _say(f"warning: {warning}")
    if submission.selection is None:
        status = 0
        _say("not proved: its problem is not known; --problem ID names it")
    else:
        is_same, status = _proved(args, submission, made)
        if not is_same:
            return NOT_AS_EXPECTED
    _deliver(args, made)
    return status


def _see_that_it_may_be_written(args: argparse.Namespace, submission: Submission) -> None:
    output: Path | None = args.output
    if output is None:
        return
    if output.exists() and output.samefile(submission.path):
        raise UsageError(f"--output {output}: that is the solution itself; name another file")
    if output.is_dir():
        raise UsageError(f"--output {output}: a folder; expected the name of a file")
    if output.exists() and not args.force:
        raise UsageError(f"--output {output}: it is there already; --force overwrites it")


def _see_that_no_part_is_lost(args: argparse.Namespace, made: Bundle) -> None:
    output: Path | None = args.output
    parts = [module.source.path for module in made.found.modules.values() if module.source]
    if output is not None and output.exists() and any(output.samefile(part) for part in parts):
        raise UsageError(f"--output {output}: the solution imports that file; name another")


def _proved(args: argparse.Namespace, submission: Submission, made: Bundle) -> tuple[bool, int]:
    """Judge the original and the bundle; return whether they agree, and the exit status."""
    from judge.cli import AS_EXPECTED, NOT_AS_EXPECTED
    from judge.online.lint.proof import prove

    assert submission.selection is not None
    problem = submission.selection.problem
    (solution,) = problem.solutions
    tools = {"python": find_interpreter(args.python).path} if args.python else {}
    with workshop(args, submission.root) as (executor, store):
        proof = prove(made, submission.path, problem, executor, store=store, tools=tools)
    if proof.differences:
        _say("the bundle does not do what the original does; nothing was written:")
        for line in proof.differences[:5]:
            _say(f"  {line}")
        return False, NOT_AS_EXPECTED
    if not proof.cases:
        _say(f"not proved: no case of {problem.id} can be run here")
        return True, AS_EXPECTED
    verdicts = ", ".join(sorted(proof.verdicts))
    which = f"all {proof.cases} cases of {problem.id}"
    if proof.skipped:
        which = f"{proof.cases} cases of {problem.id}, all but the {proof.skipped} that cannot be run here,"
    _say(f"proved: on {which} the bundle earns what the original does ({verdicts})")
    if proof.verdicts <= solution.expectation.permitted:
        return True, AS_EXPECTED
    _say(f"but expected is {solution.expectation}: `judge run {problem.id} --solution OUT` shows where")
    return True, NOT_AS_EXPECTED


def _deliver(args: argparse.Namespace, made: Bundle) -> None:
    output: Path | None = args.output
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(made.data)
        return
    try:
        output.write_bytes(made.data)
    except OSError as error:
        raise StoreError(f"--output {output}: {error.strerror}") from error
    inside = f"with {', '.join(made.modules)}" if made.modules else "it imports no module of yours, so it is as it was"
    _say(f"wrote {output}: {inside}")


def _say(text: str) -> None:
    print(text, file=sys.stderr)
