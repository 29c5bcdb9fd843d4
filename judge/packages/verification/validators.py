"""Runs the validators of a package on files, each in a worker: does one accept an input, an answer or an output?

What a validator says of the same bytes, arguments and files is known from earlier runs (`FactCache`).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic

from msgspec import Struct, field

from judge.base.data import Data, digest, digest_files, read_data
from judge.base.errors import JudgeError, describe_error
from judge.judging.case_files import read_files
from judge.judging.judge import check_output
from judge.judging.programs import JudgePrograms, UnusableProgram
from judge.model import CheckerConfig, Verdict
from judge.model.programs import JudgeProgram
from judge.preparation.cases import MapRuns
from judge.preparation.store import FactCache, make_key
from judge.preparation.validators import Answered, Status, one_line, run_validator
from judge.sandbox.box import Box

_SLOW = 2.0  # seconds
_SCORED = "+score"  # after a status that is kept
_KEPT = (Status.ACCEPTED, Status.REJECTED)


class Content(Struct, frozen=True):
    """The bytes of a file, or the file, with their SHA-256; or the folder with the files of a case, links left out.

    Hashing raises an OSError if a file cannot be read, and a SandboxError if there are too many in a folder.
    """

    data: Data
    digest: str

    @classmethod
    def of(cls, data: Data) -> "Content":
        """Hash data."""
        return cls(data, digest(data))

    @classmethod
    def of_folder(cls, folder: Path | None) -> "Content | None":
        """Hash the files in a folder (`x.files`, ICPC 2025-09); None without one."""
        return cls(folder, digest_files(read_files(folder))) if folder is not None else None


class ValidatorRun(Struct, frozen=True, kw_only=True):
    """A run of an input validator, or of an answer validator.

    Attributes:
        files: the case's own files, which are in its current folder.
        given: the input, whose path an answer validator gets as its first argument.
    """

    validator: JudgeProgram
    content: Content
    args: tuple[str, ...] = ()
    files: Content | None = None
    given: Content | None = None


class OutputRun(Struct, frozen=True, kw_only=True):
    """A run of the output validator, or of the default one, on an output."""

    checker: CheckerConfig
    given: Content
    answer: Content
    output: Content


Run = ValidatorRun | OutputRun


class ValidatorRunner(Struct):
    """Runs the validators of one package."""

    programs: JudgePrograms
    facts: FactCache
    _slow: Counter[Path] = field(default_factory=Counter)

    def run_all(self, runs: Sequence[Run], map_runs: MapRuns) -> Iterator[Answered]:
        """Yield what the validators say, in the order of the runs."""
        keys = [self._key(run) for run in runs]
        known = [self._find(key) for key in keys]
        found = map_runs(self._run, [run for run, each in zip(runs, known, strict=True) if each is None])
        try:
            for key, each in zip(keys, known, strict=True):
                answered = next(found) if each is None else each
                if each is None and key and answered.status in _KEPT:
                    self.facts.put(key, f"{answered.status}{_SCORED * answered.has_score}:{answered.message}")
                yield answered
        finally:  # also after Ctrl-C
            self.facts.save()

    def _find(self, key: str) -> Answered | None:
        said, _, message = (self.facts.get(key) or "").partition(":")
        status = said.removesuffix(_SCORED)
        has_score = said != status
        return Answered(status=Status(status), message=message, has_score=has_score) if status in _KEPT else None

    def _key(self, run: Run) -> str:
        """Return the hash of all that decides what a validator says; "" if that is not known."""
        program = run.validator if isinstance(run, ValidatorRun) else run.checker.program
        identity = self.programs.identity(program) if program else ()
        if identity is None:
            return ""
        if isinstance(run, OutputRun):
            config = repr(run.checker.options)
            contents = (each.digest for each in (run.given, run.answer, run.output))
            return make_key("output validator", *contents, config, *identity)
        files = run.files.digest if run.files else ""
        given = run.given.digest if run.given else ""
        return make_key("input validator", run.content.digest, given, files, repr(run.args), *identity)

    def _run(self, box: Box, run: Run) -> Answered:
        """Run a validator in a worker; one that fails slowly is not run on every file: a run may take minutes."""
        program = run.validator if isinstance(run, ValidatorRun) else run.checker.program
        if program is not None and self._slow[program.source] >= 2:
            message = "fails after a long time on several files; it was not run on the others"
            return Answered(status=Status.UNUSABLE, message=message)
        start = monotonic()
        answered = self._try(box, run, program)
        if program is not None and answered.status is Status.FAILED and monotonic() - start > _SLOW:
            self._slow[program.source] += 1
        return answered

    def _try(self, box: Box, run: Run, program: JudgeProgram | None) -> Answered:
        """Run a validator; any error of the machine concerns this run only."""
        try:
            ready = self.programs.get(program, box) if program else None
            if isinstance(ready, UnusableProgram):
                return Answered(status=Status.UNUSABLE, message=f"{ready.cause}; it was not run")
            if isinstance(run, OutputRun):
                given, answer, output = run.given.data, run.answer.data, read_data(run.output.data)
                result = check_output(run.checker, ready, box, given=given, answer=answer, output=output)
                if result.verdict is Verdict.JE:
                    return Answered(status=Status.FAILED, message=one_line(result.reason.encode()))
                text = result.message or (result.reason if ready is None else "")
                return Answered(
                    status=Status.ACCEPTED if result.verdict is Verdict.AC else Status.REJECTED,
                    message=next(iter(text.strip().splitlines()), "")[:300],
                    has_score=result.raw_score is not None and result.raw_score.score is not None,
                )
            assert ready is not None
            folder = run.files.data if run.files else None
            files = read_files(folder) if isinstance(folder, Path) else None
            answered = run.given.data if run.given else None
            return run_validator(ready, run.content.data, run.args, box, files=files, given=answered)
        except (JudgeError, OSError) as error:
            return Answered(status=Status.FAILED, message=describe_error(error))
