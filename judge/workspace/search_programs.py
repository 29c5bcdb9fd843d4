"""Building the programs of a search: of the solution there are two, see `NamedProgram.quick`."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from judge.errors import JudgeError, describe_error
from judge.languages.build import Program, build, starts_quicker
from judge.languages.options import BuildOptions
from judge.languages.source import Source, SourceOptions
from judge.sandbox.box import Box
from judge.search.values import NamedProgram
from judge.workspace.session import Session


class Build(Struct, frozen=True, kw_only=True):
    """A program to build, with the user's tools if it is one that users submit; `about` is how the source was read."""

    source: Source
    about: SourceOptions
    options: BuildOptions
    tools: Mapping[str, str] = field(default_factory=dict)


def solution_builds(own: Build, *, has_quick: bool) -> list[Build]:
    """Return how to build a solution: as it is, and then as the quick program if that is wanted and of use."""
    if not (has_quick and starts_quicker(own.source)):
        return [own]
    return [own, replace(own, options=replace(own.options, is_static=True))]


def name_built(name: str, shown: str, built: Sequence[Program | str]) -> NamedProgram:
    """Return a program that was built as `solution_builds` says, or in one way only.

    Raises:
        JudgeError: it cannot be built; the message begins with `shown`.
    """
    own, *others = built
    if isinstance(own, str):
        raise JudgeError(f"{shown} {own}")
    quick = [each for each in others if isinstance(each, Program)]
    return NamedProgram(name=name, program=own, quick=quick[0] if quick else None)


def build_all(wanted: Sequence[Build], session: Session) -> list[Program | str]:
    """Build programs on all workers; return why one cannot be built in its place. Equal ones are built once."""
    unique = [each for at, each in enumerate(wanted) if each not in wanted[:at]]

    def build_one(box: Box, each: Build) -> Program | str:
        store = session.store
        try:
            built = build(
                each.source.path,
                store.build,
                box,
                each.tools,
                store.programs,
                source=each.source,
                source_options=each.about,
                options=each.options,
            )
        except (JudgeError, OSError) as error:
            return f"cannot be built: {describe_error(error)}"
        return built if isinstance(built, Program) else f"does not compile: {built.message}"

    built = list(session.executor.map(build_one, unique))
    return [built[unique.index(each)] for each in wanted]
