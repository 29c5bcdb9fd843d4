"""The command that runs one case of one solution again, ready to be pasted into a shell."""

import glob
from collections.abc import Sequence
from pathlib import Path

from judge.events import RunEnded
from judge.model import Case, CheckerConfig, Expectation, Limits, Problem, RunResult, Solution, SolutionResult, Verdict
from judge.reporters.escape import Glyphs, one_line
from judge.units import format_bytes, format_seconds

MEANING: dict[Verdict, str] = {
    Verdict.AC: "accepted",
    Verdict.WA: "wrong answer",
    Verdict.PE: "presentation error",
    Verdict.TLE: "time limit exceeded",
    Verdict.MLE: "memory limit exceeded",
    Verdict.OLE: "output limit exceeded",
    Verdict.RTE: "run-time error",
    Verdict.CE: "compile error",
    Verdict.JE: "judge error, not the solution's fault",
    Verdict.SK: "skipped",
}


def count(number: int, noun: str) -> str:
    """Return `1 case`, `2 cases`, `1,000 cases`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def either(words: list[str]) -> str:
    """Join alternatives: `TLE, RTE or MLE`."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def full_name(problem: Problem, result: SolutionResult, marks: Glyphs) -> str:
    """Return the problem's id and the solution's name."""
    return f"{one_line(problem.id, marks)} {name_of(problem, result, marks)}"


def name_of(problem: Problem, result: SolutionResult, marks: Glyphs) -> str:
    """Return the solution's path below the problem's solutions folder, or as the user typed it."""
    below = path_in_solutions(problem, result.solution)
    return one_line(result.solution.shown if below is None else below.as_posix(), marks)


def checker(config: CheckerConfig) -> str:
    """Return the checker with those options that are not the default: `tokens, float_relative_tolerance 1e-06`."""
    options = [
        f"{option} {value:g}" if isinstance(value, float) else option
        for option in (
            "case_sensitive",
            "space_change_sensitive",
            "float_absolute_tolerance",
            "float_relative_tolerance",
        )
        if (value := getattr(config, option)) not in (None, False)
    ]
    return f"checker {', '.join([config.name, *options])}"


def memory(run: RunResult) -> str:
    """Return the peak memory; `<=` where starting the program alone takes as much."""
    return f"{'<= ' if run.is_memory_floor else ''}{format_bytes(run.memory)}"


def limits(values: Limits) -> str:
    """Return the two limits that decide most."""
    return f"{format_seconds(values.cpu)}, {format_bytes(values.memory)}"


def expected(result: SolutionResult) -> str:
    """Return what the solution should earn: `expected TLE, MLE or RTE`."""
    required = [verdict.value for verdict in Verdict if verdict in result.solution.expectation.required]
    return "expected any verdict but AC" if len(required) > 4 else f"expected {either(required)}"


def got(result: SolutionResult) -> str:
    """Return the verdicts that were not expected: `WA`, `WA and TLE`; the solution's verdict when there is none."""
    unexpected = dict.fromkeys(case.verdict.value for case in result.failures)
    return " and ".join(unexpected) or result.verdict.value


def wanted(expectation: Expectation) -> str:
    """Return what a solution should earn in a word: `WA`, `TLE|MLE|RTE`, `rejected`."""
    return expectation.name if len(expectation.required) > 4 else str(expectation)


def passed(result: SolutionResult) -> str:
    """Return accepted cases against those judged: `41/42`."""
    return f"{result.counts.get(Verdict.AC, 0)}/{result.total - skipped(result)}"


def skipped(result: SolutionResult) -> int:
    """Return how many cases were not judged."""
    return result.counts.get(Verdict.SK, 0)


def cached(result: SolutionResult) -> str:
    """Return how many results were known from earlier runs: `all`, `12`, or nothing."""
    judged = result.total - skipped(result)
    return "" if not result.cached else "all" if result.cached >= judged else f"{result.cached:,}"


def never_came(result: SolutionResult) -> str:
    """Say that no case earned a verdict that the solution should have earned at least once."""
    wanted = f"{expected(result)} on at least one case"
    judged = result.total - skipped(result)
    if not judged:
        return f"{wanted}, but no case was judged{', all were skipped' if result.total else ''}"
    accepted = result.counts.get(Verdict.AC, 0)
    if accepted < judged:
        return f"{wanted}, got {tally(result)}"
    all_of_them = "the only one was" if judged == 1 else f"all {judged:,} were"
    return f"{wanted}, {all_of_them} accepted: {_too_weak(result)}"


