"""The `judge` command: repairs the standard streams, finds the command, runs it, and reports errors.

Only the chosen command is imported and builds its parser.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper

from judge.base.errors import DataError, JudgeError, UsageError, describe_error, make_safe
from judge.base.files import as_word, search_path
from judge.cli.commands import COMMANDS, GROUPS, ExitStatus
from judge.cli.commands.signals import end_soon_after_signals, interrupted_status

_USAGE = "usage: judge [OPTIONS] COMMAND ..."

_HELP = """\
{usage}

Judge solutions on this machine: right or wrong and where, how fast, how much memory.

options:
  -h, --help          show this help and exit
  -V, --version       show the version and exit
  -C DIR, --root DIR  the folder that contains problems/ (default: this one, or one above it)

{commands}

examples:
  judge a.py                         a file, on the cases beside it
  judge run                          every solution of every problem
  judge run uva131                   one problem
  judge run solutions/uva131/accepted/try_all.py
  judge run uva131 --solution my.py  any file against a problem
  judge show uva131/edge/ace-low     one case: its input, its answer, where it comes from
  judge run --help                   the options of a command
  judge help verdicts                a topic; `judge help` lists all

exit status: 0 if everything is as expected, 1 if not, 2 for wrong usage, wrong test data or an error of the judge
"""

_OPTIONS = ("-h", "--help", "-V", "--version", "-C", "--root")


def run_process(argv: Sequence[str]) -> int:
    """Run one command line as the only thing that this process does; return the exit status."""
    if error := _repair_streams():
        print(f"judge: {error}", file=sys.stderr)
        return ExitStatus.ERROR
    os.environ["PATH"] = search_path()  # also for `webbrowser`, and for what our programs start
    end_soon_after_signals()
    status = run_cli(argv)
    return interrupted_status() if status == ExitStatus.INTERRUPTED else status


def run_cli(argv: Sequence[str]) -> int:
    """Run one command line; return the exit status. Every expected error is reported as one clear message."""
    try:
        status = _run(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        _print_error("judge: interrupted")
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return ExitStatus.BROKEN_PIPE
    except (JudgeError, OSError) as error:
        if isinstance(error, DataError):
            text = str(error)
        elif isinstance(error, OSError) and error.filename is None:  # a full disk, or no descriptors left
            text = f"judge: cannot continue: {describe_error(error)}"
        else:
            text = f"judge: {describe_error(error)}"
        _print_error(text)
        try:
            sys.stdout.flush()
        except OSError:  # a full disk, which has just been reported
            _discard_output()
        return ExitStatus.ERROR
    except Exception as error:  # noqa: BLE001 - Python would exit with status 1, which says that a verdict is wrong
        import traceback  # seldom needed

        traceback.print_exception(error)
        print("judge: this is an error of the judge; please report it with the lines above", file=sys.stderr)
        return ExitStatus.ERROR
    return status


def _run(argv: Sequence[str]) -> int:
    """Run the command that the first words name.

    Raises:
        UsageError: there is no such command, or its arguments are wrong.
    """
    root: str | None = None
    words = list(argv)
    while words and words[0].startswith("-"):
        word = words.pop(0)
        match word.partition("="):
            case ("-h" | "--help", _, ""):
                print(_help_text(), end="")
                return ExitStatus.SUCCESS
            case ("-V" | "--version", _, ""):
                from judge import __version__

                print(f"judge {__version__}")
                return ExitStatus.SUCCESS
            case ("-C" | "--root", "", _) if words:
                root = words.pop(0)
            case ("--root", "=", value):
                root = value
            case _ if word.startswith("-C") and len(word) > len("-C"):
                root = word.removeprefix("-C")
            case _:
                from judge.cli.help import explain_first_option

                is_root = word in ("-C", "--root")
                text = f"{word}: expected a folder" if is_root else explain_first_option(word, _OPTIONS)
                raise UsageError(f"{text}\n{_USAGE}\nTry `judge --help`.")
    if not words:
        print(_help_text(), end="", file=sys.stderr)
        return ExitStatus.ERROR
    return _run_command(words, root)


def _run_command(words: Sequence[str], root: str | None) -> int:
    """Run what the first word names: a command, `help`, or a source file to judge.

    Raises:
        UsageError: there is no such command, or its arguments are wrong.
    """
    match words[0]:
        case name if name in COMMANDS:
            return _execute(name, words[1:], root)
        case "help":
            from judge.cli.help import show_help

            return show_help(words[1:], _help_text())
        case "complete":  # for the scripts of `judge completion`; not in the help
            from judge.cli.complete import print_completions

            return print_completions(words[1:])
        case name if _is_source(name):
            return _execute("run", words, root)
    from judge.cli.help import explain_command

    raise UsageError(f"{explain_command(words)}\n{_USAGE}\nTry `judge --help`.")


def _execute(name: str, words: Sequence[str], root: str | None) -> int:
    """Import a command, parse its arguments, and run it; return its exit status.

    `root` is the folder that a `-C` before the command names.

    Raises:
        UsageError: the arguments are wrong.
        JudgeError: the command cannot be carried out.
    """
    from judge.cli.commands.arguments import make_options, make_parser  # and argparse, which the help does not need

    parser = make_parser(name, root)
    if "--" in words:  # argparse forgets what it means where options may stand anywhere
        end = words.index("--")
        words = [*words[:end], *map(as_word, words[end + 1 :])]
    try:
        parsed, unknown = parser.parse_known_intermixed_args(words)  # `run a.py -x b.py`: options may stand anywhere
        if unknown:
            from judge.cli.help import explain_arguments

            parser.error(explain_arguments(unknown, parser))
        if parsed.root is not None and not parsed.root.is_dir():
            parser.error(f"--root {parsed.root}: no such folder")
        module = import_module(f"judge.cli.commands.{COMMANDS[name][0]}")
        command = ("judge", *(() if root is None else ("-C", root)), name, *words)
        options = make_options(module.Options, {**vars(parsed), "command_line": command})
    except UsageError as error:
        raise UsageError(f"{error}\n{parser.usage_hint()}") from None
    except SystemExit:  # argparse has printed the help
        return 0
    return int(module.execute(options))


def _is_source(name: str) -> bool:
    """Return whether a word is a file that looks like a solution: `judge a.py` is short for `judge run a.py`."""
    from judge.languages.table import SUFFIXES

    return os.path.splitext(name)[1].lower() in SUFFIXES and os.path.isfile(name)  # noqa: PTH113, PTH122 - any text


def _help_text() -> str:
    width = max(map(len, COMMANDS)) + 2
    commands = "\n\n".join(
        f"{title}:\n" + "\n".join(f"  {name:<{width}}{summary}" for name, (_, summary) in group.items())
        for title, group in GROUPS.items()
    )
    from judge.cli.wrapping import wrap_help

    return wrap_help(_HELP.format(usage=_USAGE, commands=commands))


def _print_error(text: str) -> None:
    with suppress(OSError):  # the terminal was closed
        print(make_safe(text), file=sys.stderr)


def _repair_streams() -> str:
    r"""Open the standard streams that are closed, and make them accept any text; return an error message, or "".

    If a descriptor below 3 is not open, the next file that is opened gets it and would be taken for a standard stream.
    A character that the stream's encoding lacks is written as `\u2660`.
    """
    error = ""
    if sys.stdout is None:
        error = "standard output is closed, so the result would be lost; to discard it, use >/dev/null"
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # gets the lowest free number: this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return error


def _discard_output() -> None:
    """Send what is still buffered for standard output to nowhere: Python flushes it once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
