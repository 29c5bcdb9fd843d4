"""`judge hack`: a search for an input on which a solution of a problem fails, with all that the problem has.

Its accepted solutions answer; its validators decide what is valid; its cases, generators and limits suggest inputs.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.hack.examine import Examiner
from judge.hack.grammatical import grammar_sources, guess_sources
from judge.hack.hack_inputs import SearchInputs, find_joining
from judge.hack.hack_programs import SearchPrograms
from judge.hack.hack_request import HackRequest
from judge.hack.mutation import ManyTests, Mutations, WhiteSpace
from judge.hack.pool import WarmPool
from judge.hack.search import Plan, Search
from judge.hack.shrink import with_plain_white_space
from judge.hack.sources import FirstPass, Known, Source
from judge.hack.steps import Steps
from judge.hack.values import Goal, Report, SearchOptions, SearchResult, Target
from judge.inputs import Grammar
from judge.inputs.guess import Guess
from judge.inputs.observe import Observed, observe, take_small, variants_of
from judge.model import Problem, Produced
from judge.runner.options import ProblemSelection
from judge.workspace.packages import read_package_files
from judge.workspace.session import Session

_FIRST_SHARE = 0.2  # of the time of a search, that the first inputs of a kind take at most
_FIRST_MANY = 3  # inputs with as many tests as the suspect mentions, likewise
_FIRST_SPACES = 24  # inputs with other white space that are tried before everything else has its turn
_MOST_PLAIN = 20_000  # bytes of known inputs that are tried with plain white space
_MOST_ASKED = 100_000  # elements of an input that validators are asked about, if there is time
_LEAST_SEARCHING = 0.5  # of the time of a search, whatever was needed before it
_PROBING = Seconds(1.5)
_PROBING_SHARE = 0.15  # of the time of a search


def hack(
    request: HackRequest, options: SearchOptions, session: Session, report: Report = lambda _: None
) -> SearchResult:
    """Search for an input on which a solution fails.

    Raises:
        UsageError: the problem is of a type that cannot be hacked.
        JudgeError: the solution does not compile, or a program of the problem fails.
        DataError: the problem's files are wrong.
    """
    search, notes = prepare_hack(request, options, session, report)
    result = search.run()
    return replace(result, faults=(*notes, *result.faults))


def prepare_hack(
    request: HackRequest, options: SearchOptions, session: Session, report: Report = lambda _: None
) -> tuple[Search, list[str]]:
    """Build everything that a search needs; the search has not begun. The errors are those of `hack`.

    Returns:
        The search, and what of the problem it cannot use, a sentence each.
    """
    has_quick = options.goal is Goal.FAILURE
    ground = survey(request, session, Seconds(options.budget * _PROBING_SHARE), has_quick=has_quick, report=report)
    if ground.target.has_dialogue and not ground.target.references and ground.inputs.has_answers:
        raise UsageError(
            f"{request.part.problem.id}: the interactor or the checker may need the answer of an input, and no other "
            "accepted solution shows whether it does; name one with --reference"
        )
    if not ground.target.references:
        ground.notes.append(
            "no accepted solution is known: what is found may be the fault of the problem; name one with --reference"
            if ground.target.has_dialogue
            else "no accepted solution is known: only crashes and exceeded limits are found; name one with --reference"
        )
    left = Seconds(max(options.budget - ground.probing, options.budget * _LEAST_SEARCHING))
    return ground.search(replace(options, budget=left), report), ground.notes


class Ground(Struct, frozen=True, kw_only=True):
    """All that a problem gives to searches, for any number of them and of suspects.

    Attributes:
        target: with the solution of the request as the suspect.
        grammar: of the inputs.
        known: the inputs of the cases.
        observed: what they look like.
        inferred: a grammar that follows from them and from the validators' answers, where the problem has none.
        guess: what inputs look like where nothing says what is valid.
        probed: further valid inputs, with values at the limits of what the validators allow.
        probing: how long it took to find these.
    """

    request: HackRequest
    session: Session
    target: Target
    grammar: Grammar | None
    known: Sequence[bytes]
    observed: Observed | None
    inferred: Grammar | None
    guess: Guess | None
    probed: Sequence[bytes]
    probing: Seconds
    inputs: SearchInputs

    @property
    def notes(self) -> list[str]:
        """What of the problem cannot be used, a sentence each."""
        return self.inputs.notes

    def search(
        self,
        options: SearchOptions,
        report: Report = lambda _: None,
        *,
        target: Target | None = None,
        tries_known: bool = True,
    ) -> Search:
        """Return a search that has not begun.

        `target` may have another suspect; `tries_known` tries the inputs of the cases, too.
        """
        target = target or self.target
        grammar, wanted = self.grammar, self.request.sources
        joining, seed = target.joining, options.seed
        generators = list(self.inputs.generators(seed))
        limits = Known("limits", self.probed)
        sources: list[Source] = [*generators, limits]
        share = Seconds(options.budget * _FIRST_SHARE)
        end = time.monotonic() + options.budget
        passes: list[Source] = [FirstPass(each, each.turns, share) for each in generators]
        known, numbers = [*self.known, *self.probed], self.inputs.numbers()
        used = grammar or self.inferred
        if used is not None:
            sources += grammar_sources(
                used,
                known,
                numbers,
                seed,
                joins=joining is not None,
                is_over=lambda: time.monotonic() >= end,
                name="grammar" if grammar is not None else "inferred grammar",
            )
        elif self.guess is not None:
            nearest, others = guess_sources(
                self.guess, known, numbers, seed, budget=options.budget, is_over=lambda: time.monotonic() >= end
            )
            passes += nearest
            sources += others
        if self.guess is None and not self.inputs.grammar_decides:
            sources.append(Mutations("mutations", known, numbers, seed))
            if joining is not None:
                singles = [test for each in known for test in joining.split(each) or ()]
                sources.append(Mutations("mutated tests", singles, numbers, seed, joins=True))
        if self.observed is not None and target.references and not target.has_dialogue and target.file_names is None:
            sources.append(Steps(self.observed, known, numbers, target.references[0], limits=target.limits, seed=seed))
        if joining is not None:
            many = ManyTests(self.known, joining, [*self.inputs.own_numbers(), *self.inputs.numbers()], seed)
            sources.append(many)
            passes.insert(0, FirstPass(many, _FIRST_MANY, share))
        if self.guess is None and not self.inputs.grammar_decides:
            spaces = WhiteSpace(self.known, seed)
            sources.append(spaces)
            passes.append(FirstPass(spaces, _FIRST_SPACES, share))
        if wanted is not None:
            sources = [each for each in sources if each.name in wanted]
        first: list[Source] = [Known("known cases", self.known, is_trusted=True)] if tries_known else []
        first.append(FirstPass(limits, len(self.probed), share))  # a slow suspect leaves the rest for later
        if target.validators or not self.known:
            first.append(Known("empty input", [b""]))
        plan = Plan(
            guess=self.guess,
            first=[*first, *(each for each in passes if wanted is None)],
            sources=sources,
            simpler=used.shrinks if used is not None else self.guess.shrinks if self.guess is not None else None,
            is_guess=self.inferred is not None,
        )
        return Search(target, plan, options, self.session.executor, report)


def survey(
    request: HackRequest,
    session: Session,
    probing: Seconds = _PROBING,
    *,
    has_quick: bool = False,
    report: Report = lambda _: None,
) -> Ground:
    """Build the programs of a problem, and find out what its inputs look like. The errors are those of `hack`.

    `probing` is how long the validators are tried and asked what they allow. For `has_quick`, see `NamedProgram.quick`.
    """
    programs = SearchPrograms(request, session, report)
    inputs = SearchInputs(request, session, programs)
    target = programs.target(has_quick=has_quick)
    known = inputs.known_inputs()
    target = replace(target, references=programs.references(target, known, inputs.answers))
    inputs.read_format(known)
    grammar = inputs.grammar
    guess = Guess.of(list(map(with_plain_white_space, known))) if grammar is None and not target.validators else None
    if guess is not None:
        inputs.notes.append(f"no validator says what is valid; input (guessed): {guess.outline()}")
    elif not target.validators and grammar is None:
        inputs.notes.append("no validator is known, and no format is recognized: what is found may not be valid")
    elif not target.validators and not inputs.grammar_decides:
        inputs.notes.append("no validator checks the rules in words of the grammar; what is found may not be valid")
    start = time.monotonic()
    with WarmPool() as pool:
        examiner = Examiner(target, pool)
        observed, probed, inferred = _explore(inputs, examiner, known, probing)
        spent = Seconds(time.monotonic() - start)
        examiner.deadline = float("inf")
        found = None if inferred is None else Grammar.from_yaml(inferred)
        tested = grammar or found or (guess.grammars[-1] if guess is not None else None)
        joining = None if target.has_dialogue else find_joining(inputs, tested, known, examiner)
    target = replace(
        target,
        joining=joining,
        format=guess.grammars[-1] if guess is not None else None,
        no_answers=inputs.no_answers(),
        grammar=grammar,
        grammar_decides=inputs.grammar_decides,
    )
    return Ground(
        request=request,
        session=session,
        target=target,
        grammar=grammar,
        known=known,
        observed=observed,
        inferred=found,
        guess=guess,
        probed=probed,
        probing=spent,
        inputs=inputs,
    )


def infer_grammar(problem: Problem, session: Session, seconds: Seconds) -> Any:
    """Return the notation of a grammar that follows from the cases of a problem and the answers of its validators.

    It is a guess: what it describes may be a part of the valid inputs, or more. It is None if nothing useful follows.

    The problem has all its cases; `seconds` is how long the validators are asked, about.

    Raises:
        UsageError: the problem has no validator, or no case that is small enough.
        JudgeError: a validator does not compile or cannot be read.
        DataError: the problem's files are wrong.
    """
    request = HackRequest(part=ProblemSelection(problem=problem), whole=problem)
    programs = SearchPrograms(request, session)
    inputs = SearchInputs(request, session, programs, most_asked=_MOST_ASKED)
    validators, known = programs.validators(), inputs.known_inputs()
    if not validators:
        raise UsageError(f"{problem.id}: without a validator, no grammar can be inferred; write one as `input`")
    if not known:
        reason = "; ".join(inputs.notes) or "it has no case"
        raise UsageError(f"{problem.id}: no grammar can be inferred: {reason}")
    target = Target(suspect=validators[0][0], validators=validators, limits=problem.limits)  # no solution runs
    with WarmPool() as pool:
        return _explore(inputs, Examiner(target, pool), known, Seconds(seconds / 2))[2]


def guess_format(problem: Problem, session: Session) -> Guess:
    """Return the format of the cases of a problem, of which nothing else says what is valid.

    Raises:
        UsageError: no format is recognized.
    """
    request = HackRequest(part=ProblemSelection(problem=problem), whole=problem)
    inputs = SearchInputs(request, session, SearchPrograms(request, session))
    known = inputs.known_inputs()
    guess = Guess.of([with_plain_white_space(each) for each in known])
    if guess is None:
        raise UsageError(f"{problem.id}: {'; '.join(inputs.notes) or 'no format is recognized in its cases'}")
    return guess


def _explore(
    inputs: SearchInputs, examiner: Examiner, known: Sequence[bytes], probing: Seconds
) -> tuple[Observed | None, list[bytes], Any]:
    """Return what the known inputs look like, further valid inputs, and the notation of an inferred grammar.

    `known` are the inputs of the cases. Each of the two parts, asking what is valid and inferring, may take as long as
    `probing`; if the problem has a grammar, none is inferred.
    """
    probed: list[bytes] = []
    start = time.monotonic()
    validators, has_grammar = examiner.target.validators, inputs.grammar is not None
    examiner.deadline = start + probing
    if validators and known and not has_grammar:
        inputs.try_validators(known, examiner)
        examiner.deadline = time.monotonic() + probing / 2
        plain = [with_plain_white_space(each) for each in take_small(known, _MOST_PLAIN)]
        probed = inputs.find_valid([*(each for each in plain if each not in known), *variants_of(known)], examiner)
    observed = (observe([*known, *probed]) or observe(known)) if known else None
    if observed is not None and validators and not inputs.grammar_decides:
        examiner.deadline = start + probing
        observed, accepted = inputs.probe(observed, known, examiner)
        probed += accepted
    if observed is None or not validators or has_grammar:
        return observed, probed, None
    examiner.deadline = time.monotonic() + probing / 2
    return observed, probed, inputs.infer_grammar(observed, [*known, *probed], examiner)


def find_search_files(problem: Problem) -> list[Path]:
    """Return the files and folders that decide what a search finds, besides solutions and cases.

    These are the validators and generators, and the statement, whose numbers are tried.

    Raises:
        DataError: the files of a package are wrong.
    """
    found = {each for each in (problem.validator, problem.statement) if each is not None}
    found.update(each.parent for each in problem.generators)  # they may import modules beside them
    found.update(path for each in problem.cases if isinstance(each.input, Produced) for path in each.input.sources)
    if problem.is_package:
        found.update(each.path for each in read_package_files(problem).input_validators)
    return sorted(found)
