"""What problem.yaml and testcases/*.yaml may say, described once.

The loader reads files by these types, and `judge.problems.schema` derives the JSON Schemas from them. What a type
cannot say (that a file exists, that a generator takes a parameter) is checked where the files become values.
"""

import re
from pathlib import PurePosixPath
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from judge.problems.yaml.readers import TextKind
from judge.problems.yaml.rules import ExactlyOne, Needs, NotTogether, OptionsOf, Rule
from judge.problems.yaml.scalars import quoted
from judge.units import GIB, parse_bytes, parse_seconds

MOST_SEEDS = 10_000
LARGEST_SEED = 10**18

_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


def parse_seeds(text: str) -> range:
    """Read a range of seeds, both ends included.

    Raises:
        ValueError: it is not of the form `1-8`, runs backwards or has more than 10,000 seeds; the message says which.
    """
    found = _RANGE.fullmatch(text)
    if not found:
        raise ValueError(f"expected a range of seeds such as `1-8`, found `{text}`")
    first, last = int(found[1]), int(found[2])
    if last < first:
        raise ValueError(f"the range `{text}` runs backwards: write `{last}-{first}`")
    if last - first >= MOST_SEEDS:
        raise ValueError(f"the range `{text}` has {last - first + 1} seeds: at most {MOST_SEEDS} are taken")
    return range(first, last + 1)


_LONGEST_TIME = 24 * 60 * 60  # seconds
_LARGEST_SIZE = 1024 * GIB
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def check_time(text: str) -> None:
    """Raise ValueError unless the text is a time that can be a limit."""
    if parse_seconds(text) > _LONGEST_TIME:
        raise ValueError(f"expected at most 24 hours, found {quoted(text)}")


def check_size(text: str) -> None:
    """Raise ValueError unless the text is a size that can be a limit."""
    if not 1 <= parse_bytes(text) <= _LARGEST_SIZE:
        raise ValueError(f"expected at least 1 B and at most 1024 GiB, found {quoted(text)}")


def check_name(text: str) -> None:
    """Raise ValueError unless the text can be the name of a case; the message proposes one."""
    if not _NAME.fullmatch(text):
        near = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
        message = f"expected a name of letters, digits, `.`, `_` and `-`, found {quoted(text)}"
        raise ValueError(f"{message}: write {quoted(near)}" if near else message)


def check_sha256(text: str) -> None:
    """Raise ValueError unless the text is 64 hexadecimal digits."""
    if len(text) != 64:
        raise ValueError(f"expected a SHA-256 of 64 hexadecimal digits, found {len(text)} characters")
    if wrong := re.search(r"[^0-9a-fA-F]", text):
        raise ValueError(f"expected a SHA-256 of hexadecimal digits, found {quoted(wrong[0])} in it")


def check_path(text: str) -> None:
    """Raise ValueError unless the text is a relative path that leads nowhere but down."""
    if text.startswith("/"):
        raise ValueError(f"{quoted(text)} is an absolute path: write it relative to the folder that it belongs to")
    if ".." in PurePosixPath(text).parts:
        raise ValueError(f"{quoted(text)} leads out of its folder: put the file inside, and write no `..`")
    if "\\" in text:
        raise ValueError(f"{quoted(text)} has a backslash: write `/` between folders")


Text = Annotated[str, Meta(min_length=1)]

Data = Annotated[
    str,
    Meta(
        examples=["1 2 3\n"],
        extra={
            "text": TextKind(
                number='quote it, with its line end: `"{}\\n"`', quote='quote it, `"{}\\n"`', keeps_lines=True
            )
        },
    ),
]

Time = Annotated[
    str,
    Meta(
        examples=["2 s", "800 ms"],
        pattern=r"^\s*(?=[0-9.]*[1-9])[0-9]+(\.[0-9]+)?\s*(s|ms|min)\s*$",
        max_length=24,
        extra={
            "text": TextKind(
                expected="a time with its unit, such as `2 s` or `800 ms`",
                check=check_time,
                number="write `{} s`",
                quote="write a number and its unit",
            )
        },
    ),
]

Size = Annotated[
    str,
    Meta(
        examples=["256 MiB"],
        pattern=r"^\s*(?=[0-9.]*[1-9])[0-9]+(\.[0-9]+)?\s*(B|KiB|MiB|GiB)\s*$",
        max_length=24,
        extra={
            "text": TextKind(
                expected="a size with its unit, such as `256 MiB`",
                check=check_size,
                number="write `{} MiB`",
                quote="write a number and its unit",
            )
        },
    ),
]

