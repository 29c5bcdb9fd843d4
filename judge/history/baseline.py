"""Baseline files: what the solutions of a problem did at a time that is worth comparing with. They may be committed.

`testcases/<id>/baseline.lock`, or `baseline-NAME.lock`; JSON with a line for each solution.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judge.errors import DataError, Diagnostic, UsageError
from judge.files import write_atomically
from judge.history.records import CaseRecord, SolutionRecord
from judge.model import Verdict
from judge.units import Bytes, Seconds

VERSION = 1
DEFAULT = "main"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What stands in a baseline file.

    Attributes:
        commit: of the repository when it was saved; "" where there was none.
        is_dirty: files differed from that commit.
        machine: on which machine times and memory were measured; another one's cannot be compared.
        sheets: one for each solution.
    """

    commit: str = ""
    is_dirty: bool = False
    machine: str = ""
    sheets: Sequence[SolutionRecord] = ()


def check_name(name: str) -> None:
    """Refuse what cannot be part of a file's name.

    Raises:
        UsageError: it cannot.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"`{name}` is no name for a baseline: expected letters, digits, `.`, `_` and `-`, such as `main`"
        )


def path_of(folder: Path, name: str) -> Path:
    """Return the file of a problem's baseline; `folder` is testcases/<id>."""
    return folder / ("baseline.lock" if name == DEFAULT else f"baseline-{name}.lock")


def names_in(folder: Path) -> list[str]:
    """Return the names of a problem's baselines."""
    names = [DEFAULT] if path_of(folder, DEFAULT).exists() else []
    found = sorted(path.name for path in folder.glob("baseline-*.lock"))
    return names + [name.removeprefix("baseline-").removesuffix(".lock") for name in found]


def write(path: Path, problem: str, baseline: Baseline) -> None:
    """Write a baseline file, a solution a line so that changes read well in a diff.

    Raises:
        OSError: it cannot be written.
    """
    head = {
        "version": VERSION,
        "problem": problem,
        "commit": baseline.commit,
        "dirty": baseline.is_dirty,
        "machine": baseline.machine,
    }
    lines = [f"    {json.dumps(sheet.solution)}: {json.dumps(_record(sheet))}" for sheet in baseline.sheets]
    members = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    write_atomically(path, ("{\n" + members + '  "solutions": {\n' + ",\n".join(lines) + "\n  }\n}\n").encode())


def read(path: Path) -> Baseline:
    """Read a baseline file.

    Raises:
        DataError: it is no baseline file of this version.
    """
    try:
        return _from_json(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        what = error.strerror if isinstance(error, OSError) else str(error) or type(error).__name__
        message = f"this is no baseline of version {VERSION} ({what}); `judge baseline save` writes it anew"
        raise DataError([Diagnostic(path=path, message=message)]) from error


def _record(sheet: SolutionRecord) -> Mapping[str, object]:
    return {
        "language": sheet.language,
        "expected": sheet.expected,
        "source": sheet.source,
        "verdict": sheet.verdict,
        "as_expected": sheet.as_expected,
        "cases": {
            name: [mark.verdict, mark.output, mark.data, round(mark.cpu * 1000), mark.memory >> 10]
            for name, mark in sheet.marks.items()
        },
    }


def _from_json(loaded: Any) -> Baseline:
    if loaded["version"] != VERSION:
        raise ValueError(f"version {loaded['version']}")
    return Baseline(
        commit=str(loaded["commit"]),
        is_dirty=bool(loaded["dirty"]),
        machine=str(loaded["machine"]),
        sheets=[_sheet(str(loaded["problem"]), name, record) for name, record in loaded["solutions"].items()],
    )


def _sheet(problem: str, name: str, record: Any) -> SolutionRecord:
    return SolutionRecord(
        problem=problem,
        solution=name,
        language=str(record["language"]),
        expected=str(record["expected"]),
        source=bytes.fromhex(record["source"]).hex(),
        verdict=Verdict(record["verdict"]),
        as_expected=bool(record["as_expected"]),
        marks={case: _mark(*values) for case, values in record["cases"].items()},
    )


def _mark(verdict: str, output: str, data: str, cpu_ms: int, memory_kib: int) -> CaseRecord:
    return CaseRecord(Verdict(verdict), Seconds(cpu_ms / 1000), Bytes(memory_kib << 10), str(output), str(data))
