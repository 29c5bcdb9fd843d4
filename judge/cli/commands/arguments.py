"""The arguments of a command, declared once: a struct with annotated fields makes the parser and holds the values.

    class Options(Struct, frozen=True, kw_only=True):
        files: Annotated[tuple[Path, ...], positional("RESULTS", "the results of all shards")]
        force: Annotated[bool, option("overwrite it")] = False

An option has the name of its field, here `--force`, unless it has another long name. The type of a field says how its
argument is parsed and shown: a flag, one value, or several. A field without a default is required. A field whose type
is such a struct adds the arguments of that struct in its place. A field that is declared again without an annotation is
no argument any more.
"""

import math
import re
from argparse import Action, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin

from msgspec import Struct
from msgspec.structs import fields

from judge.base.errors import UsageError
from judge.base.units import Seconds, parse_seconds
from judge.cli.commands import COMMANDS

_T = TypeVar("_T", bound=Struct)
_METAVARS: Mapping[Any, str] = {int: "N", Path: "FILE", Seconds: "TIME"}
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


class Argument(Struct, frozen=True, kw_only=True):
    """An argument of a command.

    Attributes:
        names: of an option, besides that of its field: short ones, or a long one in its place.
        excludes: what options have in common of which only one may be given; "" for none.
        between: the lowest and the highest number; None for any value.
        is_general: many commands have it, so that it comes last in the help.
        settings: further arguments of `add_argument`.
    """

    is_option: bool
    names: tuple[str, ...] = ()
    excludes: str = ""
    between: tuple[int, float] | None = None
    is_general: bool = False
    settings: Mapping[str, Any]

    def names_of(self, field: str) -> tuple[str, ...]:
        """Return the names of an option; none for a positional argument."""
        if not self.is_option or any(name.startswith("--") for name in self.names):
            return self.names
        return (*self.names, f"-{field}" if len(field) == 1 else f"--{field.replace('_', '-')}")


def option(
    help: str,  # noqa: A002 - as in argparse
    *names: str,
    excludes: str = "",
    between: tuple[int, float] | None = None,
    is_general: bool = False,
    **settings: Any,
) -> Argument:
    """Return the annotation of a field that is an option."""
    return Argument(
        is_option=True,
        names=names,
        excludes=excludes,
        between=between,
        is_general=is_general,
        settings={"help": help, **settings},
    )


def positional(metavar: str | None, help: str, **settings: Any) -> Argument:  # noqa: A002 - as in argparse
    """Return the annotation of a field that is a positional argument; without a `metavar`, `choices` are shown."""
    return Argument(is_option=False, settings={"metavar": metavar, "help": help, **settings})


class Parser(ArgumentParser):
    """argparse, but errors are raised like all other errors of ours."""

    def error(self, message: str) -> None:  # type: ignore[override]
        """Raise UsageError."""
        raise UsageError(message)

    def format_help(self) -> str:
        """Return the help, wrapped for the terminal: argparse does not wrap the epilog."""
        from judge.cli.wrapping import wrap_help

        return wrap_help(super().format_help())

    def usage_hint(self) -> str:
        """Return a short usage, and where to find the rest."""
        formatter = self._get_formatter()
        formatter.add_usage(None, [each for each in self._actions if not each.option_strings], [])
        arguments = " ".join(formatter.format_help().split()).removeprefix(f"usage: {self.prog}")
        return f"usage: {self.prog} [OPTIONS]{arguments}\nTry `{self.prog} --help`."

    @property
    def actions(self) -> Sequence[Action]:
        """All arguments and options."""
        return self._actions

    @property
    def options(self) -> frozenset[str]:
        """All options in all their forms, such as `-j` and `--jobs`."""
        return frozenset(self._option_string_actions)


def make_parser(name: str, root: str | None = None) -> Parser:
    """Return the parser of a command; `root` is the default of its option `--root`."""
    module_name, summary = COMMANDS[name]
    module = import_module(f"judge.cli.commands.{module_name}")
    parser = Parser(
        prog=f"judge {name}",
        description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=module.EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,  # --case would mean --cases in some commands
    )
    add_arguments(parser, module.Options)
    if root is not None:
        parser.set_defaults(root=Path(root))
    return parser


