"""`judge schema`: print the JSON Schema of a file or a report."""

import argparse
from pathlib import Path

from msgspec import Struct

from judge.cli.commands import ExitStatus

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


class Options(Struct, frozen=True, kw_only=True):
    """Which schema `judge schema` prints; `path` prints where it is instead."""

    name: str
    path: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge schema`."""
    parser.add_argument("name", choices=tuple(_FILES), help="what the schema describes")
    parser.add_argument("--path", action="store_true", help="print the path of the schema's file")


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    return Options(name=args.name, path=args.path)


def execute(options: Options) -> ExitStatus:
    """Print the schema or its path; return the exit status."""
    file = _FOLDER / _FILES[options.name]
    print(file if options.path else file.read_text(encoding="utf-8"), end="\n" if options.path else "")
    return ExitStatus.SUCCESS
