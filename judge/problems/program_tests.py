"""The tests of a problem's checker and validator, in problem.yaml (docs/format.md)."""

from collections.abc import Iterator, Sequence

from judge.errors import Diagnostic
from judge.model import Case, CheckerTest, InFile, Inline, ValidatorTest
from judge.problems.file_format import CheckerTestEntry, CheckerTestsEntry, ProblemFile, ValidatorTestsEntry
from judge.problems.paths import AssetRoot
from judge.problems.yaml.document import Document
from judge.problems.yaml.text import describe_unknown

_Document = Document[ProblemFile]
_Keys = tuple[str | int, ...]


def read_checker_tests(document: _Document, entry: CheckerTestsEntry, assets: AssetRoot) -> Iterator[CheckerTest]:
    """Yield the tests of the checker; what is wrong is reported to the document."""
    for name, entries in (("accept", entry.accept), ("reject", entry.reject)):
        for index, test in enumerate(entries or ()):
            keys: _Keys = ("checker_tests", name, index)
            if test is not None and (found := _read_checker_test(document, test, assets, keys, name == "accept")):
                yield found


def _read_checker_test(
    document: _Document,
    entry: CheckerTestEntry,
    assets: AssetRoot,
    keys: _Keys,
    accepts: bool,
) -> CheckerTest | None:
    data = _Data(document, assets, keys)
    output = data.read(entry.output, entry.output_file, "output_file")
    if output is None:
        return None
    return CheckerTest(
        accepts=accepts,
        case=entry.case or "",
        input=data.read(entry.input, entry.input_file, "input_file"),
        answer=data.read(entry.answer, entry.answer_file, "answer_file"),
        output=output,
        args=None if entry.args is None else tuple(each for each in entry.args if each is not None),
        message=entry.message or "",
        origin=document.shown,
        line=document.locate(*keys).line,
    )


def read_validator_tests(document: _Document, entry: ValidatorTestsEntry, assets: AssetRoot) -> Iterator[ValidatorTest]:
    """Yield the tests of the validator; what is wrong is reported to the document."""
    for name, entries in (("valid", entry.valid), ("invalid", entry.invalid)):
        for index, test in enumerate(entries or ()):
            keys: _Keys = ("validator_tests", name, index)
            data = _Data(document, assets, keys)
            line = document.locate(*keys).line
            if isinstance(test, str):
                given: Inline | InFile = Inline(test.encode())
                yield ValidatorTest(accepts=name == "valid", input=given, origin=document.shown, line=line)
            elif test is not None and (found := data.read(test.input, test.input_file, "input_file")):
                yield ValidatorTest(
                    accepts=name == "valid",
                    input=found,
                    args=tuple(each for each in test.args or () if each is not None),
                    message=test.message or "",
                    origin=document.shown,
                    line=line,
                )


def check_case_names(document: _Document, tests: Sequence[CheckerTest], cases: Sequence[Case]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each test of a case that does not exist."""
    known = {case.id for case in cases}
    for test in tests:
        if test.case and test.case not in known:
            message = describe_unknown("case", test.case, sorted(known))
            yield Diagnostic(path=document.shown, line=test.line, column=1, message=message)


class _Data:
    """Reads the data of one test."""

    def __init__(self, document: _Document, assets: AssetRoot, keys: _Keys) -> None:
        self._document = document
        self._assets = assets
        self._keys = keys

    def read(self, text: str | None, name: str | None, key: str) -> Inline | InFile | None:
        """Return the data that a test gives as a text or names as a file; None for neither, or if that is wrong."""
        if text is not None:
            return Inline(text.encode())
        path = self._assets.find_or_report(name, self._document.report, *self._keys, key)
        return None if path is None else InFile(path)
