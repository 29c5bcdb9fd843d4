"""Starters: the file in which a new solution begins, from the user's template or the judge's own.

A template may contain the placeholders of `PLACEHOLDERS`. Anything else in braces is left as it is.
"""

from datetime import date
from pathlib import Path

from msgspec import Struct

from judge.base.errors import UsageError
from judge.languages.table import Language
from judge.problems.paths import find_file_error

PLACEHOLDERS = ("id", "name", "url", "date")
_BUILT_IN = Path(__file__).parents[2] / "scaffold" / "starters"


class Starter(Struct, frozen=True, kw_only=True):
    """The text of a new solution.

    Attributes:
        suffix: of its file, such as `.cpp`.
        origin: where it comes from, for messages; "" for the judge's own.
    """

    suffix: str
    template: bytes
    origin: str = ""

    def fill(self, *, id: str, name: str, url: str) -> bytes:  # noqa: A002 - the placeholder's name
        """Return the text for a problem; the date is today's."""
        values = {"id": id, "name": name, "url": url, "date": date.today().isoformat()}  # noqa: DTZ011 - the user's day
        text = self.template
        for key in PLACEHOLDERS:
            text = text.replace(b"{{%s}}" % key.encode(), values[key].encode(errors="replace"))
        return text


def read_starter(language: Language, template: Path | None, origin: str = "") -> Starter:
    """Return the starter in a language.

    Args:
        language: its first suffix is that of the file, unless the template has another one of the language.
        template: the user's file; None for the judge's own.
        origin: who names the template, for messages.

    Raises:
        UsageError: the template cannot be read, or the judge has none for the language.
    """
    if template is None:
        path = next(iter(sorted(_BUILT_IN.glob(f"{language.id}.*"))), None)
        if path is None:
            raise UsageError(f"there is no built-in template for {language.name}; name one with --template FILE")
        return Starter(suffix=language.file_suffix, template=path.read_bytes())
    if reason := find_file_error(template):
        place = f"{origin}: the template " if origin else "--template "
        raise UsageError(f"{place}{template} {reason}")
    suffix = template.suffix if template.suffix in language.suffixes else language.file_suffix
    return Starter(suffix=suffix, template=template.read_bytes(), origin=origin or str(template))