def add_arguments(parser: ArgumentParser, options: type[Struct]) -> None:
    """Add the arguments that a struct declares, in the order of their first declarations, base classes first."""
    groups: dict[str, Any] = {"": parser}
    by_name = {field.name: field for field in fields(options)}
    declared = [item for base in reversed(options.__mro__) for item in getattr(base, "__annotations__", {}).items()]
    names = dict.fromkeys(name for name, kind in declared if _split_annotation(kind)[1] or _is_struct(kind))
    found = [(name, *_split_annotation(by_name[name].type)) for name in names]
    for name, kind, argument in sorted(found, key=lambda each: each[2] is not None and each[2].is_general):
        if argument is None:
            if _is_struct(kind):
                add_arguments(parser, kind)
            continue
        if argument.excludes not in groups:
            groups[argument.excludes] = parser.add_mutually_exclusive_group()
        settings = _settings(name, kind, argument, is_required=by_name[name].required) | dict(argument.settings)
        groups[argument.excludes].add_argument(*(argument.names_of(name) or (name,)), default=None, **settings)


def _settings(name: str, kind: Any, argument: Argument, *, is_required: bool) -> dict[str, Any]:
    """Return what `add_argument` needs for the values of a field."""
    has_many = get_origin(kind) is tuple
    settings: dict[str, Any] = {"dest": name, "required": is_required} if argument.is_option else {}
    if kind is bool:
        return settings | {"action": "store_true"}
    value = next((each for each in get_args(kind) if each not in (NoneType, ...)), kind)
    settings |= {"type": value, "metavar": _METAVARS.get(value)}
    if value is Seconds:
        settings["type"] = partial(parse_time, argument.names_of(name)[-1])
    if argument.is_option:
        return settings | {"action": "append" if has_many else "store"}
    if has_many or not is_required:
        settings["nargs"] = "?" if not has_many else "+" if is_required else "*"
    return settings


def parse_time(option: str, text: str) -> Seconds:
    """Parse the time that an option gives; a bare number is in seconds.

    Raises:
        UsageError: it is not a time, or more than a day.
    """
    return Seconds(parse_quantity(option, text, "s", "1440 min", parse_seconds))


def parse_quantity(option: str, text: str, unit: str, most: str, parse: Callable[[str], float]) -> float:
    """Parse a quantity; a bare number is in `unit`.

    Raises:
        UsageError: it is not such a quantity, or more than `most`.
    """
    try:
        value = parse(f"{text} {unit}" if _NUMBER.fullmatch(text) else text)
    except ValueError as error:
        raise UsageError(f"{option} {text}: {error}; a bare number is in {unit}") from error
    if value > parse(most):
        raise UsageError(f"{option} {text}: expected at most {most}")
    return value


def make_options(options: type[_T], values: Mapping[str, Any]) -> _T:
    """Return the struct with the values that argparse found; those that were not given have their defaults.

    Raises:
        UsageError: a number is out of range; or from the struct: values do not fit together.
    """
    given: dict[str, Any] = {}
    for field in fields(options):
        if _is_struct(field.type):
            given[field.name] = make_options(field.type, values)
        elif (value := values.get(field.name)) is not None:
            argument = _split_annotation(field.type)[1]
            if argument and argument.between and not argument.between[0] <= value <= argument.between[1]:
                low, high = argument.between
                most = f" to {high}" if high < math.inf else ""
                raise UsageError(
                    f"{argument.names_of(field.name)[-1]} {value:.15g}: expected a number from {low}{most}"
                )
            given[field.name] = tuple(value) if isinstance(value, list) else value
    return options(**given)


def words_of(options: Struct, *names: str) -> tuple[str, ...]:
    """Return the words of a command line that give the options with these names, where they are not the default."""
    values = dict(_option_values(options))
    words: list[str] = []
    for name in names:
        match values[name]:
            case True:
                words.append(name)
            case tuple() as several:
                words.extend(word for value in several for word in (name, str(value)))
            case value if value is not None and value is not False:
                words.extend((name, str(value)))
    return tuple(words)


def _option_values(options: Struct) -> Iterator[tuple[str, Any]]:
    for field in fields(options):
        kind, argument = _split_annotation(field.type)
        value = getattr(options, field.name)
        if argument is not None:
            yield from ((name, value) for name in argument.names_of(field.name))
        elif _is_struct(kind):
            yield from _option_values(value)


def _split_annotation(annotation: Any) -> tuple[Any, Argument | None]:
    if get_origin(annotation) is not Annotated:
        return annotation, None
    kind, *metadata = get_args(annotation)
    return kind, next((each for each in metadata if isinstance(each, Argument)), None)


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)
