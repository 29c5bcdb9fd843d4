"""What judges reject whatever their Python: the file itself, imports, and access to anything but the standard streams.

UVa's page `Submission Specification`: a program that tries to open a file is judged wrong. Other judges sandbox it.
"""

import ast
import re
import shlex
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from judge.base.errors import Diagnostic, Severity
from judge.base.files import as_word
from judge.base.units import format_bytes
from judge.languages.inspection import java_names
from judge.online.lint.judges import OnlineJudge
from judge.online.lint.requirements import Guards, Names, caught_errors, position
from judge.online.lint.versions import REMOVED_MODULES
from judge.online.python_source import PythonSource, is_import_call

# ---- the file --------------------------------------------------------------------------------------------------------

_BOM = b"\xef\xbb\xbf"
_PACKAGE = re.compile(rb"^\s*package\s+[\w.]+\s*;", re.MULTILINE)


def check_file(path: Path, data: bytes, judge: OnlineJudge) -> Iterator[Diagnostic]:
    """Yield what is wrong with a source file; Python's parser reports byte order marks and NUL bytes itself."""
    if not data.strip():
        yield _report_file(path, "the file is empty", "write the solution")
        return
    limit = judge.source_limit
    if limit is not None and len(data) > limit:
        message = f"the source has {len(data)} bytes; {judge.name} accepts at most {limit} ({format_bytes(limit)})"
        severity = Severity.ERROR if judge.is_limit_sure else Severity.WARNING
        yield _report_file(path, message, "shorten it: compute tables, remove comments", severity=severity)
    suffix = path.suffix.lower()
    if data.startswith(_BOM) and suffix != ".py":
        yield _report_file(path, "the file begins with a byte order mark", "save it as UTF-8 without one", line=1)
    if b"\0" in data and suffix != ".py":
        line = data[: data.index(b"\0")].count(b"\n") + 1
        yield _report_file(path, "a NUL byte, which compilers reject", "remove it", line=line)
    if suffix != ".java":
        return
    if found := _PACKAGE.search(data):
        line = data[: found.end()].count(b"\n") + 1
        message = "a `package` declaration: judges expect the default package"
        yield _report_file(path, message, "remove the `package` line", line=line)
    main = java_names(data, "Main.java")[1].rpartition(".")[2]
    if judge.requires_main and main != "Main":
        line = next((at for at, text in enumerate(data.splitlines(), 1) if f"class {main}".encode() in text), 0)
        message = f"the class with `main` is `{main}`; {judge.name} runs `Main`"
        yield _report_file(path, message, "rename it to `Main`", line=line)


def _report_file(
    path: Path, message: str, fix: str, *, line: int = 0, severity: Severity = Severity.ERROR
) -> Diagnostic:
    return Diagnostic(path=path, line=line, severity=severity, rule="source", message=message, fix=fix)


# ---- imports ---------------------------------------------------------------------------------------------------------

_STANDARD_LIBRARY = sys.stdlib_module_names | {name.partition(".")[0] for name in REMOVED_MODULES}


