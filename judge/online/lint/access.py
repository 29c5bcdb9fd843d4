"""Standard input in, standard output out: no files, arguments, network or processes, and no prompts among the output.

UVa's page `Submission Specification`: never try to open any file or the program is judged wrong. The others shut it in.
"""

import ast
import sys
from collections.abc import Collection, Iterator

from judge.online.lint.judges import OnlineJudge
from judge.online.lint.library import REMOVED_MODULES
from judge.online.lint.names import Binding, BindingKind, SymbolTable
from judge.online.lint.parsing import Obstacle, Severity, place_of
from judge.online.lint.versions import Guards

STANDARD: frozenset[str] = sys.stdlib_module_names | {name.partition(".")[0] for name in REMOVED_MODULES}


def import_obstacles(
    tree: ast.Module, guards: Guards, judge: OnlineJudge, neighbours: Collection[str]
) -> Iterator[Obstacle]:
    """Yield every import of what the judge does not have.

    Args:
        tree: the source.
        guards: an import that the source can do without is none.
        judge: some have more than the standard library.
        neighbours: names of modules and packages that stand beside the file.
    """
    inside = _inside(tree)
    for node in ast.walk(tree):
        for name in _imported(node):
            top = name.partition(".")[0]
            line, column = place_of(node)
            if top in inside or (not top and inside) or guards.has(line):
                continue
            severity = Severity.WARNING if guards.may_have(line) else Severity.ERROR
            if name.startswith(".") or (top in neighbours and top not in sys.builtin_module_names):
                reason = f"`{name}` is a module of yours, and one file is submitted"
                yield _import_obstacle(line, column, reason, "`judge bundle FILE` makes one file of them", severity)
            elif top not in STANDARD and top not in judge.libraries:
                reason = f"`{top}` does not belong to the standard library, and {judge.name} has no other"
                if judge.libraries:
                    reason = f"`{top}` is not among the libraries that {judge.name} has"
                yield _import_obstacle(line, column, reason, f"do without `{top}`", severity)


def _inside(tree: ast.Module) -> frozenset[str]:
    """Return the modules that a bundle holds: its loader's decorator names them (`judge.online.bundle.assemble`)."""
    loaders = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(isinstance(part, ast.FunctionDef) and part.name == "find_spec" for part in node.body)
    }
    found = set()
    for node in tree.body:
        for decorator in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
            match decorator:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=loader), attr="module"), args=[ast.Constant(value=str(name))]
                ) if loader in loaders:
                    found.add(name.partition(".")[0])
    return frozenset(found)


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, level=level):
            yield "." * level + (module or "")
        case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]) if _is_import(function):
            yield name


def _is_import(function: ast.expr) -> bool:
    return ast.unparse(function) in ("__import__", "import_module", "importlib.import_module")


def _import_obstacle(line: int, column: int, reason: str, fix: str, severity: Severity) -> Obstacle:
    return Obstacle(check="import", severity=severity, line=line, column=column, reason=reason, fix=fix)


_OPENERS = frozenset({"builtins.open", "io.open", "codecs.open", "os.open", "io.FileIO", "fileinput.FileInput"})
_STREAMS = frozenset({0, 1, 2})
_STANDARD = frozenset({"sys.stdin", "sys.stdin.buffer", "sys.stdout", "sys.stdout.buffer", "sys.stderr"})
_STREAM_FILES = frozenset({"/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/0", "/dev/fd/1"})
_FILE_METHODS = frozenset(
    {"open", "read_text", "read_bytes", "write_text", "write_bytes", "iterdir", "mkdir", "unlink"}
)
_FILE_CALLS = frozenset(
    f"os.{name}"
    for name in ("listdir", "scandir", "walk", "remove", "unlink", "rename", "mkdir", "makedirs", "rmdir", "replace")
)
_NETWORK = frozenset(
    {"socket", "ssl", "urllib.request", "http.client", "http.server", "ftplib", "smtplib", "imaplib", "poplib"}
    | {"socketserver", "xmlrpc.client", "xmlrpc.server", "webbrowser"}
)
_PROCESSES = frozenset({"subprocess", "multiprocessing", "concurrent.futures.ProcessPoolExecutor", "pty"})
_STARTERS = ("os.system", "os.popen", "os.fork", "os.exec", "os.spawn", "os.posix_spawn")
_ARGUMENTS = frozenset({"argparse", "optparse", "getopt"})
# A test for these is how people keep a file for their own machine: the judge never comes there.
_AT_HOME = ("sys.argv", "os.environ", "os.getenv", "os.path", "pathlib.Path", "builtins.hasattr", "sys.stdin.isatty")


def access_obstacles(tree: ast.Module, names: SymbolTable, judge: OnlineJudge) -> Iterator[Obstacle]:
    """Yield every use of something besides the standard streams."""
    at_home = _at_home(tree, names)
    taken = {node.value for node in ast.walk(tree) if isinstance(node, ast.Subscript) and _is_argument(node.slice)}
    for node in ast.walk(tree):
        match node:
            case ast.Call():
                yield from _call(node, names, judge, at_home)
            case ast.Attribute() | ast.Name() if names.origin(node) == "sys.argv" and node not in at_home:
                likely = Severity.ERROR if node in taken else Severity.WARNING
                yield _obstacle(node, "`sys.argv`: a judge gives no arguments", "read standard input", likely)
            case ast.Import(names=imported):
                for alias in imported:
                    yield from _module(alias.name, node)
            case ast.ImportFrom(module=str(module), names=imported):
                for path in {module, *(f"{module}.{alias.name}" for alias in imported)}:
                    yield from _module(path, node)


