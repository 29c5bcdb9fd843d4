"""What changes a build besides the source and the tools: flags of compilers, and folders of the user's own code."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from judge.errors import UsageError
from judge.languages.table import LANGUAGES, Language

if TYPE_CHECKING:  # most runs include nothing
    from judge.languages.include import IncludedFolder


class BuildOptions(Struct, frozen=True, kw_only=True):
    """How to build sources.

    Attributes:
        flags: more flags of the compiler, by the id of the language; they come after those of the table, so that a
            later `-std=...` or `-O...` wins.
        include: folders with the user's own headers and modules.
        flags_from: where these flags come from, by the id of the language; for messages.
        is_static: link programs with their libraries, where that is possible: they start in half the time, and have a
            fork server (see `judge.sandbox.fork_server`).
        static: what the compiler needs for that; only while it runs.
        is_debug: build for `judge debug`.
        debugger: the interactive debugger to run the program in, by name; "" for none.
    """

    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    include: "tuple[IncludedFolder, ...]" = ()
    flags_from: Mapping[str, str] = field(default_factory=dict)
    is_static: bool = False
    static: tuple[str, ...] = ()
    is_debug: bool = False
    debugger: str = ""

    def add_flags(self, flags: Mapping[str, tuple[str, ...]]) -> "BuildOptions":
        """Return the options with more flags after those that they have."""
        if not flags:
            return self
        merged = {each: (*self.flags.get(each, ()), *flags.get(each, ())) for each in {**self.flags, **flags}}
        return replace(self, flags=merged)

    def flags_of(self, language: Language) -> tuple[str, ...]:
        """Return the flags to add to the compile command of a language."""
        return self.flags.get(language.id, ())

    def environment(self, language: Language, own: Sequence[Path] = ()) -> dict[str, str]:
        """Return the variables that tell compilers and interpreters about a program's own folders and included ones."""
        folders = ":".join(map(str, (*own, *(folder.copy for folder in self.include))))
        return {name: value.replace("{include}", folders) for name, value in language.include.items() if folders}

    def key(self, language: Language) -> tuple[str, ...]:
        """Return everything in these options that determines what a program of a language does."""
        flags = self.flags_of(language)
        parts = ("flags", *flags) if flags else ()
        if self.include:
            parts += ("include", *(folder.digest for folder in self.include))
        if self.is_static and language.static:
            from judge.languages import fork_server  # most programs have none

            parts += (*language.static, *fork_server.key())
        return (*parts, "debug") if self.is_debug else parts


NO_OPTIONS = BuildOptions()


def check_flags(flags: Mapping[str, tuple[str, ...]]) -> None:
    """Check that there are flags only for languages that are compiled with flags.

    Raises:
        UsageError: a language is unknown or takes none.
    """
    known = [language.id for language in LANGUAGES if language.takes_flags]
    for language in flags:
        if language not in known:
            raise UsageError(f"compile flags for {language}: expected one of {', '.join(known)}")
