"""The JSON Schemas of problem.yaml and testcases/*.yaml for editors, derived from `file_format`.

`python -m judge.problems.schema` writes them to judge/schemas.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judge.problems.file_format import CASES_FILE, PROBLEM_FILE
from judge.problems.yaml.types import Fields, Schema, Type

FOLDER = Path(__file__).parent.parent / "schemas"
FILES: Mapping[str, tuple[Fields[Any, Any], str]] = {
    "problem.schema.json": (PROBLEM_FILE, "problem.yaml"),
    "testcases.schema.json": (CASES_FILE, "testcases/<id>/<group>.yaml"),
}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_text(name: str) -> str:
    """Return the content of the file `name` of judge/schemas."""
    fields, title = FILES[name]
    schema = {"$schema": _DIALECT, **fields.definition(), "title": title, "$defs": _definitions(fields)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _definitions(kind: Type[object]) -> Schema:
    found: Schema = {}
    for part in kind.parts:
        if isinstance(part, Fields):
            found[part.name] = part.definition()
        found |= _definitions(part)
    return found


def main() -> None:
    """Write the shipped schemas."""
    for name in FILES:
        (FOLDER / name).write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