def _too_weak(result: SolutionResult) -> str:
    if result.solution.expectation.required & {Verdict.WA, Verdict.PE}:
        return "the cases do not catch its mistake, or it is right"
    return "the cases ask too little of it, or it is good enough"


def tally(result: SolutionResult) -> str:
    """Return how many cases got which verdict: `40 AC, 2 WA`."""
    return ", ".join(f"{number:,} {verdict}" for verdict in Verdict if (number := result.counts.get(verdict, 0)))


def used(run: RunResult, most: Limits) -> str:
    """Return what a run used against its limits."""
    return (
        f"{format_seconds(run.cpu)} of {format_seconds(most.cpu)} CPU, {format_seconds(run.wall)} elapsed, "
        f"{memory(run)} of {format_bytes(most.memory)}"
    )


def outcome(end: RunEnded, not_judged: int = 0) -> str:
    """Return the summary's first part: how many solutions did what they should."""
    if end.interrupted and not end.solutions:
        return "interrupted before any solution was judged"
    rest = [f"{not_judged:,} not judged"] if not_judged else []
    rest += [count(end.surprises, "surprise")] if end.surprises else []
    if not (end.as_expected or end.surprises or end.had_errors or end.interrupted):
        rest.append("but nothing was run")
    good = end.solutions - end.surprises - not_judged
    if good == end.solutions == 2 and not end.interrupted:
        share = "both solutions"
    elif good == end.solutions and not end.interrupted:
        share = f"{'all ' if good > 1 else ''}{count(good, 'solution')}"
    else:
        share = f"{good:,} of {count(end.solutions, 'solution')}"
    text = ", ".join([f"{share} as expected", *rest])
    return f"interrupted: {text}, so far" if end.interrupted else text


def effort(end: RunEnded) -> str:
    """Return how much was run and how long it took."""
    cached = f", {end.cached:,} from the cache," if end.cached else ""
    return f"{count(end.runs, 'run')}{cached} in {format_seconds(end.wall)}"


def rerun_command(
    problem: Problem,
    solution: Solution,
    case: Case | None = None,
    *,
    options: Sequence[str] = (),
    ascii_only: bool = False,
) -> str:
    """Return the command; without a case it runs all of them.

    A file in the problem's solutions folder says by its place which problem it solves. For any other the command names
    the problem, if there is one. `options` are those of the first run that matter, `--cases DIR` among them.
    """
    file = _no_option(solution.shown)
    if problem.folder is None:
        words = ["judge", "run", "--solution", file]
    elif path_in_solutions(problem, solution) is None:
        words = ["judge", "run", problem.id, "--solution", file]
    else:
        words = ["judge", "run", file]
    words += options
    if case is not None:
        words += ["--case", glob.escape(case.id)]
    return " ".join(quoted(word, ascii_only=ascii_only) for word in words)


def path_in_solutions(problem: Problem, solution: Solution) -> Path | None:
    """Return the solution's path below `solutions/<id>/`, beside the folder of problems; None when it is elsewhere."""
    if problem.folder is None:
        return None
    home = problem.folder.parent.parent / "solutions" / problem.id
    return solution.path.relative_to(home) if solution.path.is_relative_to(home) else None


def quoted(word: str, *, ascii_only: bool = False) -> str:
    """Quote one word for a shell; what a terminal must not or cannot show raw becomes `$'...'`."""
    from shlex import quote  # it takes 2 ms to import, and most reports have no command

    return quote(word) if word.isprintable() and (word.isascii() or not ascii_only) else _ansi_c(word)


def _ansi_c(word: str) -> str:
    """Quote as POSIX 2024 and all common shells read it: dollar-single-quotes."""
    raw = word.encode("utf-8", "surrogateescape")
    return "$'" + "".join(chr(byte) if _plain(byte) else f"\\x{byte:02x}" for byte in raw) + "'"


def _plain(byte: int) -> bool:
    return 0x20 <= byte < 0x7F and byte not in b"\\'"


def _no_option(path: str) -> str:
    """Keep a path that starts with a dash from being read as an option."""
    return f"./{path}" if path.startswith("-") else path
