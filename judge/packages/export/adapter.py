"""Programs that judge by one protocol, as source text that is called by the other one."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from judge.base.errors import JudgeError
from judge.judging.programs import TESTLIB
from judge.languages.program_source import read_source
from judge.languages.source import PROGRAM
from judge.model.programs import Protocol

SCAFFOLD = Path(__file__).parents[2] / "scaffold"
_TEMPLATES = {"cpp": "adapter.cpp", "python3": "adapter.py", "pypy3": "adapter.py"}


def adapt(source: Path, text: bytes, protocol: Protocol, role: str, args: Sequence[str] = ()) -> bytes | None:
    """Return a program by the other protocol as one by `protocol`; None in a language other than C++ and Python.

    By that of testlib, a validator rejects with 3 (`_fail` of testlib.h), others with 1 (`_wa`).
    """
    try:
        template = _TEMPLATES.get(read_source(source, PROGRAM).language.id)
    except (JudgeError, OSError):  # whatever is wrong, it cannot be judged here either
        template = None
    if template is None:
        return None
    code, is_validator = text.decode(errors="surrogateescape"), role == "validator"
    values = {
        "NAME": source.name,
        "ROLES": f"{role}s",
        "ROLE": role,
        "REJECTED": "3" if is_validator else "1",
        "FAILED": "43" if is_validator else "1",
        "INCLUDE": f'#include "{TESTLIB}"' if TESTLIB in code else "",
        "ARGS": ", ".join(map(json.dumps, args)),
        "SOURCE": code if template.endswith(".cpp") else ascii(code),
    }
    folder = "icpc" if protocol is Protocol.ICPC else "polygon"
    return fill((SCAFFOLD / folder / template).read_text(), values).encode(errors="surrogateescape")


def fill(text: str, values: Mapping[str, str]) -> str:
    """Replace `@NAME@` by a value."""
    return re.sub("@([A-Z_]+)@", lambda match: values.get(match[1], match[0]), text)
