"""Where `judge listen` and `judge import` write, in which language, and what they print."""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from judge.commands import options as shared
from judge.errors import ToolError, UsageError
from judge.languages.table import LANGUAGES, Language, find_language
from judge.online.samples.readers import Draft
from judge.online.samples.starter import Starter, language_by_id, read_starter
from judge.online.samples.writer import SolutionState, Written, write_problem
from judge.settings.keys import parse_language
from judge.settings.values import LAYOUTS, Settings
from judge.units import format_count
from judge.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class DestinationOptions:
    """What the user says about where to write; None for the settings.

    Attributes:
        root: the folder that -C names.
        language: the id of a language.
        template: a file to start solutions from.
        force: replace existing files that differ.
    """

    root: Path | None
    layout: str | None
    language: str | None
    template: Path | None
    profile: str | None
    force: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where to write.

    Attributes:
        root: the repository, or the folder for plain files.
        suffix: of new solutions.
        starter: what new solutions begin with; None to write none.
    """

    root: Path
    layout: str
    suffix: str
    starter: Starter | None
    force: bool

    def shown(self, path: str) -> str:
        """Return a path below the root as it can be used in the current folder."""
        full = self.root / path
        return str(full.relative_to(Path.cwd()) if full.is_relative_to(Path.cwd()) else full)


def add_destination(parser: argparse.ArgumentParser) -> None:
    """Add where to write."""
    parser.add_argument(
        "--layout", choices=LAYOUTS,
        help="where the files go: a repository, a folder per problem, or a folder per contest (default: the settings; "
        "else the repository if there is one, else a folder per problem)",
    )  # fmt: skip
    add_starter(parser)
    parser.add_argument("--force", action="store_true", help="replace existing files that differ")
    shared.add_profile(parser)


def add_starter(parser: argparse.ArgumentParser) -> None:
    """Add what a new solution begins with."""
    parser.add_argument("--language", metavar="NAME", help="start a solution in this language, such as cpp")
    parser.add_argument("--template", type=Path, metavar="FILE", help="start a solution with a copy of this file")


def destination_from(args: argparse.Namespace) -> DestinationOptions:
    """Return what `add_destination` parsed.

    Raises:
        UsageError: there is no such language.
    """
    return DestinationOptions(
        root=args.root,
        layout=args.layout,
        language=language_id(args.language),
        template=args.template,
        profile=args.profile,
        force=args.force,
    )


def language_id(word: str | None) -> str | None:
    """Return the id of the language that --language names.

    Raises:
        UsageError: there is no such language.
    """
    if word is None:
        return None
    try:
        return parse_language(word)
    except ValueError as error:
        raise UsageError(f"--language {word}: {error}") from error


def find_destination(options: DestinationOptions) -> Destination:
    """Return where to write, by the options, the settings and the current folder.

    Raises:
        UsageError: a template cannot be read, or there is no such profile.
        DataError: a file of settings is not valid.
    """
    workspace = Workspace.find_or_use(options.root)
    settings = workspace.load_settings(options.profile)
    layout = options.layout or settings.layout or ("repository" if workspace.is_repository else "folder")
    is_asked = options.language or options.template or settings.default_language
    language = _choose_language(options, settings)
    starter = None
    if is_asked or settings.template(language.id):
        starter = find_starter(language, options.template, settings)
    return Destination(
        root=workspace.root if layout == "repository" else (options.root or Path.cwd()).absolute(),
        layout=layout,
        suffix=language.suffixes[0],
        starter=starter,
        force=options.force,
    )


def _choose_language(options: DestinationOptions, settings: Settings) -> Language:
    if options.language:
        return language_by_id(options.language)
    if options.template:
        return template_language(options.template)
    return language_by_id(settings.default_language or LANGUAGES[0].id)


def template_language(template: Path) -> Language:
    """Return the language of a template.

    Raises:
        UsageError: it has no suffix of a language.
    """
    try:
        return find_language(template)
    except ToolError as error:
        raise UsageError(f"--template {error}, or name the language with --language") from error


def find_starter(language: Language, template: Path | None, settings: Settings) -> Starter:
    """Return the starter of a language: the template of the option, else of the settings, else the judge's own.

    Raises:
        UsageError: a template cannot be read, or there is none.
    """
    setting = settings.values.get(f"language.{language.id}.template")
    if template is None and setting is not None:
        return read_starter(language, settings.template(language.id), str(setting))
    return read_starter(language, template)


def write_draft(draft: Draft, to: Destination) -> tuple[str, list[str]]:
    """Write the files of a problem; return a line that says what was done, and lines that say how to go on.

    Raises:
        JudgeError: a file exists and differs, or cannot be written.
    """
    if draft.is_interactive:
        return f"{draft.id} is interactive, which this judge does not support; nothing was written", []
    written = write_problem(draft, to.root, layout=to.layout, starter=to.starter, force=to.force)
    steps = [f"note: {note}" for note in draft.notes] + [_next_step(draft, written, to)]
    if not written.files:
        return f"{draft.id} is up to date", steps
    cases = "no cases yet (it has no samples)"
    if draft.samples:
        cases = f"{format_count(len(draft.samples), 'case')} in {to.shown(written.cases)}"
    return f"created {draft.id}: {cases}", steps


def _next_step(draft: Draft, written: Written, to: Destination) -> str:
    solution = to.shown(written.solution)
    match written.state:
        case SolutionState.MISSING:
            solution += to.suffix
            step = f"write {solution}"
        case SolutionState.WRITTEN if not draft.program:
            step = f"edit {solution}"
        case _:
            step = f"edit {solution} (your solution, as it is)"
    if not draft.samples:
        return f"next: {step}"
    return f"next: {step}, then judge run {draft.id if to.layout == 'repository' else quote(solution)}"


def print_result(result: str, steps: list[str], progress: str = "") -> None:
    """Print what was done, and how to go on."""
    print(with_progress(result, progress))
    for step in steps:
        print(f"  {step}")
    sys.stdout.flush()


def with_progress(text: str, progress: str) -> str:
    """Return a text followed by its progress in parentheses."""
    return f"{text} ({progress})" if progress else text
