"""The paths of numbered tests, such as `tests/%02d.a`."""

import re

from msgspec import Struct

from judge.problems.polygon.document import Element
from judge.problems.polygon.files import PolygonFolder
from judge.problems.yaml.text import quote

_PATTERN = re.compile(r"([^%]*)%(?:0([1-9]))?d([^%]*)")


class PathPattern(Struct, frozen=True, kw_only=True):
    """A path with the number of a test in it, of at least `width` digits."""

    before: str
    width: int
    after: str

    @classmethod
    def of(cls, folder: PolygonFolder, testset: Element, tag: str, *, default: str) -> "PathPattern | None":
        """Return the pattern in an element of a set of tests; None if it is wrong, which is reported."""
        element = testset.first(tag)
        text = element.text if element is not None else default
        match = _PATTERN.fullmatch(text)
        if match is None:
            folder.error(element or testset, f"<{tag}>: expected a path such as `{default}`, found {quote(text)}")
            return None
        return cls(before=match[1], width=int(match[2] or 1), after=match[3])

    def name(self, number: int) -> str:
        """Return the path of a test."""
        return f"{self.before}{number:0{self.width}d}{self.after}"