Name = Annotated[
    str,
    Meta(
        pattern=rf"^{_NAME.pattern}$",
        max_length=100,
        extra={"text": TextKind(expected="a name", check=check_name)},
    ),
]

RelativePath = Annotated[
    str,
    Meta(
        pattern=r"^(?!/)(?!(.*/)?\.\.(/|$))[^\\\x00-\x1f]+$",
        max_length=1000,
        extra={"text": TextKind(expected="a relative path", check=check_path)},
    ),
]

FileName = Annotated[
    str,
    Meta(
        pattern=rf"^{_NAME.pattern}$",
        max_length=100,
        extra={"text": TextKind(expected="the name of a file, without a folder")},
    ),
]

Address = Annotated[
    str,
    Meta(
        pattern=r"^https?://\S+$", extra={"text": TextKind(expected="an address that begins with https:// or http://")}
    ),
]

Sha256 = Annotated[
    str,
    Meta(
        pattern=r"^[0-9a-fA-F]{64}$",
        extra={"text": TextKind(expected="a SHA-256 of 64 hexadecimal digits", check=check_sha256)},
    ),
]

SeedRange = Annotated[
    str,
    Meta(
        examples=["1-8"],
        pattern=r"^[0-9]{1,18}-[0-9]{1,18}$",
        extra={
            "text": TextKind(
                expected="a range of seeds such as `1-8`",
                check=parse_seeds,
                number="write `1-{}` for that many cases, or `seed: {}` for one",
            )
        },
    ),
]


MOST_CASES = 100_000  # of one problem

CheckerName = Annotated[Literal["tokens", "lines", "exact"], Meta(extra={"what": "checker"})]
ProfileName = Annotated[
    Literal["uva", "euler", "kattis", "codeforces", "atcoder", "icpc"], Meta(extra={"what": "profile"})
]
Seed = Annotated[int, Meta(ge=0, le=LARGEST_SEED)]
Tolerance = Annotated[float, Meta(ge=0)]


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mapping that knows all of its keys."""

    rules: ClassVar[tuple[Rule, ...]] = ()


class LimitsEntry(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one run may use. Every quantity carries its unit."""

    time: Annotated[Time | UnsetType, Meta(description="CPU time of the whole process tree. Default: `2 s`.")] = UNSET
    wall: Annotated[
        Time | UnsetType, Meta(description="Elapsed time; catches sleepers. Default: twice the time plus one second.")
    ] = UNSET
    memory: Annotated[Size | UnsetType, Meta(description="Peak resident memory. Default: `256 MiB`.")] = UNSET
    output: Annotated[Size | UnsetType, Meta(description="Bytes on standard output. Default: `64 MiB`.")] = UNSET


