"""The tools of languages on this machine: compilers, interpreters, debuggers, and what scripts may use."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from judge.base.errors import SandboxError, ToolError, UsageError
from judge.base.files import find_program
from judge.languages.source import Source
from judge.languages.table import Language
from judge.model import Level
from judge.sandbox.box import ENVIRONMENT, Box, Command
from judge.sandbox.installations import base_python, required_paths

# Scripts may assume a shell and these on the search path (ICPC 2025-09, "Other programs").
_TOOLS = {"python3": ("python3",), "cc": ("cc", "gcc", "clang"), "c++": ("c++", "g++", "clang++")}

_USUAL_PATH = ENVIRONMENT["PATH"]


def choose_tools(language: Language, tools: Mapping[str, str] | None, folder: Path) -> dict[str, str]:
    """Return the paths of the tools of a language, by name.

    Raises:
        ToolError: one is missing.
    """
    if language.is_script:
        return find_script_tools()
    from judge.languages.interpreters import create_bare_venv  # a run in which nothing changed starts none

    return _find_tools(language, tools, lambda: create_bare_venv(folder))


def _find_tools(language: Language, tools: Mapping[str, str] | None, own_python: Callable[[], str]) -> dict[str, str]:
    """Return the paths of a language's tools on this machine, by name; `tools` are overrides."""
    return {
        tool: own_python() if _is_own_python(language, tool, tools) else _find_tool(language, tool, tools)
        for tool in language.tools
    }


def _is_own_python(language: Language, tool: str, tools: Mapping[str, str] | None) -> bool:
    """Return whether the judge's own interpreter serves as a tool."""
    return tool == "python" and language.tools[tool] == ("python3",) and not (tools or {}).get(tool)


def _find_tool(language: Language, tool: str, tools: Mapping[str, str] | None) -> str:
    """Return the absolute path of a compiler or interpreter.

    Raises:
        ToolError: it is not on this machine.
    """
    override = (tools or {}).get(tool)
    commands = (override,) if override else language.tools[tool]
    if tool == "python2" and not override:
        from judge.languages.interpreters import find_python2

        return find_python2(commands)
    for command in commands:
        if path := find_program(command):
            if tool == "rustc":
                path = behind_rustup(path)
            return str(Path(path).absolute())
    wanted = " or ".join(f"`{command}`" for command in commands)
    raise ToolError(f"{language.name} needs {wanted}: command not found on PATH")


def behind_rustup(path: str) -> str:
    """Return the compiler of the default toolchain if a path is rustup's, otherwise the path.

    Rustup's `rustc` starts the compiler of a toolchain in the user's home, which the sandbox does not have.

    Raises:
        ToolError: rustup has no such toolchain.
    """
    if Path(path).resolve().name != "rustup":
        return path
    home = Path(os.environ.get("RUSTUP_HOME", "~/.rustup")).expanduser()
    try:
        found = re.search(r'^default_toolchain = "([\w.-]+)"', (home / "settings.toml").read_text(), re.MULTILINE)
    except OSError:
        found = None
    name = os.environ.get("RUSTUP_TOOLCHAIN") or (found[1] if found else "stable")
    compilers = sorted((home / "toolchains").glob(f"{name}*/bin/rustc"))
    if not compilers:
        raise ToolError(
            f"Rust needs a toolchain of rustup: {path} found none in {home / 'toolchains'}; run `rustup default stable`"
        )
    return str(compilers[0])


def tool_fingerprint(tool: str) -> str:
    """Return a text that differs between compilers or interpreters and changes with an upgrade.

    Raises:
        OSError: the tool does not exist.
    """
    status = os.stat(tool)  # noqa: PTH116 - called for every solution; a Path costs more
    return f"{_resolve(tool, status.st_dev, status.st_ino)} {status.st_size} {status.st_mtime_ns}"


@cache
def _resolve(tool: str, device: int, inode: int) -> Path:  # noqa: ARG001 - the file that it leads to
    """Return where a link leads to, which takes long."""
    return Path(tool).resolve()


def fingerprint_tools(language: Language, tools: Mapping[str, str]) -> Iterator[str]:
    """Yield what changes with the tools of a language; `tools` are overrides.

    Raises:
        ToolError: a tool is missing.
        OSError: a tool cannot be read.
    """
    for tool in language.tools:
        if _is_own_python(language, tool, tools):  # without packages, see `interpreters`
            yield tool_fingerprint(base_python())
            continue
        path = _find_tool(language, tool, tools)
        yield tool_fingerprint(path)
        if tool.startswith("python"):
            from judge.languages.interpreters import package_fingerprint

            yield path
            yield from package_fingerprint(Path(path))
    if language.is_script:
        yield from map(tool_fingerprint, find_script_tools().values())


