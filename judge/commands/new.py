"""`judge new`: create the files of a small, complete problem that runs at once."""

import argparse
from pathlib import Path

from msgspec import Struct

from judge.commands import ExitStatus
from judge.commands.starter import ID, StarterOptions, add_starter, choose_language, find_starter, starter_from
from judge.errors import StoreError, UsageError
from judge.workspace.workspace import Workspace

EPILOG = """\
examples:
  judge new sums && judge run sums
  judge new sums --language cpp          with a solution of yours to start with
  judge new sums --template ~/t.cpp

It also writes the JSON Schemas of the YAML files to .schemas, where editors find them; commit the folder.
"""

_PACKAGE = Path(__file__).parents[1]
_SCAFFOLD = _PACKAGE / "scaffold"
_FOLDERS = {"problem": "problems", "cases": "testcases", "solutions": "solutions"}
_SCHEMAS = Path(".schemas")  # in the repository: the first line of each YAML file names its schema there, for editors


class Options(Struct, frozen=True, kw_only=True):
    """What `judge new` creates."""

    root: Path | None
    id: str
    starter: StarterOptions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `judge new`."""
    parser.add_argument("id", metavar="ID", help="lower-case letters, digits, _ and -")
    add_starter(parser)


def from_args(args: argparse.Namespace) -> Options:
    """Return the options."""
    if not ID.fullmatch(args.id):
        raise UsageError(f"{args.id}: an id has lower-case letters, digits, _ and -, and starts with a letter or digit")
    return Options(root=args.root, id=args.id, starter=starter_from(args))


def execute(options: Options) -> ExitStatus:
    """Create the files; return the exit status."""
    workspace = Workspace.find_or_use(options.root)
    root = workspace.root
    settings = workspace.load_settings(options.starter.profile)
    starter = find_starter(options.starter, settings)
    targets = {part: root / folder / options.id for part, folder in _FOLDERS.items()}
    if existing := [folder for folder in targets.values() if folder.exists()]:
        raise UsageError(f"{existing[0]} already exists; nothing was changed")
    for part, folder in targets.items():
        for source in sorted((_SCAFFOLD / part).rglob("*")):
            if source.is_file() and source.suffix in {".py", ".md", ".yaml"}:
                _write(folder / source.relative_to(_SCAFFOLD / part), source.read_bytes())
    if starter:
        own = targets["solutions"] / "accepted" / f"{options.id}{starter.suffix}"
        code = "" if starter.origin else _reading_code(root, options.id, choose_language(options.starter, settings).id)
        _write(own, code.encode() or starter.fill(id=options.id, name="Sums", url=""))
    for source in (_PACKAGE / "schemas" / f"{name}.schema.json" for name in ("problem", "testcases")):
        _write(root / _SCHEMAS / source.name, source.read_bytes())
    print(f"created problems/{options.id}, testcases/{options.id} and solutions/{options.id} in {root}")
    step = f"edit solutions/{options.id}/accepted/{options.id}{starter.suffix}, then " if starter else ""
    print(f"next: {step}judge run {options.id}")
    return ExitStatus.SUCCESS


def _reading_code(root: Path, problem_id: str, language: str) -> str:
    """Return a program that reads the input of a problem, by its grammar; "" if there is none in the language."""
    from judge.grammar.reading import LANGUAGES
    from judge.problems.native import load_problem

    grammar = load_problem(root, problem_id).grammar if language in LANGUAGES else None
    return grammar.reading_code(language) if grammar is not None else ""


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
