"""What a new solution begins with: the options --language and --template, and the settings."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.commands import options as shared
from judge.errors import ToolError, UsageError

if TYPE_CHECKING:  # help and completion need none of them
    from judge.languages.table import Language
    from judge.online.samples.starter import Starter
    from judge.settings.load import Settings


class StarterOptions(Struct, frozen=True, kw_only=True):
    """What the user says about new solutions; None for the settings.

    Attributes:
        language: the id of a language.
        template: a file to copy.
        profile: of the settings.
    """

    language: str | None
    template: Path | None
    profile: str | None


def add_starter(parser: argparse.ArgumentParser) -> None:
    """Add what a new solution begins with."""
    parser.add_argument("--language", metavar="LANGUAGE", help="start a solution in this language, such as cpp")
    parser.add_argument("--template", type=Path, metavar="FILE", help="start a solution with a copy of this file")
    shared.add_profile(parser)


def starter_from(args: argparse.Namespace) -> StarterOptions:
    """Return what `add_starter` parsed.

    Raises:
        UsageError: there is no such language.
    """
    language = None
    if args.language is not None:
        from judge.settings.keys import parse_language

        try:
            language = parse_language(args.language)
        except ValueError as error:
            raise UsageError(f"--language {args.language}: {error}") from error
    return StarterOptions(language=language, template=args.template, profile=args.profile)


def choose_language(options: StarterOptions, settings: "Settings") -> "Language":
    """Return the language of new solutions.

    Raises:
        UsageError: a template has no suffix of a language.
    """
    from judge.languages.table import LANGUAGES, find_language
    from judge.online.samples.starter import language_by_id

    if options.language:
        return language_by_id(options.language)
    if options.template:
        try:
            return find_language(options.template)
        except ToolError as error:
            raise UsageError(f"--template {error}, or name the language with --language") from error
    return language_by_id(settings.default_language or LANGUAGES[0].id)


def find_starter(options: StarterOptions, settings: "Settings", *, default: bool = False) -> "Starter | None":
    """Return what a new solution begins with, or None if nobody asks for one.

    The template of the option wins over that of the settings, and that over the judge's own.

    Args:
        options: may ask for one.
        settings: have a template for each language.
        default: whether one is wanted without an option, too.

    Raises:
        UsageError: a template cannot be read, or there is none.
    """
    if not (options.language or options.template or default):
        return None
    from judge.online.samples.starter import read_starter

    language = choose_language(options, settings)
    setting = settings.values.get(f"language.{language.id}.template")
    if options.template is None and setting is not None:
        return read_starter(language, settings.template(language.id), str(setting))
    return read_starter(language, options.template)
