"""Layouts: the files of a problem, and where they belong. Paths are relative to the folder that is written to.

repository   problems/ID/, testcases/ID/, solutions/ID/: see docs/format.md
folder       a folder for each problem: abc300/a/a.py with abc300/a/tests/sample-1.in and .out
contest      a folder for each contest: abc300/a.py with abc300/tests/a/sample-1.in and .out

The two plain layouts are conventions by which `judge run FILE` finds the cases of a file.
"""

import re
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from judge.languages.table import SUFFIXES
from judge.model import CheckerConfig
from judge.online.samples.readers import Draft, Sample, printable_line
from judge.problems.yaml.scalars import CASE_INDENT, data_yaml, text_yaml

_PLAIN_URL = re.compile(r"https?://[A-Za-z0-9/._~?=&+-]+")


class Placement(Struct, frozen=True, kw_only=True):
    """Where a problem belongs in a layout.

    Attributes:
        files: contents by path, without solutions; the last one is problem.yaml, which completes the problem.
        sketch: a program to be completed by the user, contents by path.
        cases: the file or folder with the cases.
        samples: a glob pattern for the files of samples; other files may match, too.
        solution: the path of a new solution, without its suffix.
        programs: where a solution that came with the problem goes, with the fields `{expectation}` and `{name}`.
        solutions: a glob pattern for the problem's solutions; other files may match, too.
    """

    files: dict[str, bytes]
    sketch: dict[str, bytes]
    cases: str
    samples: str
    solution: str
    programs: str
    solutions: str

    @property
    def problem_file(self) -> str:
        """The path of problem.yaml."""
        return next(reversed(self.files))

    def find_solution(self, root: Path) -> str | None:
        """Return the path of the first solution that exists.

        Raises:
            OSError: a folder cannot be listed.
        """
        found = sorted(path for path in root.glob(self.solutions) if path.suffix.lower() in SUFFIXES)
        return str(found[0].relative_to(root)) if found else None


def place(draft: Draft, layout: str) -> Placement:
    """Return where a problem belongs in a layout."""
    index = draft.index or draft.id
    match layout:
        case "folder":
            folder = f"{draft.contest}/{index}" if draft.contest else index
            return _plain(draft, cases=f"{folder}/tests", problem=folder, solution=f"{folder}/{index}", pattern="*")
        case "contest":
            top = f"{draft.contest}/" if draft.contest else ""
            cases = f"{top}tests/{index}"
            return _plain(draft, cases=cases, problem=cases, solution=f"{top}{index}", pattern=f"{index}.*")
    groups = {sample.group for sample in draft.samples}
    return Placement(
        files=problem_files(draft),
        sketch=_sketch(draft, f"problems/{draft.id}"),
        cases=f"testcases/{draft.id}" + ("/sample.yaml" if groups == {"sample"} else ""),
        samples=f"testcases/{draft.id}/data/sample-*",
        solution=f"solutions/{draft.id}/accepted/{draft.id}",
        programs=f"solutions/{draft.id}/{{expectation}}/{{name}}",
        solutions=f"solutions/{draft.id}/*/*",
    )


def _plain(draft: Draft, *, cases: str, problem: str, solution: str, pattern: str) -> Placement:
    files: dict[str, bytes] = {}
    for sample in draft.cases:
        files[f"{cases}/{sample.name}.in"] = sample.input
        files[f"{cases}/{sample.name}.out"] = sample.answer
    sketch = f"{cases}/{_SKETCH}".removeprefix(f"{problem}/")
    files[f"{problem}/problem.yaml"] = _problem_yaml(draft, sketch).encode()
    folder = solution.rpartition("/")[0]
    return Placement(
        files=files,
        sketch=_sketch(draft, cases),
        cases=cases,
        samples=f"{cases}/sample-*",
        solution=solution,
        programs=f"{folder}/{{name}}" if folder else "{name}",
        solutions=f"{folder}/{pattern}" if folder else pattern,
    )


# ---- interactive problems ---------------------------------------------------------------------------------------

_SKETCH = "interactor.py"
_SKETCH_TEXT = '''\
"""The interactor of {title}: what it prints, the solution reads, and the other way round. Complete this sketch.

The arguments are the paths of the input and of the answer of a case, which the solution does not see, and a folder for
messages. Exit status 42 accepts the solution, 43 rejects it with the reason on standard error.
"""

import sys
from pathlib import Path

data = Path(sys.argv[1]).read_text().split()  # such as the number to guess: choose what a case has
sys.exit("complete the sketch in {name}")  # then remove this line

# print("higher", flush=True)  # to the solution
# line = sys.stdin.readline()  # from the solution; empty if it has ended
# print("what is wrong", file=sys.stderr)
# sys.exit(43)
sys.exit(42)
'''