class CheckerEntry(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A checker with options; only `tokens` takes any."""

    rules: ClassVar[tuple[Rule, ...]] = (
        OptionsOf("name", "tokens"),
        NotTogether("float_tolerance", "float_absolute_tolerance"),
        NotTogether("float_tolerance", "float_relative_tolerance"),
    )

    name: Annotated[CheckerName, Meta(description="tokens, lines or exact.")]
    case_sensitive: Annotated[
        bool | UnsetType, Meta(description="Whether `YES` and `yes` differ. Default: they do not.")
    ] = UNSET
    space_change_sensitive: Annotated[
        bool | UnsetType, Meta(description="Whether every byte of white space must match. Default: no.")
    ] = UNSET
    float_absolute_tolerance: Annotated[Tolerance | UnsetType, Meta(description="Numbers may differ by this much.")] = (
        UNSET
    )
    float_relative_tolerance: Annotated[
        Tolerance | UnsetType, Meta(description="Numbers may differ by this fraction of the answer.")
    ] = UNSET
    float_tolerance: Annotated[
        Tolerance | UnsetType, Meta(description="Both tolerances at once; one of them must hold.")
    ] = UNSET


class SourceEntry(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the problem was first set."""

    name: Annotated[Text, Meta(description="Such as `UVa 131`.")]
    url: Annotated[Address | UnsetType, Meta(description="The original statement.")] = UNSET


class ProblemFile(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A problem: what it is called, its limits, its checker, and the programs that make and check its data."""

    name: Annotated[Text, Meta(description="The problem's title.")]
    profile: Annotated[ProfileName, Meta(description="The online judge whose ways are followed.")]
    source: Annotated[SourceEntry | UnsetType, Meta(description="Where the problem was first set.")] = UNSET
    limits: Annotated[LimitsEntry | UnsetType, Meta(description="What one run may use.")] = UNSET
    checker: Annotated[
        CheckerName | CheckerEntry | UnsetType,
        Meta(description="What makes an output right. Default: `exact` for uva, else `tokens`."),
    ] = UNSET
    validator: Annotated[
        RelativePath | UnsetType, Meta(description="The program that says whether an input is legal, beside this file.")
    ] = UNSET
    generators: Annotated[
        list[RelativePath] | UnsetType, Meta(description="Python files whose public functions make inputs.")
    ] = UNSET
    reference: Annotated[
        RelativePath | UnsetType, Meta(description="The solution that makes the answers, below solutions/<id>/.")
    ] = UNSET
    independent: Annotated[
        RelativePath | UnsetType,
        Meta(description="A solution by another method, below solutions/<id>/: must agree with every answer."),
    ] = UNSET


class ExternalEntry(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An input that is not in the repository."""

    url: Annotated[Address, Meta(description="Where it can be had.")]
    sha256: Annotated[Sha256, Meta(description="Only a file with this SHA-256 is ever used.")]
    file: Annotated[FileName, Meta(description="The file's name in the data folder.")]


class CaseEntry(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One input with its answer; or, with `seeds`, several."""

    rules: ClassVar[tuple[Rule, ...]] = (
        ExactlyOne(("input", "input_file", "generate", "external"), "a case with neither input nor generator"),
        NotTogether("answer", "answer_file"),
        NotTogether("seed", "seeds"),
        Needs("seed", "generate"),
        Needs("seeds", "generate"),
        Needs("parameters", "generate"),
    )

    name: Annotated[Name, Meta(description="Once in a file: letters, digits, `.`, `_`, `-`.")]
    why: Annotated[Text | UnsetType, Meta(description="What the case is there to catch.")] = UNSET
    input: Annotated[Data | UnsetType, Meta(description="The input itself.")] = UNSET
    input_file: Annotated[RelativePath | UnsetType, Meta(description="A file that holds it, beside this one.")] = UNSET
    generate: Annotated[Text | UnsetType, Meta(description="The generator that makes it.")] = UNSET
    parameters: Annotated[dict[str, Any] | UnsetType, Meta(description="The generator's keyword arguments.")] = UNSET
    seed: Annotated[Seed | UnsetType, Meta(description="The generator's seed. Default: 1.")] = UNSET
    seeds: Annotated[
        SeedRange
        | Annotated[list[Seed], Meta(min_length=1, max_length=MOST_SEEDS, extra_json_schema={"uniqueItems": True})]
        | UnsetType,
        Meta(description="One case for each: `1-8`, or `[1, 5]`."),
    ] = UNSET
    external: Annotated[ExternalEntry | UnsetType, Meta(description="An input that is not in the repository.")] = UNSET
    answer: Annotated[Data | UnsetType, Meta(description="The right output. Default: what the reference prints.")] = (
        UNSET
    )
    answer_file: Annotated[RelativePath | UnsetType, Meta(description="A file that holds it, beside this one.")] = UNSET
    limits: Annotated[LimitsEntry | UnsetType, Meta(description="Limits of this case.")] = UNSET
    checker: Annotated[CheckerName | CheckerEntry | UnsetType, Meta(description="The checker of this case.")] = UNSET


class CasesFile(Entry, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of cases; the file's stem is the group's name."""

    limits: Annotated[LimitsEntry | UnsetType, Meta(description="Limits of all cases of this file.")] = UNSET
    checker: Annotated[
        CheckerName | CheckerEntry | UnsetType, Meta(description="The checker of all cases of this file.")
    ] = UNSET
    validator_args: Annotated[
        list[str] | UnsetType, Meta(description="Arguments of the validator, such as `--dirty`.")
    ] = UNSET
    cases: Annotated[
        list[CaseEntry], Meta(min_length=1, max_length=MOST_CASES, description="The cases, judged in this order.")
    ]
