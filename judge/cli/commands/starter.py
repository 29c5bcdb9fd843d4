"""Where `judge import` and `judge listen` write, and what they and `judge new` let a new solution begin with."""

import re
import sys
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Annotated

from msgspec import Struct

from judge.base.errors import ToolError, UsageError, make_safe
from judge.base.units import format_count
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option
from judge.languages.table import LANGUAGES, Language, find_language
from judge.online.samples.layouts import place
from judge.online.samples.readers import Draft
from judge.online.samples.starter import Starter, read_starter
from judge.online.samples.writer import SolutionState, Written, write_problem
from judge.problems.paths import shown_path
from judge.settings import LAYOUTS
from judge.settings.load import Settings
from judge.workspace.workspace import Workspace

ID = re.compile(r"[a-z0-9][a-z0-9_-]*")  # of a problem


class StarterOptions(Struct, frozen=True, kw_only=True):
    """What the user says about new solutions; None for the settings."""

    language: Annotated[
        str | None,
        option(
            "start a solution in this language, such as cpp",
            type=partial(shared.parse_language, "--language"),
            metavar="LANGUAGE",
        ),
    ] = None
    template: Annotated[Path | None, option("start a solution with a copy of this file")] = None
    profile: shared.Profile = None


def choose_language(options: StarterOptions, settings: Settings) -> Language:
    """Return the language of new solutions.

    Raises:
        UsageError: a template has no suffix of a language.
    """
    if options.template and not options.language:
        try:
            return find_language(options.template)
        except ToolError as error:
            raise UsageError(f"--template {error}, or name the language with --language") from error
    wanted = options.language or settings.get("default-language", str) or LANGUAGES[0].id
    return next(language for language in LANGUAGES if language.id == wanted)


def find_starter(options: StarterOptions, settings: Settings, *, default: bool = False) -> Starter | None:
    """Return what a new solution begins with, or None if nobody asks for one.

    The template of the option wins over that of the settings, and that over the judge's own.

    If no option asks for one, there is one only by `default`.

    Raises:
        UsageError: a template cannot be read, or there is none.
    """
    if not (options.language or options.template or default):
        return None
    language = choose_language(options, settings)
    setting = settings.values.get(f"language.{language.id}.template")
    if options.template is None and setting is not None:
        return read_starter(language, settings.get(f"language.{language.id}.template", Path), str(setting))
    return read_starter(language, options.template)


class DestinationOptions(Struct, frozen=True, kw_only=True):
    """What the user says about where to write; None for the settings."""

    layout: Annotated[
        str | None,
        option(
            "where the files go: a repository, a folder per problem, or a folder per contest (default: the "
            "settings; else the repository if there is one, else a folder per problem)",
            choices=LAYOUTS,
        ),
    ] = None
    starter: StarterOptions
    force: Annotated[bool, option("replace existing files that differ, and remove old samples")] = False


class Destination(Struct, frozen=True, kw_only=True):
    """Where to write.

    Attributes:
        root: the repository, or the folder for plain files.
        starter: what new solutions begin with; None to write none.
    """

    root: Path
    layout: str
    suffix: str
    starter: Starter | None
    force: bool

    def case_folder(self, problem: str) -> Path:
        """Return the folder or file with the cases of a problem that belongs to no contest."""
        return self.root / place(Draft(id=problem, title=problem), self.layout).cases

    def shown(self, path: str) -> str:
        """Return a path below the root as it can be used in the current folder."""
        return str(shown_path(self.root / path, Path.cwd()))


def find_destination(root: Path | None, options: DestinationOptions) -> Destination:
    """Return where to write, by the options, the settings and `root` or the current folder.

    Raises:
        UsageError: a template cannot be read, or there is no such profile.
        DataError: a file of settings is not valid.
    """
    workspace = Workspace.find_or_use(root)
    settings = workspace.load_settings(options.starter.profile)
    layout = options.layout or settings.get("layout", str) or ("repository" if workspace.is_repository else "folder")
    language = choose_language(options.starter, settings)
    starter = find_starter(options.starter, settings, default=settings.get("default-language", str) is not None)
    return Destination(
        root=workspace.root if layout == "repository" else (root or Path.cwd()).absolute(),
        layout=layout,
        suffix=language.file_suffix,
        starter=starter,
        force=options.force,
    )


def write_draft(draft: Draft, to: Destination) -> tuple[str, list[str]]:
    """Write the files of a problem; return a line that says what was done, and lines that say how to go on.

    Raises:
        JudgeError: a file exists and differs, or cannot be written.
    """
    if draft.is_interactive and draft.package:
        kind = "an interactive, multi-pass or submit-answer problem"
        refusal = f"{draft.id} is {kind}, which this judge does not support; nothing was written"
        return refusal, list(draft.summary)
    if draft.package and to.layout != "repository":
        raise UsageError(
            f"{draft.package} is an ICPC package: `judge run {quote(str(draft.package))}` judges it as it is; "
            "to copy it into a repository, use --layout repository"
        )
    written = write_problem(draft, to.root, layout=to.layout, starter=to.starter, force=to.force)
    draft = written.draft
    notes = [*draft.remarks, *draft.notes, *(f"removed {to.shown(path)}" for path in written.removed)]
    steps = [*draft.summary, *(f"note: {note}" for note in notes), _next_step(draft, written, to)]
    if not written.files:
        return f"{draft.id} is up to date", steps
    cases = "no cases yet (it has no samples)"
    if draft.is_interactive:
        cases = f"interactive, with a sketch of an interactor in {to.shown(written.sketch)}"
    elif draft.samples:
        cases = f"{format_count(len(draft.samples), 'case')} in {to.shown(written.cases)}"
    return f"created {draft.id}: {cases}", steps


def _next_step(draft: Draft, written: Written, to: Destination) -> str:
    if draft.package and draft.programs:
        return f"next: judge run {draft.id}"
    solution = to.shown(written.solution)
    match written.state:
        case SolutionState.MISSING:
            solution += to.suffix
            step = f"write {solution}"
        case SolutionState.WRITTEN if not draft.programs:
            step = f"edit {solution}"
        case _:
            step = f"edit {solution} (your solution, as it is)"
    if draft.is_interactive:
        step = f"complete {to.shown(written.sketch)}, put inputs for it into {to.shown(written.cases)}, and {step}"
    if not draft.cases:
        return f"next: {step}"
    return f"next: {step}, then judge run {draft.id if to.layout == 'repository' else quote(solution)}"


def print_result(result: str, steps: list[str]) -> None:
    """Print what was done, and how to go on."""
    print(make_safe(result))
    for step in steps:
        print(make_safe(f"  {step}"))
    sys.stdout.flush()


def with_progress(text: str, progress: str) -> str:
    """Return a text followed by its progress in parentheses."""
    return f"{text} ({progress})" if progress else text
