"""`python -m judge` and the `judge` command."""

import gc
import signal
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    gc.set_threshold(50_000, 20, 20)  # imports and problems create many objects that live on: about 20 ms of 300
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Until there is something to clean up, Ctrl-C just ends us: KeyboardInterrupt could come out of any import,
        # and not every extension module survives that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from judge.cli.main import run_process

    sys.exit(run_process(sys.argv[1:]))


if __name__ == "__main__":
    main()
