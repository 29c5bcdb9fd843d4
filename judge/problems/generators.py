"""The generators of a file: its functions, read without importing it, or the program that it is."""

import ast
import warnings
from pathlib import Path

from msgspec import Struct

from judge.base.errors import Diagnostic
from judge.languages.table import find_language
from judge.problems.yaml.text import quote


class Signature(Struct, frozen=True, kw_only=True):
    """A public function of a generator file, or a program.

    Attributes:
        is_program: it prints an input; its arguments are free, and its name is that of the file without the suffix.
        parameters: those that can be passed by name, without `random`.
        required: those without a default.
        error: why it is not a generator, in words that follow its name; else "".
    """

    file: Path
    name: str
    is_program: bool = False
    parameters: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    takes_any: bool = False
    error: str = ""


def find_generators(path: Path, shown: Path, diagnostics: list[Diagnostic]) -> list[Signature] | None:
    """Return the generators of a source file: the functions of a Python file, or else the program that it is.

    None if it is Python that cannot be parsed; that is added to the diagnostics.
    """
    functions = read_generators(path, shown, diagnostics) if find_language(path).id == "python3" else []
    if functions is None or not all(each.error for each in functions):
        return functions
    return [*functions, Signature(file=path, name=path.stem, is_program=True)]


def read_generators(path: Path, shown: Path, diagnostics: list[Diagnostic]) -> list[Signature] | None:
    """Return the public functions of a file in its order, or None if it cannot be parsed.

    The file exists; messages show it as `shown`. What is wrong with it is added to the diagnostics.
    """
    try:
        if path.stat().st_size > 1024 * 1024:
            raise ValueError("larger than 1 MiB")  # noqa: TRY301 - one handler for all reasons
        with warnings.catch_warnings(action="ignore"):  # the `"\d"` of a generator is not the judge's to warn about
            tree = ast.parse(path.read_bytes())
    except SyntaxError as error:
        message = f"not valid Python: {error.msg}"
        diagnostics.append(Diagnostic(path=shown, line=error.lineno or 1, column=error.offset or 1, message=message))
        return None
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        diagnostics.append(Diagnostic(path=shown, message=f"cannot be read: {error}"))
        return None
    public = (node for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"))
    return [_signature(node, path) for node in public]


def _signature(function: ast.FunctionDef, path: Path) -> Signature:
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip((each.arg for each in reversed(positional)), reversed(arguments.defaults), strict=False))
    keyword_only = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    defaults |= {each.arg: default for each, default in keyword_only if default}
    required = [each.arg for each in (*positional[1:], *arguments.kwonlyargs) if each.arg not in defaults]
    by_name = [each.arg for each in positional[max(1, len(arguments.posonlyargs)) :]]
    by_name += [each.arg for each in arguments.kwonlyargs]
    error = ""
    if not positional or positional[0].arg != "random":
        error = "is not a generator: its first parameter must be `random`"
    elif hidden := [name for name in required if name not in by_name]:
        error = f"is not a generator: its parameter {quote(hidden[0])} cannot be passed by name"
    return Signature(
        file=path,
        name=function.name,
        parameters=tuple(by_name),
        required=tuple(required),
        numbers=tuple(
            (name, default.value)
            for name, default in sorted(defaults.items())
            if name in by_name and isinstance(default, ast.Constant) and type(default.value) is int
        ),
        takes_any=arguments.kwarg is not None,
        error=error,
    )
