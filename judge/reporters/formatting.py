"""Results and options as short texts, and the command that reruns a case. Nothing here loads `rich`."""

import glob
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judge.base.files import as_word
from judge.base.units import format_bytes, format_count, format_score, format_seconds
from judge.model import (
    Case,
    CaseResult,
    CheckerConfig,
    Expectation,
    Level,
    Limits,
    Problem,
    ProblemType,
    RunResult,
    Solution,
    SolutionResult,
    Verdict,
)
from judge.model.events import RunEnded
from judge.problems.paths import is_archive
from judge.reporters.escape import PLAIN, Glyphs, one_line

if TYPE_CHECKING:  # few problems have groups
    from judge.model.groups import TestGroup

VERDICT_NAMES: dict[Verdict, str] = {
    Verdict.AC: "accepted",
    Verdict.WA: "wrong answer",
    Verdict.PE: "presentation error",
    Verdict.TLE: "time limit exceeded",
    Verdict.MLE: "memory limit exceeded",
    Verdict.OLE: "output limit exceeded",
    Verdict.RTE: "run-time error",
    Verdict.CE: "compile error",
    Verdict.NA: "no answer",
    Verdict.JE: "judge error",
    Verdict.SK: "skipped",
}
_LEVELS = {
    Level.FULL: "sandbox full",
    Level.LANDLOCK: "sandbox landlock (no namespaces)",
    Level.LIMITS: "sandbox limits (resource limits only)",
}
_MANY = 4  # expectations of more verdicts are written as "any verdict except AC"


def describe_undecided(result: SolutionResult) -> str:
    """Return what to say of a solution that is as expected only because some cases were not judged."""
    if result.unfinished:
        return f"interrupted, {format_count(result.unfinished, 'case')} left"
    return "the judged cases do not expose it"


# ---- lists and numbers --------------------------------------------------------------------------------------------


def join_alternatives(words: list[str]) -> str:
    """Return `TLE, RTE or MLE`."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def list_some(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are: `a, b and 3 more`."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def full_name(problem: Problem, result: SolutionResult, glyphs: Glyphs) -> str:
    """Return the problem's id and the solution's name; without a problem only the name."""
    name = solution_name(problem, result, glyphs)
    return name if problem.folder is None else f"{one_line(problem.id, glyphs)} {name}"


def solution_name(problem: Problem, result: SolutionResult, glyphs: Glyphs) -> str:
    """Return the path of a solution within the problem's solutions folder, or else its display path."""
    path = path_in_solutions(problem, result.solution)
    return one_line(result.solution.display_path if path is None else path.as_posix(), glyphs)


def describe_rules(problem: Problem) -> list[str]:
    """Return the limits of a problem, and what decides on outputs."""
    return [format_limits(problem.limits), describe_judging(problem)]


def describe_judging(problem: Problem) -> str:
    """Return what decides on outputs: `checker tokens`, or `interactor talk.py (icpc), at most 3 passes`."""
    text = describe_checker(problem.checker)
    if problem.interactor is not None:
        if problem.interactor == problem.checker.program:
            text = text.replace("checker", "interactor", 1)
        else:
            name = one_line(problem.interactor.source.name, PLAIN)
            text = f"interactor {name} ({problem.interactor.protocol}), {text}"
    return f"{text}, at most {problem.passes} passes" if problem.passes > 1 else text


def describe_checker(config: CheckerConfig) -> str:
    """Return the checker and the options that are not the default: `tokens, float_relative_tolerance 1e-06`."""
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
    if config.program is not None:
        names = ", ".join(each.source.name for each in (config.program, *config.program.others))
        words = [word if word.isprintable() else ascii(word) for word in (names, *config.args)]
        return f"checker {' '.join(words)} ({config.program.protocol})"
    return f"checker {', '.join([config.name, *options])}"


def format_limits(limits: Limits) -> str:
    """Return the CPU and the memory limit."""
    return f"{format_seconds(limits.cpu)}, {format_bytes(limits.memory)}"


def format_memory(run: RunResult) -> str:
    """Return the peak memory; with `<=` if starting the program takes as much."""
    return f"{'<= ' if run.is_memory_upper_bound else ''}{format_bytes(run.memory)}"


def describe_usage(run: RunResult, limits: Limits) -> str:
    """Return what a run used, with its limits."""
    return (
        f"{format_seconds(run.cpu)} of {format_seconds(limits.cpu)} CPU, {format_seconds(run.wall)} wall, "
        f"{format_memory(run)} of {format_bytes(limits.memory)}"
    )


def describe_level(level: Level | None) -> str:
    """Return the sandbox level of the runs; None if no run was started."""
    return "sandbox not started" if level is None else _LEVELS[level]


