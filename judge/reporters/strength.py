"""The report of `judge strength`: what the cases kill, and every survivor as a diff."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.base.units import format_count
from judge.reporters.escape import Glyphs, one_line, shorten
from judge.reporters.formatting import list_some
from judge.strength.results import Killer, Label, MutantResult, ProblemStrength, SolutionStrength

MEANING = {
    Label.UNREACHED: "no case executes this",
    Label.REACHED: "some case executes this",
    Label.INFECTED: "the value differs in some case, but no answer does",
    Label.EQUIVALENT: "the value never differs: probably equivalent",
}


def render_strength(strength: ProblemStrength, columns: int, glyphs: Glyphs, *, verbose: bool) -> str:
    """Return the report as text.

    Args:
        strength: what was measured.
        columns: of the terminal; longer lines of code are cut.
        glyphs: of the terminal.
        verbose: show survivors that count as equivalent, too, and the kills of all cases.
    """
    return "\n".join(_Report(strength, columns, glyphs, verbose=verbose).lines()) + "\n"


class _Report:
    """The report about one problem."""

    def __init__(self, strength: ProblemStrength, columns: int, glyphs: Glyphs, *, verbose: bool) -> None:
        self.strength = strength
        self.columns = max(columns, 40)
        self.glyphs = glyphs
        self.verbose = verbose
        self.killed_by: dict[bytes, str] = {}  # the survivor that each input was shown with

    def lines(self) -> Iterator[str]:
        for part in (self.header, self.survivors, self.groups, self.wrong, self.faults, self.cases):
            yield from part()

    def header(self) -> Iterator[str]:
        strength = self.strength
        killable = strength.mutants - strength.equivalent
        yield (
            f"{strength.id}: {strength.ratio:.1%}: {strength.killed} of {format_count(killable, 'mutant')} killed"
            f" ({strength.mutants} in all, {strength.equivalent} probably equivalent)"
        )
        names = [self._show(each.solution.display_path) for each in strength.solutions]
        width = max(map(len, names), default=0)
        for name, each in zip(names, strength.solutions, strict=True):
            left = len(each.results) - each.killed - each.equivalent
            mutants = len(each.results)
            text = f"{mutants:>4} {'mutant, ' if mutants == 1 else 'mutants,'} {each.killed:>4} killed"
            text += f", {each.equivalent:>2} equivalent" if each.equivalent else ""
            yield f"  {name:<{width}}  {text}" + (f", {left} left" if left else "")
        for name, reason in strength.skipped:
            yield f"  {self._show(name)}: no mutants: {self._show(reason)}"

    def survivors(self) -> Iterator[str]:
        strength = self.strength
        shown = [
            (solution, each)
            for solution in strength.solutions
            for each in solution.survivors
            if self.verbose or not (each.is_equivalent or each.reason)
        ]
        hidden = strength.mutants - strength.killed - len(shown)
        if shown:
            yield ""
            yield "survivors:"
        for solution, each in shown:
            yield from self.survivor(solution, each)
        if hidden:
            yield f"  {format_count(hidden, 'survivor')} equivalent or accepted: -v shows them"

    def survivor(self, solution: SolutionStrength, each: MutantResult) -> Iterator[str]:
        label = each.label or Label.REACHED
        place = f"{self._show(solution.solution.display_path)}:{each.mutant.line}"
        yield f"  {place}: {label} ({MEANING[label]}); {each.mutant.operator}"
        before, after = self._show_change(each.before), self._show_change(each.after)
        pairs = enumerate(zip(before[0], after[0], strict=False))
        first = next((at for at, (left, right) in pairs if left != right), 0)
        for mark, lines in (("-", before), ("+", after)):
            for line in lines:
                yield f"    {mark} {self._cut_around(line, first)}"
        if each.reason:
            yield f"    accepted: {self._show(each.reason)}"
        if each.killer:
            yield from self.killer(each.killer, place)

    def killer(self, killer: Killer, place: str) -> Iterator[str]:
        if first := self.killed_by.get(killer.input):
            yield f"    killed by the input that kills {first}"
            return
        self.killed_by[killer.input] = place
        yield f"    killed by an input that no case has ({killer.origin}; --keep adds it):"
        lines = killer.input.decode(errors="replace").splitlines()
        for line in lines[:6]:
            yield f"      {shorten(self._show(line), self.columns - 6, self.glyphs.ellipsis)}"
        if len(lines) > 6:
            yield f"      {self.glyphs.ellipsis} {len(lines) - 6} more lines"

    def groups(self) -> Iterator[str]:
        groups = self.strength.groups
        yield ""
        wrong = len(self.strength.wrong)
        found = ", wrong solutions found" if wrong else ""
        yield f"strength by group (mutants killed, limits passed{found}; the mean; mutants added to those above):"
        width = max((len(self._show(each.group)) for each in groups), default=0)
        killable = self.strength.mutants - self.strength.equivalent
        for each in groups:
            alone, score = (
                "     -" if value is None else f"{value:>6.1%}"
                for value in (each.alone and each.alone / (killable or 1), each.score)
            )
            shares = f"{alone}  {each.limits:>6.1%}  " + (f"{each.wrong:>2} of {wrong}  " if wrong else "")
            cases = format_count(each.cases, "case")
            yield f"  {self._show(each.group):<{width}}  {shares}{score}  +{each.added:<5} {cases}"

    def wrong(self) -> Iterator[str]:
        wrong = self.strength.wrong
        if wrong:
            missed = [each.solution.display_path for each in wrong if not each.is_killed]
            yield ""
            yield f"wrong solutions: {len(wrong) - len(missed)} of {len(wrong)} found"
            for name in missed:
                yield f"  no case finds {self._show(name)}"

    def faults(self) -> Iterator[str]:
        if self.strength.notes:
            yield ""
        for note in self.strength.notes:
            yield f"note: {self._show(note)}"
        if self.strength.faults:
            yield ""
            yield "checkers and validators:"
        cases: dict[tuple[Path, str, str, str], list[str]] = {}
        for each in self.strength.faults:
            cases.setdefault((each.program, each.kind, each.change, each.detail), []).append(each.case)
        for (program, kind, change, detail), names in cases.items():
            why = f": {self._show(detail)}" if detail else ""
            yield f"  {program}: {kind}: {self._names(names)} with {change}{why}"

    def cases(self) -> Iterator[str]:
        ordered = sorted(self.strength.kills.items(), key=lambda item: (-item[1], item[0]))
        most = len(ordered) if self.verbose else 8  # cases with the most kills that are shown
        yield ""
        yield "first kills by case: " + ", ".join(f"{self._show(case)} {kills}" for case, kills in ordered[:most])
        if self.strength.redundant:
            yield f"redundant (the others kill the same): {self._names(self.strength.redundant)}"

    def _names(self, names: Sequence[str]) -> str:
        return list_some([*map(self._show, names)], len(names) if self.verbose else 6)

    def _show_change(self, text: str) -> list[str]:
        return [self._show(line.strip()) for line in text.splitlines() if line.strip()] or [""]

    def _cut_around(self, text: str, place: int) -> str:
        """Cut a line so that a place in it is shown."""
        most = self.columns - 6
        start = max(0, min(place - most // 2, len(text) - most)) if len(text) > most else 0
        if not start:
            return shorten(text, most, self.glyphs.ellipsis)
        return shorten(self.glyphs.ellipsis + text[start + 3 :], most, self.glyphs.ellipsis)

    def _show(self, text: str) -> str:
        return one_line(text, self.glyphs)
