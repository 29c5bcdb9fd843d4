"""The JSON Schemas of problem.yaml and testcases/*.yaml, derived from `fileformat`, for editors.

`python -m judge.problems.schema` writes them anew into judge/schemas.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from judge.problems.file_format import CasesFile, Entry, ProblemFile

FOLDER = Path(__file__).parent.parent / "schemas"
FILES: Mapping[str, tuple[type[msgspec.Struct], str]] = {
    "problem.schema.json": (ProblemFile, "problem.yaml"),
    "testcases.schema.json": (CasesFile, "testcases/<id>/<group>.yaml"),
}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text(name: str) -> str:
    """Return the JSON Schema that belongs into the file `name` of judge/schemas."""
    struct, title = FILES[name]
    _, components = msgspec.json.schema_components([struct], ref_template="#/$defs/{name}")
    for entry in Entry.__subclasses__():
        if described := components.get(entry.__name__):
            described["title"] = entry.__name__.removesuffix("Entry").lower()
            described |= {"allOf": [rule.schema() for rule in entry.rules]} if entry.rules else {}
    root = components.pop(struct.__name__)
    schema = {"$schema": _DIALECT, **root, "title": title, "$defs": components}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def main() -> None:
    """Write the shipped schemas."""
    for name in FILES:
        (FOLDER / name).write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
