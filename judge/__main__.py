"""`python -m judge` and the `judge` command."""

import contextlib
import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    from judge.sandbox.shell_limits import raise_limits

    raise_limits()  # first: Python does not notice that a module is cut when it stores the compiled one
    gc.set_threshold(500_000, 20, 20)  # imports and problems create many objects that live on: about 30 ms of 200
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Until there is something to clean up, Ctrl-C just ends us: KeyboardInterrupt could come out of any import,
        # and not every extension module survives that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _import_msgspec()
    from judge.cli.main import run_process

    status = run_process(sys.argv[1:])
    with contextlib.suppress(OSError, ValueError):  # of closed streams; `run_process` has reported what matters
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)  # everything is cleaned up; taking the interpreter down would take 10 ms of 200


def _import_msgspec() -> None:
    """Import msgspec without `typing_extensions`, of which it needs nothing from Python 3.11 on: 10 ms of 170.

    It takes `typing` instead where this is not installed.
    """
    if "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # so that its import fails
        import msgspec  # noqa: F401

        del sys.modules["typing_extensions"]


if __name__ == "__main__":
    main()