def _is_argument(at: ast.expr) -> bool:
    """Whether an index of `sys.argv` is one of an argument: there is nothing but the program's name."""
    return isinstance(at, ast.Constant) and isinstance(at.value, int) and at.value > 0


def _call(node: ast.Call, names: SymbolTable, judge: OnlineJudge, at_home: set[ast.AST]) -> Iterator[Obstacle]:
    origin = names.origin(node.func)
    likely = Severity.WARNING if node in at_home else Severity.ERROR
    if origin in _OPENERS:
        yield from _open(node, names, judge, likely)
    elif origin in _FILE_CALLS or _is_path(node.func, names):
        yield _obstacle(node, f"`{ast.unparse(node.func)}` works on files: {judge.name} allows none", _INPUT, likely)
    elif origin.startswith(_STARTERS):
        yield _obstacle(node, f"`{origin}` starts a process: {judge.name} allows none", "do it in Python", likely)
    elif origin == "builtins.input" and node.args and not _is_empty(node.args[0]):
        reason = "`input` writes its prompt to standard output, among the answers"
        yield _obstacle(node, reason, "call `input()` without a prompt", check="output")


_INPUT = "read standard input: `sys.stdin`, `input()` or `open(0)`"


def _open(node: ast.Call, names: SymbolTable, judge: OnlineJudge, likely: Severity) -> Iterator[Obstacle]:
    first = node.args[0] if node.args else next((each.value for each in node.keywords if each.arg == "file"), None)
    match first:
        case ast.Constant(value=int(number)) if number in _STREAMS:
            return
        case ast.Call(func=ast.Attribute(value=stream, attr="fileno")) if names.origin(stream) in _STANDARD:
            return
        case ast.Constant(value=str(path)) if path in _STREAM_FILES:
            reason = f"`{path}` is a file only on some systems"
            yield _obstacle(node, reason, "use `sys.stdin`, or `open(0)`", Severity.WARNING)
        case _:
            reason = f"`{ast.unparse(node.func)}` opens a file: {judge.name} allows none"
            yield _obstacle(node, reason, _INPUT, likely)


def _is_path(function: ast.expr, names: SymbolTable) -> bool:
    """Whether a call is `Path(...).read_text()` or the like."""
    match function:
        case ast.Attribute(value=ast.Call(func=maker), attr=attr) if attr in _FILE_METHODS:
            return names.origin(maker) == "pathlib.Path"
    return False


def _is_empty(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == ""


def _module(path: str, node: ast.AST) -> Iterator[Obstacle]:
    if path in _NETWORK:
        yield _obstacle(node, f"`{path}` is for networks: a judge has none", "leave it out")
    elif path in _PROCESSES:
        yield _obstacle(node, f"`{path}` starts processes: a judge allows none", "do it in one process")
    elif path in _ARGUMENTS:
        yield _obstacle(node, f"`{path}`: a judge gives no arguments", "read standard input", Severity.WARNING)


def _at_home(tree: ast.Module, names: SymbolTable) -> set[ast.AST]:
    """Return the nodes under a test of the machine, and the test itself; those under a switch that is off, too."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        is_test = isinstance(node, ast.If | ast.IfExp) and any(
            names.origin(part).startswith(_AT_HOME) for part in ast.walk(node.test)
        )
        is_attempt = isinstance(node, ast.Try) and any(_catches(handler, names) for handler in node.handlers)
        if is_test or is_attempt:
            found.update(ast.walk(node))
        elif isinstance(node, ast.If) and (is_on := _switch(node.test, names)) is not None:
            found.update(part for off in (node.orelse if is_on else node.body) for part in ast.walk(off))
    return found


def _switch(test: ast.expr, names: SymbolTable) -> bool | None:
    """Return whether a test is always true or always false, such as of `LOCAL = False`; None where it may change."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            is_on = _switch(operand, names)
            return None if is_on is None else not is_on
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name():
            match names.bindings(test):
                case [Binding(kind=BindingKind.VALUE, value=ast.Constant(value=value))]:
                    return bool(value)
    return None


_NO_FILE = frozenset(
    f"builtins.{name}"
    for name in ("OSError", "IOError", "FileNotFoundError", "IndexError", "Exception", "BaseException")
)


def _catches(handler: ast.ExceptHandler, names: SymbolTable) -> bool:
    """Whether a handler goes on where there is no file or no argument."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or names.origin(kind) in _NO_FILE for kind in kinds)


def _obstacle(
    node: ast.AST, reason: str, fix: str, severity: Severity = Severity.ERROR, check: str = "access"
) -> Obstacle:
    line, column = place_of(node)
    return Obstacle(check=check, severity=severity, line=line, column=column, reason=reason, fix=fix)
