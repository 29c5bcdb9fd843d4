"""The files and programs of a package of Polygon: checker, interactor and validator, all by the protocol of testlib."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct

from judge.errors import JudgeError
from judge.export.package import Package
from judge.export.polygon_checker import FILE, checker_source, standard_checker
from judge.judging.programs import TESTLIB
from judge.languages.build import read_source
from judge.languages.source import PROGRAM
from judge.model import CheckerConfig, Problem
from judge.problems.yaml.text import quote
from judge.programs import JudgeProgram, Protocol
from judge.units import format_count

_BY_TOKENS = CheckerConfig(case_sensitive=True)
_HEADERS = (".h", ".hpp", ".hh", ".hxx")
_HEADER_TYPE = "h.g++"
_TYPES = {"cpp": "cpp.g++20", "c": "c.gcc", "python3": "python.3", "pypy3": "python.pypy3", "java": "java21"}


class AssetWriter(Struct, frozen=True, kw_only=True):
    """Adds the checker and the interactor, and the headers that they need; reports what the format does not have.

    Attributes:
        package: gets the files.
        problem: what is exported.
        files, assets: the elements of problem.xml.
        answers: of all tests.
    """

    package: Package
    problem: Problem
    files: ET.Element
    assets: ET.Element
    answers: Sequence[bytes | Path]

    def write(self) -> None:
        """Add everything.

        Raises:
            OSError: a file cannot be read.
        """
        _report_case_checkers(self.package, self.problem)
        _report_validators(self.package, self.problem)
        resources = ET.SubElement(self.files, "resources")
        config, interactor = self.problem.checker, self.problem.interactor
        checker = ET.SubElement(self.assets, "checker", {"type": "testlib"})
        own = None if config.program is interactor else config.program
        if own is None:
            self._add_standard(checker, config if config.program is None else _BY_TOKENS)
        elif reason := self._add_program(checker, resources, own):
            self._lose("checker", own, f"{reason}; outputs are compared by tokens until you add one")
            self._add_standard(checker, _BY_TOKENS)
        elif config.args:
            self.package.losses.append("the arguments of the checker: not in this format")
        if interactor is not None:
            element = ET.SubElement(self.assets, "interactor")
            if reason := self._add_program(element, resources, interactor):
                self.assets.remove(element)
                self._lose("interactor", interactor, f"{reason}; the package cannot be judged until you add one")

    def _lose(self, role: str, program: JudgeProgram, reason: str) -> None:
        self.package.losses.append(f"the {role} {quote(program.source.name)}: {reason}")

    def _add_standard(self, element: ET.Element, config: CheckerConfig) -> None:
        """Add a checker that decides as one of ours; its source, too, for readers that lack those of Polygon."""
        name = standard_checker(config, self.answers)
        if name:
            element.set("name", f"std::{name}.cpp")
            self.package.notes.append(f"the checker is std::{name}.cpp of Polygon, which decides the same")
        else:
            note = f"the checker is files/{FILE}, written for this package: no checker of Polygon fits"
            self.package.notes.append(note)
        self.package.add(f"files/{FILE}", checker_source(config))
        ET.SubElement(element, "source", {"path": f"files/{FILE}", "type": _TYPES["cpp"]})

    def _add_program(self, element: ET.Element, resources: ET.Element, program: JudgeProgram) -> str:
        """Add a program that speaks the protocol of testlib; return why that is impossible, or ""."""
        if program.protocol is not Protocol.TESTLIB:
            return "it speaks the protocol of ICPC, and those of Polygon that of testlib"
        if program.source.is_dir():
            return "a folder of sources"
        kind = _find_type(program.source)
        if not kind:
            return "its language is not in this format"
        folder = self.problem.folder
        path = f"files/{program.source.name}"
        root = folder if folder is not None and program.source.is_relative_to(folder) else None
        if path not in self.package.files and not self.package.copy(program.source, path, root=root):
            return "it cannot be copied"
        ET.SubElement(element, "source", {"path": path, "type": kind})
        for header in _headers(program):
            name = f"files/{header.name}"
            if name not in self.package.files and self.package.copy(header, name, root=folder):
                ET.SubElement(resources, "file", {"path": name, "type": _HEADER_TYPE})
        return ""


def _headers(program: JudgeProgram) -> Iterator[Path]:
    """Yield the headers that a program is compiled with."""
    for place in (*program.include, program.source.parent / TESTLIB):
        for each in sorted(place.iterdir()) if place.is_dir() else (place,):
            if each.suffix in _HEADERS and each.is_file():
                yield each


def _find_type(source: Path) -> str:
    if source.is_dir():
        return ""
    try:
        return _TYPES.get(read_source(source, PROGRAM).language.id, "")
    except (JudgeError, OSError):
        return ""


def _report_case_checkers(package: Package, problem: Problem) -> None:
    others = {case.checker for case in problem.cases if not case.is_static} - {problem.checker}
    if others:
        package.losses.append(f"{format_count(len(others), 'checker')} of single cases: a package has only one")


def _report_validators(package: Package, problem: Problem) -> None:
    """Report the input validator: ours and those of ICPC accept with status 42, those of Polygon with 0."""
    if problem.validator is not None:
        name = quote(problem.validator.name)
        package.losses.append(f"the input validator {name}: Polygon expects one with testlib.h, which exits with 0")
    elif problem.is_package and problem.folder is not None:
        folders = ("input_validators", "input_format_validators")
        if any((problem.folder / each).is_dir() for each in folders):
            package.losses.append("the input validators: Polygon expects one with testlib.h, which exits with 0")
    elif problem.input_format:
        package.losses.append("the grammar of the input: not in this format")
    for tests, what in ((problem.checker_tests, "checker"), (problem.validator_tests, "validator")):
        if tests:
            package.losses.append(f"{format_count(len(tests), 'test')} of the {what}")
