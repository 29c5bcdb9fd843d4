"""The source of a program as it is read, and all that determines what the program does."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from stat import S_ISDIR

from judge.languages.options import NO_OPTIONS, BuildOptions, IncludedFolder
from judge.languages.source import PLAIN, Source, SourceOptions, read_file, single_file
from judge.languages.table import Language, language_by_id, language_of_text
from judge.languages.tools import fingerprint_tools


def read_source(path: Path, options: SourceOptions = PLAIN, text: bytes | None = None) -> Source:
    """Read a source file, or all files of a folder.

    Args:
        path: the file or folder; absolute.
        options: what is known about it.
        text: the content of the file, if it was read already.

    Raises:
        ToolError: its language or what runs cannot be determined; or it is neither a regular file nor a folder, whose
            reading might never end.
        OSError: it cannot be read.
    """
    if text is None:
        is_link = options.root is not None and path.is_symlink()
        is_one_file = not is_link and not S_ISDIR(path.stat().st_mode)
    else:
        is_one_file = True
    if not (options.is_simple and is_one_file):
        from judge.languages.folder import read_program  # most sources are one file

        return read_program(path, options, text)
    text = read_file(path) if text is None else text
    language = language_by_id(options.language, path) if options.language else language_of_text(path, text)
    return single_file(path, text, language, options.entry_point)


def program_fingerprint(
    source: Source, tools: Mapping[str, str], options: BuildOptions = NO_OPTIONS
) -> tuple[str, ...]:
    """Return everything that determines what a program does, besides its input and the machine.

    Of the paths of its files only the names count. Overrides of tools and options are as for `build`.

    Raises:
        ToolError: a tool is missing.
        OSError: a tool cannot be read.
    """
    language = source.language
    key = (*commands_key(language), *language.run, *options_key(source, options), *source.key(), source.digest)
    return (*key, *fingerprint_tools(language, tools))


def commands_key(language: Language) -> tuple[str, ...]:
    """Return what the commands of a language make of a source."""
    environment = tuple(f"{name}={value}" for name, value in language.environment.items())
    return (language.id, *environment, *language.standards, *language.compile)


def included_above(source: Source, options: BuildOptions) -> Iterator[tuple[IncludedFolder, Path]]:
    """Yield the included folders above a source, with its folder in them: `#include "../lib/x.h"` leads from there.

    Python has no such imports.
    """
    for each in options.include if "CPATH" in source.language.include else ():
        if source.path.is_relative_to(each.path):
            yield each, source.path.parent.relative_to(each.path)


def options_key(source: Source, options: BuildOptions) -> tuple[str, ...]:
    """Return what the options make of a program."""
    return (*options.key(source.language), *(str(name) for _, name in included_above(source, options)))
