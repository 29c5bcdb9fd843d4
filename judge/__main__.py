"""`python -m judge` and the `judge` command."""

import signal
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Until there is something to clean up, Ctrl-C just ends us: as an exception it would come out of any import,
        # and not every extension module survives that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from judge.cli.main import run_process

    sys.exit(run_process(sys.argv[1:]))


if __name__ == "__main__":
    main()
