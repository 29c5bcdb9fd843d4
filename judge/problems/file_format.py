"""What problem.yaml and testcases/*.yaml may contain, described once.

The loader reads files by these types, and `judge.problems.schema` derives the JSON Schemas from them. What a type
cannot express (that a file exists, that a generator takes a parameter) is checked where the files become values.
"""

import re
from pathlib import PurePosixPath
from typing import Annotated

from judge.base.units import GIB, format_count, parse_bytes, parse_seconds
from judge.problems.yaml.text import quote
from judge.problems.yaml.types import (
    AllowedWith,
    Anything,
    Boolean,
    Dict,
    Either,
    ExactlyOne,
    Fields,
    Integer,
    List,
    NotTogether,
    Number,
    OptionsOf,
    Record,
    Requires,
    String,
    Word,
)

MAX_CASES = 100_000  # of one problem
MAX_TESTS = 1000  # of a checker or validator
MAX_PASSES = 1000  # of a solution on a case
MAX_SEEDS = 10_000  # of one entry
MAX_SEED = 10**18

_MAX_TIME = 24 * 60 * 60  # seconds
_MAX_SIZE = 1024 * GIB
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_SEED_RANGE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})")


def parse_seeds(text: str) -> range:
    """Parse a range of seeds, both ends included.

    Raises:
        ValueError: it is not of the form `1-8`, is reversed or has more than 10,000 seeds; the message says which.
    """
    match = _SEED_RANGE.fullmatch(text)
    if not match:
        raise ValueError(f"expected a range of seeds such as `1-8`, found `{text}`")
    first, last = int(match[1]), int(match[2])
    if last < first:
        raise ValueError(f"the range `{text}` is reversed: write `{last}-{first}`")
    if last - first >= MAX_SEEDS:
        raise ValueError(f"the range `{text}` has {last - first + 1} seeds: expected at most {MAX_SEEDS}")
    return range(first, last + 1)


def check_time(text: str) -> None:
    """Raise ValueError unless the text is a valid time limit."""
    if parse_seconds(text) > _MAX_TIME:
        raise ValueError(f"expected at most 24 hours, found {quote(text)}")


def check_size(text: str) -> None:
    """Raise ValueError unless the text is a valid size limit."""
    if not 1 <= parse_bytes(text) <= _MAX_SIZE:
        raise ValueError(f"expected at least 1 B and at most 1024 GiB, found {quote(text)}")


def check_name(text: str) -> None:
    """Raise ValueError unless the text can be the name of a case; the message suggests one."""
    if not _NAME.fullmatch(text):
        near = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
        message = f"expected a name of letters, digits, `.`, `_` and `-`, found {quote(text)}"
        raise ValueError(f"{message}: write {quote(near)}" if near else message)


def check_sha256(text: str) -> None:
    """Raise ValueError unless the text is 64 hexadecimal digits."""
    if len(text) != 64:
        raise ValueError(f"expected a SHA-256 of 64 hexadecimal digits, found {format_count(len(text), 'character')}")
    if wrong := re.search(r"[^0-9a-fA-F]", text):
        raise ValueError(f"expected a SHA-256 of hexadecimal digits, found {quote(wrong[0])} in it")


def check_path(text: str) -> None:
    """Raise ValueError unless the text is a relative path without `..`."""
    if text.startswith("/"):
        raise ValueError(f"{quote(text)} is an absolute path: write a relative path")
    if ".." in PurePosixPath(text).parts:
        raise ValueError(f"{quote(text)} leads out of its folder: move the file inside, and do not use `..`")
    if "\\" in text:
        raise ValueError(f"{quote(text)} contains a backslash: use `/` between folders")
    if not text or any(char < " " for char in text):
        raise ValueError(f"expected a relative path, found {quote(text)}")


