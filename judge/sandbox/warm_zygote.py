"""The warm zygote: an initialized interpreter for one solution, or for all, which forks for every run.

It is a zygote whose runs do not exec: the child, confined like any other, unwinds the zygote's frames and runs the
compiled source at the top level, as the interpreter would. Each zygote serves one solution: it contains no other
solution and no answer, and whatever a run does to its modules is lost when the run ends. Variants of that solution run
here too (`Command.base`): the child, confined already, reads and compiles such a file itself. Nothing that a run
reports about itself is trusted, only how its process ended.

Modules of the standard library that the source imports are imported before the first run, and no others. A zygote for
all solutions imports those that solutions use most, and each run reads and compiles its source itself.
"""

import _signal  # type: ignore[import-not-found]
import ast
import atexit
import gc
import io
import os
import sys
from os import _exit, getpid, kill  # a program may replace them in `os`
from types import CodeType, ModuleType

from judge.sandbox import zygote
from judge.sandbox.protocol import Request

TYPE_CHECKING = False
if TYPE_CHECKING:  # see protocol
    from collections.abc import Callable

    Finish = Callable[[BaseException | None], None]
    Run = tuple[CodeType, dict[str, object], Finish]

# A source with one of these words may notice how the interpreter ends: in which order objects are finalized, and which
# modules and names then still exist.
_LATE_EFFECTS = (b"__del__", b"finalize", b"modules", b"builtins")

# Importing these has visible effects.
_NOT_PRELOADED = {"antigravity", "this", "__hello__", "__phello__", "idlelib", "turtle", "tkinter", "test"}

# What a zygote for all solutions imports. `random` is seeded again in each run; none of these imports `threading`.
_COMMON = (
    "array", "bisect", "collections", "collections.abc", "copy", "dataclasses", "datetime", "decimal", "enum",
    "fractions", "functools", "hashlib", "heapq", "io", "itertools", "json", "math", "numbers", "operator", "os",
    "random", "re", "string", "sys", "time", "typing",
)  # fmt: skip

# Keeps what the zygote's frames refer to: to free it, a run would copy pages that it shares with the zygote (0.2 ms).
_ends: "list[zygote.ChildExit]" = []


def main(source: str) -> "Run":
    """Serve; returns only in a run.

    Args:
        source: the file of the solution; "" to serve all solutions, each request with its own.

    Returns:
        The code to execute at the top level, its namespace, and what to call at the end, with the exception if any.
    """
    return _serve_one(source) if source else _serve_all()


def _serve_all() -> "Run":
    """Serve requests of all solutions; an error in a source is raised in its run."""
    for name in _COMMON:
        __import__(name)
    _reset_interpreter("")
    gc.collect()
    gc.freeze()
    source = _serve().argv[2]
    with open(source, "rb") as file:
        text = file.read()
    module = _create_main_module(source)
    code = compile(text, source, "exec", dont_inherit=True)
    return code, module.__dict__, _choose_finish(text, module)


def _serve_one(source: str) -> "Run":
    """Serve requests of one solution, whose source is compiled and whose modules are imported before."""
    with open(source, "rb") as file:
        text = file.read()
    stderr, sys.stderr = sys.stderr, None  # the judge's: no place for warnings of the compiler
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(2 * limit)  # the zygote's frames count, which a cold start does not have
    code, names = compile(text, source, "exec", dont_inherit=True), _standard_imports(text)
    sys.setrecursionlimit(limit)
    sys.stderr = stderr
    for name in names:
        try:
            __import__(name)
        except Exception:  # noqa: BLE001, S110 - the run raises it again, where it belongs
            pass
    module = _create_main_module(source)
    _reset_interpreter(source)
    gc.collect()
    gc.freeze()  # the collector skips what exists now: less work, and shared pages stay shared

    variant = _serve().argv[2]
    if variant != source:
        code = _compile_variant(variant, source)
    return code, module.__dict__, _choose_finish(text, module)


def _serve() -> Request:
    """Serve until the judge is gone; returns only in a run: its request."""
    requests: list[Request] = []  # of this process, once it is a run

    def become(request: Request) -> None:
        requests.append(request)
        _prepare_run(request)
        raise zygote.ChildExit

    try:
        zygote.main(become)
    except zygote.ChildExit as end:
        _ends.append(end)
        return requests[0]
    os._exit(0)


def _compile_variant(path: str, source: str) -> CodeType:
    """Return the code of another source under the name of the first; if it does not compile, code that says so."""
    try:
        with open(path, "rb") as file:
            return compile(file.read(), source, "exec", dont_inherit=True)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the run ends with it
        text = f"raise SystemExit({f'{type(error).__name__}: {error}'!r})"
        return compile(text, source, "exec", dont_inherit=True)


