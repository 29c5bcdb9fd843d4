"""The warm zygote: an interpreter that is ready to run one solution, and forks instead of starting anew.

It is a zygote (see there) whose runs do not exec: the child, shut in like any other, leaves the zygote's frames behind
and runs the compiled source at the top of the program, as the interpreter would. One solution, one zygote: it sees no
other solution and no answer, and what a run does to its modules is gone with it. Nothing that a run says of itself is
believed; only how its process ended.

What the source imports from the standard library is imported before the first run; so is nothing else.
"""

import _signal  # type: ignore[import-not-found]
import ast
import atexit
import gc
import io
import os
import sys
from os import _exit, getpid, kill  # a program may put others in their place
from types import CodeType, ModuleType

from judge.sandbox import zygote
from judge.sandbox.request import Request

# These do something when they are imported.
_NOT_BEFORE = {"antigravity", "this", "__hello__", "__phello__", "idlelib", "turtle", "tkinter", "test"}


def main(source: str) -> "tuple[CodeType, dict[str, object]]":
    """Serve; returns only in a run, with the code and the namespace that are to be executed at the top."""
    with open(source, "rb") as file:
        text = file.read()
    stderr, sys.stderr = sys.stderr, None  # the judge's: a compiler's warnings do not belong there
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(2 * limit)  # our frames count, which are none of a program's that is compiled at the top
    code, names = compile(text, source, "exec", dont_inherit=True), _imports(text)
    sys.setrecursionlimit(limit)
    sys.stderr = stderr
    for name in names:
        try:
            __import__(name)
        except Exception:  # noqa: BLE001, S110 - the run will meet it again, in its place
            pass
    made = _main_module(source)
    _clean(source)
    gc.collect()
    gc.freeze()  # what is there now is never looked at again: less work, and shared pages stay shared

    def become(_: Request) -> None:
        for number in (_signal.SIGPIPE, _signal.SIGXFSZ):
            _signal.signal(number, _signal.SIG_IGN)  # as Python does at its start
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        raise zygote.ChildExit

    try:
        zygote.main(become)
    except zygote.ChildExit:
        return code, made.__dict__
    os._exit(0)


def finish(error: BaseException | None) -> None:
    """End the run as the interpreter does: report, wait for threads, exit functions, flush, clear; never returns."""
    status, was_interrupted = 0, type(error) is KeyboardInterrupt  # as Python/pythonrun.c says it (run_eval_code_obj)
    if isinstance(error, SystemExit):
        status = _status(error.code)
    elif error is not None:
        trace = error.__traceback__
        sys.excepthook(type(error), error, trace.tb_next if trace else None)  # without the frame that called the code
        status = 1
    threading = sys.modules.get("threading")
    if threading is not None:
        threading._shutdown()  # noqa: SLF001 - what Py_FinalizeEx calls
    atexit._run_exitfuncs()  # noqa: SLF001
    status = _flushed(getattr(sys, "stdout", None)) or status
    _flushed(getattr(sys, "stderr", None))
    del error  # its traceback holds frames, and they what the program held
    sys.modules["__main__"].__dict__.clear()  # files that are still open are written and closed
    gc.collect()
    _flushed(getattr(sys, "stdout", None))  # what finalizers printed
    for name in ("__stdout__", "__stderr__"):  # the interpreter's own, which a program may have put others in place of
        _flushed(getattr(sys, name, None))
    if was_interrupted:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        kill(getpid(), _signal.SIGINT)
    _exit(status)


def _flushed(stream: object) -> int:
    """Flush a standard stream; return the exit status that Py_FinalizeEx gives when that fails, else 0."""
    if getattr(stream, "closed", True):
        return 0
    try:
        stream.flush()  # type: ignore[attr-defined]
    except (OSError, ValueError, AttributeError):
        return 120
    return 0


def _status(code: object) -> int:
    """Return the exit status that `sys.exit(code)` means; a text is written to standard error."""
    if code is None:
        return 0
    if isinstance(code, int):
        code = int.__index__(code)  # whatever a class of the program's makes of it
        if -(1 << 63) <= code < 1 << 63:
            return code & 0xFF
        if sys.version_info >= (3, 12):  # as its interpreter does from then on
            sys.stderr.write("OverflowError: Python int too large to convert to C long\n")
        return 0xFF  # what does not fit a C long is -1
    sys.stderr.write(f"{code}\n")
    return 1


def _imports(text: bytes) -> "list[str]":
    """Return the modules of the standard library that a source imports, in any place."""
    names = []
    try:
        tree = ast.parse(text)
    except RecursionError:  # a tree for us may be less deep than the compiler's own
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
    known = sys.stdlib_module_names - _NOT_BEFORE
    # `unittest.__main__` and its like are programs, and would run here, where nothing shuts them in
    return [name for name in names if name.partition(".")[0] in known and "__main__" not in name.split(".")]


def _clean(source: str) -> None:
    """Make the interpreter look like one that was just started for this program; all that a run need not do itself.

    The standard streams are made anew, over files of the kind that runs have; they belong to descriptors 0 to 2, which
    each run has of its own.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "judge"]:
        del sys.modules[name]
    sys.path.pop(0)
    sys.argv = [source]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        os.dup2(os.memfd_create(name), number)
        buffer = open(number, "wb" if number else "rb", closefd=False)  # noqa: SIM115 - it stays open
        text = io.TextIOWrapper(buffer, old.encoding, old.errors, line_buffering=name == "stderr")
        setattr(sys, name, text)
        setattr(sys, f"__{name}__", text)


def _main_module(source: str) -> ModuleType:
    import builtins
    from importlib.machinery import SourceFileLoader

    made = ModuleType("__main__")
    made.__dict__.update(
        __file__=source, __builtins__=builtins, __cached__=None, __loader__=SourceFileLoader("__main__", source)
    )
    if sys.version_info < (3, 14):  # https://docs.python.org/3.14/whatsnew/3.14.html: made when it is needed
        made.__dict__.update(__annotations__={})
    sys.modules["__main__"] = made
    return made