_TEXT = String(min_length=1)
_DATA = String(
    number_fix='quote it, with its line end: `"{}\\n"`',
    quote_fix='quote it, `"{}\\n"`',
    keeps_lines=True,
    examples=("1 2 3\n",),
)
TIME = String(
    "a time with its unit, such as `2 s` or `800 ms`",
    pattern=r"^\s*(?=[0-9.]*[1-9])[0-9]+(\.[0-9]+)?\s*(s|ms|min)\s*$",
    check=check_time,
    max_length=24,
    number_fix="write `{} s`",
    quote_fix="write a number and its unit",
    examples=("2 s", "800 ms"),
)
SIZE = String(
    "a size with its unit, such as `256 MiB`",
    pattern=r"^\s*(?=[0-9.]*[1-9])[0-9]+(\.[0-9]+)?\s*(B|KiB|MiB|GiB)\s*$",
    check=check_size,
    max_length=24,
    number_fix="write `{} MiB`",
    quote_fix="write a number and its unit",
    examples=("256 MiB",),
)
NAME = String("a name", pattern=f"^{_NAME.pattern}$", check=check_name, max_length=100)
RELATIVE_PATH = String(
    "a relative path", pattern=r"^(?!/)(?!(.*/)?\.\.(/|$))[^\\\x00-\x1f]+$", check=check_path, max_length=1000
)
_FILE_NAME = String("the name of a file, without a folder", pattern=f"^{_NAME.pattern}$", max_length=100)
_URL = String("a URL that starts with https:// or http://", pattern=r"^https?://\S+$")
SHA256 = String("a SHA-256 of 64 hexadecimal digits", pattern=r"^[0-9a-fA-F]{64}$", check=check_sha256)
SEED_RANGE = String(
    "a range of seeds such as `1-8`",
    pattern=r"^[0-9]{1,18}-[0-9]{1,18}$",
    check=parse_seeds,
    number_fix="write `1-{}` for {} seeds, or `seed: {}` for one",
    examples=("1-8",),
)


_ARGUMENTS = List(String(max_length=1000), max_length=100)
CHECKER_NAME = Word("checker", "exact", "lines", "tokens")
_PROTOCOL = Word("protocol", "icpc", "testlib")
_PROFILE = Word("profile", "atcoder", "codeforces", "euler", "icpc", "kattis", "uva")
_SEED = Integer(0, MAX_SEED)
_TOLERANCE = Number(0)


class LimitsEntry(Record):
    """What one run may use. Every quantity has a unit."""

    time: Annotated[str | None, TIME, "CPU time of the whole process tree. Default: `2 s`."] = None
    wall: Annotated[
        str | None, TIME, "Elapsed time, for programs that sleep. Default: twice the CPU time plus one second."
    ] = None
    memory: Annotated[str | None, SIZE, "Peak resident memory. Default: `256 MiB`."] = None
    output: Annotated[str | None, SIZE, "Bytes on standard output. Default: `64 MiB`."] = None


class CheckerEntry(Record):
    """A checker with options, of which only `tokens` has any, or a program."""

    rules = (
        ExactlyOne(("name", "program"), "no checker"),
        AllowedWith("program", ("protocol", "args")),
        OptionsOf("name", "tokens"),
        NotTogether("float_tolerance", "float_absolute_tolerance"),
        NotTogether("float_tolerance", "float_relative_tolerance"),
    )

    name: Annotated[str | None, CHECKER_NAME, "tokens, lines or exact."] = None
    program: Annotated[
        str | None, RELATIVE_PATH, "The source of a program that checks outputs, in the folder of problem.yaml."
    ] = None
    protocol: Annotated[str | None, _PROTOCOL, "How the program is called and what it answers. Default: icpc."] = None
    args: Annotated[list[str | None] | None, _ARGUMENTS, "Further arguments of the program."] = None
    case_sensitive: Annotated[bool | None, Boolean(), "Whether `YES` and `yes` differ. Default: false."] = None
    space_change_sensitive: Annotated[
        bool | None, Boolean(), "Whether every byte of white space must match. Default: false."
    ] = None
    float_absolute_tolerance: Annotated[float | None, _TOLERANCE, "Numbers may differ by this much."] = None
    float_relative_tolerance: Annotated[
        float | None, _TOLERANCE, "Numbers may differ by this fraction of the answer."
    ] = None
    float_tolerance: Annotated[float | None, _TOLERANCE, "Both tolerances at once; one of them must hold."] = None


