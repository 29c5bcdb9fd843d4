"""Arguments that are declared once: what is parsed is what the struct holds, and its words give it again."""

from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Struct

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.cli.commands.arguments import Parser, add_arguments, make_options, option, positional, words_of


class Limits(Struct, frozen=True, kw_only=True):
    """What is nested."""

    time: Annotated[float | None, option("a limit")] = None
    loud: Annotated[bool, option("more", "-v", "--verbose", excludes="loudness")] = False
    quiet: Annotated[bool, option("less", excludes="loudness")] = False


class Shared(Struct, frozen=True, kw_only=True):
    """What several commands have."""

    level: str = "full"  # an argument only of those that declare it again
    folders: Annotated[tuple[Path, ...], option("a folder", "--folder", is_general=True)] = ()
    gone: Annotated[int, option("an argument only of those that do not declare it again")] = 1


class Options(Shared, frozen=True, kw_only=True):
    """The arguments of a command."""

    file: Annotated[Path, positional("FILE", "a file")]
    more: Annotated[tuple[int, ...], positional("N", "numbers")] = ()
    name: Annotated[str, option("a name")]
    limits: Limits
    level: Annotated[str, option("a level", choices=("full", "none"))] = "full"
    gone: int = 2
    pause: Annotated[Seconds | None, option("how long")] = None


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


def test_general_options_come_last_and_types_have_their_placeholders() -> None:
    parser = Parser(prog="judge")
    add_arguments(parser, Options)
    shown = [f"{action.option_strings[-1]} {action.metavar}" for action in parser.actions if action.option_strings]
    assert shown[1:3] == ["--name None", "--time None"]
    assert shown[-3:] == ["--level None", "--pause TIME", "--folder FILE"]
    assert not any(each.startswith("--gone") for each in shown)
    assert parse("a", "--name", "x", "--pause", "80 ms").pause == 0.08
    with pytest.raises(UsageError, match="--pause x: expected a time"):
        parse("a", "--name", "x", "--pause", "x")


def test_words_give_the_same_options_again() -> None:
    words = ("--name", "x", "--folder", "b", "--folder", "c", "--time", "0.5", "--quiet")
    found = parse("a", *words)
    assert words_of(found, "--name", "--folder", "--time", "-v", "--quiet") == words
    assert parse("a", *words_of(found, "--name", "--folder", "--time", "-v", "--quiet")) == found
