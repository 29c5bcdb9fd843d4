"""`judge stress`: run two programs on what a generator makes, until they differ."""

import shlex
from pathlib import Path
from typing import Annotated

from judge.base.errors import UsageError
from judge.base.files import as_word
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, positional
from judge.cli.commands.counterexample import SearchArguments, search_and_report
from judge.runner.options import NO_OVERRIDES
from judge.workspace.workspace import Workspace

EPILOG = """\
The generator prints one input. It gets a seed as its last argument, or where an argument of --gen is {seed}. A Python
file that only defines functions whose first parameter is `random` is called with other seeds and small parameters.

The second program is right by definition. If it crashes or is too slow, that is reported, and the input does not count.
Without it, crashes, exceeded limits and undefined behavior are found, as by `judge run --sanitize`. The input is
shrunk; what is left looks like the inputs that the generator makes, or is accepted by --validator (exit status 42).

If the first file is a solution in a repository (solutions/ID/) or in a package, the problem's checker, validators,
grammar, interactor and limits apply where the command names none, and --keep adds a case to the problem. For any other
file, --keep adds a case beside it, such as tests/3.in with tests/3.ans.

examples:
  judge stress a.py brute.py --gen gen.py
  judge stress fast.cpp slow.cpp --gen "gen.cpp 10 {seed}" --checker check.cpp
  judge stress a.py brute.py --gen gen.py --time 60 --findings 3 --keep
  judge stress a.cpp --gen gen.py                  no second program: with sanitizers
  judge stress a.py --gen gen.py --slowest
  judge stress a.py brute.py --gen gen.py --html stress.html    as one file for a browser

exit status: 1 if a counterexample was found, 0 if not, 2 for wrong usage or an error of another program or the judge
"""


class Options(shared.LimitArguments, frozen=True, kw_only=True):
    """What `judge stress` runs."""

    submission: Annotated[Path, positional("FILE", "the solution that may be wrong")]
    reference: Annotated[Path | None, positional("FILE", "a solution that is right, may be slow")] = None
    generator: Annotated[
        str | None, option("the generator, perhaps with arguments, quoted", "--gen", metavar="FILE")
    ] = None
    checker: shared.Checker = None
    validator: Annotated[Path | None, option("accepts valid inputs with exit status 42")] = None
    float_tolerance: shared.FloatTolerance = None
    search: SearchArguments
    python: shared.Python = None
    include: shared.Include = ()


def execute(options: Options) -> ExitStatus:
    """Search and report; return the exit status."""
    from judge.hack.counterexamples import find_stress_request, stress

    if not options.generator:
        words = ["judge", "hack", as_word(options.submission)]
        words += ["--reference", as_word(options.reference)] if options.reference else []
        raise UsageError(f"expected a generator: --gen FILE; without one: {shlex.join(words)}")
    generator = [options.generator]
    if not Path(options.generator).exists():  # else it is a name, perhaps with spaces
        try:
            generator = shlex.split(options.generator)
        except ValueError as error:
            raise UsageError(f"--gen {options.generator}: {error}") from error
    if not generator:
        raise UsageError("--gen: expected a generator, found nothing")
    workspace = Workspace.find_or_use(options.root)
    request = find_stress_request(
        workspace, options.submission, options.reference, validator=options.validator, overrides=options.overrides
    )
    problem = request.part.problem
    others = (options.reference, options.validator, Path(generator[0]))
    helpers = [each.absolute() for each in others if each is not None]
    is_own = options.validator is None and options.overrides == NO_OVERRIDES
    if problem.folder is None:  # a file in a repository may belong to a problem there, by its name
        is_own = not workspace.is_repository or any(case.group != "stdin" for case in problem.cases)
    return search_and_report(
        options,
        options.search,
        workspace,
        request,
        lambda session, report: stress(request, generator, options.search.search_options(), session, report),
        suspect=str(options.submission),
        kept=problem if is_own else None,
        helpers=helpers,
    )