class InteractorEntry(Record):
    """A program that talks to solutions, and decides."""

    program: Annotated[
        str | None, RELATIVE_PATH, "The source of a program that talks to solutions, in the folder of problem.yaml."
    ]
    protocol: Annotated[
        str | None, _PROTOCOL, "How the program is called, and what its exit status means. Default: icpc."
    ] = None
    args: Annotated[list[str | None] | None, _ARGUMENTS, "Further arguments of the program."] = None


class CheckerLimitsEntry(Record):
    """What one run of the checker or the interactor may use."""

    time: Annotated[str | None, TIME, "CPU time of the whole process tree. Default: `60 s`."] = None
    memory: Annotated[str | None, SIZE, "Peak resident memory. Default: `2 GiB`."] = None
    output: Annotated[str | None, SIZE, "Bytes of all that it writes, with its files. Default: `64 MiB`."] = None


class SourceEntry(Record):
    """Where the problem was first set."""

    name: Annotated[str | None, _TEXT, "Such as `UVa 131`."]
    url: Annotated[str | None, _URL, "The original statement."] = None


_FLAG = String("a flag of the compiler, such as `-std=gnu++17`", pattern=r"^\S+$", max_length=200)
_FLAGS = List(_FLAG, max_length=50)


class CompileFlagsEntry(Record):
    """More flags of compilers, after those of the judge."""

    c: Annotated[list[str | None] | None, _FLAGS, "For C."] = None
    cpp: Annotated[list[str | None] | None, _FLAGS, "For C++, such as `[-std=gnu++17]`."] = None
    java: Annotated[list[str | None] | None, _FLAGS, "For the Java compiler."] = None


_GROUP_NAME = String("the name of a group of cases", pattern=f"^{_NAME.pattern}$", check=check_name, max_length=100)
_POINTS = Number(0)


class SubtaskEntry(Record):
    """What a group of cases is worth."""

    points: Annotated[float | None, _POINTS, "The maximum score of the group."]
    aggregation: Annotated[
        str | None,
        Word("aggregation", "min", "pass-fail", "sum"),
        "How the points follow from the cases. Default: `pass-fail`, all or nothing.",
    ] = None
    requires: Annotated[
        str | list[str | None] | None,
        Either(_GROUP_NAME, List(_GROUP_NAME, min_length=1, is_set=True)),
        "Earlier groups that must be accepted; else the group is not judged, and has no points.",
    ] = None


class CheckerTestEntry(Record):
    """An output that the checker must accept or reject: for a case, or for the input and answer that are given."""

    rules = (
        ExactlyOne(("case", "input", "input_file"), "the test has no input"),
        ExactlyOne(("output", "output_file"), "the test has no output"),
        NotTogether("answer", "answer_file"),
        NotTogether("case", "answer"),
        NotTogether("case", "answer_file"),
    )

    case: Annotated[str | None, _TEXT, "The case with the input and the answer, such as `sample/one`."] = None
    input: Annotated[str | None, _DATA, "The input."] = None
    input_file: Annotated[str | None, RELATIVE_PATH, "A file with the input, in the folder of this file."] = None
    answer: Annotated[str | None, _DATA, "The answer. Default: empty."] = None
    answer_file: Annotated[str | None, RELATIVE_PATH, "A file with the answer, in the folder of this file."] = None
    output: Annotated[str | None, _DATA, "The output to check."] = None
    output_file: Annotated[str | None, RELATIVE_PATH, "A file with the output, in the folder of this file."] = None
    args: Annotated[list[str | None] | None, _ARGUMENTS, "Arguments of the program instead of the usual ones."] = None
    message: Annotated[str | None, _TEXT, "What the checker's message must contain."] = None


