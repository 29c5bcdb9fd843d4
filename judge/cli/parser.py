"""The command line's grammar; `grammar` has one function a command, with its help and an example.

Only names of the functions that carry them out stand here: `--help` has no need to load them.
"""

import argparse
from collections.abc import Sequence

from judge import __version__
from judge.cli.grammar.online import add_bundle, add_check, add_import, add_listen, add_submit
from judge.cli.grammar.parts import Parser, add_root
from judge.cli.grammar.problems import add_doctor, add_fetch, add_list, add_lock, add_new, add_show
from judge.cli.grammar.regress import add_baseline, add_compare, add_history
from judge.cli.grammar.running import add_run, add_watch

_EPILOG = """\
examples:
  judge run                          every solution of every problem
  judge run uva131                   one problem
  judge run solutions/uva131/accepted/try_all.py
  judge run uva131 --solution my.py  any file against a problem
  judge show uva131/edge/ace-low     one case: input, answer, where it comes from

exit status: 0 all as expected, 1 not, 2 usage or the judge's or the test data's own fault
"""


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the arguments, with `command` set to the place of the function that carries them out, `module:function`.

    Raises:
        UsageError: they do not fit the grammar.
    """
    parser = Parser(
        prog="judge",
        description="Judge solutions on this machine: right or wrong and where, how fast, how much memory.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    add_root(parser, default=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    for add in (
        add_run,
        add_watch,
        add_compare,
        add_baseline,
        add_history,
        add_list,
        add_show,
        add_lock,
        add_new,
        add_listen,
        add_import,
        add_check,
        add_bundle,
        add_submit,
        add_fetch,
        add_doctor,
    ):
        add(commands)
    return parser.parse_args(argv)
