"""The files and programs of a package of Polygon: checker, interactor and validator, all by the protocol of testlib."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct

from judge.base.data import read_data
from judge.base.errors import JudgeError
from judge.base.units import format_count
from judge.judging.programs import TESTLIB
from judge.languages.build import read_source
from judge.languages.source import PROGRAM, SourceOptions
from judge.model import CheckerConfig, Problem
from judge.model.programs import JudgeProgram, Protocol
from judge.packages.export.cases import report_tests
from judge.packages.export.package import Package
from judge.problems.polygon.programs import TYPES
from judge.problems.yaml.text import quote

_BY_TOKENS = CheckerConfig(case_sensitive=True)
_HEADERS = (".h", ".hpp", ".hh", ".hxx")
_HEADER_TYPE = "h.g++"
_PROGRAM_TYPES = frozenset(TYPES[each] for each in ("c", "cpp", "java", "pypy3", "python3"))


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
        others = {case.checker for case in self.problem.cases if not case.is_static} - {self.problem.checker}
        if others:
            message = f"{format_count(len(others), 'checker')} of single cases: a package has only one"
            self.package.losses.append(message)
        _report_validators(self.package, self.problem)
        resources = ET.SubElement(self.files, "resources")
        config, interactor = self.problem.checker, self.problem.interactor
        checker = ET.SubElement(self.assets, "checker", {"type": "testlib"})
        own = None if config.program is interactor else config.program
        if own is None and interactor is not None:
            self._add_standard(checker, _BY_TOKENS, is_same=False)
        elif own is None:
            self._add_standard(checker, config)
        elif reason := self._add_program(checker, resources, own):
            self._lose("checker", own, f"{reason}; outputs are compared by tokens until you add one")
            self._add_standard(checker, _BY_TOKENS, is_same=False)
        elif config.args:
            self.package.losses.append("the arguments of the checker: not in this format")
        if interactor is not None:
            element = ET.SubElement(self.assets, "interactor")
            if reason := self._add_program(element, resources, interactor):
                self.assets.remove(element)
                self._lose("interactor", interactor, f"{reason}; the package cannot be judged until you add one")

    def _lose(self, role: str, program: JudgeProgram, reason: str) -> None:
        self.package.breaking.append(f"the {role} {quote(program.source.name)}: {reason}")

    def _add_standard(self, element: ET.Element, config: CheckerConfig, *, is_same: bool = True) -> None:
        """Add a checker that decides as one of ours; its source, too, for readers that lack those of Polygon.

        `is_same` says that it is also the checker of the problem.
        """
        name = standard_checker(config, self.answers)
        note = f"the checker is files/{FILE}, written for this package: no checker of Polygon fits"
        if name:
            element.set("name", f"std::{name}.cpp")
            note = f"the checker is std::{name}.cpp of Polygon, which decides the same"
        if is_same and all(each.checker == config for each in self.problem.cases):
            self.package.notes.append(note)
        self.package.add(f"files/{FILE}", checker_source(config))
        ET.SubElement(element, "source", {"path": f"files/{FILE}", "type": TYPES["cpp"]})

    def _add_program(self, element: ET.Element, resources: ET.Element, program: JudgeProgram) -> str:
        """Add a program that speaks the protocol of testlib; return why that is impossible, or ""."""
        if program.protocol is not Protocol.TESTLIB:
            return "it speaks the protocol of ICPC, and those of Polygon that of testlib"
        if program.source.is_dir():
            return "a folder of sources"
        kind = find_type(program.source, PROGRAM)
        if kind is None or kind not in _PROGRAM_TYPES:
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


def find_type(source: Path, options: SourceOptions) -> str | None:
    """Return what Polygon calls the language of a file; None if it does not know it."""
    try:
        return TYPES.get(read_source(source, options).language.id)
    except (JudgeError, OSError):  # whatever is wrong, it cannot be judged here either
        return None


def _report_validators(package: Package, problem: Problem) -> None:
    """Report the input validator: ours and those of ICPC accept with status 42, those of Polygon with 0."""
    if problem.validator is not None:
        name = quote(problem.validator.source.name)
        package.losses.append(f"the input validator {name}: Polygon expects one with testlib.h, which exits with 0")
    elif problem.is_package and problem.folder is not None:
        folders = ("input_validators", "input_format_validators")
        if any((problem.folder / each).is_dir() for each in folders):
            package.losses.append("the input validators: Polygon expects one with testlib.h, which exits with 0")
    elif problem.input_format:
        package.losses.append("the grammar of the input: not in this format")
    report_tests(package, problem)


FILE = "check.cpp"

_NUMBERS = re.compile(rb"\s*(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?:\s+|$))*")
_LETTER = re.compile(rb"[A-Za-z]")
_TOLERANCES = {1e-4: "rcmp4", 1e-6: "rcmp6", 1e-9: "rcmp9"}


def standard_checker(checker: CheckerConfig, answers: Iterable[bytes | Path]) -> str:
    """Return the name of the checker of testlib that decides the same for these answers; "" if there is none.

    Raises:
        OSError: an answer cannot be read.
    """
    if checker.name != "tokens" or checker.space_change_sensitive:
        return ""
    absolute, relative = checker.float_absolute_tolerance, checker.float_relative_tolerance
    if absolute is relative is None:
        fits = checker.case_sensitive or not any(_LETTER.search(read_data(each)) for each in answers)
        return "wcmp" if fits else ""
    name = _TOLERANCES.get(absolute or 0.0, "") if absolute == relative else ""
    return name if name and all(_NUMBERS.fullmatch(read_data(each)) for each in answers) else ""


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
    text = _SOURCE
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text.encode()


_SOURCE = r"""// Compares an output with the answer: check INPUT OUTPUT ANSWER
// Exit status: 0 accepted, 1 wrong answer, 2 only white space differs, 3 a file cannot be read.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