class CheckerTestsEntry(Record):
    """Tests of the checker, which `judge check` and pytest run."""

    accept: Annotated[
        list[CheckerTestEntry | None] | None, List(Fields(CheckerTestEntry), max_length=MAX_TESTS), "Right outputs."
    ] = None
    reject: Annotated[
        list[CheckerTestEntry | None] | None, List(Fields(CheckerTestEntry), max_length=MAX_TESTS), "Wrong outputs."
    ] = None


class ValidatorTestEntry(Record):
    """An input that the validator must accept or reject."""

    rules = (ExactlyOne(("input", "input_file"), "the test has no input"),)

    input: Annotated[str | None, _DATA, "The input."] = None
    input_file: Annotated[str | None, RELATIVE_PATH, "A file with the input, in the folder of this file."] = None
    args: Annotated[list[str | None] | None, _ARGUMENTS, "Arguments of the validator."] = None
    message: Annotated[str | None, _TEXT, "What the validator's message must contain."] = None


_VALIDATOR_TESTS = List(Either(_DATA, Fields(ValidatorTestEntry)), max_length=MAX_TESTS)


class ValidatorTestsEntry(Record):
    """Tests of the validator, which `judge check` and pytest run."""

    valid: Annotated[list[str | ValidatorTestEntry | None] | None, _VALIDATOR_TESTS, "Legal inputs."] = None
    invalid: Annotated[list[str | ValidatorTestEntry | None] | None, _VALIDATOR_TESTS, "Illegal inputs."] = None


_LIMITS = Fields(LimitsEntry)
_SCORE = Either(_POINTS, List(_POINTS, min_length=2, max_length=2))
_CHECKER = Either(CHECKER_NAME, Fields(CheckerEntry))


class ProblemFile(Record):
    """A problem: its name, its limits, its checker, and the programs that make and check its data."""

    name: Annotated[str | None, _TEXT, "The problem's title."]
    profile: Annotated[str | None, _PROFILE, "The online judge whose rules apply."]
    source: Annotated[SourceEntry | None, Fields(SourceEntry), "Where the problem was first set."] = None
    limits: Annotated[LimitsEntry | None, _LIMITS, "What one run may use."] = None
    checker: Annotated[
        str | CheckerEntry | None,
        _CHECKER,
        "How outputs are compared with answers. Default: `exact` for uva, else `tokens`.",
    ] = None
    interactor: Annotated[
        InteractorEntry | None,
        Fields(InteractorEntry),
        "The program that talks to solutions through their standard input and output. Cases need no answers.",
    ] = None
    checker_limits: Annotated[
        CheckerLimitsEntry | None,
        Fields(CheckerLimitsEntry),
        "What one run of the checker or the interactor may use, if it is a program.",
    ] = None
    passes: Annotated[
        int | None,
        Integer(2, MAX_PASSES),
        "How many times a solution runs on a case at most: again as long as the program that judges asks for it.",
    ] = None
    subtasks: Annotated[
        dict[str, float | SubtaskEntry | None] | None,
        Dict(Either(_POINTS, Fields(SubtaskEntry))),
        "The points of each group of cases, in the order of judging.",
    ] = None
    scores: Annotated[
        dict[str, float | list[float | None] | None] | None,
        Dict(_SCORE),
        "Expected scores, or the lowest and the highest, of solutions or folders in solutions/<id>/.",
    ] = None
    compile_flags: Annotated[
        CompileFlagsEntry | None,
        Fields(CompileFlagsEntry),
        "More flags of compilers, as on its online judge.",
    ] = None
    validator: Annotated[
        str | None, RELATIVE_PATH, "The program that checks whether an input is valid, in the folder of this file."
    ] = None
    input: Annotated[object | None, Anything(), "A grammar of the input; `judge show ID --grammar` prints it."] = None
    checker_tests: Annotated[
        CheckerTestsEntry | None, Fields(CheckerTestsEntry), "Outputs that the checker must accept and reject."
    ] = None
    validator_tests: Annotated[
        ValidatorTestsEntry | None, Fields(ValidatorTestsEntry), "Inputs that the validator must accept and reject."
    ] = None
    generators: Annotated[
        list[str | None] | None, List(RELATIVE_PATH), "Python files whose public functions make inputs."
    ] = None
    reference: Annotated[str | None, RELATIVE_PATH, "The solution that computes the answers, in solutions/<id>/."] = (
        None
    )
    independent: Annotated[
        str | None, RELATIVE_PATH, "A solution by another method, in solutions/<id>/: must agree with every answer."
    ] = None


