"""A problem as a full package of Polygon: problem.xml, tests, files, solutions and statements.

The format has no specification. The sources are packages that Polygon made, and what readers of packages agree on
(`judge.problems.polygon`). All tests are files, so the generators of the problem are left out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from xml.etree import ElementTree as ET

from judge.base.units import format_seconds
from judge.languages.interpreters import find_pypy
from judge.languages.source import solution_options
from judge.model import DEFAULT_LIMITS, Problem, ProblemType, Solution, Verdict, default_wall
from judge.model.groups import Aggregation, Rules, TestGroup, VerdictMode
from judge.packages.export.cases import keep_ready
from judge.packages.export.package import Package, first_name
from judge.packages.export.polygon_programs import AssetWriter, find_type
from judge.packages.export.statement import add_statements
from judge.packages.export.submissions import solution_root
from judge.preparation.cases import PreparedCase
from judge.problems.polygon.programs import MAIN, TAGS, TYPES
from judge.problems.yaml.text import quote

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
_REJECTED = "rejected"
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
    _write_tests(package, problem, judging, prepared)
    files, assets = ET.SubElement(root, "files"), ET.SubElement(root, "assets")
    AssetWriter(package=package, problem=problem, files=files, assets=assets).write()
    _add_solutions(package, problem, ET.SubElement(assets, "solutions"))
    ET.indent(root, "    ")
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    package.add("problem.xml", document + b"\n")


def _clean(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _report_types(package: Package, problem: Problem) -> None:
    limits = problem.limits
    rule = f"{format_seconds(limits.cpu)} is written; `judge timelimit` proposes another one"
    lost, breaking = package.losses, package.breaking
    for found, is_lost, what in (
        (breaking, ProblemType.MULTI_PASS in problem.types, "the type `multi-pass`: not in this format"),
        (breaking, ProblemType.SUBMIT_ANSWER in problem.types, "the type `submit-answer`: not in this format"),
        (breaking, problem.static_validator is not None, "the static validator: not in this format"),
        (breaking, bool(problem.include), "the files that are added to submissions: not in this format"),
        (breaking, bool(problem.constants), "the constants in sources: the format does not replace `{{name}}`"),
        (lost, limits.wall != default_wall(limits.cpu), f"the limit of {format_seconds(limits.wall)} elapsed time"),
        (lost, limits.output != DEFAULT_LIMITS.output, "the output limit: not in this format"),
        (lost, problem.needs_time_limit, f"the rule for the time limit, which follows from submissions: {rule}"),
        (lost, problem.checker_limits is not None, "the limits of the programs that judge: not in this format"),
        (lost, bool(problem.compile_flags), "`compile_flags`: contest systems have their own"),
    ):
        if is_lost:
            found.append(what)
    if problem.generators:
        package.notes.append("the generators are left out: the inputs that they make are exported")


# ---- groups: one level, each scored as a whole or by test ---------------------------------------------------------

_NOT_NAME = re.compile(r"[^A-Za-z0-9_.-]")


def _plan_groups(package: Package, problem: Problem) -> dict[str, TestGroup]:
    """Return the groups by the folders of cases, if the problem has scores; report what the format scores otherwise."""
    root = problem.groups
    if root is None or not problem.has_scores:
        return {}
    groups = {group.name: group for group in root.walk()}
    folders = list(dict.fromkeys(case.group for case in problem.cases if not case.is_static))
    owners: dict[str, TestGroup] = {}
    for folder in folders:
        name = folder
        while name and name not in groups:
            name = name.rpartition("/")[0]
        owners[folder] = groups[name]
    cases: dict[str, list[str]] = {}
    for case in problem.cases:
        if not case.is_static:
            cases.setdefault(owners[case.group].name, []).append(case.id)
    names: dict[str, str] = {}  # in problem.xml, where `/` separates nothing
    for name in dict.fromkeys(owner.name for owner in owners.values()):
        wanted = _NOT_NAME.sub("-", name.removeprefix("secret/")).lstrip(".-") or "tests"
        names[name] = first_name(wanted, lambda each: each not in names.values())
    _report_tree(package, root, frozenset(names))
    planned = {
        name: _plan(package, groups[name], root.rules, names, cases[name], is_sample=name.split("/")[0] == "sample")
        for name in names
    }
    return {folder: planned[owner.name] for folder, owner in owners.items()}


def _report_tree(package: Package, root: TestGroup, used: frozenset[str]) -> None:
    """Report what the groups around those with cases do besides adding up scores."""
    if root.is_minimized:
        package.losses.append("`objective: min`: in this format, more points are better")
    if root.rules is not Rules.MAX_SCORES:
        package.notes.append("every group that is accepted gives its points, also in a submission that is rejected")
    for group in root.walk():
        if group.grader is not None:
            package.losses.append(f"the grader of the group {quote(group.name)}: not in this format")
        if group.name in used:
            continue
        if group.aggregation not in (Aggregation.SUM, Aggregation.PASS_FAIL) and len(group.groups) > 1:
            package.losses.append(f"`{group.aggregation}` of the group {quote(group.name)}: points are added up")
        nested = [each for each in group.groups if each.name in used]
        if len(group.name.split("/")) > 1 and nested:
            package.losses.append(f"the scores of the group {quote(group.name)}: this format does not nest groups")


def _plan(
    package: Package, group: TestGroup, rules: Rules, names: Mapping[str, str], cases: Sequence[str], *, is_sample: bool
) -> TestGroup:
    """Return a group by the rules of Polygon, with these cases."""
    requires = tuple(names[each] for each in group.require_pass if each in names)
    if missing := [each for each in group.require_pass if each not in names]:
        package.losses.append(f"the group {quote(group.name)} requires {quote(missing[0])}, which has no cases itself")
    points, shares = 0.0, dict[str, float]()
    if rules is Rules.MAX_SCORES:
        points, shares = _plan_maximum(package, group, cases)
    elif not is_sample:  # which is not scored (`ignore_sample`)
        points, shares = (group.accept_score, {}) if rules is Rules.DOMJUDGE else _plan_legacy(package, group, cases)
    return TestGroup(
        name=names[group.name],
        aggregation=Aggregation.SUM if shares else Aggregation.PASS_FAIL,
        max_score=points,
        case_scores=shares,
        require_pass=() if is_sample and rules is not Rules.MAX_SCORES else requires,
    )


def _plan_maximum(package: Package, group: TestGroup, cases: Sequence[str]) -> tuple[float, dict[str, float]]:
    """Return the points of a group, and those of its cases unless it gives its points only as a whole."""
    points = group.max_score or 0.0
    if group.max_score is None and group.aggregation is not Aggregation.PASS_FAIL:
        package.losses.append(f"the unbounded score of the group {quote(group.name)}")
    if group.aggregation is not Aggregation.SUM:  # without a checker that gives points, the least is all or nothing
        return points, {}
    return points, {**dict.fromkeys(cases, points / max(len(cases), 1)), **group.case_scores}


def _plan_legacy(package: Package, group: TestGroup, cases: Sequence[str]) -> tuple[float, dict[str, float]]:
    if group.reject_score:
        package.losses.append(f"`reject_score` of the group {quote(group.name)}: a rejected test gives no points")
    if group.aggregation is not Aggregation.SUM:
        if group.aggregation is not Aggregation.MIN:
            package.losses.append(f"`{group.aggregation}` of the group {quote(group.name)}: it gives all or nothing")
        return group.accept_score, {}
    is_complete = group.breaks or not (group.accepts_any or group.verdict_mode is VerdictMode.ALWAYS_ACCEPT)
    return group.accept_score * len(cases), {} if is_complete else dict.fromkeys(cases, group.accept_score)


# ---- tests ---------------------------------------------------------------------------------------------------------


def _write_tests(package: Package, problem: Problem, judging: ET.Element, prepared: Iterable[PreparedCase]) -> None:
    """Add all tests with their groups.

    Raises:
        DataError: some test data is wrong.
    """
    groups = _plan_groups(package, problem)
    ready = list(keep_ready(package, problem, prepared))
    testset = ET.SubElement(judging, "testset", {"name": "tests"})
    width = max(2, len(str(len(ready))))
    for tag, text in (
        ("time-limit", str(max(1, round(problem.limits.cpu * 1000)))),
        ("memory-limit", str(int(problem.limits.memory))),
        ("test-count", str(len(ready))),
        ("input-path-pattern", f"tests/%0{width}d"),
        ("answer-path-pattern", f"tests/%0{width}d.a"),
    ):
        ET.SubElement(testset, tag).text = text
    tests = ET.SubElement(testset, "tests")
    begun: set[str] = set()
    for number, (case, given, answer) in enumerate(ready, start=1):
        attributes = {"method": "manual"}
        attributes |= {"sample": "true"} if case.is_sample else {}
        attributes |= {"description": _clean(case.why)} if case.why else {}
        if group := groups.get(case.group):
            points = group.case_scores.get(case.id, 0.0)
            if not group.case_scores:  # readers add up the points of tests: the first one has those of all
                points = 0.0 if group.name in begun else group.max_score or 0.0
                begun.add(group.name)
            attributes |= {"group": group.name, "points": repr(float(points))}
        ET.SubElement(tests, "test", attributes)
        name = f"tests/{number:0{width}d}"
        package.add_case(name, given, f"{name}.a", answer)
    planned = {each.name: each for each in groups.values()}
    parent = ET.SubElement(testset, "groups") if planned else testset
    for group in planned.values():
        policy = "each-test" if group.case_scores else "complete-group"
        attributes = {"name": group.name, "points": repr(float(group.max_score or 0.0)), "points-policy": policy}
        element = ET.SubElement(parent, "group", attributes | {"feedback-policy": "complete"})
        if required := [name for name in group.require_pass if name in planned]:
            dependencies = ET.SubElement(element, "dependencies")
            for name in required:
                ET.SubElement(dependencies, "dependency", {"group": name})
    if any(case.validator_args for case, _, _ in ready):
        package.losses.append("the arguments of the input validator: not in this format")


# ---- solutions -----------------------------------------------------------------------------------------------------


def _add_solutions(package: Package, problem: Problem, parent: ET.Element) -> None:
    """Add the solutions that are single files, with the tags that say what they get."""
    accepted = [each for each in problem.solutions if each.expectation.name == "accepted"]
    main = next((each for each in accepted if each.path == problem.reference), accepted[0] if accepted else None)
    if main is None:
        package.losses.append("the main solution: no solution of the problem is accepted")
    for solution in problem.solutions:
        is_folder = solution.path.is_dir()
        language = None if is_folder else find_type(solution.path, solution_options(solution, problem.folder))
        if language is None:
            reason = "a folder of sources" if is_folder else "its language is not in this format"
            package.losses.append(f"{solution.display_path}: {reason}")
            continue
        name = f"solutions/{solution.path.name}"
        if name in package.files:  # the folders of other formats may have the same names
            name = f"solutions/{solution.path.parent.name}/{solution.path.name}"
        if not package.copy(solution.path, name, root=solution_root(problem, solution.path)):
            continue
        tag = MAIN if solution is main else _find_tag(package, solution)
        if language == TYPES["python3"] and problem.prefers_pypy and find_pypy():
            language = TYPES["pypy3"]  # which judges it in the problem
        element = ET.SubElement(parent, "solution", {"tag": tag})
        ET.SubElement(element, "source", {"path": name, "type": language})
        package.submissions += 1


def _find_tag(package: Package, solution: Solution) -> str:
    """Return the strongest tag that promises nothing that the solution need not keep; what is lost is reported."""
    expectation = solution.expectation
    if any(each.cases or each.message or each.score for each in expectation.more):
        what = "what is required of its scores, messages or single cases"
        package.losses.append(f"{solution.display_path}: {what}")
    tag = _REQUIRED_TAGS.get(expectation.required)
    # The format has no OLE, and RTE includes MLE.
    ignored = {Verdict.OLE, Verdict.MLE} if tag == "runtime-error" else {Verdict.OLE}
    is_weaker = expectation.by_verdict or tag is None or not expectation.permitted - ignored <= TAGS[tag].permitted
    if tag is not None and (tag == "accepted" or not is_weaker):
        return tag
    if Verdict.AC in expectation.required and not any(each.partial for each in expectation.more):
        package.losses.append(f"{solution.display_path}: no tag means {expectation}; it is written as `{_REJECTED}`")
    else:
        package.notes.append(f"{solution.display_path}: no tag means {expectation}; `{_REJECTED}` includes it")
    return _REJECTED
