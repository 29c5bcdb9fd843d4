"""A problem as a full package of Polygon: problem.xml, tests, files, solutions and statements.

The format has no specification. The sources are packages that Polygon made, and what readers of packages agree on
(`judge.problems.polygon`). All tests are files, so the generators of the problem are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct, field

from judge.errors import JudgeError
from judge.export.cases import keep_ready
from judge.export.package import Package
from judge.export.polygon_programs import AssetWriter
from judge.export.polygon_scores import GroupPlan, plan_groups
from judge.export.polygon_statement import add_statements
from judge.export.submissions import solution_root
from judge.languages.build import read_source
from judge.languages.source import solution_options
from judge.model import DEFAULT_LIMITS, Expectation, Problem, ProblemType, Solution, Verdict, default_wall
from judge.preparation.cases import PreparedCase, ReadyCase
from judge.problems.yaml.text import quote
from judge.units import format_count, format_seconds

# What Polygon calls compilers. Which version does not matter to readers of packages.
LANGUAGES: Mapping[str, str] = {
    "c": "c.gcc",
    "cpp": "cpp.g++20",
    "csharp": "csharp.mono",
    "d": "d",
    "go": "go",
    "haskell": "haskell.ghc",
    "java": "java21",
    "javascript": "v8.nodejs",
    "kotlin": "kotlin",
    "ocaml": "ocaml",
    "pascal": "pas.fpc",
    "perl": "perl",
    "php": "php",
    "pypy3": "python.pypy3",
    "python2": "python.2",
    "python3": "python.3",
    "ruby": "ruby",
    "rust": "rust",
    "scala": "scala",
}

_REQUIRED_TAGS: Mapping[frozenset[Verdict], str] = {
    frozenset({Verdict.AC}): "accepted",
    frozenset({Verdict.WA}): "wrong-answer",
    frozenset({Verdict.PE}): "presentation-error",
    frozenset({Verdict.WA, Verdict.PE}): "wrong-answer",
    frozenset({Verdict.TLE}): "time-limit-exceeded",
    frozenset({Verdict.AC, Verdict.TLE}): "time-limit-exceeded-or-accepted",
    frozenset({Verdict.MLE}): "memory-limit-exceeded",
    frozenset({Verdict.RTE}): "runtime-error",
    frozenset({Verdict.MLE, Verdict.RTE}): "runtime-error",
    frozenset({Verdict.TLE, Verdict.RTE}): "time-limit-exceeded-or-memory-limit-exceeded",
    frozenset({Verdict.TLE, Verdict.RTE, Verdict.MLE}): "time-limit-exceeded-or-memory-limit-exceeded",
}
_REJECTED, _MAIN = "rejected", "main"
# What a solution with the tag may get: one that may get more has a weaker tag.
_PERMITTED: Mapping[str, frozenset[Verdict]] = {
    "accepted": frozenset({Verdict.AC}),
    "wrong-answer": frozenset({Verdict.AC, Verdict.WA, Verdict.PE}),
    "presentation-error": frozenset({Verdict.AC, Verdict.WA, Verdict.PE}),
    "time-limit-exceeded": frozenset({Verdict.AC, Verdict.TLE}),
    "time-limit-exceeded-or-accepted": frozenset({Verdict.AC, Verdict.TLE}),
    "memory-limit-exceeded": frozenset({Verdict.AC, Verdict.MLE, Verdict.RTE}),
    "runtime-error": frozenset({Verdict.AC, Verdict.RTE, Verdict.MLE}),
    "time-limit-exceeded-or-memory-limit-exceeded": frozenset({Verdict.AC, Verdict.TLE, Verdict.MLE, Verdict.RTE}),
}
_NOT_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_polygon(package: Package, problem: Problem, prepared: Iterable[PreparedCase]) -> None:
    """Add all files of a package; what the format cannot express is reported.

    Raises:
        DataError: some test data is wrong.
        OSError: a file of the problem cannot be read.
    """
    _report_types(package, problem)
    root = ET.Element("problem", {"revision": "1", "short-name": package.name})
    names = ET.SubElement(root, "names")
    ET.SubElement(names, "name", {"language": "english", "value": _clean(problem.name)})
    add_statements(package, problem, ET.SubElement(root, "statements"))
    judging = ET.SubElement(root, "judging", {"input-file": "", "output-file": "", "run-count": "1"})
    writer = _TestWriter(package, problem, plan_groups(package, problem))
    writer.write(judging, prepared)
    files, assets = ET.SubElement(root, "files"), ET.SubElement(root, "assets")
    AssetWriter(package=package, problem=problem, files=files, assets=assets, answers=writer.answers).write()
    _add_solutions(package, problem, ET.SubElement(assets, "solutions"))
    ET.indent(root, "    ")
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    package.add("problem.xml", document + b"\n")


def _clean(text: str) -> str:
    """Return text without the characters that XML cannot hold."""
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _report_types(package: Package, problem: Problem) -> None:
    limits = problem.limits
    rule = f"{format_seconds(limits.cpu)} is written; `judge timelimit` proposes another one"
    for is_lost, what in (
        (ProblemType.MULTI_PASS in problem.types, "the type `multi-pass`: not in this format"),
        (ProblemType.SUBMIT_ANSWER in problem.types, "the type `submit-answer`: not in this format"),
        (problem.static_validator is not None, "the static validator: not in this format"),
        (limits.wall != default_wall(limits.cpu), f"the limit of {format_seconds(limits.wall)} elapsed time"),
        (limits.output != DEFAULT_LIMITS.output, "the output limit: not in this format"),
        (problem.needs_time_limit, f"the rule for the time limit, which follows from submissions: {rule}"),
        (bool(problem.compile_flags), "`compile_flags`: contest systems have their own"),
        (bool(problem.include), "the files that are added to submissions: not in this format"),
        (bool(problem.constants), "the constants in sources: the format does not replace `{{name}}`"),
    ):
        if is_lost:
            package.losses.append(what)
    if problem.generators:
        package.notes.append("the generators are left out: the inputs that they make are exported")


# ---- tests ---------------------------------------------------------------------------------------------------------


class _TestWriter(Struct):
    """Writes the tests with their groups.

    Attributes:
        answers: the answers that were written, for the choice of a checker.
    """

    package: Package
    problem: Problem
    groups: GroupPlan
    answers: list[bytes | Path] = field(default_factory=list)

    def write(self, judging: ET.Element, prepared: Iterable[PreparedCase]) -> None:
        """Add all cases.

        Raises:
            DataError: some test data is wrong.
        """
        ready = list(self._ready(prepared))
        limits = self.problem.limits
        testset = ET.SubElement(judging, "testset", {"name": "tests"})
        width = max(2, len(str(len(ready))))
        for tag, text in (
            ("time-limit", str(max(1, round(limits.cpu * 1000)))),
            ("memory-limit", str(int(limits.memory))),
            ("test-count", str(len(ready))),
            ("input-path-pattern", f"tests/%0{width}d"),
            ("answer-path-pattern", f"tests/%0{width}d.a"),
        ):
            ET.SubElement(testset, tag).text = text
        tests = ET.SubElement(testset, "tests")
        for number, case in enumerate(ready, start=1):
            self._write_test(tests, f"tests/{number:0{width}d}", case)
        self.groups.write(testset)
        limited = sum(each.case.limits != limits for each in ready)
        if limited:
            message = f"the limits of {format_count(limited, 'case')} that differ from those of the problem"
            self.package.losses.append(message)
        if any(each.case.validator_args for each in ready):
            self.package.losses.append("the arguments of the input validator: not in this format")

    def _ready(self, prepared: Iterable[PreparedCase]) -> Iterator[ReadyCase]:
        for each in keep_ready(self.package, prepared):
            case = each.case
            if case.args or case.files is not None or case.is_static:
                what = "arguments" if case.args else "static cases" if case.is_static else "files"
                self.package.losses.append(f"case {quote(case.id)}: this format has no {what} of submissions")
            elif each.answer is None and ProblemType.INTERACTIVE not in self.problem.types:
                self.package.losses.append(f"case {quote(case.id)}: it has no answer")
            else:
                yield each

    def _write_test(self, tests: ET.Element, name: str, ready: ReadyCase) -> None:
        case = ready.case
        attributes = {"method": "manual"}
        if case.is_sample:
            attributes["sample"] = "true"
        if case.why:
            attributes["description"] = _clean(case.why)
        attributes |= self.groups.attributes(case)
        ET.SubElement(tests, "test", attributes)
        answer = b"" if ready.answer is None else ready.answer
        self.package.add(name, ready.input)
        self.package.add(f"{name}.a", answer)
        self.package.cases += 1
        self.answers.append(answer)


# ---- solutions -----------------------------------------------------------------------------------------------------


def _add_solutions(package: Package, problem: Problem, parent: ET.Element) -> None:
    """Add the solutions that are single files, with the tags that say what they get."""
    accepted = [each for each in problem.solutions if each.expectation.name == "accepted"]
    main = next((each for each in accepted if each.path == problem.reference), accepted[0] if accepted else None)
    if main is None:
        package.losses.append("the main solution: no solution of the problem is accepted")
    for solution in problem.solutions:
        language = _find_language(problem, solution)
        if language is None:
            reason = "a folder of sources" if solution.path.is_dir() else "its language is not in this format"
            package.losses.append(f"{solution.display_path}: {reason}")
            continue
        if (name := _copy(package, problem, solution)) is None:
            continue
        tag = _MAIN if solution is main else _find_tag(package, solution)
        element = ET.SubElement(parent, "solution", {"tag": tag})
        ET.SubElement(element, "source", {"path": name, "type": language})
        package.submissions += 1


def _find_language(problem: Problem, solution: Solution) -> str | None:
    if solution.path.is_dir():
        return None
    try:
        language = read_source(solution.path, solution_options(solution, problem.folder)).language.id
    except (JudgeError, OSError):  # whatever is wrong, it cannot be judged here either
        return None
    return LANGUAGES.get(language)


def _copy(package: Package, problem: Problem, solution: Solution) -> str | None:
    name = f"solutions/{solution.path.name}"
    if name in package.files:  # the folders of other formats may have the same names
        name = f"solutions/{solution.path.parent.name}/{solution.path.name}"
    copied = package.copy(solution.path, name, root=solution_root(problem, solution.path))
    return name if copied else None


def _find_tag(package: Package, solution: Solution) -> str:
    """Return the strongest tag that promises nothing that the solution need not keep; what is lost is reported."""
    expectation = solution.expectation
    if any(each.cases or each.message or each.score for each in expectation.more):
        what = "what is required of its scores, messages or single cases"
        package.losses.append(f"{solution.display_path}: {what}")
    tag = _REQUIRED_TAGS.get(expectation.required)
    if tag is not None and (tag == "accepted" or not _is_weaker(expectation, tag)):
        return tag
    if Verdict.AC in expectation.required and not any(each.partial for each in expectation.more):
        package.losses.append(f"{solution.display_path}: no tag means {expectation}; it is written as `{_REJECTED}`")
    else:
        package.notes.append(f"{solution.display_path}: no tag means {expectation}; `{_REJECTED}` includes it")
    return _REJECTED


def _is_weaker(expectation: Expectation, tag: str) -> bool:
    """Return whether a solution may get more than a tag permits; OLE is not a verdict of the format."""
    permitted = set(expectation.permitted) - {Verdict.OLE}
    return expectation.by_verdict or not permitted <= _PERMITTED[tag]
