"""The structure of the package: layers, spawning, printing and argparse; see docs/architecture.md."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import judge

PACKAGE = Path(judge.__file__).parent

# Lowest first; packages of one layer do not import each other. docs/architecture.md has the same table.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("units", "errors", "files", "data", "serialization", "links", "mutation"),
    ("programs", "time_rule"),
    ("groups", "grammar"),
    ("model", "git"),
    ("events", "sandbox"),
    ("languages",),
    ("problems", "judging", "settings"),
    ("preparation",),
    ("history", "executors", "verification"),
    ("timing", "runner", "export", "scaling"),
    ("search",),
    ("workspace",),
    ("strength",),
    ("api", "grading", "online"),
    ("cluster", "reporters"),
    ("watch",),
    ("commands",),
    ("cli", "pytest_plugin"),
    ("__main__",),
)
LAYER_OF = {part: layer for layer, parts in enumerate(LAYERS) for part in parts}

# Only these start programs or print: a second way would be a second set of bugs.
# git starts git on the user's repository; desktop the user's clipboard tool and browser; debug what is debugged.
SPAWNERS = {"sandbox", "git", "online/desktop.py", "commands/debug.py"}
PRINTERS = {"cli", "commands", "reporters"}
SPAWNING_MODULES = {"subprocess", "multiprocessing", "pty", "concurrent.futures.process"}
SPAWNING_FUNCTIONS = {"fork", "forkpty", "posix_spawn", "posix_spawnp", "system", "popen"}


def modules() -> list[tuple[str, Path]]:
    """Return every module, with the part of the package that it belongs to."""
    paths = ((path.relative_to(PACKAGE).with_suffix("").parts[0], path) for path in sorted(PACKAGE.rglob("*.py")))
    return [(part, path) for part, path in paths if part not in ("scaffold", "__init__")]


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
    """Return the means of starting programs that a module uses, however it imports them."""
    found = [name for name in imported_names(tree) if name in SPAWNING_MODULES]
    found += [name for name in imported_names(tree) if name.removeprefix("os.") in SPAWNING_FUNCTIONS]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
            found += [node.attr] if node.attr in SPAWNING_FUNCTIONS or node.attr.startswith(("exec", "spawn")) else []
    return found


def ids(value: object) -> str:
    return str(value).removeprefix(f"{PACKAGE}/")


@pytest.mark.parametrize(("part", "path"), modules(), ids=ids)
def test_a_module_keeps_to_the_structure(part: str, path: Path) -> None:
    tree = ast.parse(path.read_bytes())
    check_imports(part, tree)
    check_programs_and_prints(part, path, tree)
    check_namespaces(part, tree)


def check_imports(part: str, tree: ast.AST) -> None:
    """Check that a module imports only from lower layers; so only `__main__` imports the command line."""
    for imported in imported_parts(tree) - {part, "__version__"}:
        assert LAYER_OF[imported] < LAYER_OF[part], f"{part} must not import {imported}"


def check_programs_and_prints(part: str, path: Path, tree: ast.AST) -> None:
    """Check that few packages start programs or print."""
    if not SPAWNERS & {part, ids(path)}:
        assert starts_programs(tree) == []
    if part not in PRINTERS:
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        assert not [call for call in calls if isinstance(call, ast.Name) and call.id == "print"]


def check_namespaces(part: str, tree: ast.AST) -> None:
    """Check that the values of argparse end where options begin."""
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        annotations = [each.annotation for each in arguments if each.annotation] + [function.returns]
        takes_namespace = any("Namespace" in ast.unparse(each) for each in annotations if each)
        allowed = part == "cli" or (part == "commands" and (function.name == "from_args" or "_from" in function.name))
        assert allowed or not takes_namespace, f"{function.name} must take typed options, not a Namespace"
    for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
        name = ast.unparse(call.func)
        assert name not in ("argparse.Namespace", "Namespace")
        if name in ("getattr", "vars"):
            assert ast.unparse(call.args[0]) != "args"


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
    ],
)
def test_every_way_to_start_a_program_is_noticed(source: str) -> None:
    assert starts_programs(ast.parse(source))


def test_starting_no_program_is_not_mistaken_for_it() -> None:
    assert starts_programs(ast.parse("import os\nfrom os import path\nos.getpid()\nself.system()\nexec('1')")) == []


def test_every_part_of_the_package_has_a_layer() -> None:
    assert {part for part, _ in modules()} == LAYER_OF.keys()


def test_every_command_has_the_same_four_parts() -> None:
    from importlib import import_module

    from judge.commands import COMMANDS

    for module_name, summary in COMMANDS.values():
        module = import_module(f"judge.commands.{module_name}")
        assert "judge " in module.EPILOG
        assert all(callable(getattr(module, name)) for name in ("add_arguments", "from_args", "execute", "Options"))
        assert summary[0].islower()
        assert not summary.endswith(".")


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if "scaffold" not in parts:
            names[".".join(parts).removesuffix(".__init__")] = path
    graph = {
        name: {each for each in imported_names(ast.parse(path.read_bytes())) if each in names and each != name}
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
