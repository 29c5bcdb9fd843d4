"""The parser of a command: argparse, with errors and a usage like those of the rest of the judge."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from judge.base.errors import UsageError
from judge.cli.commands import COMMANDS
from judge.cli.commands.arguments import add_arguments
from judge.cli.wrapping import wrap_help


class Parser(argparse.ArgumentParser):
    """argparse, but errors are raised like all other errors of ours."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise UsageError."""
        raise UsageError(message)

    def format_help(self) -> str:
        """Return the help, wrapped for the terminal: argparse does not wrap the epilog."""
        return wrap_help(super().format_help())

    def usage_hint(self) -> str:
        """Return a short usage, and where to find the rest."""
        formatter = self._get_formatter()
        formatter.add_usage(None, [each for each in self._actions if not each.option_strings], [])
        arguments = " ".join(formatter.format_help().split()).removeprefix(f"usage: {self.prog}")
        return f"usage: {self.prog} [OPTIONS]{arguments}\nTry `{self.prog} --help`."

    @property
    def actions(self) -> Sequence[argparse.Action]:
        """All arguments and options."""
        return self._actions

    @property
    def options(self) -> frozenset[str]:
        """All options in all their forms, such as `-j` and `--jobs`."""
        return frozenset(self._option_string_actions)


def make_parser(name: str, root: str | None = None) -> Parser:
    """Return the parser of a command; `root` is the default of its option `--root`."""
    module_name, summary = COMMANDS[name]
    module = import_module(f"judge.cli.commands.{module_name}")
    parser = Parser(
        prog=f"judge {name}",
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=module.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,  # --case would mean --cases in some commands
    )
    add_arguments(parser, module.Options)
    if root is not None:
        parser.set_defaults(root=Path(root))
    return parser
