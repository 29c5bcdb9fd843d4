"""The programs of a package of Polygon: checker, interactor and validators, all by the protocol of testlib."""

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct

from judge.base.errors import JudgeError
from judge.base.links import LinkRoot
from judge.base.units import format_count
from judge.judging.programs import HEADERS, TESTLIB
from judge.languages.program_source import read_source
from judge.languages.source import PROGRAM, SourceOptions
from judge.model import CheckerConfig, Problem
from judge.model.programs import JudgeProgram, Protocol
from judge.packages.export.adapter import SCAFFOLD, adapt, fill
from judge.packages.export.cases import report_tests
from judge.packages.export.package import Package, first_name
from judge.problems.icpc.package_files import read_package_files
from judge.problems.polygon.programs import TYPES
from judge.problems.yaml.text import quote

_BY_TOKENS = CheckerConfig(case_sensitive=True)
_HEADER_TYPE = "h.g++"
_PROGRAM_TYPES = frozenset(TYPES[each] for each in ("c", "cpp", "java", "pypy3", "python3"))


class AssetWriter(Struct, frozen=True, kw_only=True):
    """Adds the checker and the interactor, and the headers that they need; reports what the format does not have."""

    package: Package
    problem: Problem
    files: ET.Element
    assets: ET.Element

    def write(self) -> None:
        """Add everything; raises an OSError if a file cannot be read."""
        others = {case.checker for case in self.problem.cases if not case.is_static} - {self.problem.checker}
        if others:
            message = f"{format_count(len(others), 'checker')} of single cases: a package has only one"
            self.package.losses.append(message)
        resources = ET.SubElement(self.files, "resources")
        self._add_validators(resources)
        config, interactor = self.problem.checker, self.problem.interactor
        checker = ET.SubElement(self.assets, "checker", {"type": "testlib"})
        own = None if config.program is interactor else config.program
        if own is None and interactor is not None:
            self._add_source(checker, FILE, b"int main() {}\n", TYPES["cpp"])
            self.package.notes.append(f"the checker files/{FILE} accepts everything: the interactor decides")
        elif own is None:
            self._add_source(checker, FILE, checker_source(config), TYPES["cpp"])
            self.package.notes.append(f"the checker is files/{FILE}, written for this package")
        elif reason := self._add_program(checker, resources, own, "checker", config.args):
            self._lose("checker", own, f"{reason}; outputs are compared by tokens until you add one")
            self._add_source(checker, FILE, checker_source(_BY_TOKENS), TYPES["cpp"])
        if interactor is not None:
            element, args = ET.SubElement(self.assets, "interactor"), () if own else config.args
            if reason := self._add_program(element, resources, interactor, "interactor", args):
                self.assets.remove(element)
                self._lose("interactor", interactor, f"{reason}; the package cannot be judged until you add one")

    def _add_validators(self, resources: ET.Element) -> None:
        problem = self.problem
        programs = [problem.validator] if problem.validator else []
        if problem.is_package and problem.folder is not None:
            files, _ = read_package_files(problem.folder, root_for_display=problem.folder)
            programs = [each.program for each in files.input_validators if each.program]
            if len(programs) < len(files.input_validators):
                self.package.losses.append("the input validators that are grammars: not in this format")
        elif not programs and problem.input_format:
            self.package.losses.append("the grammar of the input: not in this format")
        parent = ET.SubElement(self.assets, "validators") if programs else self.assets
        for program in programs:
            element = ET.SubElement(parent, "validator")
            if reason := self._add_program(element, resources, program, "validator"):
                parent.remove(element)
                self.package.losses.append(f"the input validator {quote(program.source.name)}: {reason}")
        report_tests(self.package, problem)

    def _lose(self, role: str, program: JudgeProgram, reason: str) -> None:
        self.package.breaking.append(f"the {role} {quote(program.source.name)}: {reason}")

    def _add_source(self, element: ET.Element, name: str, data: bytes, kind: str) -> None:
        self.package.add(f"files/{name}", data)
        ET.SubElement(element, "source", {"path": f"files/{name}", "type": kind})

    def _add_program(
        self, element: ET.Element, resources: ET.Element, program: JudgeProgram, role: str, args: Sequence[str] = ()
    ) -> str:
        """Add a program, which Polygon calls by the protocol of testlib; return why that is impossible, or ""."""
        folder = self.problem.folder
        root = folder if folder is not None and program.source.is_relative_to(folder) else None
        inside = sorted(program.source.iterdir()) if program.source.is_dir() else [program.source]
        sources = [each for each in inside if each.suffix not in HEADERS]
        if len(sources) != 1 or not sources[0].is_file():
            return "a folder of sources"
        (source,) = sources
        kind = find_type(source, PROGRAM)
        if kind is None or kind not in _PROGRAM_TYPES:
            return "its language is not in this format"
        if reason := LinkRoot.of(root or source.parent).find_error(source):
            return reason
        name = first_name(source.name, lambda each: f"files/{each}" not in self.package.files)
        text = source.read_bytes()
        if program.protocol is Protocol.ICPC:
            adapted = adapt(source, text, Protocol.TESTLIB, role, args)
            if adapted is None:
                return "it speaks the protocol of ICPC, and those of Polygon that of testlib"
            text = adapted
            self.package.notes.append(f"files/{name} is written so that Polygon can call it, and holds the {role}")
        elif args:
            self.package.losses.append(f"the arguments of the {role}: not in this format")
        self._add_source(element, name, text, kind)
        for place in (*program.include, *inside, source.parent / TESTLIB):
            for each in sorted(place.iterdir()) if place.is_dir() else (place,):
                path = f"files/{each.name}"
                is_new = each.suffix in HEADERS and each.is_file() and path not in self.package.files
                if is_new and self.package.copy(each, path, root=folder):
                    ET.SubElement(resources, "file", {"path": path, "type": _HEADER_TYPE})
        return ""


def find_type(source: Path, options: SourceOptions) -> str | None:
    """Return what Polygon calls the language of a file; None if it does not know it."""
    try:
        return TYPES.get(read_source(source, options).language.id)
    except (JudgeError, OSError):  # whatever is wrong, it cannot be judged here either
        return None


FILE = "check.cpp"


def checker_source(checker: CheckerConfig) -> bytes:
    """Return the source of a checker that decides as one of ours, but for numbers beyond `long double`."""
    values = {
        "ITEMS": {
            "tokens": "TOKENS_AND_SPACES" if checker.space_change_sensitive else "TOKENS",
            "lines": "LINES",
            "exact": "BYTES",
        }[checker.name],
        "CASE_SENSITIVE": "true" if checker.case_sensitive or checker.name != "tokens" else "false",
        "ABSOLUTE": repr(-1.0 if checker.float_absolute_tolerance is None else checker.float_absolute_tolerance),
        "RELATIVE": repr(-1.0 if checker.float_relative_tolerance is None else checker.float_relative_tolerance),
    }
    return fill((SCAFFOLD / "polygon" / FILE).read_text(), values).encode()