def describe_expectation(result: SolutionResult) -> str:
    """Return the verdicts that a solution must get: `expected TLE, MLE or RTE`."""
    if any(each.partial for each in result.solution.expectation.more):
        return "expected a partial score"
    required = [verdict.value for verdict in Verdict if verdict in result.solution.expectation.required]
    return f"expected {'any verdict except AC' if len(required) > _MANY else join_alternatives(required)}"


def label_expectation(expectation: Expectation) -> str:
    """Return an expectation as one word: `WA`, `TLE|MLE|RTE`, `rejected`."""
    return (expectation.name or "anything") if len(expectation.required) > _MANY else str(expectation)


def describe_verdict(result: SolutionResult) -> str:
    """Return the unexpected verdicts, such as `WA` or `WA and TLE`; the verdict of the solution if there are none."""
    unexpected = dict.fromkeys(case.verdict.value for case in result.failures)
    return " and ".join(unexpected) or result.verdict.value


def describe_mismatch(problem: Problem, result: SolutionResult) -> str:
    """Return the unexpected verdicts and the expected ones: `WA, expected TLE`; of a lone file only the verdicts.

    If nothing but a requirement besides verdicts is not met, return that: `score 20, expected 100`.
    """
    if result.unmet and not result.failures:
        return list_some(result.unmet, 1)
    verdict = describe_verdict(result)
    return verdict if is_lone(problem, result) else f"{verdict}, {describe_expectation(result)}"


def is_lone(problem: Problem, result: SolutionResult) -> bool:
    """Return whether a file is only to be accepted: it is not one of the problem's solutions, or has other cases."""
    expects_more = result.solution.expectation.name != "accepted"
    has_other_cases = "--cases" in result.rerun_args
    return not expects_more and (has_other_cases or path_in_solutions(problem, result.solution) is None)


def deciding_case(result: SolutionResult) -> tuple[str, CaseResult] | None:
    """Return the failing case with its run, or else the slowest, and which of the two it is; None if nothing ran."""
    failed = result.failures[0] if result.failures else result.first_failed
    if failed is not None and failed.run is not None:
        return "failed", failed
    return ("slowest", result.slowest) if result.slowest and result.slowest.run else None


def describe_failure(failure: CaseResult, glyphs: Glyphs) -> str:
    """Return the verdict on a case and its reason as one line: `WA: line 1, token 1: expected ..., found ...`."""
    return f"{failure.verdict}: {one_line(failure.reason, glyphs) or VERDICT_NAMES[failure.verdict]}"


def compiler_text(result: SolutionResult) -> str:
    """Return what the compiler wrote about a solution that should compile, if it is more than its first error."""
    text = next((each.message for each in result.failures if each.verdict is Verdict.CE), "")
    return text if "\n" in text else ""


def crash_line(source: Path, result: CaseResult) -> int:
    """Return the line of a source at which a run ended, by its exception or its standard error; 0 if unknown."""
    if result.run is None:
        return 0
    return result.run.crash_line or last_line(source, result.run.stderr_tail.decode(errors="replace"))


def last_line(source: Path, text: str) -> int:
    """Return the line of a source that a text names last, such as a traceback; 0 if it names none."""
    name = re.escape(source.name)
    found = re.findall(rf'{name}(?::|", line )([0-9]+)', text) or re.findall(r"^line ([0-9]+)", text)
    return int(found[-1]) if found else 0


def describe_missing_verdict(result: SolutionResult) -> str:
    """Say which verdict that the solution must get no case got, and what else it does not meet."""
    is_missing = not result.solution.expectation.has_required(result.counts, result.verdict)
    return "; ".join([*([_describe_missing(result)] if is_missing or not result.unmet else []), *result.unmet])


def _describe_missing(result: SolutionResult) -> str:
    expected = f"{describe_expectation(result)} on at least one case"
    judged = result.judged
    if not judged:
        return f"{expected}, but no case was judged{': all were skipped' if result.total else ''}"
    if result.counts.get(Verdict.AC, 0) < judged:
        counts = (f"{number:,} {verdict}" for verdict in Verdict if (number := result.counts.get(verdict, 0)))
        return f"{expected}, got {', '.join(counts)}"
    accepted = "the only one was accepted" if judged == 1 else f"all {judged:,} were accepted"
    if result.solution.expectation.required & {Verdict.WA, Verdict.PE}:
        return f"{expected}, but {accepted}: the cases do not catch the mistake, or the solution is correct"
    return f"{expected}, but {accepted}: the cases are too easy, or the solution is good enough"


def passed_share(result: SolutionResult) -> str:
    """Return how many of the judged cases were accepted: `41/42`."""
    return f"{result.counts.get(Verdict.AC, 0)}/{result.judged}"


def count_skipped(result: SolutionResult) -> int:
    """Return how many cases were not judged."""
    return result.counts.get(Verdict.SK, 0)


