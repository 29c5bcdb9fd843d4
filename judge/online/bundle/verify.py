"""Verifies a bundle: on each case of its problem, it must get the same verdict as the original.

The original runs from copies of its files in the same relative places, started by a short script that sets the search
path as `python FILE` does, or for a file in a package, `python -m PACKAGE.FILE`.
"""

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.base.errors import DataError, SandboxError
from judge.judging.judge import Job
from judge.languages.build import CompileError, Program, build
from judge.languages.options import BuildOptions
from judge.languages.source import write_files
from judge.model import CaseResult, Problem, Verdict
from judge.online.bundle.assemble import Bundle
from judge.online.bundle.modules import ImportGraph
from judge.preparation.cases import ReadyCase, diagnose
from judge.runner.solution import judge_job
from judge.sandbox.box import Box
from judge.workspace.session import Session

_SCRIPT = "run_the_original.py"


class Verification(Struct, frozen=True, kw_only=True):
    """What the runs of the original and the bundle show.

    Attributes:
        differences: cases with different verdicts, or outputs if there is no answer; empty if the bundle is correct.
        cases: the number of cases that ran.
        skipped: the number of cases that did not, since their data is missing.
        failure: the first case that is not AC, as the bundle got it.
    """

    differences: tuple[str, ...]
    cases: int = 0
    skipped: int = 0
    verdicts: frozenset[Verdict] = frozenset()
    failure: CaseResult | None = None


def verify_bundle(
    bundle: Bundle, entry: Path, problem: Problem, session: Session, interpreter: str = ""
) -> Verification:
    """Run a bundle and its original on all cases of a problem.

    `interpreter` is the absolute path of the Python to use; "" for the one of `judge`.

    Raises:
        DataError: the problem's data is wrong.
        JudgeError: one of them cannot run here.
    """
    store, folder = session.store, session.store.build
    write_files({entry.name: bundle.data}, folder / "bundle")
    tools = {"python": interpreter} if interpreter else {}
    options = BuildOptions(flags=problem.compile_flags)
    program = session.executor.call(
        lambda box: build(folder / "bundle" / entry.name, folder, box, tools, store.programs, options=options)
    )
    if isinstance(program, CompileError):
        return Verification(differences=(f"the bundle does not compile: {program.message}",))
    script = _copy_original(bundle.graph, folder / "original")
    argv = tuple(str(script) if word == str(program.copy) else word for word in program.argv)
    original = replace(program, argv=argv, source=entry, copy=script, place=script.parent)
    prepared = list(session.prepare(problem, problem.cases))
    if broken := diagnose(prepared):
        raise DataError(broken)
    ready = [each for each in prepared if isinstance(each, ReadyCase)]
    programs = store.judge_programs(problem)

    def judge(box: Box, each: tuple[Program, ReadyCase]) -> CaseResult:
        job = Job(program=each[0], case=each[1].case, input=each[1].input, answer=each[1].answer)
        if programs is not None:
            checker = programs.require(job.case.checker.program, box)
            interactor = programs.require(programs.interactor, box)
            job = replace(job, checker=checker, interactor=interactor, passes=programs.passes)
        return judge_job(job, box)[0]

    jobs = [(each, case) for each in (original, program) for case in ready]
    results = list(session.executor.map(judge, jobs))
    for result in results:
        if result.verdict is Verdict.JE:  # our fault, not the solution's
            raise SandboxError(f"{result.case.id}: {result.reason}")
    pairs = list(zip(results[: len(ready)], results[len(ready) :], strict=True))
    differences = tuple(
        f"{one.case.id}: original {one.verdict}, bundle {other.verdict} ({other.reason or one.reason})"
        for one, other in pairs
        if one.verdict is not other.verdict or (one.verdict is Verdict.NA and one.output_digest != other.output_digest)
    )
    return Verification(
        differences=differences,
        cases=len(pairs),
        skipped=len(prepared) - len(ready),
        verdicts=frozenset(one.verdict for one, _ in pairs),
        failure=next((other for _, other in pairs if other.verdict not in (Verdict.AC, Verdict.NA)), None),
    )


def _copy_original(graph: ImportGraph, folder: Path) -> Path:
    """Copy the original's files into a folder; return the script that runs them."""
    entry, package = graph.entry.path, graph.package
    top = entry.parents[package.count(".") + 1 if package else 0]
    sources = [graph.entry, *(module.source for module in graph.modules.values() if module.source)]
    files = {str(source.path.relative_to(top)): source.data for source in sources}
    copy = folder / entry.relative_to(top)
    call = f'runpy.run_path({str(copy)!r}, run_name="__main__")'
    if package:
        call = f'runpy.run_module("{package}.{entry.stem}", run_name="__main__", alter_sys=True)'
    text = f"import runpy, sys\nsys.path[:0] = [{str(copy.parent)!r}, {str(folder)!r}]\n{call}\n"
    write_files({**files, _SCRIPT: text.encode()}, folder)
    return folder / _SCRIPT