def check_imports(
    source: PythonSource, guards: Guards, judge: OnlineJudge, own_modules: Collection[str], bundled: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield each import of a module that the judge does not have, unless the source guards it, or it is `bundled`."""
    for node in ast.walk(source.tree):
        for name in _imported_modules(node):
            top = name.partition(".")[0]
            line, column = position(node)
            if top in bundled or (not top and bundled) or line in guards.certain:
                continue
            if name.startswith(".") or (top in own_modules and top not in sys.builtin_module_names):
                message = f"`{name}` is one of your own modules, but you submit a single file"
                fix = f"`judge bundle {shlex.quote(as_word(source.path))}` combines them into one file"
            elif top not in _STANDARD_LIBRARY and top not in judge.libraries:
                message = f"`{top}` is not in the standard library, and {judge.name} has no other modules"
                if judge.libraries:
                    message = f"`{top}` is neither in the standard library nor installed at {judge.name}"
                fix = f"avoid `{top}`"
            else:
                continue
            severity = Severity.WARNING if line in guards.possible else Severity.ERROR
            yield Diagnostic(
                path=source.path, line=line, column=column, severity=severity, rule="import", message=message, fix=fix
            )


def _imported_modules(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, level=level):
            yield "." * level + (module or "")
        case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]) if is_import_call(function):
            yield name


# ---- files, processes, networks, arguments, prompts ------------------------------------------------------------------

_OPENERS = frozenset({"builtins.open", "io.open", "codecs.open", "os.open", "io.FileIO", "fileinput.FileInput"})
_STREAM_NUMBERS = frozenset({0, 1, 2})
_STREAMS = frozenset({"sys.stdin", "sys.stdin.buffer", "sys.stdout", "sys.stdout.buffer", "sys.stderr"})
_STREAM_FILES = frozenset({"/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/0", "/dev/fd/1"})
_PATH_METHODS = frozenset(
    {"open", "read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "mkdir", "unlink"}
)
_FILE_FUNCTIONS = frozenset(
    f"os.{name}"
    for name in ("listdir", "scandir", "walk", "remove", "unlink", "rename", "mkdir", "makedirs", "rmdir", "replace")
)
_NETWORK_MODULES = (
    *("socket", "ssl", "urllib.request", "http.client", "http.server", "ftplib", "smtplib", "imaplib", "poplib"),
    *("socketserver", "xmlrpc.client", "xmlrpc.server", "webbrowser"),
)
_PROCESS_MODULES = ("subprocess", "multiprocessing", "concurrent.futures.ProcessPoolExecutor", "pty")
_ARGUMENT_MODULES = ("argparse", "optparse", "getopt")
_MODULES: Mapping[str, tuple[str, str, Severity]] = {
    **dict.fromkeys(_NETWORK_MODULES, ("judges have no network", "remove it", Severity.ERROR)),
    **dict.fromkeys(_PROCESS_MODULES, ("judges forbid other processes", "use a single process", Severity.ERROR)),
    **dict.fromkeys(_ARGUMENT_MODULES, ("judges pass no arguments", "read standard input", Severity.WARNING)),
}
_PROCESS_FUNCTIONS = ("os.system", "os.popen", "os.fork", "os.exec", "os.spawn", "os.posix_spawn")
# People test for these to read a file on their own machine only: the judge never runs that code.
_LOCAL_TESTS = (
    "sys.argv",
    "os.environ",
    "os.getenv",
    "os.path",
    "pathlib.Path",
    "builtins.hasattr",
    "sys.stdin.isatty",
)
_NO_FILE_ERRORS = frozenset(
    f"builtins.{name}"
    for name in ("OSError", "IOError", "FileNotFoundError", "IndexError", "Exception", "BaseException")
)
_READ_STDIN = "read standard input: `sys.stdin`, `input()` or `open(0)`"


def check_access(
    source: PythonSource, names: Names, judge: OnlineJudge, files: frozenset[str] = frozenset()
) -> Iterator[Diagnostic]:
    """Yield each access to something besides the standard streams and `files`, and each prompt on standard output."""
    local = set(_find_local_nodes(source.tree, names))
    for node in ast.walk(source.tree):
        found: Iterable[tuple[str, str, Severity | None]] = ()
        match node:
            case ast.Call():
                found = _check_call(node, names, judge, files)
            case ast.Attribute() | ast.Name() if names.resolve(node) == "sys.argv" and node not in local:
                found = [("`sys.argv`: judges pass no arguments", "read standard input", Severity.WARNING)]
            case ast.Import(names=imported):
                found = _check_modules([alias.name for alias in imported])
            case ast.ImportFrom(module=str(module), names=imported):
                found = _check_modules({module, *(f"{module}.{alias.name}" for alias in imported)})
        line, column = position(node)
        for message, fix, known in found:
            severity = known or (Severity.WARNING if node in local else Severity.ERROR)
            rule = "output" if message.startswith("`input`") else "access"
            yield Diagnostic(
                path=source.path, line=line, column=column, severity=severity, rule=rule, message=message, fix=fix
            )


def _check_modules(names: Iterable[str]) -> Iterator[tuple[str, str, Severity | None]]:
    for name in names:
        if name in _MODULES:
            message, fix, severity = _MODULES[name]
            yield f"`{name}`: {message}", fix, severity


def _check_call(
    node: ast.Call, names: Names, judge: OnlineJudge, files: frozenset[str]
) -> Iterator[tuple[str, str, Severity | None]]:
    """Yield messages and fixes; without a severity, it is an error unless the judge never runs that code."""
    path, shown = names.resolve(node.func), ast.unparse(node.func)
    match node.func:
        case ast.Attribute(value=ast.Call(func=constructor), attr=attr) if attr in _PATH_METHODS:
            is_path_method = names.resolve(constructor) == "pathlib.Path"
        case _:
            is_path_method = False
    if path in _OPENERS:
        first = node.args[0] if node.args else next((each.value for each in node.keywords if each.arg == "file"), None)
        match first:
            case ast.Constant(value=value) if value in files or (isinstance(value, int) and value in _STREAM_NUMBERS):
                return
            case ast.Call(func=ast.Attribute(value=stream, attr="fileno")) if names.resolve(stream) in _STREAMS:
                return
            case ast.Constant(value=str(name)) if name in _STREAM_FILES:
                yield f"`{name}` exists only on some systems", "use `sys.stdin`, or `open(0)`", Severity.WARNING
            case _:
                fix = f"open only {', '.join(sorted(files))}" if files else _READ_STDIN
                yield f"`{shown}` opens a file, which {judge.name} forbids", fix, None
    elif path in _FILE_FUNCTIONS or is_path_method:
        yield f"`{shown}` uses the file system, which {judge.name} forbids", _READ_STDIN, None
    elif path.startswith(_PROCESS_FUNCTIONS):
        yield f"`{path}` starts a process, which {judge.name} forbids", "do it in Python", None
    elif path == "builtins.input" and node.args and ast.unparse(node.args[0]) != "''":
        message = "`input` writes its prompt to standard output, where it becomes part of the answer"
        yield message, "call `input()` without a prompt", Severity.ERROR


def _find_local_nodes(tree: ast.Module, names: Names) -> Iterator[ast.AST]:
    """Yield the nodes of a test of the machine, of a `try` that allows for a missing file, and under a false switch."""
    for node in ast.walk(tree):
        is_test = isinstance(node, ast.If | ast.IfExp) and any(
            names.resolve(part).startswith(_LOCAL_TESTS) for part in ast.walk(node.test)
        )
        is_attempt = isinstance(node, ast.Try) and caught_errors(node, names) & _NO_FILE_ERRORS
        if is_test or is_attempt:
            yield from ast.walk(node)
        elif isinstance(node, ast.If) and (is_on := _constant_truth(node.test, names)) is not None:
            for unreached in node.orelse if is_on else node.body:
                yield from ast.walk(unreached)


def _constant_truth(test: ast.expr, names: Names) -> bool | None:
    """Return whether a test is always true or always false, such as of `LOCAL = False`; None if it may change."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            truth = _constant_truth(operand, names)
            return None if truth is None else not truth
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id=name) if constant := names.constant(name):
            return bool(constant.value)
    return None
