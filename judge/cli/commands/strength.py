"""`judge strength`: how many small mistakes in the accepted solutions the cases of a problem notice."""

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from judge.base.errors import DataError, UsageError
from judge.base.units import Seconds
from judge.cli.commands import ExitStatus
from judge.cli.commands import options as shared
from judge.cli.commands.arguments import option, parse_time, positional
from judge.cli.commands.session import open_session, report_notes
from judge.model import Problem
from judge.problems.added_cases import LayoutError
from judge.reporters import OutputOptions, log_glyphs, stream_width
from judge.reporters.progress import StatusLine, progress_beside
from judge.reporters.strength import MEANING, render_strength
from judge.runner.options import ProblemSelection
from judge.strength.results import ProblemStrength, strength_record
from judge.workspace.query import Query
from judge.workspace.workspace import Workspace

if TYPE_CHECKING:  # imported when strength is measured: help and completion need none of them
    from judge.reporters.html.page import PageFile
    from judge.strength.certificate import Certificate
    from judge.workspace.session import Session

EPILOG = """\
Each mutant is an accepted solution with one small mistake. A mutant that gets another verdict than AC in some case is
killed; one that survives shows what the cases do not test, or is equivalent to the solution. The result is the
certificate testcases/ID/strength.lock, which belongs in the repository; for packages nothing is written.

examples:
  judge strength uva131
  judge strength uva131/sample                the samples only; writes no certificate
  judge strength uva131 --keep                adds cases that kill survivors, if some are found
  judge strength uva131 --recheck --search 30  do the reasons in the certificate hold?
  judge strength --check                      in CI: did the strength fall, or is a certificate outdated?
  judge strength ~/contest/sums -f json       a problem package
  judge strength uva131 --html strength.html  survivors as differences, as one file for a browser

exit status: 0 if the strength did not fall; 1 if it fell or is less than --at-least, no case finds a wrong solution,
the checker or the validator crashes, hangs or rejects an answer, or a certificate is outdated (--check); 2 for wrong
usage or an error of the judge
"""


class Options(shared.SessionArguments, frozen=True, kw_only=True):
    """What `judge strength` does.

    Attributes:
        check: write nothing, and only say whether the certificates hold.
        at_least: the smallest percentage of the killable mutants that must be killed.
        most: of more mutants of one solution, an evenly spread part is judged.
        search: how long to search, for each survivor, for an input that kills it; 0 for none.
        recheck: search for survivors that are accepted in the certificate, too.
    """

    targets: Annotated[tuple[str, ...], positional("PROBLEM", "a problem or package (default: all problems)")] = ()
    check: Annotated[bool, option("write nothing; exit 1 if a certificate does not hold")] = False
    at_least: Annotated[
        float | None, option("exit 1 if fewer of the killable mutants are killed", between=(0, 100), metavar="PERCENT")
    ] = None
    most: Annotated[
        int | None,
        option("judge at most N mutants of each solution (writes no certificate)", "--mutants", between=(1, math.inf)),
    ] = None
    search: Annotated[
        Seconds,
        option(
            "how long to search, for each survivor, for an input that kills it; 0 for none (default: 3 s)",
            type=lambda text: Seconds(0.0) if text == "0" else parse_time("--search", text),
        ),
    ] = Seconds(3.0)
    recheck: Annotated[bool, option("search for inputs that kill accepted survivors, too: are they equivalent?")] = (
        False
    )
    keep: Annotated[bool, option("add the inputs that kill survivors as cases")] = False
    format: shared.Format = "text"
    page: shared.PageArguments
    verbose: Annotated[bool, option("show equivalent and accepted survivors, too", "-v")] = False
    scheduler: shared.Scheduler = None
    workers: shared.Workers = None
    warm: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.keep and self.check:
            raise UsageError("--keep writes cases, and --check writes nothing: use one of them")


def execute(options: Options) -> ExitStatus:
    """Measure and report; return the exit status."""
    page = options.page.open()
    workspace = Workspace.find_or_use(options.root)
    selection = workspace.select(Query(targets=options.targets))
    if selection.diagnostics:
        raise DataError(selection.diagnostics)
    if not selection.problems:
        raise UsageError("nothing to measure: no selected problem has an accepted solution")
    found: list[ProblemStrength] = []
    is_fine = True
    try:
        with open_session(workspace, options.session) as session:
            for part in selection.problems:
                if options.check and (line := _check_quickly(part)):
                    print(line)
                    continue
                strength, problem_is_fine = _measure(part, session, workspace, options)
                is_fine &= problem_is_fine
                found.append(strength)
                if options.format == "text" and not options.check:
                    sys.stdout.write(_render(strength, options))
                    sys.stdout.flush()
            _report(found, options, page)
    except KeyboardInterrupt:
        _report(found, options, page, is_interrupted=True)
        raise
    return ExitStatus.SUCCESS if is_fine else ExitStatus.FAILURE


