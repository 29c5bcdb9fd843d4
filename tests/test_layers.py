"""Imports only go down: a room may import rooms of lower floors, and of its own package."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import judge

PACKAGE = Path(judge.__file__).parent

# Lowest first; rooms of one floor do not know each other. docs/architecture.md draws the same table.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("units", "errors", "files", "data", "interpreter"),
    ("model", "git"),
    ("events", "sandbox"),
    ("languages",),
    ("problems", "judging"),
    ("preparation",),
    ("history", "executors"),
    ("timing", "runner"),
    ("workspace",),
    ("api", "online"),
    ("reporters",),
    ("watch",),
    ("commands",),
    ("cli", "pytest_plugin"),
    ("__main__",),
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# Only these start programs or print: a second way would be a second set of bugs.
# git: the user's own, on the user's own repository; desktop: the user's clipboard tool and browser.
SPAWNERS = {"sandbox", "git", "online"}
PRINTERS = {"cli", "commands", "reporters"}


def modules() -> list[tuple[str, Path]]:
    """Return every module with the name of its room."""
    paths = ((path.relative_to(PACKAGE).with_suffix("").parts[0], path) for path in sorted(PACKAGE.rglob("*.py")))
    return [(room, path) for room, path in paths if room not in ("scaffold", "__init__")]


def imports(path: Path) -> Iterator[str]:
    """Yield the rooms that a module imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the floor"
            names = [str(node.module)] if node.module != "judge" else [f"judge.{alias.name}" for alias in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("judge."))


@pytest.mark.parametrize(("room", "path"), modules(), ids=lambda value: str(value).removeprefix(str(PACKAGE)))
def test_a_module_imports_only_from_lower_floors(room: str, path: Path) -> None:
    for imported in imports(path):
        if imported not in (room, "__version__"):
            assert FLOOR_OF[imported] < FLOOR_OF[room], f"{room} must not import {imported}"


@pytest.mark.parametrize(("room", "path"), modules(), ids=lambda value: str(value).removeprefix(str(PACKAGE)))
def test_only_a_few_rooms_start_programs_and_only_reporters_and_commands_print(room: str, path: Path) -> None:
    text = path.read_text()
    if room not in SPAWNERS:
        for word in (
            "import subprocess",
            "os.fork(",
            "os.posix_spawn(",
            "os.system(",
            "os.exec(",
            "os.execv",
            "import multiprocessing",
            "from multiprocessing",
        ):
            assert word not in text
    if room not in PRINTERS:
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
        assert not [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"]


def test_every_room_has_a_floor() -> None:
    assert {room for room, _ in modules()} == FLOOR_OF.keys()
