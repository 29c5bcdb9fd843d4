"""`python -m judge` and the `judge` command."""

import signal
import sys


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        from judge.cli import run_process

        status = run_process(sys.argv[1:])
    except KeyboardInterrupt:  # while the modules were still being read
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stderr.write("judge: interrupted\n")
        status = 128 + signal.SIGINT
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done and told: nothing is left to stop
    sys.exit(status)


if __name__ == "__main__":
    main()
