"""`judge hack`: a search for an input on which a solution of a problem fails, with all that the problem has.

Its accepted solutions answer; its validators decide what is valid; its cases, generators and limits suggest inputs.
"""

import time
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from judge.base.errors import UsageError
from judge.base.units import Seconds
from judge.hack.attacks import attack_sources
from judge.hack.examine import Examiner
from judge.hack.grammatical import grammar_sources, guess_sources
from judge.hack.hack_inputs import (
    find_joining,
    find_no_answers,
    generators,
    known_inputs,
    mentioned_numbers,
    numbers_of_submission,
    profile_inputs,
    read_format,
)
from judge.hack.hack_programs import SearchPrograms
from judge.hack.hack_request import HackRequest
from judge.hack.mutation import many_tests, neighbours_of, text_neighbourhood, white_space
from judge.hack.pool import WarmPool
from judge.hack.search import Plan, Search
from judge.hack.sources import Source, first_pass, known_source
from judge.hack.values import DEFAULT_BUDGET, Goal, Report, SearchOptions, SearchResult, Target
from judge.inputs import Grammar
from judge.inputs.guess import Guess
from judge.inputs.infer import RINGS
from judge.inputs.structure import with_plain_white_space
from judge.model import Problem, Produced
from judge.runner.options import ProblemSelection
from judge.workspace.packages import read_package_files
from judge.workspace.session import Session

_FIRST_SHARE = 0.08  # of the time of a search, that the first inputs of a kind take at most
_LONGEST_GENERATOR = 0.1  # of the time of a search, of one run of a program: some make large inputs in Python
_FIRST_MANY = 3  # inputs with as many tests as the submission mentions, likewise
_FIRST_OF_ATTACK, _FIRST_WITHOUT_LISTS = 3, 40  # inputs, likewise; small ones, whose numbers have many combinations
_FIRST_SMALL = 20  # inputs of each source of a grammar, likewise
_FIRST_SPACES = 24  # inputs with other white space that are tried before everything else has its turn
_MOST_ASKED = 100_000  # elements of an input that validators are asked about, if there is time
_LEAST_SEARCHING = 0.5  # of the time of a search, whatever was needed before it
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
    is_static = options.goal is Goal.FAILURE
    context = HackContext(request, session, options.budget, is_static=is_static, report=report)
    target = context.target
    if target.has_dialogue and not target.references and context.has_answers:
        raise UsageError(
            f"{request.part.problem.id}: the interactor or the checker may need the answer of an input, and no other "
            "accepted solution shows whether it does; name one with --reference"
        )
    if not target.references:
        context.notes.append(
            "no accepted solution is known: what is found may be the fault of the problem; name one with --reference"
            if target.has_dialogue
            else "no accepted solution is known: only crashes, exceeded limits and what depends on luck are found; "
            "name one with --reference"
        )
    spent = time.monotonic() - context.start
    left = Seconds(max(options.budget - spent, options.budget * _LEAST_SEARCHING))
    result = context.search(replace(options, budget=left), report).run()
    return replace(result, faults=(*context.notes, *result.faults))