enum Items { TOKENS, TOKENS_AND_SPACES, LINES, BYTES };

const Items ITEMS = @ITEMS@;
const bool CASE_SENSITIVE = @CASE_SENSITIVE@;
const long double ABSOLUTE = @ABSOLUTE@L;  // a tolerance, or negative for none
const long double RELATIVE = @RELATIVE@L;

typedef std::vector<std::string> Strings;

bool is_space(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

bool is_digit(char c) { return '0' <= c && c <= '9'; }

char lower(char c) { return 'A' <= c && c <= 'Z' ? char(c - 'A' + 'a') : c; }

std::string read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        std::cerr << "cannot read " << path << std::endl;
        std::exit(3);
    }
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!CASE_SENSITIVE) std::transform(text.begin(), text.end(), text.begin(), lower);
    return text;
}

Strings split_lines(const std::string& text) {
    Strings lines(1);
    for (char c : text) {
        if (c == '\n') lines.push_back("");
        else lines.back() += c;
    }
    for (std::string& line : lines) {
        while (!line.empty() && is_space(line.back())) line.pop_back();
    }
    if (lines.back().empty()) lines.pop_back();
    return lines;
}

Strings split_tokens(const std::string& text, bool with_spaces) {
    Strings items;
    for (std::size_t i = 0; i < text.size(); ++i) {
        bool space = is_space(text[i]);
        if (space && !with_spaces) continue;
        bool begins = i == 0 || is_space(text[i - 1]) != space;
        if (begins) items.push_back("");
        items.back() += text[i];
    }
    return items;
}

Strings split(const std::string& text) {
    return ITEMS == LINES ? split_lines(text) : split_tokens(text, ITEMS == TOKENS_AND_SPACES);
}

// Sign, digits with at most one point, exponent: neither hexadecimal nor infinite.
bool parse(const std::string& token, long double& value) {
    std::size_t i = 0, digits = 0;
    if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
    for (; i < token.size() && is_digit(token[i]); ++i) ++digits;
    if (i < token.size() && token[i] == '.') ++i;
    for (; i < token.size() && is_digit(token[i]); ++i) ++digits;
    if (!digits) return false;
    if (i < token.size() && (token[i] == 'e' || token[i] == 'E')) {
        ++i;
        if (i < token.size() && (token[i] == '+' || token[i] == '-')) ++i;
        if (i == token.size()) return false;
        while (i < token.size() && is_digit(token[i])) ++i;
    }
    if (i != token.size()) return false;
    value = std::strtold(token.c_str(), nullptr);
    return std::isfinite(value);
}

bool same(const std::string& expected, const std::string& found) {
    if (expected == found) return true;
    long double answer, value;
    if ((ABSOLUTE < 0 && RELATIVE < 0) || !parse(expected, answer) || !parse(found, value)) return false;
    long double error = std::fabs(value - answer);
    error -= (std::fabs(value) + std::fabs(answer)) * 1e-18L;  // that of reading decimal digits
    return error <= ABSOLUTE || (RELATIVE >= 0 && error <= RELATIVE * std::fabs(answer));
}

int main(int argc, char** argv) {
    if (argc < 4) {
        std::cerr << "expected the arguments INPUT OUTPUT ANSWER" << std::endl;
        return 3;
    }
    std::string output = read(argv[2]), answer = read(argv[3]);
    if (ITEMS == BYTES && output == answer) {
        std::cerr << "ok" << std::endl;
        return 0;
    }
    Strings expected = split(answer), found = split(output);
    const char* item = ITEMS == LINES ? "line " : "token ";
    for (std::size_t i = 0; i < expected.size() || i < found.size(); ++i) {
        if (i >= found.size() || i >= expected.size()) {
            std::cerr << item << i + 1 << ": " << (i < found.size() ? "unexpected" : "missing") << std::endl;
            return 1;
        }
        if (!same(expected[i], found[i])) {
            std::cerr << item << i + 1 << ": expected '" << expected[i].substr(0, 100) << "', found '"
                      << found[i].substr(0, 100) << "'" << std::endl;
            return 1;
        }
    }
    std::cerr << (ITEMS == BYTES ? "only white space differs" : "ok") << std::endl;
    return ITEMS == BYTES ? 2 : 0;
}
"""
