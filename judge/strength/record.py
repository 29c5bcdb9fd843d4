"""The report of `judge strength` for programs; docs/strength.md describes it."""

from judge.strength.results import MutantResult, ProblemStrength


def strength_record(strength: ProblemStrength) -> dict[str, object]:
    """Return the report about one problem for programs."""
    return {
        "id": strength.id,
        "solutions": [
            {
                "path": solution.solution.display_path,
                "mutants": len(solution.results),
                "killed": solution.killed,
                "equivalent": solution.equivalent,
                "survivors": [_survivor_record(each) for each in solution.survivors],
            }
            for solution in strength.solutions
        ],
        "redundant_cases": list(strength.redundant),
    }


def _survivor_record(survivor: MutantResult) -> dict[str, object]:
    diff = _diff(survivor.before, survivor.after)
    record: dict[str, object] = {"line": survivor.mutant.line, "diff": diff, "label": str(survivor.label)}
    if survivor.killer is not None:
        record["killer"] = {
            "input": survivor.killer.input.decode(errors="replace"),
            "answer": survivor.killer.answer.decode(errors="replace"),
            "verdict": str(survivor.killer.verdict),
        }
    return record


def _diff(before: str, after: str) -> str:
    old, new = ([f"{mark} {line}" for line in text.splitlines()] for mark, text in (("-", before), ("+", after)))
    return "\n".join((*old, *new))