class HackContext:
    """What the searches for failures of a problem's submissions share: its programs, and what its inputs look like.

    A part of the budget of a search is spent here. For `is_static`, see `NamedProgram.static`.

    Attributes:
        start: when all programs were built and all cases prepared, by `time.monotonic`.
        target: with the solution of the request as the submission.
        known: the inputs of the cases; `has_answers` if an answer is not empty.
        numbers: that the problem or the submission mentions.
        inferred: a grammar that follows from the inputs and the validators' answers, where the problem has none.
        guess: what inputs look like where nothing says what is valid.
        notes: what of the problem cannot be used, a sentence each.

    Raises:
        UsageError, JudgeError, DataError: as from `hack`.
    """

    def __init__(
        self,
        request: HackRequest,
        session: Session,
        budget: Seconds = DEFAULT_BUDGET,
        *,
        is_static: bool = False,
        report: Report = lambda _: None,
    ) -> None:
        self.request = request
        self.session = session
        programs = SearchPrograms(request, session, report)
        target = programs.target(is_static=is_static)
        references = programs.build_references()
        found = known_inputs(request, session)
        known = self.known = found.inputs
        self.has_answers = found.has_answers
        self.start = time.monotonic()
        deadline = self.start + budget * (1 - _LEAST_SEARCHING)
        references = programs.choose_references(references, target, known, found.answers, deadline)
        target = replace(target, references=references)
        self.notes = [*programs.notes, *found.notes]
        self.numbers = mentioned_numbers(programs)
        grammar = request.part.problem.grammar
        if request.input_format:
            grammar, notes, _ = read_format(request.input_format, known)
            self.notes += notes
        self.grammar = grammar
        self._decides = grammar is not None and not grammar.description.also
        guess = None
        if grammar is None and not target.validators:
            guess = Guess.of(list(map(with_plain_white_space, known)))
        self.guess = guess
        if guess is not None:
            self.notes.append(f"no validator says what is valid; input (guessed): {guess.outline()}")
        elif not target.validators and grammar is None:
            self.notes.append("no validator is known, and no format is recognized: what is found may not be valid")
        elif not target.validators and not self._decides:
            self.notes.append("no validator checks the rules in words of the grammar; what is found may not be valid")
        with WarmPool() as pool:
            examiner = Examiner(target, pool)
            probing = Seconds(budget * _PROBING_SHARE)
            self.profile = profile_inputs(known, self.numbers, grammar, examiner, session, probing=probing)
            self.notes += self.profile.notes
            examiner.deadline = deadline
            notation = self.profile.notation
            self.inferred = None if notation is None else Grammar.from_yaml(notation)
            guessed = guess.grammars[-1] if guess is not None else None
            tested = grammar or self.inferred or guessed
            joining = None if target.has_dialogue else find_joining(tested, known, examiner, session)
        self.target = replace(
            target,
            joining=joining,
            format=guessed,
            no_answers=find_no_answers(request, found.answers),
            grammar=grammar,
            grammar_decides=self._decides,
        )

    def search(
        self,
        options: SearchOptions,
        report: Report = lambda _: None,
        *,
        target: Target | None = None,
        tries_known: bool = True,
    ) -> Search:
        """Return a search that has not begun.

        `target` may have another submission; `tries_known` tries the inputs of the cases, too.
        """
        target = target or self.target
        guess, used, wanted = self.guess, self.grammar or self.inferred, self.request.sources
        share = Seconds(options.budget * _FIRST_SHARE)
        limits = known_source("limits", self.profile.probed)
        passes, sources = self._sources(options, target, limits, share)
        if wanted is not None:
            sources, passes = [each for each in sources if each.name in wanted], []
        first = [known_source("known cases", self.known, is_trusted=True)] if tries_known else []
        first.append(first_pass(limits, len(self.profile.probed), share))  # a slow submission leaves the rest for later
        if target.validators or not self.known:
            first.append(known_source("empty input", [b""]))
        simpler = used.shrinks if used is not None else guess.shrinks if guess is not None else None
        plan = Plan(
            guess=guess, first=[*first, *passes], sources=sources, simpler=simpler, is_guess=self.inferred is not None
        )
        return Search(target, plan, options, self.session.executor, report)

    def _sources(
        self, options: SearchOptions, target: Target, limits: Source, share: Seconds
    ) -> tuple[list[Source], list[Source]]:
        """Return the sources that are used up first, each for a share of the time, and all sources."""
        joining, seed = target.joining, options.seed
        known, numbers = [*self.known, *self.profile.probed], self.numbers
        end = time.monotonic() + options.budget
        own = list(generators(self.request, self.session, seed, Seconds(_LONGEST_GENERATOR * options.budget)))
        first = [first_pass(each, turns, share) for each, turns in own]
        sources = [*(each for each, _ in own), limits]

        def is_over() -> bool:
            return time.monotonic() >= end

        made = list[Source]()
        if (used := self.grammar or self.inferred) is not None:
            name, joins = "grammar" if self.grammar is not None else "inferred grammar", joining is not None
            made = grammar_sources(used, known, numbers, seed, joins=joins, is_over=is_over, name=name)
        elif self.guess is not None:
            nearest, others = guess_sources(self.guess, known, numbers, seed, budget=options.budget, is_over=is_over)
            first += nearest
            sources += others
            used = self.guess.grammars[list(RINGS).index("many values")]
        if used is not None:
            attacks = attack_sources(used, target.submission.program, seed, is_over=is_over)
            tried = _FIRST_OF_ATTACK if used.max_size else _FIRST_WITHOUT_LISTS
            small = [first_pass(each, _FIRST_SMALL, share) for each in made if "large" not in each.name]
            first += [*small[:1], *(first_pass(each, tried, share) for each in attacks), *small[1:]]
            sources += [*made, *attacks]
        is_lenient = len(target.validators) > 1  # other arguments of the validators allow what the grammar does not
        is_free = self.guess is None and (is_lenient or not self._decides)
        if is_free:
            by_text = text_neighbourhood(numbers)
            sources.append(neighbours_of("mutations", known, by_text, seed))
            if joining is not None:
                singles = [test for each in known for test in joining.split(each) or ()]
                sources.append(neighbours_of("mutated tests", singles, by_text, seed, joins=True))
        if joining is not None:
            many = many_tests(self.known, joining, [*numbers_of_submission(self.request.part.problem), *numbers], seed)
            sources.append(many)
            first.insert(0, first_pass(many, _FIRST_MANY, share))
        if is_free:
            spaces = white_space(self.known, seed)
            sources.append(spaces)
            first.append(first_pass(spaces, _FIRST_SPACES, share))
        return first, sources


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
    validators, known = programs.validators(), known_inputs(request, session)
    if not validators:
        raise UsageError(f"{problem.id}: without a validator, no grammar can be inferred; write one as `input`")
    if not known.inputs:
        reason = "; ".join([*programs.notes, *known.notes]) or "it has no case"
        raise UsageError(f"{problem.id}: no grammar can be inferred: {reason}")
    target = Target(submission=validators[0][0], validators=validators, limits=problem.limits)  # no solution runs
    with WarmPool() as pool:
        examiner, numbers = Examiner(target, pool), mentioned_numbers(programs)
        probing = Seconds(seconds / 2)
        found = profile_inputs(
            known.inputs, numbers, problem.grammar, examiner, session, probing=probing, most_asked=_MOST_ASKED
        )
    return found.notation


def guess_format(problem: Problem, session: Session) -> Guess:
    """Return the format of the cases of a problem without a validator. Raises UsageError if none is recognized."""
    request = HackRequest(part=ProblemSelection(problem=problem), whole=problem)
    known = known_inputs(request, session)
    guess = Guess.of([with_plain_white_space(each) for each in known.inputs])
    if guess is None:
        raise UsageError(f"{problem.id}: {'; '.join(known.notes) or 'no format is recognized in its cases'}")
    return guess


def find_search_files(problem: Problem) -> list[Path]:
    """Return the files and folders that decide what a search finds, besides solutions and cases.

    These are the validators and generators, and the statement, whose numbers are tried. Raises DataError if a package
    is wrong.
    """
    found = {problem.validator.source} if problem.validator else set()
    found |= {problem.statement} if problem.statement else set()
    found.update(each.parent for each in problem.generators)  # they may import modules beside them
    found.update(path for each in problem.cases if isinstance(each.input, Produced) for path in each.input.sources)
    if problem.is_package:
        found.update(each.path for each in read_package_files(problem).input_validators)
    return sorted(found)
