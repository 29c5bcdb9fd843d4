"""The structure of the package: layers, spawning, printing and argparse; see docs/architecture.md."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import judge

PACKAGE = Path(judge.__file__).parent

# Lowest first; packages of one layer do not import each other. docs/architecture.md has the same table.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("base",),
    ("inputs",),
    ("model",),
    ("history", "sandbox"),
    ("languages",),
    ("judging", "problems", "settings"),
    ("preparation",),
    ("runner",),
    ("watch", "workspace"),
    ("hack", "online", "packages", "timing"),
    ("grading", "scaling", "strength"),
    ("api", "reporters"),
    ("cli", "pytest_plugin"),
    ("__main__",),
)
LAYER_OF = {part: layer for layer, parts in enumerate(LAYERS) for part in parts}

PRINTERS = {"cli", "reporters"}  # a second way to print would be a second set of bugs
SPAWNING_MODULES = {"subprocess", "multiprocessing", "pty", "webbrowser", "concurrent.futures.process"}
SPAWNING_NAMES = {"LocalCluster", "ProcessPoolExecutor", "create_subprocess_exec", "create_subprocess_shell"}
SPAWNING_FUNCTIONS = {"fork", "forkpty", "vfork", "posix_spawn", "posix_spawnp", "system", "popen", "startfile"}
FUNCTIONS_OF_C = {"fork", "vfork", "posix_spawn", "posix_spawnp", "execv", "execve", "execvp"}  # of any object: ctypes


def modules() -> list[tuple[str, Path]]:
    """Return every module, with the part of the package that it belongs to."""
    paths = ((path.relative_to(PACKAGE).with_suffix("").parts[0], path) for path in sorted(PACKAGE.rglob("*.py")))
    return [(part, path) for part, path in paths if part not in ("scaffold", "__init__")]


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Yield the full names of all modules, and of what is imported from them, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the layer"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_parts(tree: ast.AST) -> set[str]:
    """Return the parts of the package that a module imports."""
    return {name.split(".")[1] for name in imported_names(tree) if name.startswith("judge.")}


def starts_programs(tree: ast.AST) -> list[str]:
    """Return the means of starting programs outside the sandbox that a module uses, however it imports them."""
    names = list(imported_names(tree))
    found = [name for name in names if name in SPAWNING_MODULES or name.rpartition(".")[2] in SPAWNING_NAMES]
    found += [name for name in names if name.removeprefix("os.") in SPAWNING_FUNCTIONS]
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name.startswith(("exec", "spawn")):
                found.append(name)
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in SPAWNING_FUNCTIONS:
                found.append(name)
            case ast.Attribute(attr=name) if name in FUNCTIONS_OF_C | SPAWNING_NAMES:
                found.append(name)
            case ast.keyword(arg="levels", value=value) if "Level.LIMITS" in ast.unparse(value):
                found.append("a box of level `limits`")
    return found


def ids(value: object) -> str:
    return str(value).removeprefix(f"{PACKAGE}/")


def test_every_module_keeps_to_the_structure() -> None:
    for part, path in modules():
        tree = parse(path)
        check_imports(part, path, tree)
        check_prints(part, path, tree)
        check_namespaces(path, tree)


def check_imports(part: str, path: Path, tree: ast.AST) -> None:
    """Check that a module imports only from lower layers; so only `__main__` imports the command line."""
    for imported in imported_parts(tree) - {part, "__version__"}:
        assert LAYER_OF[imported] < LAYER_OF[part], f"{ids(path)} must not import {imported}"


def test_the_documentation_lists_the_modules_that_start_programs_outside_the_sandbox() -> None:
    page = (PACKAGE.parent / "docs/sandbox.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `judge/([\w/]+\.py)` \|", page, re.MULTILINE)
    found = {ids(path) for _, path in modules() if starts_programs(parse(path))}
    assert found == set(listed)


def test_only_one_function_looks_up_programs() -> None:
    found = {ids(path) for _, path in modules() if "shutil.which" in path.read_text(encoding="utf-8")}
    assert found == {"base/files.py"}, "use find_program: PATH may contain the current folder"


def check_prints(part: str, path: Path, tree: ast.AST) -> None:
    """Check that few packages print."""
    if part not in PRINTERS:
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        assert not [call for call in calls if isinstance(call, ast.Name) and call.id == "print"], ids(path)


def check_namespaces(path: Path, tree: ast.AST) -> None:
    """Check that the values of argparse end where options begin."""
    is_cli = path.is_relative_to(PACKAGE / "cli")
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        annotations = [each.annotation for each in arguments if each.annotation] + [function.returns]
        takes_namespace = any("Namespace" in ast.unparse(each) for each in annotations if each)
        assert is_cli or not takes_namespace, f"{ids(path)}: {function.name} must take typed options, not a Namespace"
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        name = ast.unparse(call.func)
        assert name not in ("argparse.Namespace", "Namespace"), ids(path)
        if name in ("getattr", "vars"):
            assert ast.unparse(call.args[0]) != "args", ids(path)


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess",
        "from subprocess import run",
        "def f():\n    from subprocess import Popen as start",
        "import multiprocessing as mp",
        "from multiprocessing import Process",
        "import os\nos.fork()",
        "from os import fork",
        "import os\nos.execvp('a', ['a'])",
        "import os\nos.posix_spawn('a', ['a'], {})",
        "import os\nf = os.system",
        "import webbrowser",
        "from distributed import LocalCluster",
        "import concurrent.futures as cf\ncf.ProcessPoolExecutor()",
        "import asyncio\nasyncio.create_subprocess_exec('a')",
        "import ctypes\nctypes.CDLL(None).fork()",
        "Box(levels=[Level.LIMITS])",
    ],
)
def test_every_way_to_start_a_program_is_noticed(source: str) -> None:
    assert starts_programs(ast.parse(source))


def test_starting_no_program_is_not_mistaken_for_it() -> None:
    assert starts_programs(ast.parse("import os\nfrom os import path\nos.getpid()\nself.system()\nexec('1')")) == []


def test_every_part_of_the_package_has_a_layer() -> None:
    assert {part for part, _ in modules()} == LAYER_OF.keys()


def test_every_command_has_the_same_three_parts() -> None:
    from importlib import import_module

    from judge.cli.commands import COMMANDS
    from judge.cli.commands.options import Arguments

    for module_name, summary in COMMANDS.values():
        module = import_module(f"judge.cli.commands.{module_name}")
        assert "judge " in module.EPILOG
        assert issubclass(module.Options, Arguments)
        assert callable(module.execute)
        assert summary[0].islower()
        assert not summary.endswith(".")


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if "scaffold" not in parts:
            names[".".join(parts).removesuffix(".__init__")] = path
    graph = {
        name: {each for each in imported_names(parse(path)) if each in names and each != name}
        for name, path in names.items()
    }
    packages = {name for name, path in names.items() if path.name == "__init__.py"}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"import cycle: {' -> '.join((*trail[trail.index(name) :], name))}"
        if name in done:
            return
        for imported in graph[name]:
            if not (imported in packages and name.startswith(f"{imported}.")):  # a package is imported before its parts
                visit(imported, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())