class ExternalEntry(Record):
    """An input that is not in the repository."""

    url: Annotated[str | None, _URL, "Where to download it."]
    sha256: Annotated[str | None, SHA256, "Only a file with this SHA-256 is ever used."]
    file: Annotated[str | None, _FILE_NAME, "The name of the file in the data folder."]


class CaseEntry(Record):
    """One input with its answer; or, with `seeds`, several."""

    rules = (
        ExactlyOne(("input", "input_file", "generate", "external"), "the case has no input"),
        NotTogether("answer", "answer_file"),
        NotTogether("seed", "seeds"),
        Requires("seed", "generate"),
        Requires("seeds", "generate"),
        Requires("parameters", "generate"),
    )

    name: Annotated[str | None, NAME, "Unique in its file: letters, digits, `.`, `_`, `-`."]
    why: Annotated[str | None, _TEXT, "What the case tests."] = None
    input: Annotated[str | None, _DATA, "The input itself."] = None
    input_file: Annotated[str | None, RELATIVE_PATH, "A file with the input, in the folder of this file."] = None
    generate: Annotated[str | None, _TEXT, "The generator that makes the input."] = None
    parameters: Annotated[dict[str, object] | None, Dict(Anything()), "The generator's keyword arguments."] = None
    seed: Annotated[int | None, _SEED, "The generator's seed. Default: 1."] = None
    seeds: Annotated[
        str | list[int | None] | None,
        Either(SEED_RANGE, List(_SEED, min_length=1, max_length=MAX_SEEDS, is_set=True)),
        "One case for each: `1-8`, or `[1, 5]`.",
    ] = None
    external: Annotated[ExternalEntry | None, Fields(ExternalEntry), "An input that is not in the repository."] = None
    answer: Annotated[str | None, _DATA, "The correct output. Default: the output of the reference."] = None
    answer_file: Annotated[str | None, RELATIVE_PATH, "A file with the answer, in the folder of this file."] = None
    limits: Annotated[LimitsEntry | None, _LIMITS, "Limits of this case."] = None
    checker: Annotated[str | CheckerEntry | None, _CHECKER, "The checker of this case."] = None
    checker_args: Annotated[
        list[str | None] | None, _ARGUMENTS, "Arguments of the checker's program for this case."
    ] = None


class CasesFile(Record):
    """A group of cases; the name of the file without `.yaml` is the name of the group."""

    limits: Annotated[LimitsEntry | None, _LIMITS, "Limits of all cases in this file."] = None
    checker: Annotated[str | CheckerEntry | None, _CHECKER, "The checker of all cases in this file."] = None
    checker_args: Annotated[
        list[str | None] | None, _ARGUMENTS, "Arguments of the checker's program for all cases in this file."
    ] = None
    validator_args: Annotated[
        list[str | None] | None, List(String()), "Arguments of the validator, such as `--dirty`."
    ] = None
    cases: Annotated[
        list[CaseEntry | None] | None,
        List(Fields(CaseEntry), min_length=1, max_length=MAX_CASES),
        "The cases, judged in this order.",
    ]


PROBLEM_FILE = Fields(ProblemFile)
CASES_FILE = Fields(CasesFile)
