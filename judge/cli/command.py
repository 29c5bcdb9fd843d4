"""One command: imports its module, builds its parser, and executes it."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from judge.cli.table import COMMANDS
from judge.errors import UsageError


class Parser(argparse.ArgumentParser):
    """argparse, but errors are raised like all other errors of ours."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise UsageError with the usage."""
        raise UsageError(f"{message}\n{self.format_usage().strip()}\nTry `{self.prog} --help`.")


def run_command(name: str, words: Sequence[str], root: str | None) -> int:
    """Run a command; return its exit status.

    Args:
        name: of the command.
        words: its arguments.
        root: the folder that a `-C` before the command names.

    Raises:
        UsageError: the arguments are wrong.
        JudgeError: the command cannot be carried out.
    """
    module_name, summary = COMMANDS[name]
    module = import_module(f"judge.commands.{module_name}")
    parser = _make_parser(name, summary, module.EPILOG, root)
    module.add_arguments(parser)
    try:
        args = parser.parse_args(words)
    except SystemExit:  # argparse has printed the help
        return 0
    if args.root is not None and not args.root.is_dir():
        raise UsageError(f"--root {args.root}: no such folder")
    return int(module.execute(module.from_args(args)))


def _make_parser(name: str, summary: str, epilog: str, root: str | None) -> Parser:
    parser = Parser(
        prog=f"judge {name}",
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-C", "--root", type=Path, metavar="DIR", default=None if root is None else Path(root),
        help="the folder that contains problems/ (default: this one, or one above it)",
    )  # fmt: skip
    return parser
