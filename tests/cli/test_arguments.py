"""Arguments that are declared once: what is parsed is what the struct holds, and its words give it again."""

from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Struct

from judge.base.errors import UsageError
from judge.cli.commands.arguments import add_arguments, make_options, option, positional, words_of
from judge.cli.parser import Parser


class Limits(Struct, frozen=True, kw_only=True):
    """What is nested."""

    time: Annotated[float | None, option("a limit")] = None
    loud: Annotated[bool, option("more", "-v", "--verbose", excludes="loudness")] = False
    quiet: Annotated[bool, option("less", excludes="loudness")] = False


class Shared(Struct, frozen=True, kw_only=True):
    """What several commands have."""

    level: str = "full"  # an argument only of those that declare it again
    folders: Annotated[tuple[Path, ...], option("a folder", "--folder")] = ()


class Options(Shared, frozen=True, kw_only=True):
    """The arguments of a command."""

    file: Annotated[Path, positional("FILE", "a file")]
    more: Annotated[tuple[int, ...], positional("N", "numbers")] = ()
    name: Annotated[str, option("a name")]
    limits: Limits
    level: Annotated[str, option("a level", choices=("full", "none"))] = "full"


def parse(*words: str) -> Options:
    parser = Parser(prog="judge")
    add_arguments(parser, Options)
    return make_options(Options, vars(parser.parse_intermixed_args(words)))


def test_the_struct_holds_what_was_given_and_its_own_defaults() -> None:
    assert parse("a", "--name", "x") == Options(file=Path("a"), name="x", limits=Limits())
    found = parse("a", "1", "-v", "--name=x", "--folder", "b", "2", "--folder", "c", "--time", "2", "--level", "none")
    assert found == Options(
        file=Path("a"),
        more=(1, 2),
        name="x",
        limits=Limits(time=2.0, loud=True),
        folders=(Path("b"), Path("c")),
        level="none",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("a", "arguments are required: --name"),
        ("--name x", "arguments are required: FILE"),
        ("a --name x -v --quiet", "not allowed with"),
        ("a --name x --level half", "invalid choice: 'half'"),
        ("a --name x --time soon", "--time: invalid float value: 'soon'"),
    ],
)
def test_wrong_arguments_are_explained(words: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(*words.split())


def test_words_give_the_same_options_again() -> None:
    words = ("--name", "x", "--folder", "b", "--folder", "c", "--time", "0.5", "--quiet")
    found = parse("a", *words)
    assert words_of(found, "--name", "--folder", "--time", "-v", "--quiet") == words
    assert parse("a", *words_of(found, "--name", "--folder", "--time", "-v", "--quiet")) == found
