"""`judge show`: a problem's statement and limits, or a case's input, answer and origin."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from judge.cli.workspace import root_of, workshop
from judge.errors import DataError, UsageError
from judge.model import Case, External, Generated, InFile, Inline, Problem
from judge.preparation.cases import Broken, Ready, Skipped
from judge.preparation.lock import read_lock
from judge.preparation.prepare import prepare
from judge.problems.native import load_problem
from judge.reporters.escape import escape_text
from judge.units import format_bytes, format_seconds

_SHOWN_LINES = 40


def show_command(args: argparse.Namespace) -> int:
    """Carry out `judge show`; return the exit status."""
    root = root_of(args)
    head, _, rest = args.what.strip("/").partition("/")
    problem = load_problem(root, head)
    if not rest:
        if args.input or args.answer:
            raise UsageError(f"{args.what}: --input and --answer need a case: judge show {head}/GROUP/NAME")
        _show_problem(problem)
        return 0
    case = _find(problem, rest)
    with workshop(args, root) as (executor, store):
        (prepared,) = prepare(problem, [case], store, read_lock(problem.lock), executor.map)
    match prepared:
        case Broken(diagnostic=diagnostic):
            raise DataError([diagnostic])
        case Skipped(reason=reason):
            raise UsageError(f"{args.what}: {reason}")
        case Ready() if args.input:
            sys.stdout.buffer.write(_bytes(prepared.input))
        case Ready() if args.answer:
            sys.stdout.buffer.write(_bytes(prepared.answer))
        case Ready():
            print("\n".join(_case_lines(problem, case, _bytes(prepared.input), _bytes(prepared.answer), root)))
    return 0


def _find(problem: Problem, wanted: str) -> Case:
    """Return the case that `group/name`, or `name` alone where it is the only one, means."""
    found = [case for case in problem.cases if wanted in (case.id, case.name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{wanted} could be {' or '.join(case.id for case in found)}")
    names = [case.id for case in problem.cases] + [case.name for case in problem.cases]
    from difflib import get_close_matches

    near = get_close_matches(wanted, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; `judge list {problem.id}` lists the cases"
    raise UsageError(f"{problem.id} has no case {wanted}{hint}")


def _show_problem(problem: Problem) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    limits = problem.limits
    print(f"{problem.id}: {problem.name}")
    if problem.source:
        print(f"source    {problem.source.name} {problem.source.url}".rstrip())
    print(f"profile   {problem.profile}, checker {problem.checker.name}")
    print(
        f"limits    {format_seconds(limits.cpu)} of CPU time, {format_bytes(limits.memory)} of memory, "
        f"{format_bytes(limits.output)} of output"
    )
    print(f"cases     {len(problem.cases)} in {len({case.group for case in problem.cases})} groups")
    print(f"solutions {len(problem.solutions)}\n")
    if problem.statement is None:
        return
    try:
        statement = problem.statement.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{problem.statement}: cannot be read: {error}") from error
    if sys.stdout.isatty():
        Console().print(Markdown(statement))
    else:
        print(statement, end="")


def _case_lines(problem: Problem, case: Case, data: bytes, answer: bytes, root: Path) -> list[str]:
    lines = [f"{problem.id}/{case.id}" + (f": {case.why}" if case.why else "")]
    lines.append(f"from      {_origin(case, root)}")
    lines.append(f"answer    {_answer_origin(problem, case)}")
    lines.append(f"limits    {format_seconds(case.limits.cpu)}, {format_bytes(case.limits.memory)}")
    for title, content in (("input", data), ("answer", answer)):
        lines += ["", f"--- {title}, {format_bytes(len(content))}", *_shown(content)]
    return lines


def _shown(content: bytes) -> Sequence[str]:
    """Return the first lines of some bytes, made visible; says how many are left out."""
    rows = content.splitlines()
    lines = [escape_text(row) for row in rows[:_SHOWN_LINES]]
    if len(rows) > _SHOWN_LINES:
        lines.append(f"... {len(rows) - _SHOWN_LINES} more lines; --input and --answer print all")
    return lines


def _origin(case: Case, root: Path) -> str:
    place = f"{_relative(case.origin, root)}:{case.line}" if case.line else str(_relative(case.origin, root))
    match case.input:
        case Inline():
            return place
        case InFile(path):
            return f"{_relative(path, root)}, named in {place}"
        case External(file=file, url=url):
            return f"{file} from {url}, named in {place}"
        case Generated() as recipe:
            settings = "".join(f", {name}={value!r}" for name, value in recipe.parameters)
            where = _relative(recipe.file, root)
            return f"the generator `{recipe.function}` of {where} (seed {recipe.seed}{settings}), named in {place}"


def _answer_origin(problem: Problem, case: Case) -> str:
    match case.answer:
        case None:
            assert problem.reference is not None
            return f"made by the reference {problem.reference.parent.name}/{problem.reference.name}"
        case InFile(path):
            return f"given in {path.name}"
        case Inline():
            return "given in the case file"


def _relative(path: Path, root: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path


def _bytes(data: bytes | Path) -> bytes:
    return data if isinstance(data, bytes) else data.read_bytes()