def count_unavailable(result: SolutionResult) -> int:
    """Return how many cases were not judged because something is not on this machine."""
    return count_skipped(result) - result.not_judged - result.omitted


def count_unanswered(result: SolutionResult) -> int:
    """Return on how many cases the output was compared with nothing."""
    return result.counts.get(Verdict.NA, 0)


def cached_share(result: SolutionResult) -> str:
    """Return how many results came from the cache: `all`, `12`, or "" for none."""
    judged = result.total - count_skipped(result)
    return "" if not result.cached else "all" if result.cached >= judged else f"{result.cached:,}"


def describe_score(score: float | None, maximum: float | None) -> str:
    """Return a score and the maximum, if there is one: `20 of 100`; `-` without a score."""
    text = "-" if score is None else format_score(score)
    return text if maximum is None else f"{text} of {format_score(maximum)}"


def describe_points(root: "TestGroup") -> str:
    """Return the points of the innermost groups: `small 30, large 50 (requires small)`."""
    parts = []
    for group in root.walk():
        if not group.groups:
            points = "" if group.max_score is None else f" {format_score(group.max_score)}"
            required = f" (requires {', '.join(group.require_pass)})" if group.require_pass else ""
            parts.append(f"{one_line(group.name, PLAIN)}{points}{required}")
    return ", ".join(parts)


def describe_effort(end: RunEnded) -> str:
    """Return how many programs were run, and how long that took."""
    cached = f", {end.cached:,} from the cache," if end.cached else ""
    return f"{format_count(end.runs, 'run')}{cached} in {format_seconds(end.wall)}"


def rerun_command(
    problem: Problem,
    solution: Solution,
    case: Case | None = None,
    *,
    options: Sequence[str] = (),
    ascii_only: bool = False,
) -> str:
    """Return a shell command that judges a solution again, on one case or on all cases.

    The command names the problem, unless the solution is in the problem's solutions folder or there is only a folder of
    cases. A solution of a package is named with its path in the package.
    `options` are those of the first run that matter, including `--cases DIR`; without a case, all cases are judged.
    """
    words = ["judge", "run", *_target_words(problem, solution), *options]
    if case is not None:
        words += ["--case", glob.escape(case.id)]
    return " ".join(quote_word(word, ascii_only=ascii_only) for word in words)


def hack_command(problem: Problem, result: SolutionResult, *, ascii_only: bool) -> str:
    """Return a shell command that searches for an input on which a solution fails; "" if all is well with it.

    That is for solutions that must fail on a case of the problem and were accepted on all of them. Problems that want
    outputs in place of programs have no other inputs.
    """
    is_accepted = 0 < result.counts.get(Verdict.AC, 0) == result.total
    must_fail = result.solution.expectation.required - {Verdict.AC, Verdict.CE}
    has_inputs = problem.folder is not None and ProblemType.SUBMIT_ANSWER not in problem.types
    if not (is_accepted and must_fail and has_inputs) or "--cases" in result.rerun_args:
        return ""
    words = ["judge", "hack", *_target_words(problem, result.solution)]
    return " ".join(quote_word(word, ascii_only=ascii_only) for word in words)


def _target_words(problem: Problem, solution: Solution) -> list[str]:
    """Return the words after `judge run` or `judge hack` that select a solution."""
    file = as_word(solution.display_path)
    if problem.folder is None:
        return ["--solution", file]
    if problem.is_package:  # its own solutions by their paths, except in a zip file
        target = problem.target or str(problem.folder)
        if path_in_solutions(problem, solution) is None or is_archive(Path(target)):
            return [target, "--solution", file]
        return [str(Path(target) / file)]
    return [problem.id, "--solution", file] if path_in_solutions(problem, solution) is None else [file]


def path_in_solutions(problem: Problem, solution: Solution) -> Path | None:
    """Return the path of a solution within `solutions/<id>/` of the repository, or the folder of a package's own.

    None if it is elsewhere.
    """
    if problem.folder is None:
        return None
    folder = problem.folder.parent.parent / "solutions" / problem.id
    if problem.is_package:
        folder = problem.folder / ("solutions" if problem.format == "polygon" else "submissions")
    return solution.path.relative_to(folder) if solution.path.is_relative_to(folder) else None


def quote_word(word: str, *, ascii_only: bool = False) -> str:
    """Quote a word for a shell; a word with characters that a terminal cannot show becomes `$'...'` (POSIX 2024)."""
    from shlex import quote  # the import takes 2 ms, and most reports contain no command

    if word.isprintable() and (word.isascii() or not ascii_only):
        return quote(word)
    raw = word.encode("utf-8", "surrogateescape")
    parts = (chr(each) if 0x20 <= each < 0x7F and each not in b"\\'" else f"\\x{each:02x}" for each in raw)
    return f"$'{''.join(parts)}'"