def _prepare_run(request: Request) -> None:
    """Give a run its arguments, and handle signals as Python does after its startup."""
    sys.argv = list(request.argv[2:])  # without the interpreter and its option
    if folders := request.environment.get("PYTHONPATH"):  # of a program of several files: only now, in the sandbox
        sys.path[:0] = folders.split(":")
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
        _signal.signal(number, _signal.SIG_IGN)
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def _choose_finish(text: bytes, module: ModuleType) -> "Finish":
    """Return what ends a run of a source."""
    if any(word in text for word in _LATE_EFFECTS):
        return _finish_by_interpreter
    return lambda error: _finish(error, module.__dict__)


def _finish_by_interpreter(error: BaseException | None) -> None:
    """End the run by SystemExit or KeyboardInterrupt: the interpreter finalizes everything as in a cold run.

    That takes some milliseconds, most of them for copies of pages that the zygote shares with the run.
    """
    gc.unfreeze()
    status = _report(error)
    if type(error) is KeyboardInterrupt:
        sys.excepthook = lambda *_: None  # it is reported; now the interpreter ends by the signal
        raise error
    raise SystemExit(status)


def _finish(error: BaseException | None, names: "dict[str, object]") -> None:
    """Exit as the interpreter does: report, wait for threads, run exit functions, flush, clear; never returns."""
    was_interrupted = type(error) is KeyboardInterrupt  # see run_eval_code_obj in Python/pythonrun.c
    status = _report(error)
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()  # noqa: SLF001 - Py_FinalizeEx calls it
    atexit._run_exitfuncs()  # noqa: SLF001
    status = _flush(getattr(sys, "stdout", None)) or status
    _flush(getattr(sys, "stderr", None))
    del error  # its traceback refers to frames, and they to objects of the program
    names.clear()  # writes and closes files that are still open
    gc.collect()
    _flush(getattr(sys, "stdout", None))  # what finalizers printed
    for name in ("__stdout__", "__stderr__"):  # the interpreter's own, if the program has replaced the others
        _flush(getattr(sys, name, None))
    if was_interrupted:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        kill(getpid(), _signal.SIGINT)
    _exit(status)


def _report(error: BaseException | None) -> int:
    """Report how the program ended as the interpreter does; return the exit status."""
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        return _exit_status(error.code)
    trace = error.__traceback__
    sys.excepthook(type(error), error, trace.tb_next if trace else None)  # without the frame that called the code
    return 1


def _flush(stream: object) -> int:
    """Flush a standard stream; return the exit status of Py_FinalizeEx if that fails, else 0."""
    if getattr(stream, "closed", True):
        return 0
    try:
        stream.flush()  # type: ignore[attr-defined]
    except (OSError, ValueError, AttributeError):
        return 120
    return 0


def _exit_status(code: object) -> int:
    """Return the exit status of `sys.exit(code)`; anything but an integer or None is written to standard error."""
    if code is None:
        return 0
    if isinstance(code, int):
        code = int.__index__(code)  # whatever a subclass of the program does with operators
        if -(1 << 63) <= code < 1 << 63:
            return code & 0xFF
        if (3, 12) <= sys.version_info < (3, 14):  # as these interpreters do
            sys.stderr.write("OverflowError: Python int too large to convert to C long\n")
        return 0xFF  # the interpreter uses -1 for what does not fit a C long
    sys.stderr.write(f"{code}\n")
    return 1


def _standard_imports(text: bytes) -> "list[str]":
    """Return the modules of the standard library that a source imports anywhere."""
    names = []
    try:
        tree = ast.parse(text)
    except RecursionError:  # a tree of Python objects may be limited to less depth than the compiler's own
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    allowed = sys.stdlib_module_names - _NOT_PRELOADED
    # modules such as `unittest.__main__` are programs, and would run here, unconfined
    return [name for name in names if name.partition(".")[0] in allowed and "__main__" not in name.split(".")]


def _reset_interpreter(source: str) -> None:
    """Make the interpreter look freshly started for this program.

    The standard streams are recreated over files of the kind that runs have. They use descriptors 0 to 2, which each
    run replaces.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "judge"]:
        del sys.modules[name]
    sys.path.pop(0)
    sys.argv = [source]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        os.dup2(os.memfd_create(name), number)
        buffer = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115 - it stays open
        # As in a new interpreter: no carriage return becomes a newline.
        text = io.TextIOWrapper(buffer, old.encoding, old.errors, newline="\n", line_buffering=name == "stderr")
        setattr(sys, name, text)
        setattr(sys, f"__{name}__", text)


def _create_main_module(source: str) -> ModuleType:
    import builtins
    from importlib.machinery import SourceFileLoader

    module = ModuleType("__main__")
    module.__dict__.update(
        __file__=source, __builtins__=builtins, __cached__=None, __loader__=SourceFileLoader("__main__", source)
    )
    if sys.version_info < (3, 14):  # since then created on demand: https://docs.python.org/3.14/whatsnew/3.14.html
        module.__dict__.update(__annotations__={})
    sys.modules["__main__"] = module
    return module
