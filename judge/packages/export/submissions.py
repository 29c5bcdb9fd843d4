"""The folder submissions/: what is expected of a submission, by its folder or by submissions.yaml.

2025-09 and legacy: "Example submissions". For DOMjudge, an annotation in a comment says what no folder says.
"""

from collections.abc import Iterable
from itertools import count
from pathlib import Path

from msgspec import Struct, field

from judge.model import Problem, Solution, Verdict
from judge.packages.export.package import Package, Target
from judge.problems.icpc.expectations import ALL, LEGACY, NEW, expand

_WORDS = {verdict: word for word in ALL for verdict in expand([word]) - {Verdict.OLE}}
_LEGACY_FOLDERS = {rule.required or rule.permitted: name for name, rule in LEGACY.items() if not rule.partial}
_DOMJUDGE_NAMES = {"AC": "CORRECT", "WA": "WRONG-ANSWER", "TLE": "TIMELIMIT", "RTE": "RUN-ERROR"}
_COMMENTS = {"#": (".py", ".py3", ".py2", ".rb", ".pl", ".sh", ".r"), "--": (".hs", ".lua", ".adb", ".ada")}
_NO_DEFAULT = "unspecified"  # a folder that says nothing
_SLASHES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".java", ".kt", ".go", ".rs", ".cs", ".js", ".ts", ".scala", ".swift")


class SubmissionWriter(Struct):
    """Writes the submissions of one problem."""

    package: Package
    problem: Problem
    _entries: dict[str, dict[str, object]] = field(default_factory=dict)
    _depends_on_first: bool = False

    def write(self) -> None:
        """Add all submissions, and submissions.yaml where folders do not say everything."""
        folder = self.problem.folder
        if folder and self.problem.format == "icpc-2023-07" and not self.package.target.is_legacy:
            self.package.copy(folder / "submissions", "submissions", root=folder)
            self.package.submissions = len(self.problem.solutions)
            return
        for solution in self.problem.solutions:
            if self.package.target.is_legacy:
                self._write_legacy(solution)
            else:
                self._write_new(solution)
        if self._depends_on_first:
            self.package.notes.append(
                "in this format, all cases count and not the first that fails: submissions that fail in several ways "
                "may no longer be as expected"
            )
        if self._entries:
            self.package.add_yaml("submissions/submissions.yaml", self._entries)

    def _copy(self, solution: Solution, folder: str) -> str:
        """Add a submission; return its name: of a folder of its own if a file of its name exists."""
        path = solution.path
        known = {"/".join(each.split("/")[1:3]) for each in self.package.files if each.startswith("submissions/")}
        name = target = f"{folder}/{path.name}"
        if name in known:
            name = next(each for at in count(2) if (each := f"{folder}/{path.stem}-{at}") not in known)
            target = name if path.is_dir() else f"{name}/{path.name}"
        if self.package.copy(path, f"submissions/{target}", root=solution_root(self.problem, path)):
            self.package.submissions += 1
        return name

    # ---- 2025-09 ---------------------------------------------------------------------------------------------------

    def _write_new(self, solution: Solution) -> None:
        expectation = solution.expectation
        permitted, required = _words(expectation.permitted), _words(expectation.required)
        if not permitted:
            self._lose(solution, f"the format has no verdict for {expectation}")
            return
        folder = expectation.name or _NO_DEFAULT
        of_folder = NEW.get(folder)
        rule = None
        if of_folder is not None and not of_folder.partial:
            rule = list(of_folder.permitted or ALL), list(of_folder.required or of_folder.permitted or ALL)
        differs = (permitted, required) != rule
        if differs and rule is not None:  # the rules of the folder hold, too
            folder = _NO_DEFAULT
        if expectation.by_verdict and permitted != ["AC"]:
            self._depends_on_first = True
        if expectation.required == {Verdict.PE}:
            self.package.notes.append(f"{solution.display_path}: PE counts as WA in this format")
        name = self._copy(solution, folder)
        entry: dict[str, object] = {}
        if differs:
            entry = {"permitted": permitted, "required": required}
        for low, high in filter(None, (each.score for each in expectation.more)):
            entry["score"] = low if low == high else [low, high]
        if entry:
            self._entries[name] = entry

    # ---- legacy ----------------------------------------------------------------------------------------------------

    def _write_legacy(self, solution: Solution) -> None:
        expectation = solution.expectation
        if solution.language or solution.entry_point:
            self._lose_detail(solution, "its language and entry point")
        if any(each.cases or each.message for each in expectation.more):
            self._lose_detail(solution, "what is required of single cases or of messages")
        if any(each.score for each in expectation.more):
            self._lose_detail(solution, "the score that it must get")
        required = _words(expectation.required)
        if any(each.partial for each in expectation.more):
            self._copy(solution, "partially_accepted")
        elif expectation.required == {Verdict.CE} and self.package.target is Target.DOMJUDGE:
            self._copy(solution, "compiler_error")
        elif tuple(required) in _LEGACY_FOLDERS:
            folder = _LEGACY_FOLDERS[tuple(required)]
            if folder != expectation.name:
                self.package.notes.append(f"{solution.display_path} is in {folder}, where {expectation} belongs here")
            self._copy(solution, folder)
        elif self.package.target is Target.DOMJUDGE and required:
            self._annotate(solution, required)
        else:
            self._lose(solution, f"the format has no folder for {expectation}")

    def _annotate(self, solution: Solution, required: list[str]) -> None:
        """Add a source with an annotation, as DOMjudge reads it."""
        suffix = solution.path.suffix.lower()
        mark = next((mark for mark, known in _COMMENTS.items() if suffix in known), "//" if suffix in _SLASHES else "")
        if not mark or not solution.path.is_file():
            self._lose(solution, "an annotation needs a single source in a language whose comments are known")
            return
        name = f"submissions/mixed/{solution.path.name}"
        text = solution.path.read_bytes()
        results = ", ".join(_DOMJUDGE_NAMES[word] for word in required)
        line = f"{mark} @EXPECTED_RESULTS@: {results}\n".encode()
        if self.package.add(name, text + (b"" if text.endswith(b"\n") else b"\n") + line):
            self.package.submissions += 1

    def _lose(self, solution: Solution, reason: str) -> None:
        self.package.losses.append(f"{solution.display_path}: {reason}")

    def _lose_detail(self, solution: Solution, what: str) -> None:
        self.package.losses.append(f"{what}, of {solution.display_path}")


def _words(verdicts: Iterable[Verdict]) -> list[str]:
    """Return the verdicts of the format; an exceeded output limit counts as any of three, if nothing else is there."""
    given = frozenset(verdicts)
    found = {_WORDS[verdict] for verdict in given if verdict in _WORDS}
    if Verdict.OLE in given and not found - {"AC"}:
        found |= {"WA", "TLE", "RTE"}
    return [word for word in ALL if word in found]


def solution_root(problem: Problem, path: Path) -> Path | None:
    """Return the folder that links of a solution must not lead out of."""
    return problem.folder if problem.folder is not None and path.is_relative_to(problem.folder) else None
