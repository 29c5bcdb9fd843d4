"""`judge schema`: print the JSON Schema of a file or a report."""

from pathlib import Path
from typing import Annotated

from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.options import Arguments

EPILOG = """\
examples:
  judge schema problem               of problems/ID/problem.yaml
  judge schema cases                 of testcases/ID/GROUP.yaml
  judge schema report                of `judge run --format json` and jsonl
  judge schema grade                 of a line that `judge grade` writes
  judge schema problem --path        where the schema is on this machine, for the settings of an editor

`judge new` starts each YAML file with a line that names its schema for editors.
"""

_FOLDER = Path(__file__).parents[2] / "schemas"
_FILES = {
    "problem": "problem.schema.json",
    "cases": "testcases.schema.json",
    "report": "report.schema.json",
    "grade": "grade.schema.json",
}


class Options(Arguments, frozen=True, kw_only=True):
    """Which schema `judge schema` prints; `path` prints where it is instead."""

    name: Annotated[str, positional(None, "what the schema describes", choices=tuple(_FILES))]
    path: Annotated[bool, option("print the path of the schema's file")] = False


def execute(options: Options) -> ExitStatus:
    """Print the schema or its path; return the exit status."""
    file = _FOLDER / _FILES[options.name]
    print(file if options.path else file.read_text(encoding="utf-8"), end="\n" if options.path else "")
    return ExitStatus.SUCCESS
