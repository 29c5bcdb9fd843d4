"""The functions of generator files, read without importing them."""

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.errors import Diagnostic
from judge.problems.yaml.scalars import quoted

_LARGEST = 1024 * 1024  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a public function of a generator file takes.

    Attributes:
        line: 1-based line of the function in its file.
        parameters: those that can be given by name, `random` not among them.
        required: those without a default.
        open: whether it takes any other name too.
        fault: why it is no generator, in words that follow its name; else "".
    """

    file: Path
    line: int
    name: str
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    open: bool = False
    fault: str = ""


def read_generators(path: Path, shown: Path, diagnostics: list[Diagnostic]) -> list[Signature] | None:
    """Return the public functions of a file in its order, or None when it cannot be understood.

    Args:
        path: a file that exists.
        shown: the file as messages show it.
        diagnostics: what is wrong with the file is added here.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise ValueError("larger than 1 MiB")  # noqa: TRY301 - one way to say it
        with warnings.catch_warnings(action="ignore"):  # a generator's `"\d"` is not for the judge to complain about
            tree = ast.parse(path.read_bytes())
    except SyntaxError as error:
        message = f"not valid Python: {error.msg}"
        diagnostics.append(Diagnostic(path=shown, line=error.lineno or 1, column=error.offset or 1, message=message))
        return None
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        diagnostics.append(Diagnostic(path=shown, message=f"cannot be read: {error}"))
        return None
    return list(_signatures(tree, path))


def _signatures(tree: ast.Module, path: Path) -> Iterator[Signature]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield _signature(node, path)


def _signature(function: ast.FunctionDef, path: Path) -> Signature:
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    without_default = positional[: len(positional) - len(given.defaults)]
    required = [each.arg for each in without_default[1:]]
    required += [each.arg for each, default in zip(given.kwonlyargs, given.kw_defaults, strict=True) if not default]
    by_name = [each.arg for each in positional[max(1, len(given.posonlyargs)) :]]
    by_name += [each.arg for each in given.kwonlyargs]
    return Signature(
        file=path,
        line=function.lineno,
        name=function.name,
        parameters=tuple(by_name),
        required=tuple(required),
        open=given.kwarg is not None,
        fault=_fault(positional, required, by_name),
    )


def _fault(positional: list[ast.arg], required: list[str], by_name: list[str]) -> str:
    if not positional or positional[0].arg != "random":
        return "is no generator: its first parameter must be `random`"
    hidden = [name for name in required if name not in by_name]
    return f"is no generator: its parameter {quoted(hidden[0])} cannot be given by name" if hidden else ""