def _report(
    found: Sequence[ProblemStrength], options: Options, page: "PageFile | None", *, is_interrupted: bool = False
) -> None:
    """Print what is only complete at the end, and write the page; after a signal, only the page."""
    if options.format != "json" and page is None:
        return
    record = {"version": 1, "problems": [strength_record(each) for each in found]}
    if is_interrupted:
        record["interrupted"] = True
    elif options.format == "json":
        print(json.dumps(record, indent=1))
    if page is not None:
        texts = [_render(each, options) for each in found]
        page.write(
            "strength.html",
            "\n".join(texts),
            record,
            title="Strength of the cases",
            problems=found,
            texts=texts,
            meaning=MEANING,
            is_interrupted=is_interrupted,
        )


def _check_quickly(part: ProblemSelection) -> str:
    """Return a line about a certificate of which nothing has changed; "" if the strength has to be measured."""
    from judge.strength.certificate import certificate_path, find_outdated, read_certificate

    certificate = read_certificate(certificate_path(part.problem))
    if certificate is None or not part.is_complete or find_outdated(part.problem, certificate):
        return ""
    return f"{part.problem.id}: {certificate.ratio:.1%}, nothing changed"


def _measure(
    part: ProblemSelection, session: "Session", workspace: Workspace, options: Options
) -> tuple[ProblemStrength, bool]:
    """Measure one problem; write its certificate, or compare with it."""
    from judge.strength.certificate import (
        certificate_path,
        certify,
        count_again,
        find_outdated,
        read_certificate,
        with_reasons,
    )
    from judge.strength.measure import Measurement

    problem = part.problem
    path = certificate_path(problem)
    old = read_certificate(path)
    is_whole = part.is_complete and not part.named and options.most is None
    with StatusLine(sys.stderr, progress_beside(options.format, sys.stderr)) as line:
        measurement = Measurement(
            session,
            problem,
            workspace.state_folder,
            lambda text, done, total: line.show(lambda: f"{text}: {done} of {total}"),
            most=options.most,
            budget=Seconds(0.0) if options.check else options.search,
            accepted=old.reasons if old and not options.recheck else (),
            confirms_time=is_whole,
        )
        strength = measurement.measure()
    if old is not None:
        strength = with_reasons(problem, strength, old.reasons)
    is_fine = all(each.is_killed for each in strength.wrong)
    is_fine &= all(each.kind == "false accept" for each in strength.faults)  # a lenient program may be meant so
    if options.at_least is not None and strength.ratio < (least := options.at_least / 100):
        report_notes([f"{problem.id}: {strength.ratio:.2%} of the killable mutants are killed, expected {least:.2%}"])
        is_fine = False
    if options.keep:
        _keep(problem, strength)
    if path is not None and is_whole:
        new = certify(problem, strength)
        if old is not None and not options.recheck and not find_outdated(problem, old):
            measured, new = new, count_again(old)
            if measured.text() != new.text():
                again = f"`judge strength {problem.id} --recheck` writes what was measured now"
                report_notes([f"{problem.show_file(path)}: kept, since nothing changed, although it differs; {again}"])
        is_fine &= _hold(problem, path, old, new, options)
    return strength, is_fine


def _keep(problem: Problem, strength: ProblemStrength) -> None:
    """Write the inputs that were found as cases of the problem.

    Raises:
        UsageError: nothing may be written into a package.
        OSError: the file cannot be written.
    """
    from judge.strength.killers import keep_killers

    killers = [
        (f"{solution.solution.path.name}:{each.mutant.line}: {each.after.splitlines()[0].strip()}", each.killer)
        for solution in strength.solutions
        for each in solution.survivors
        if each.killer is not None
    ]
    if problem.is_package or problem.lock is None:
        raise UsageError(f"--keep: {problem.id} is a package, into which nothing is written")
    if not killers:
        report_notes([f"{problem.id}: no input was found that kills a survivor; nothing to keep"])
        return
    path = problem.lock.with_name("killers.yaml")
    try:
        added = keep_killers(path, killers)
    except LayoutError as error:
        raise UsageError(f"{problem.show_file(path)}: no case can be added: {error}") from error
    report_notes([f"{problem.show_file(path)}: {added}; now `judge lock {problem.id}`, and `judge strength` again"])


def _hold(problem: Problem, path: Path, old: "Certificate | None", new: "Certificate", options: Options) -> bool:
    """Write the new certificate, or with --check compare only; return whether the strength did not fall."""
    from judge.strength.certificate import find_fall, find_outdated, write_certificate

    shown = problem.show_file(path)
    fall = find_fall(old, new) if old else ""
    if fall:
        report_notes([f"{problem.id}: the strength fell: {fall}"])
    if options.check:
        reason = f"outdated: {find_outdated(problem, old)} changed" if old else "there is no certificate"
        report_notes([f"{shown}: {reason}; now {new.ratio:.1%}; `judge strength {problem.id}` writes it"])
        return False
    if write_certificate(path, new):
        print(f"{shown} written", file=sys.stderr)
    return not fall


def _render(strength: ProblemStrength, options: Options) -> str:
    columns = stream_width(sys.stdout, OutputOptions())
    return render_strength(strength, columns, log_glyphs(sys.stdout), verbose=options.verbose) + "\n"
