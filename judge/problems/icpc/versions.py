"""The versions of the problem package format, and their names in `problem_format_version`."""

from enum import StrEnum


class Version(StrEnum):
    """A version of the format; the drafts of a version count as the version."""

    LEGACY = "legacy"
    LEGACY_ICPC = "legacy-icpc"
    V2023_07 = "2023-07"
    V2025_09 = "2025-09"

    @property
    def is_legacy(self) -> bool:
        """Whether it is a version from before versions had dates."""
        return self in (Version.LEGACY, Version.LEGACY_ICPC)

    @property
    def format_name(self) -> str:
        """The name of the format in `Problem.format`."""
        return f"icpc-{'legacy' if self.is_legacy else self.value}"


KNOWN = ("legacy", "legacy-icpc", "2023-07", "2023-07-draft", "2025-09", "2025-09-draft", "draft")


def parse_version(text: str) -> Version:
    """Return the version that `problem_format_version` names.

    Raises:
        ValueError: there is no such version.
    """
    return Version.V2025_09 if text == "draft" else Version(text.removesuffix("-draft"))