# ---- for scripts ----------------------------------------------------------------------------------------------------


def find_script_tools() -> dict[str, str]:
    """Return the paths of the tools that scripts may use, by name, as far as they are on this machine."""
    found = {}
    for name, commands in _TOOLS.items():
        path = find_program(name, path=_USUAL_PATH)
        path = path or (base_python() if name == "python3" else next(filter(None, map(find_program, commands)), None))
        if path is not None:
            found[name] = str(Path(path).absolute())
    return found


def search_path(tools: Mapping[str, str], folder: Path) -> tuple[str, tuple[Path, ...]]:
    """Return a value of PATH on which scripts find the tools under their names, and what they need to read for that.

    The folder gets links to the tools that are not on the usual path.

    Raises:
        OSError: a link cannot be made.
    """
    missing = {name: path for name, path in tools.items() if find_program(name, path=_USUAL_PATH) != path}
    if not missing:
        return _USUAL_PATH, ()
    links = folder / "script-tools"
    links.mkdir(exist_ok=True)
    links.chmod(0o755)
    for name, path in missing.items():
        with suppress(FileExistsError):
            (links / name).symlink_to(path)
    needed = dict.fromkeys(part for path in missing.values() for part in required_paths(path))
    return f"{_USUAL_PATH}:{links}", (links, *map(Path, needed))


# ---- for `judge doctor` ---------------------------------------------------------------------------------------------


def describe_tools(language: Language) -> str:
    """Return the version and the paths of a language's tools, or which one is missing and how to install it."""
    try:
        paths = _find_tools(language, None, base_python).values()
    except ToolError as error:
        remedy = f"; apt install {' '.join(language.packages)}" if language.packages else ""
        return f"{error}{remedy}"
    version = find_version(language)
    return f"{version}  {', '.join(paths)}" if version else ", ".join(paths)


def find_version(language: Language, tools: Mapping[str, str] | None = None) -> str:
    """Return the version that the first tool of a language prints; "" if it prints none, or is missing."""
    from judge.languages.interpreters import PROBE_LIMITS

    try:
        path = next(iter(_find_tools(language, tools, base_python).values()))
    except ToolError:
        return ""
    probe = Command(argv=(path, *language.version), cwd=Path("/"), may_fork=True)
    try:
        with Box(levels=[Level.LIMITS]) as box:  # the user's own tool
            outcome = box.run(probe, PROBE_LIMITS)
    except SandboxError:
        return ""
    found = re.search(r"\d+\.\d+[\w.+-]*", (outcome.stdout + outcome.stderr).decode(errors="replace"))
    return found[0] if found else ""


# ---- for `judge debug`: the program as it is, or in an interactive debugger -----------------------------------------


def debug_command(language: Language, debugger: str) -> tuple[str, ...]:
    """Return the command that runs a program of a language.

    Raises:
        UsageError: the language has no such debugger.
    """
    debug = language.debug
    if not debugger:
        return debug.run or language.run
    if debugger not in debug.debuggers:
        known = ", ".join(f"--{name}" for name in debug.debuggers)
        hint = f"expected {known}" if known else f"run it without --{debugger}"
        raise UsageError(f"--{debugger} does not debug {language.name}; {hint}")
    return debug.debuggers[debugger]


def debug_fields(source: Source, debugger: str, *, place: Path) -> dict[str, str]:
    """Return the additional fields of the commands; `place` is the folder with the copies of the files.

    Raises:
        ToolError: the debugger is not on this machine.
    """
    folder = source.path if source.path.is_dir() else source.path.parent
    fields = {"map": f"-ffile-prefix-map={place}={folder}"}
    if debugger == "pdb":
        fields["pdb"] = str(Path(__file__).with_name("pdb_driver.py"))
    elif debugger:
        path = find_program(debugger)
        if path is None:
            name = source.language.name
            raise ToolError(f"--{debugger}: `{debugger}` is not on PATH; install it, or run {name} without it")
        fields[debugger] = path
    return fields


def debugged_file(source: Source, place: Path) -> Path:
    """Return the file that runs in a debugger: the user's own, unless its copy differs or comes from elsewhere."""
    path = source.path / source.main if source.path.is_dir() else source.path
    if source.is_folder and not (path.is_file() and path.read_bytes() == source.files[source.main]):
        return place / source.main
    return path
