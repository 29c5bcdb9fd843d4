"""Verifies a bundle: on each case of its problem, it must get the same verdict as the original.

The original runs from copies of its files in the same relative places, started by a short script that sets the search
path as `python FILE` does, or for a file in a package, `python -m PACKAGE.FILE`.
"""

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.languages.build import CompileError
from judge.languages.source import write_files
from judge.model import CaseResult, Verdict
from judge.online.bundle.assemble import Bundle
from judge.online.bundle.modules import ImportGraph
from judge.online.lint.dry_run import DryRun, DryRunner

_SCRIPT = "run_the_original.py"


class Verification(Struct, frozen=True, kw_only=True):
    """What the runs of the original and the bundle show.

    Attributes:
        differences: cases with different verdicts, or outputs if there is no answer; empty if the bundle is correct.
        cases: the number of cases that ran.
        skipped: the number of cases that did not, since their data is missing.
        verdicts: what both got.
        failure: the first case that is not AC, as the bundle got it.
    """

    differences: tuple[str, ...]
    cases: int = 0
    skipped: int = 0
    verdicts: frozenset[Verdict] = frozenset()
    failure: CaseResult | None = None


def verify_bundle(bundle: Bundle, entry: Path, runner: DryRunner) -> Verification:
    """Run a bundle and its original on all cases of a problem.

    Raises:
        DataError: the problem's data is wrong.
        JudgeError: one of them cannot run here.
    """
    folder = runner.session.store.build
    write_files({entry.name: bundle.data}, folder / "bundle")
    program = runner.build(folder / "bundle" / entry.name)
    if isinstance(program, CompileError):
        return Verification(differences=(f"the bundle does not compile: {program.message}",))
    script = _copy_original(bundle.graph, folder / "original")
    argv = tuple(str(script) if word == str(program.copy) else word for word in program.argv)
    original = replace(program, argv=argv, source=entry, copy=script, place=script.parent)
    return _compare(runner.run(original), runner.run(program))


def _compare(original: DryRun, bundle: DryRun) -> Verification:
    pairs = list(zip(original.cases, bundle.cases, strict=True))
    differences = tuple(
        f"{one.case.id}: original {one.verdict}, bundle {other.verdict} ({other.reason or one.reason})"
        for one, other in pairs
        if one.verdict is not other.verdict or (one.verdict is Verdict.NA and one.output_digest != other.output_digest)
    )
    verdicts = frozenset(one.verdict for one, _ in pairs)
    return Verification(
        differences=differences,
        cases=len(pairs),
        skipped=len(original.skipped),
        verdicts=verdicts,
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
