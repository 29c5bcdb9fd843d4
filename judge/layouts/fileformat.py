"""What problem.yaml and testcases/*.yaml may say, described once.

The loader reads files by these types, and `judge.layouts.schema` derives the JSON Schemas from them. What a type cannot
say (that a file exists, that a generator takes a parameter) is checked where the files become values.
"""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from judge.layouts.fieldtypes import (
    Address,
    Data,
    FileName,
    Name,
    RelativePath,
    SeedRange,
    Sha256,
    Size,
    Text,
    Time,
)
from judge.layouts.seeds import LARGEST_SEED, MOST_SEEDS
from judge.yamlfile.rules import ExactlyOne, Needs, NotTogether, OptionsOf, Rule

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
