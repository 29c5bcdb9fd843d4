"""What people and data sets call a language, besides its id."""

import re
from functools import cache

from judge.languages.table import LANGUAGES

_ALIASES = {
    "py3": "python3", "c++": "cpp", "g++": "cpp", "node.js": "javascript", "nodejs": "javascript", "node": "javascript",
    "c#": "csharp", "golang": "go",
}  # fmt: skip
_VERSIONED = re.compile(r"(?P<name>[a-z][a-z+#. ]*?) ?-?v?(?P<version>\d[\w.]*)\b")


def find_language_id(text: str) -> str | None:
    """Return the id of the language that a word means: an id, a name, a suffix, also with a version as in `C++17`."""
    words, name = _words(), text.strip().lower()
    found = _VERSIONED.match(name.removeprefix("gnu "))
    if name in words or found is None:
        return words.get(name)
    base, version = found["name"].strip(), found["version"]
    if base in ("python", "py"):
        base = f"python{version[:1]}"
    return words.get(base) or words.get(base.split()[0])


@cache
def _words() -> dict[str, str]:
    words = {each.id: each.id for each in LANGUAGES}
    for each in LANGUAGES:
        name = each.name.lower()
        for word in (name, name.partition(" ")[0], *(suffix[1:].lower() for suffix in each.suffixes)):
            words.setdefault(word, each.id)
    return {word: each for word, each in _ALIASES.items() if each in words} | words
