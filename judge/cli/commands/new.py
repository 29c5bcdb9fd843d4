"""`judge new`: create the files of a small, complete problem that runs at once."""

import os
from pathlib import Path
from typing import Annotated

from judge.base.errors import UsageError
from judge.base.files import write_atomically
from judge.base.links import check_inside
from judge.cli.commands import ExitStatus
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.options import Arguments
from judge.cli.commands.starter import ID, StarterOptions, choose_language, find_starter
from judge.inputs.reading import LANGUAGES
from judge.problems.native import load_problem
from judge.workspace.workspace import Workspace

EPILOG = """\
examples:
  judge new sums && judge run sums
  judge new sums --language cpp          with a solution of yours to start with
  judge new sums --template ~/t.cpp
  judge new guess --type interactive     with a program that talks to the solutions

Checker, validator, interactor and generators may be in any language, with testlib.h, too: see `judge help cases` and
`judge help checkers`.

It also writes the JSON Schemas of the YAML files to .schemas, where editors find them; commit the folder.
"""

_PACKAGE = Path(__file__).parents[2]
_SCAFFOLD = _PACKAGE / "scaffold"
_TYPES = {
    "default": "the judge compares the output with the answer",
    "checker": "a program of the problem accepts each right output",
    "interactive": "a program of the problem talks to the solution",
}
_FOLDERS = {"problem": "problems", "cases": "testcases", "solutions": "solutions"}
_DIALOGUE = "print(1, flush=True)\nanswer = input()\n"
_SCHEMAS = Path(".schemas")  # in the repository: the first line of each YAML file names its schema there, for editors


class Options(Arguments, frozen=True, kw_only=True):
    """What `judge new` creates."""

    id: Annotated[str, positional("ID", "lower-case letters, digits, _ and -")]
    type: Annotated[
        str,
        option(
            "; ".join(f"{name}: {text}" for name, text in _TYPES.items()) + " (default: default)", choices=tuple(_TYPES)
        ),
    ] = "default"
    starter: StarterOptions

    def __post_init__(self) -> None:
        if not ID.fullmatch(self.id):
            raise UsageError(
                f"{self.id}: an id has lower-case letters, digits, _ and -, and starts with a letter or digit"
            )


def execute(options: Options) -> ExitStatus:
    """Create the files; return the exit status.

    Raises:
        OSError: a folder leads out of the repository; nothing was changed.
    """
    workspace = Workspace.find_or_use(options.root)
    root = workspace.root
    settings = workspace.load_settings(options.starter.profile)
    starter = find_starter(options.starter, settings)
    scaffold = _SCAFFOLD / options.type
    targets = {part: root / folder / options.id for part, folder in _FOLDERS.items()}
    if existing := [folder for folder in targets.values() if os.path.lexists(folder)]:
        raise UsageError(f"{existing[0]} already exists; nothing was changed")
    for folder in (*targets.values(), root / _SCHEMAS):
        check_inside(folder, root)
    for part, folder in targets.items():
        for source in sorted((scaffold / part).rglob("*")):
            if source.is_file() and source.suffix in {".py", ".md", ".yaml"}:
                write_atomically(folder / source.relative_to(scaffold / part), source.read_bytes())
    if starter:
        own = targets["solutions"] / "accepted" / f"{options.id}{starter.suffix}"
        problem = load_problem(root, options.id)
        language = "" if starter.origin else choose_language(options.starter, settings).id
        code = ""  # that reads the input
        if problem.interactor:  # which reads it; what waits for the end of its answers would wait for ever
            code = _DIALOGUE if language == "python3" else ""
        elif problem.grammar is not None and language in LANGUAGES:
            code = problem.grammar.reading_code(language)
        write_atomically(own, code.encode() or starter.fill(id=options.id, name=problem.name, url=""))
    for source in (_PACKAGE / "schemas" / f"{name}.schema.json" for name in ("problem", "testcases")):
        write_atomically(root / _SCHEMAS / source.name, source.read_bytes())
    print(f"created problems/{options.id}, testcases/{options.id} and solutions/{options.id} in {root}")
    step = f"edit solutions/{options.id}/accepted/{options.id}{starter.suffix}, then " if starter else ""
    print(f"next: {step}judge run {options.id}")
    return ExitStatus.SUCCESS
