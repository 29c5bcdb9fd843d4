"""Searches for inputs that kill survivors, with the search of `judge hack`, and writes them as cases.

Each survivor in turn is the submission; an accepted solution answers. What kills one survivor is tried on the others
before they are searched, too. An input counts only if the solution that the mutant was made of is accepted on it, with
the limits of the problem: else two accepted solutions disagree, which is reported, or the input is too large for both.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import JudgeError, UsageError, describe_error, shorten
from judge.base.units import Seconds, format_count
from judge.hack.hack_request import HackRequest
from judge.hack.hacking import HackContext
from judge.hack.values import Counterexample, NamedProgram, SearchOptions
from judge.languages.build import CompileError
from judge.model import Problem, Verdict
from judge.problems.added_cases import NewCase, add_cases
from judge.runner.executors import Interrupted
from judge.runner.options import ProblemSelection
from judge.runner.solution import judge_job
from judge.sandbox.box import Box
from judge.strength.mutants import MutatedSolution
from judge.strength.results import Killer, Label, MutantResult
from judge.workspace.session import Session

_KILLS = frozenset({Verdict.WA, Verdict.PE, Verdict.RTE})  # of an input that was found for another mutant
_ORDER = (Label.INFECTED, Label.REACHED, Label.UNREACHED, Label.EQUIVALENT)

Found = dict[str, Killer]
"""Inputs that kill survivors, by the hash of the mutant."""


class Survivor(Struct, frozen=True):
    """A survivor and the solution that it is a mutant of."""

    mutated: MutatedSolution
    result: MutantResult


class KillerSearch(Struct):
    """Searches for inputs that kill the survivors of one problem.

    Attributes:
        problem: with all its accepted solutions.
        budget: for each survivor.
        report: called with what is being done, and how much of it is done of how much.
        searched: the hashes of the survivors for which the search ended in vain, not by an error.
        notes: what of the problem cannot be used, and inputs on which accepted solutions disagree; a sentence each.
    """

    session: Session
    problem: Problem
    budget: Seconds
    report: Callable[[str, int, int], None]
    searched: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def search(self, survivors: Sequence[Survivor]) -> Found:
        """Return an input for each survivor that is found to be killed by one. Raises Interrupted."""
        found: Found = {}
        contexts: dict[Path, HackContext | None] = {}
        waiting = sorted(survivors, key=lambda each: _ORDER.index(each.result.label or Label.REACHED))
        for done, survivor in enumerate(waiting):
            digest, path = survivor.result.digest, survivor.mutated.solution.path
            if digest in found:
                continue
            self.report(f"searching for inputs that kill survivors ({len(found)} found)", done, len(waiting))
            if path not in contexts:
                contexts[path] = self._open_context(survivor.mutated)
            context = contexts[path]
            if context is None:
                continue
            killer = self._search_one(survivor, context)
            if killer is None:
                continue
            found[digest] = killer
            others = [each for each in waiting[done + 1 :] if each.result.digest not in found]
            solutions = {each.mutated.solution.path: each.mutated for each in others}
            accepted = {path for path, each in solutions.items() if self._is_accepted(each, killer, context)}
            others = [each for each in others if each.mutated.solution.path in accepted]
            mutants = [(each.mutated, each.result.mutant.apply(each.mutated.text)) for each in others]
            for other, verdict in zip(others, self._judge(mutants, killer, context), strict=True):
                if verdict in _KILLS:
                    found[other.result.digest] = replace(killer, verdict=verdict)
        return found

    def _open_context(self, mutated: MutatedSolution) -> HackContext | None:
        """Return what the problem gives to the searches for mutants of a solution; None if they are not possible."""
        part = ProblemSelection(problem=replace(self.problem, solutions=(mutated.solution,)))
        try:
            context = HackContext(HackRequest(part=part, whole=self.problem), self.session)
        except UsageError as error:  # an interactive problem, for example
            self._note(f"no inputs that kill survivors are searched for: {describe_error(error)}")
            return None
        except JudgeError as error:
            name = mutated.solution.display_path
            self._note(f"no inputs that kill mutants of {name} are searched for: {describe_error(error)}")
            return None
        for note in context.notes:
            self._note(note)
        if not context.target.references:
            context.target = replace(context.target, references=(context.target.submission,))
        return context

    def _search_one(self, survivor: Survivor, context: HackContext) -> Killer | None:
        mutated, mutant = survivor.mutated, survivor.result.mutant
        text = mutant.apply(mutated.text)
        program = self.session.executor.call(lambda box: mutated.program(text, box))
        if isinstance(program, CompileError):
            return None
        name = f"{mutated.solution.display_path}:{mutant.line}"
        target = replace(context.target, submission=NamedProgram(name=name, program=program))
        options = SearchOptions(budget=self.budget, shrink_budget=Seconds(5.0))
        try:
            result = context.search(options, target=target, tries_known=False).run()
        except JudgeError as error:
            self._note(describe_error(error))
            return None
        if result.was_interrupted:
            raise Interrupted
        for each in result.disagreements:
            doubt = "" if each.is_certain else ", which may not be valid"
            names = f"{each.names[0]} and {each.names[1]}"
            self._note(f"{names} print different outputs for the input {_show(each.input)}{doubt}")
        killer = next((killer for each in result.found if (killer := self._confirm(each, mutated, context))), None)
        if killer is None:
            self.searched.append(survivor.result.digest)
        return killer

    def _confirm(self, found: Counterexample, mutated: MutatedSolution, context: HackContext) -> Killer | None:
        """Return what was found as a killer, if the solution itself is accepted on it."""
        if not found.is_cold or (found.expected is None and not context.target.has_dialogue):
            return None
        answer = found.expected or b""
        killer = Killer(input=found.input, answer=answer, origin=found.strategy, verdict=found.result.verdict)
        return killer if self._is_accepted(mutated, killer, context) else None

    def _is_accepted(self, mutated: MutatedSolution, killer: Killer, context: HackContext) -> bool:
        """Return whether a solution itself is accepted on an input; note it if its output is wrong."""
        (verdict,) = self._judge([(mutated, mutated.text)], killer, context)
        if verdict in _KILLS:
            names = f"{mutated.solution.display_path} and {context.target.references[0].name}"
            self._note(f"{names} disagree on the input {_show(killer.input)}: {verdict}")
        return verdict is Verdict.AC

    def _judge(
        self, programs: Sequence[tuple[MutatedSolution, bytes]], killer: Killer, context: HackContext
    ) -> Iterator[Verdict]:
        def run(box: Box, variant: tuple[MutatedSolution, bytes]) -> Verdict:
            mutated, text = variant
            program = mutated.program(text, box)
            if isinstance(program, CompileError):
                return Verdict.CE
            return judge_job(context.target.job(program, killer.input, killer.answer), box, needs_output=False)[
                0
            ].verdict

        return self.session.executor.map(run, programs)

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _show(data: bytes) -> str:
    return shorten(repr(data.decode(errors="backslashreplace")), 60)


def keep_killers(path: Path, killers: Sequence[tuple[str, Killer]]) -> str:
    """Add a case for each input to a case file, with the mutant that it kills; return how many were added, in words.

    Raises LayoutError if nothing can be appended to the file, and OSError.
    """
    cases = [
        NewCase(why=f"kills the mutant {mutant}", input=killer.input, answer=killer.answer)
        for mutant, killer in killers
    ]
    added = add_cases(path, "killer", cases)
    more = f", {added.omitted} not: binary or too long" if added.omitted else ""
    return f"{format_count(len(added.names), 'case')} added{more}"
