"""Tests a package with its own validators: every input and answer, and the cases that test the validators.

Sources: ICPC problem package format, 2025-09 and legacy, "Input validators", "Invalid input", "Invalid output" and
"Valid output". Which answers are errors, and the meaningless inputs that some validator should reject, is as in
problemtools.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.data import Data, read_small_file
from judge.base.errors import DataError, Diagnostic, SandboxError, Severity, describe_error, join_lines
from judge.judging.programs import TESTLIB, JudgePrograms
from judge.model import Case, CheckerConfig, Problem, ProblemType
from judge.model.groups import Rules
from judge.model.programs import JudgeProgram
from judge.packages.verification.validators import Content, OutputRun, Run, ValidatorRun, ValidatorRunner
from judge.preparation.cases import DataStore, InvalidCase, MapRuns, PreparedCase, ReadyCase, SkippedCase
from judge.preparation.validators import Answered, Status
from judge.problems.icpc.data_settings import Arguments, arguments_of
from judge.problems.icpc.files import Version
from judge.problems.icpc.package_files import PackageFiles, SelfTest, SelfTestKind, Validator
from judge.problems.yaml.text import quote_all

_MAX_CHANGED = 1 << 16  # bytes of an input that is changed to see whether a validator notices
_CHANGED_CASES = 3
_WITHOUT_OUTPUT_TESTS = frozenset({ProblemType.INTERACTIVE, ProblemType.MULTI_PASS, ProblemType.SUBMIT_ANSWER})
_DEFAULT_CHECKER = "the default output validator"
_REPLACEMENTS = (".out", ".ans.statement", ".ans.download", ".interaction")  # what teams see in place of the answer

Tests = Iterator[tuple[Sequence[Run], Callable[[Sequence[Answered]], Iterator[Diagnostic]]]]
"""Runs of validators, and what their results mean together."""
Require = Callable[[Sequence[Validator], Diagnostic, str, Sequence[Answered]], Iterator[Diagnostic]]


class PackageTester(Struct):
    """Tests one package; nothing is written into it.

    Attributes:
        counts: how many `validators`, `inputs`, `answers` and `self_tests` were tested, and in how many `runs`.
    """

    problem: Problem
    files: PackageFiles
    store: DataStore
    shown: Path
    diagnostics: list[Diagnostic] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    _inputs: list[Validator] = field(default_factory=list)  # the validators of inputs that can run
    _answers: list[Validator] = field(default_factory=list)
    _unusable: dict[Path, str] = field(default_factory=dict)

    def run(self, prepared: Sequence[PreparedCase], self_tests: Sequence[PreparedCase], map_runs: MapRuns) -> None:
        """Run all tests; their findings are in `diagnostics` afterwards.

        The cases of the problem are prepared, and so are those of `PackageFiles.self_tests`.
        """
        programs = JudgePrograms(self.problem, self.store.build, self.store.programs, self.store.testlib)
        self._inputs = list(self._find_runnable(self.files.input_validators))
        self._answers = list(self._find_runnable(self.files.answer_validators))
        tests = [*self._case_tests(prepared), *self._self_tests(self_tests)]
        with suppress(SandboxError, OSError):  # a file cannot be read, which the test of its case reports
            tests += list(self._meaningless_inputs(prepared))
        with suppress(SandboxError, OSError):
            tests += list(self._meaningless_outputs(prepared))
        runs = [run for group, _ in tests for run in group]
        results = ValidatorRunner(programs, self.store.facts).run_all(runs, map_runs)
        scored: set[tuple[Status, bool]] = set()
        for group, conclude in tests:
            answered = list(islice(results, len(group)))
            self.diagnostics += conclude(answered)
            of_outputs = (each for run, each in zip(group, answered, strict=True) if isinstance(run, OutputRun))
            scored.update((each.status, each.has_score) for each in of_outputs)
        for _ in results:  # lets it save what it found out
            pass
        self.diagnostics += self._score_files(scored)
        for path, text in self._unusable.items():
            if self.problem.format == "polygon" and f"{TESTLIB} is not in" in text:  # its packages do not have it
                self.diagnostics.append(self._warning(path, "validator-not-run", text))
            else:
                self.diagnostics.append(self._error(path, "validator-build", text))
        self.counts.update(validators=len(self._inputs) + len(self._answers), runs=len(runs))

    # ---- validators ------------------------------------------------------------------------------------------------

    def _find_runnable(self, validators: Sequence[Validator]) -> Iterator[Validator]:
        for each in validators:
            if program := each.program or self._translate(each.path):
                yield replace(each, program=program)

    def _translate(self, path: Path) -> JudgeProgram | None:
        from judge.preparation.checktestdata import translate  # few packages have a grammar

        try:
            return translate(path, self._show(path), self.store.build, self.problem.constants)
        except DataError as error:
            self.diagnostics += [replace(each, rule="validator-build") for each in error.diagnostics]
        except OSError as error:
            self.diagnostics.append(self._error(path, "validator-build", describe_error(error)))
        return None

    # ---- cases -----------------------------------------------------------------------------------------------------

    def _case_tests(self, prepared: Sequence[PreparedCase]) -> Tests:
        same: dict[tuple[object, ...], list[Case]] = {}
        for each in prepared:
            if not isinstance(each, ReadyCase):
                self._report_unready(each)
                continue
            case = each.case
            try:
                given = Content.of(each.input)
                files = Content.of_folder(case.files)
                yield from self._test_input(case, given, self._require_accepted, files=files)
                self.counts["inputs"] += bool(self._inputs)
                if each.answer is not None:
                    yield from self._answers_of(case, given, Content.of(each.answer))
            except (SandboxError, OSError) as error:
                self.diagnostics.append(self._case_error(case, describe_error(error)))
                continue
            about = (given.digest, case.args, case.validator_args, case.checker.args, files.digest if files else "")
            same.setdefault(about, []).append(case)
        for cases in same.values():  # samples may be among secret cases again
            secret = [case for case in cases if not case.is_sample]
            for case in secret[1:]:
                place = self._place(case)
                message = f"{place.message}has the same input as {secret[0].id}"
                warning = replace(place, severity=Severity.WARNING, rule="duplicate-input", message=message)
                self.diagnostics.append(replace(warning, fix="remove one of them"))

    def _report_unready(self, prepared: SkippedCase | InvalidCase) -> None:
        if isinstance(prepared, SkippedCase):
            self.diagnostics.append(self._case_error(prepared.case, f"is not tested: {prepared.reason}"))
        else:
            found = prepared.diagnostic
            self.diagnostics.append(replace(found, rule=found.rule or "test-data"))

    def _test_input(self, case: Case, given: Content, require: Require, *, files: Content | None) -> Tests:
        arguments = self._arguments_of(case)
        runs = tuple(_input_run(each, given, arguments, case.args, files) for each in self._inputs)
        if runs:
            yield runs, partial(require, self._inputs, self._place(case), "input")

    def _test_answer(
        self, case: Case, given: Content, answer: Content, require: Require, more: Iterable[Run] = ()
    ) -> Tests:
        words = self._arguments_of(case).answer_validators
        own = (  # with the answer on standard input, and the input as the first argument (BAPCtools)
            ValidatorRun(validator=each.program, content=answer, args=arguments_of(words, each.path), given=given)
            for each in self._answers
            if each.program is not None
        )
        if runs := (*own, *more):
            yield runs, partial(require, self._answers, self._place(case, ".ans"), "answer")

    def _arguments_of(self, case: Case) -> Arguments:
        return self.files.arguments.get(case.id) or Arguments(input_validators={"": case.validator_args})

    def _answers_of(self, case: Case, given: Content, answer: Content) -> Tests:
        yield from self._test_answer(case, given, answer, self._require_accepted)
        if self.problem.types & _WITHOUT_OUTPUT_TESTS:
            return
        is_sample = case.is_sample
        if self._must_be_output(case):
            self.counts["answers"] += 1
            severity = Severity.ERROR if is_sample else Severity.WARNING  # as in problemtools
            rejected = replace(self._place(case, ".ans"), rule="rejected-answer", severity=severity)
            run = OutputRun(checker=case.checker, given=given, answer=answer, output=answer)
            yield from self._test_output(run, rejected)
        output, folder = case.origin.with_suffix(".out"), self.problem.folder
        if not (is_sample and case.origin.suffix == ".in" and folder is not None and output.exists()):
            return
        if output.resolve().is_relative_to(folder.resolve()):
            rejected = self._error(output, "rejected-sample-output", "")
            run = OutputRun(checker=case.checker, given=given, answer=answer, output=Content.of(output))
            yield from self._test_output(run, rejected)

    def _must_be_output(self, case: Case) -> bool:
        """Return whether the answer of a case is an output, too (2025-09, "Validation of shared test case files")."""
        if not self.files.ans_is_output:
            return False
        if self.files.version is not Version.V2025_09 or case.origin.suffix != ".in":
            return True
        return not any(case.origin.with_suffix(suffix).exists() for suffix in _REPLACEMENTS)

    def _test_output(self, run: OutputRun, place: Diagnostic, *, accepts: bool = True) -> Tests:
        """Yield a test that an output is accepted, or rejected; `place` has the rule and the severity of a finding."""
        yield (run,), partial(self._require_output, run.checker, place, accepts)

    def _require_output(
        self, checker: CheckerConfig, place: Diagnostic, accepts: bool, results: Sequence[Answered]
    ) -> Iterator[Diagnostic]:
        (result,) = results
        name = (
            f"the output validator {join_lines(checker.program.source.name)}" if checker.program else _DEFAULT_CHECKER
        )
        if accepts and result.status is Status.REJECTED:
            yield replace(place, message=f"{place.message}{name} rejects it{_said(result)}")
        elif not accepts and result.status is Status.ACCEPTED:
            yield replace(place, message=f"{place.message}{name} accepts it; expected it to reject this output")
        else:
            source = checker.program.source if checker.program else place.path  # the default one can always be used
            yield from self._failure(name, source, result, place)

    # ---- the cases that test validators ----------------------------------------------------------------------------

    def _self_tests(self, prepared: Sequence[PreparedCase]) -> Tests:
        for test, made in zip(self.files.self_tests, prepared, strict=True):
            if not isinstance(made, ReadyCase):
                self._report_unready(made)
                continue
            try:
                tests = list(self._self_test(test, made))
            except (SandboxError, OSError) as error:
                self.diagnostics.append(self._case_error(made.case, describe_error(error)))
                continue
            self.counts["self_tests"] += bool(tests)
            yield from tests

    def _self_test(self, test: SelfTest, made: ReadyCase) -> Tests:
        case = made.case
        given, files = Content.of(made.input), Content.of_folder(case.files)
        is_valid = test.kind is not SelfTestKind.INVALID_INPUT
        require = self._require_accepted if is_valid else self._require_rejection
        yield from self._test_input(case, given, require, files=files)
        if not is_valid or made.answer is None:
            return
        answer = Content.of(made.answer)
        if test.kind is SelfTestKind.INVALID_ANSWER:
            more = self._answers_as_outputs(case.checker, given, answer)
            yield from self._test_answer(case, given, answer, self._require_rejection, more)
        elif test.output is not None and not self.problem.types & _WITHOUT_OUTPUT_TESTS:
            run = OutputRun(checker=case.checker, given=given, answer=answer, output=Content.of(test.output))
            accepts = test.kind is SelfTestKind.VALID_OUTPUT
            place = replace(self._place(case, ".out"), rule="valid-output" if accepts else "invalid-output")
            yield from self._test_output(run, place, accepts=accepts)

    def _answers_as_outputs(self, checker: CheckerConfig, given: Content, answer: Content) -> Iterator[OutputRun]:
        """Yield a run of the package's output validator on an answer: it may be what rejects a wrong one.

        It is strict then, as in BAPCtools (`TestCase._run_validators` in bapctools/test_case.py).
        """
        if checker.program and self.files.ans_is_output and not self.problem.types & _WITHOUT_OUTPUT_TESTS:
            strict = replace(checker, args=("case_sensitive", "space_change_sensitive", *checker.args))
            yield OutputRun(checker=strict, given=given, answer=answer, output=answer)

    # ---- meaningless inputs ----------------------------------------------------------------------------------------

    def _meaningless_inputs(self, prepared: Sequence[PreparedCase]) -> Tests:
        """Yield tests that some validator rejects an empty file, junk, and inputs with another layout."""
        if not self._inputs:
            return
        ready = _find_ready(prepared)
        first = self._arguments_of(ready[0].case) if ready else Arguments()
        args = ready[0].case.args if ready else ()
        files = Content.of_folder(ready[0].case.files) if ready else None
        longest = max(len(junk) for _, junk in _JUNK)
        known = {read_small_file(each.input, longest) for each in ready if isinstance(each.input, Path)}
        for what, junk in _JUNK:
            if junk in known:  # an input that is empty, for example
                continue
            runs = tuple(_input_run(each, Content.of(junk), first, args, files) for each in self._inputs)
            yield runs, partial(self._expect_rejection, what)
        for what, change in _CHANGES:
            changed = []
            for each in ready:
                text = _small(each.input)
                if text and (data := change(text)) != text:
                    changed.append((each.case, data))
                if len(changed) == _CHANGED_CASES:
                    break
            runs = tuple(
                _input_run(each, Content.of(data), self._arguments_of(case), case.args, Content.of_folder(case.files))
                for case, data in changed
                for each in self._inputs
            )
            if runs:
                yield runs, partial(self._expect_rejection, what)

    def _expect_rejection(self, what: str, results: Sequence[Answered]) -> Iterator[Diagnostic]:
        if all(each.status is Status.ACCEPTED for each in results):
            folder = self.files.input_validators[0].path.parent
            yield self._warning(folder, "weak-input-validator", f"no input validator rejects {what}")

    def _meaningless_outputs(self, prepared: Sequence[PreparedCase]) -> Tests:
        """Yield tests that the output validator of the package rejects junk, and fails on no malformed output."""
        checker = self.problem.checker
        nothing = Content.of(b"")
        empty = [
            OutputRun(
                checker=each.case.checker,
                given=Content.of(each.input),
                answer=Content.of(each.answer or b""),
                output=nothing,
            )
            for each in _find_ready(prepared)[:_CHANGED_CASES]
        ]
        if checker.program is None or not empty:
            return
        if self.problem.types & _WITHOUT_OUTPUT_TESTS:
            if self.problem.types == {ProblemType.INTERACTIVE, ProblemType.SCORING}:  # a program that writes nothing
                yield tuple(empty), lambda _: iter(())  # see `_score_files`
            return
        for what, junk in _JUNK:
            runs = tuple(replace(run, output=Content.of(junk)) for run in empty)
            yield runs, partial(self._expect_rejected_output, checker.program.source, what)
        outputs = [output for output in _MALFORMED for _ in empty]
        runs = tuple(replace(run, output=Content.of(output)) for output in _MALFORMED for run in empty)
        yield runs, partial(self._expect_no_failure, checker.program.source, outputs)

    def _expect_rejected_output(self, source: Path, what: str, results: Sequence[Answered]) -> Iterator[Diagnostic]:
        if all(each.status is Status.ACCEPTED for each in results):
            yield self._warning(source, "weak-output-validator", f"accepts {what} as output")
        if failed := next((each for each in results if each.status is Status.FAILED), None):
            yield self._error(source, "validator-failure", f"fails on {what} as output{_said(failed)}")

    def _expect_no_failure(
        self, source: Path, outputs: Sequence[bytes], results: Sequence[Answered]
    ) -> Iterator[Diagnostic]:
        """Require that the output validator accepts or rejects: some of the outputs may be right."""
        failed = [pair for pair in zip(outputs, results, strict=True) if pair[1].status is Status.FAILED]
        if failed:
            found = quote_all(dict.fromkeys(output.decode("latin-1") for output, _ in failed))
            message = f"fails on malformed outputs, such as {found}{_said(failed[0][1])}"
            yield self._error(source, "validator-failure", message)

    def _score_files(self, scored: Collection[tuple[Status, bool]]) -> Iterator[Diagnostic]:
        """Yield where Kattis reports a judge error of a legacy output validator because of `score.txt`.

        legacy, "Validation": the word `score` means that the validator produces a score. Whether it may without, and
        for an output that it rejects, is as in problemtools. Of each status, it occurred with a score or without.
        """
        groups, program = self.problem.groups, self.problem.checker.program
        is_legacy = self.files.version.is_legacy and groups is not None and groups.rules is Rules.LEGACY
        if program is None or not is_legacy or not self.problem.has_scores:
            return
        declares = self.files.declares_score
        for status, has_score, is_wrong, message in (
            (Status.ACCEPTED, True, not declares, "writes score.txt, but `validation` does not say `score`"),
            (Status.ACCEPTED, False, declares, "accepts an output without score.txt, but `validation` says `score`"),
            (Status.REJECTED, True, True, "writes score.txt for an output that it rejects"),
        ):
            if is_wrong and (status, has_score) in scored:
                yield self._warning(program.source, "score-file", f"{message}: a judge error at Kattis")

    # ---- conclusions -----------------------------------------------------------------------------------------------

    def _require_accepted(
        self, validators: Sequence[Validator], place: Diagnostic, what: str, results: Sequence[Answered]
    ) -> Iterator[Diagnostic]:
        for validator, result in zip(validators, results, strict=True):
            if result.status is Status.REJECTED:
                message = f"{place.message}{validator.name} rejects this {what}{_said(result)}"
                yield replace(place, rule=f"valid-{what}", message=message)
            else:
                yield from self._failure(validator.name, validator.path, result, place)

    def _require_rejection(
        self, validators: Sequence[Validator], place: Diagnostic, what: str, results: Sequence[Answered]
    ) -> Iterator[Diagnostic]:
        """Require that at least one validator rejects an input or an answer.

        More results are those of the output validator, which may fail: it trusts answers.
        """
        own, more = results[: len(validators)], results[len(validators) :]
        for validator, result in zip(validators, own, strict=True):
            yield from self._failure(validator.name, validator.path, result, place)
        accepted = all(each.status is Status.ACCEPTED for each in own)
        if accepted and all(each.status in (Status.ACCEPTED, Status.FAILED) for each in more):
            kinds = f"{what} or output" if more else what
            message = f"{place.message}no {kinds} validator rejects it; expected at least one to reject this {what}"
            yield replace(place, rule=f"invalid-{what}", message=message)

    def _failure(self, name: str, source: Path, result: Answered, place: Diagnostic) -> Iterator[Diagnostic]:
        if result.status is Status.UNUSABLE:
            self._unusable[source] = f"{name} {result.message}"
        elif result.status is Status.FAILED:
            message = f"{place.message}{name} fails{_said(result)}"
            yield replace(place, rule="validator-failure", severity=Severity.ERROR, message=message)

    # ---- places ----------------------------------------------------------------------------------------------------

    def _place(self, case: Case, suffix: str = ".in") -> Diagnostic:
        """Return a diagnostic at a file of a case; its message names a case that is not in a file of its own."""
        if case.line:
            return Diagnostic(path=self._show(case.origin), line=case.line, message=f"{case.id}{suffix}: ")
        return self._error(case.origin.with_suffix(suffix) if case.origin.suffix == ".in" else case.origin, "", "")

    def _case_error(self, case: Case, message: str) -> Diagnostic:
        place = self._place(case)
        return replace(place, rule="test-data", message=f"{place.message}{message}")

    def _error(self, path: Path, rule: str, message: str) -> Diagnostic:
        return Diagnostic(path=self._show(path), rule=rule, message=message)

    def _warning(self, path: Path, rule: str, message: str) -> Diagnostic:
        return replace(self._error(path, rule, message), severity=Severity.WARNING)

    def _show(self, path: Path) -> Path:
        folder = self.problem.folder
        return self.shown / os.path.relpath(path, folder) if folder and path.is_relative_to(folder) else path


def _find_ready(prepared: Sequence[PreparedCase]) -> list[ReadyCase]:
    return [each for each in prepared if isinstance(each, ReadyCase)]


def _input_run(
    validator: Validator, given: Content, arguments: Arguments, args: tuple[str, ...], files: Content | None
) -> ValidatorRun:
    """Return a run with the arguments for this validator, then those of the case (2025-09, "Invocation")."""
    assert validator.program is not None
    words = (*arguments_of(arguments.input_validators, validator.path), *args)
    return ValidatorRun(validator=validator.program, content=given, args=words, files=files)


def _small(data: Data) -> bytes:
    if isinstance(data, bytes):
        return data if len(data) <= _MAX_CHANGED else b""
    try:
        return read_small_file(data, _MAX_CHANGED) or b""
    except OSError:
        return b""


def _said(result: Answered) -> str:
    return f": {result.message}" if result.message else ""


def _change(pattern: bytes, replacement: bytes) -> Callable[[bytes], bytes]:
    return lambda text: re.sub(pattern, replacement, text)


_random = random.Random(1)
_JUNK: tuple[tuple[str, bytes], ...] = (
    ("an empty file", b""),
    ("random bytes", _random.randbytes(1024)),
    ("a line of all printable characters of ASCII", bytes(range(32, 127)) + b"\n"),
)
_MALFORMED: tuple[bytes, ...] = (  # those of problemtools
    *(b"-1", b"2147483647", b"2147483648", b"9223372036854775808", b"0", b"1", b"1.0", b"a", b"2\n-1 1", b"2\n1"),
    *(b"1\n-1 1", b"1\na", b"(()", b"1-", b"1/0", b"2\n<", b"NaN", b"inf", b"\x00", b"\x80"),
)
_CHANGES: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("inputs with a second space after each space", _change(rb" ", b"  ")),
    ("inputs with a space at the ends of lines", _change(rb"\n", b" \n")),
    ("inputs with empty lines", _change(rb"\n", b"\n\n")),
    ("inputs with zeros before integers", _change(rb"(?<![\w.])(\d+)\b", rb"000\1")),
    ("inputs with junk at the end", lambda text: text + b"~ 1 junk\n"),
)
