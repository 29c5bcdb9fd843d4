"""`python -m judge` and the `judge` command."""

import sys


def main() -> None:
    """Run the command line and exit with its status."""
    from judge.cli import run_cli

    sys.exit(run_cli(sys.argv[1:]))


if __name__ == "__main__":
    main()