def _sketch(draft: Draft, folder: str) -> dict[str, bytes]:
    """Return the sketch of an interactor, with the samples as comments; none if there is nothing to interact with."""
    if not draft.is_interactive:
        return {}
    title = draft.title.replace("\\", "/").replace('"', "'")
    rows = [_SKETCH_TEXT.format(title=title, name=_SKETCH)]
    for number, sample in enumerate(draft.samples, 1):
        for heading, data in (("the solution reads", sample.input), ("the solution prints", sample.answer)):
            lines = data.decode(errors="replace").splitlines()
            rows.append(f"\n# Sample {number}: {heading}\n")
            rows += [f"#     {printable_line(line)}".rstrip() + "\n" for line in lines[:40]]
            rows += ["#     ...\n"] if len(lines) > 40 else []
    return {f"{folder}/{_SKETCH}": "".join(rows).encode()}


# ---- a repository -----------------------------------------------------------------------------------------------


def problem_files(draft: Draft) -> dict[str, bytes]:
    """Return the contents of a problem's files by path, relative to the root.

    problem.yaml comes last: if writing fails before it, what is there does not look like a complete problem.
    """
    files: dict[str, bytes] = {}
    groups: dict[str, list[str]] = {}
    for sample in draft.cases:
        groups.setdefault(sample.group, []).append(_case_yaml(draft, sample, files))
    for group, cases in groups.items():
        files[f"testcases/{draft.id}/{group}.yaml"] = ("cases:\n" + "".join(cases)).encode()
    files[f"problems/{draft.id}/statement.md"] = _statement(draft).encode()
    files[f"problems/{draft.id}/problem.yaml"] = _problem_yaml(draft).encode()
    return files


def _problem_yaml(draft: Draft, sketch: str = _SKETCH) -> str:
    lines = [f"name: {text_yaml(draft.title)}"]
    if draft.source or draft.url:
        lines += ["source:", f"  name: {text_yaml(draft.source or draft.title)}"]
    if draft.url:
        lines.append(f"  url: {draft.url if _PLAIN_URL.fullmatch(draft.url) else text_yaml(draft.url)}")
    lines.append(f"profile: {draft.profile}")
    if draft.cpu or draft.memory:
        lines.append("limits:")
    if draft.cpu:
        lines.append(f"  time: {round(draft.cpu * 1000)} ms")
    if draft.memory:
        lines.append(f"  memory: {draft.memory >> 20} MiB")
    if draft.checker != CheckerConfig():
        known = {name: value for name, value in asdict(draft.checker).items() if value not in (None, False, ())}
        lines += ["checker:", *(f"  {name}: {str(value).lower()}" for name, value in known.items())]
    lines += [f"interactor: {{program: {sketch}}}"] if draft.is_interactive else []
    names = asdict(draft.file_names) if draft.file_names else {}
    lines += [f"{key}_file: {text_yaml(name)}" for key, name in names.items() if name]
    return "\n".join([*lines, *(f"# {remark}" for remark in draft.remarks)]) + "\n"


def _statement(draft: Draft) -> str:
    if draft.statement:
        return draft.statement
    statement = f"Statement: <{draft.url}>\n" if draft.url else "The URL of the statement is not known.\n"
    count = len(draft.cases)
    file = f"`testcases/{draft.id}/sample.yaml`"
    samples = f"The {count} samples are in {file}." if count > 1 else f"The sample is in {file}."
    if draft.is_interactive:
        samples = f"The problem is interactive: complete `{_SKETCH}`, and put inputs for it into {file}."
    elif not count:
        samples = "There are no samples yet."
    return f"# {draft.title}\n\n{statement}\n{samples}\n"


def _case_yaml(draft: Draft, sample: Sample, files: dict[str, bytes]) -> str:
    """Return a case's YAML; add data that needs its own file to `files`."""
    rows = [f"  - name: {text_yaml(sample.name)}\n"]
    for key, data, suffix in (("input", sample.input, "in"), ("answer", sample.answer, "ans")):
        value = data_yaml(data, CASE_INDENT)
        if value is None:
            folder = "" if sample.group == "sample" else f"{sample.group}/"
            file = f"data/{folder}{sample.name}.{suffix}"
            files[f"testcases/{draft.id}/{file}"] = data
            rows.append(f"    {key}_file: {text_yaml(file)}\n")
        else:
            rows.append(f"    {key}: {value}\n")
    return "".join(rows)
