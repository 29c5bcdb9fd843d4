"""Baseline files: the results of a problem's solutions, saved to compare with later. They may be committed.

`testcases/<id>/baseline.lock`, or `baseline-NAME.lock`: JSON with one line for each solution.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, convert

from judge.base.errors import DataError, Diagnostic, UsageError
from judge.base.files import read_regular, write_atomically
from judge.base.links import find_link_error
from judge.base.units import Bytes, Seconds
from judge.history.records import CaseRecord, SolutionRecord
from judge.model import Verdict

VERSION = 1
DEFAULT = "main"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Baseline(Struct, frozen=True, kw_only=True):
    """The content of a baseline file.

    Attributes:
        commit: commit of the repository when the baseline was saved; "" outside a git repository.
        machine: where times and memory were measured; those of another machine are not comparable.
    """

    commit: str = ""
    is_dirty: bool = False
    machine: str = ""
    records: Sequence[SolutionRecord] = ()


def check_name(name: str) -> None:
    """Check the name of a baseline.

    Raises:
        UsageError: the name cannot be part of a file name.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"invalid baseline name `{name}`: expected letters, digits, `.`, `_` and `-`, such as `main`")


def baseline_path(folder: Path, name: str) -> Path:
    """Return the path of a problem's baseline; `folder` is testcases/<id>."""
    return folder / ("baseline.lock" if name == DEFAULT else f"baseline-{name}.lock")


def list_baselines(folder: Path) -> list[str]:
    """Return the names of a problem's baselines."""
    names = [DEFAULT] if baseline_path(folder, DEFAULT).exists() else []
    found = sorted(path.name for path in folder.glob("baseline-*.lock"))
    return names + [name.removeprefix("baseline-").removesuffix(".lock") for name in found]


def write_baseline(path: Path, problem: str, baseline: Baseline) -> None:
    """Write a baseline file, one line for each solution so that diffs are readable.

    Raises:
        OSError: the file cannot be written.
    """
    head = {
        "version": VERSION,
        "problem": problem,
        "commit": baseline.commit,
        "dirty": baseline.is_dirty,
        "machine": baseline.machine,
    }
    lines = [f"    {json.dumps(record.solution)}: {json.dumps(_to_json(record))}" for record in baseline.records]
    members = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items())
    write_atomically(path, ("{\n" + members + '  "solutions": {\n' + ",\n".join(lines) + "\n  }\n}\n").encode())


def read_baseline(path: Path) -> Baseline:
    """Read a baseline file.

    Raises:
        DataError: the file cannot be read or is not a baseline of this version.
    """
    root = os.path.realpath(path.parents[2])  # of the repository: the file is testcases/ID/baseline.lock
    if fault := find_link_error(path, root):
        raise DataError([Diagnostic(path=path, message=fault)])
    try:
        loaded = json.loads(read_regular(path))
        if loaded["version"] != VERSION:
            raise ValueError(f"version {loaded['version']}")  # noqa: TRY301 - as what else is wrong with it
        return Baseline(
            commit=str(loaded["commit"]),
            is_dirty=bool(loaded["dirty"]),
            machine=str(loaded["machine"]),
            records=[_solution_record(str(loaded["problem"]), *item) for item in loaded["solutions"].items()],
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        cause = error.strerror if isinstance(error, OSError) else str(error) or type(error).__name__
        message = f"not a baseline file of version {VERSION} ({cause})"
        raise DataError([Diagnostic(path=path, message=message, fix="run `judge baseline save`")]) from error


def _to_json(record: SolutionRecord) -> Mapping[str, object]:
    return {
        "language": record.language,
        "expected": record.expected,
        "source": record.source,
        "verdict": record.verdict,
        "as_expected": record.as_expected,
        **({"score": record.score, "max_score": record.max_score} if record.score is not None else {}),
        "cases": {
            name: [
                case.verdict,
                case.output,
                case.data,
                round(case.cpu * 1000),
                case.memory >> 10,
                *([] if case.score is None else [case.score]),
            ]
            for name, case in record.cases.items()
        },
    }


def _solution_record(problem: str, solution: str, values: Any) -> SolutionRecord:
    cases = {
        name: CaseRecord(
            Verdict(verdict),
            Seconds(cpu_ms / 1000),
            Bytes(int(memory_kib) << 10),
            str(output),
            str(data),
            float(score[0]) if score else None,
        )
        for name, (verdict, output, data, cpu_ms, memory_kib, *score) in values["cases"].items()
    }
    given = {"problem": problem, "solution": solution, "source": bytes.fromhex(values["source"]).hex(), "cases": cases}
    return convert({**values, **given}, SolutionRecord)
