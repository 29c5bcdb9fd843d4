"""One command: imports its module, parses its arguments, and executes it."""

from collections.abc import Sequence
from importlib import import_module

from judge.cli.parser import make_parser
from judge.cli.table import COMMANDS
from judge.errors import UsageError


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
    parser = make_parser(name, root)
    try:
        args, unknown = parser.parse_known_intermixed_args(words)  # `run a.py -x b.py`: options may stand anywhere
        if unknown:
            from judge.cli.hints import explain_arguments

            parser.error(explain_arguments(unknown, parser))
        if args.root is not None and not args.root.is_dir():
            parser.error(f"--root {args.root}: no such folder")
        module = import_module(f"judge.commands.{COMMANDS[name][0]}")
        options = module.from_args(args)
    except UsageError as error:
        raise UsageError(f"{error}\n{parser.usage_hint()}") from None
    except SystemExit:  # argparse has printed the help
        return 0
    return int(module.execute(options))
