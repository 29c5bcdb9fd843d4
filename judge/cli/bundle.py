"""`judge bundle`: combine a solution and the user's own modules into one file, verified on the problem's cases."""

import argparse
import shlex
import sys
from pathlib import Path

from judge.cli.interpreters import named_python
from judge.cli.submission import Submission, submission_of
from judge.cli.workspace import workshop
from judge.errors import StoreError, UsageError
from judge.online.bundle.assemble import Bundle, bundle


def bundle_command(args: argparse.Namespace) -> int:
    """Carry out `judge bundle`; return the exit status."""
    from judge.cli import NOT_AS_EXPECTED

    submission = submission_of(args)
    if submission.path.suffix.lower() != ".py":
        raise UsageError(f"{args.file}: not a Python solution; only Python solutions can be bundled")
    _check_output(args, submission)
    made = bundle(submission.path)
    _check_no_module_is_overwritten(args, made)
    for warning in made.warnings:
        _print(str(warning))
    if submission.selection is None:
        status = 0
        _print("not verified: the problem is unknown; name it with --problem ID")
    else:
        is_same, status = _verify(args, submission, made)
        if not is_same:
            return NOT_AS_EXPECTED
    _write(args, made)
    return status


def _check_output(args: argparse.Namespace, submission: Submission) -> None:
    output: Path | None = args.output
    if output is None:
        return
    if output.exists() and output.samefile(submission.path):
        raise UsageError(f"--output {output}: this is the solution itself; choose another file")
    if output.is_dir():
        raise UsageError(f"--output {output}: this is a folder; expected a file")
    if output.exists() and not args.force:
        raise UsageError(f"--output {output}: the file exists; use --force to overwrite it")


def _check_no_module_is_overwritten(args: argparse.Namespace, made: Bundle) -> None:
    output: Path | None = args.output
    sources = [module.source.path for module in made.graph.modules.values() if module.source]
    if output is not None and output.exists() and any(output.samefile(path) for path in sources):
        raise UsageError(f"--output {output}: the solution imports this file; choose another file")


def _verify(args: argparse.Namespace, submission: Submission, made: Bundle) -> tuple[bool, int]:
    """Judge the original and the bundle; return whether they agree, and the exit status."""
    from judge.cli import AS_EXPECTED, NOT_AS_EXPECTED
    from judge.online.bundle.verify import verify_bundle
    from judge.online.lint.dry_run import DryRunner

    assert submission.selection is not None
    problem = submission.selection.problem
    (solution,) = problem.solutions
    interpreter = named_python(args.python).path if args.python else ""
    with workshop(args, submission.root) as (executor, store):
        runner = DryRunner(problem=problem, executor=executor, store=store, interpreter=interpreter)
        found = verify_bundle(made, submission.path, runner)
    if found.differences:
        _print("the bundle and the original get different verdicts; nothing was written:")
        for line in found.differences[:5]:
            _print(f"  {line}")
        return False, NOT_AS_EXPECTED
    if not found.cases:
        _print(f"not verified: no case of {problem.id} can run here")
        return True, AS_EXPECTED
    verdicts = ", ".join(sorted(found.verdicts))
    cases = "1 case" if found.cases == 1 else f"{found.cases} cases"
    which = f"all {cases}" if not found.skipped else f"{cases} ({found.skipped} cannot run here)"
    _print(f"verified: the bundle and the original get the same verdicts on {which} of {problem.id}: {verdicts}")
    if found.verdicts <= solution.expectation.permitted:
        return True, AS_EXPECTED
    command = shlex.join(["judge", "run", problem.id, "--solution", str(args.output or args.file)])
    _print(f"expected verdict: {solution.expectation}; `{command}` shows the details")
    return True, NOT_AS_EXPECTED


def _write(args: argparse.Namespace, made: Bundle) -> None:
    output: Path | None = args.output
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(made.data)
        return
    try:
        output.write_bytes(made.data)
    except OSError as error:
        raise StoreError(f"--output {output}: {error.strerror}") from error
    content = f"with {', '.join(made.modules)}" if made.modules else "unchanged, since it imports none of your modules"
    _print(f"wrote {output}: {content}")


def _print(text: str) -> None:
    print(text, file=sys.stderr)
