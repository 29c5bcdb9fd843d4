"""The texts that problem.yaml and testcases/*.yaml are made of: quantities, names, paths, hashes.

A pattern is for editors, by way of the JSON Schema; the check beside it says in words what is wrong.
"""

import re
from pathlib import PurePosixPath
from typing import Annotated

from msgspec import Meta

from judge.layouts.seeds import parse_seeds
from judge.units import GIB, parse_bytes, parse_seconds
from judge.yamlfile.one_scalar import TextKind
from judge.yamlfile.words import quoted

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
