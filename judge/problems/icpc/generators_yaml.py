"""BAPCtools' generators/generators.yaml: which cases a package has, and how each of them is made.

Nothing is run here, and only files that are copied are looked at: a plan says what to do. Names, numbers and seeds are
those of BAPCtools (its doc/generators.md, and `bapctools/generate.py` where the documentation is silent), so that a
case has the same name and the same bytes as after `bt generate`. Keys of older versions that change nothing do not
count.

A case whose files are in data/ is read from there. So a package can be judged before and after `bt generate` has run.
"""

import hashlib
import itertools
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TypeGuard

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.base.units import MIB
from judge.languages.table import SUFFIXES
from judge.model import AnswerSource, Computed, InFile, Inline, InputSource, Problem, ProblemType, Produced
from judge.problems.file_format import MAX_CASES
from judge.problems.icpc.files import NAME, PackageFolder
from judge.problems.icpc.sections import is_null, substitute
from judge.problems.paths import is_folder
from judge.problems.yaml import parse
from judge.problems.yaml.parse import AnyNode, Scalar
from judge.problems.yaml.scalars import AMBIGUOUS, resolve
from judge.problems.yaml.text import describe_unknown, nearest, quote, quote_all
from judge.problems.yaml.types import describe

FILE = "generators/generators.yaml"

_ADVICE = ": put large inputs into files and name them with `copy`"
_MAX_COUNT = 100  # cases of one rule (BAPCtools, `parse_count`)
_SLOW = (".py", ".py2", ".py3", ".rb", ".pl", ".php", ".lua", ".sh")  # an answer of any solution serves

# In this order BAPCtools makes them, and numbers them.
ROOT_FOLDERS = (
    *("sample", "secret", "invalid_output", "invalid_answer", "invalid_input"),
    *("valid_output", "testing_tool_test", "fuzz"),
)

_TEXTS = (
    *("in", "ans", "out", "in.statement", "ans.statement", "in.download", "ans.download", "interaction"),
    *("hint", "desc"),  # the first one until 2025
)
_CASE_KEYS = ("generate", "copy", "count", "match", "yaml", *_TEXTS)
_OLD_INPUT = "input"  # of a case until 2022: a command, or a file that is copied
_CONFIG_KEYS = ("solution", "random_salt", "retries")
_FOLDER_KEYS = ("data", "include", "test_group.yaml")
_OLD_KEYS = ("type", "visualizer", "gitignore_generated", "parallel", "version", "testdata.yaml")

_SEED = re.compile(r"\{seed(:[0-9]+)?\}")
_RANGE = re.compile(r"(-?\d{1,18})\.\.=(-?\d{1,18})")

SEED = "{seed}"  # in the arguments of a command
SEEDS = 2**31


class PlannedCase(Struct, frozen=True, kw_only=True):
    """A case of the plan.

    Attributes:
        line: 1-based line of its rule.
        texts: the contents of its files, by extension without the dot; they replace what is made otherwise.
        config: the content of its `.yaml` file.
        copy: the files to copy, without extension, relative to the package; "" for none.
        solution: prints its answer; relative to the package, "" for the default one, None for none.
        is_given: it has no rule: its files must exist.
    """

    group: str
    name: str
    line: int
    texts: Mapping[str, str] = field(default_factory=dict)
    config: AnyNode | None = None
    copy: str = ""
    command: Produced | None = None
    solution: str | None = ""
    is_given: bool = False

    @property
    def id(self) -> str:
        """Its path below data/, without extension."""
        return f"{self.group}/{self.name}"


class PlannedData(Struct, dict=True):  # with a dictionary, for the cached property
    """The cases and folders that a package's generators.yaml has.

    Attributes:
        has_answers: answers are outputs; otherwise one that is not given is empty, as for interactive problems.
        cases: in the order of the file; included ones come after those of their folder.
        groups: the contents of `test_group.yaml` (before 2025: `testdata.yaml`), by folder below data/.
        is_complete: no rule is missing because it is wrong.
    """

    package: PackageFolder
    path: Path
    has_answers: bool = True
    cases: Sequence[PlannedCase] = ()
    groups: Mapping[str, AnyNode] = field(default_factory=dict)
    is_complete: bool = True
    _cases: dict[str, dict[str, PlannedCase]] = field(default_factory=dict)
    _folders: dict[str, dict[str, None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for case in self.cases:
            self._cases.setdefault(case.group, {})[case.name] = case
        for group in (*self._cases, *self.groups):
            parts = group.split("/") if group else []
            for depth in range(len(parts)):
                self._folders.setdefault("/".join(parts[:depth]), {})[parts[depth]] = None

    @classmethod
    def of(cls, package: PackageFolder, problem: Problem) -> "PlannedData":
        """Return what a package's file says, if there is one; what is wrong with it is reported."""
        path, shown = package.path / FILE, package.shown / FILE
        planned = cls(package, path, not problem.types & {ProblemType.INTERACTIVE, ProblemType.MULTI_PASS})
        if not package.has_file(path):
            return planned
        try:
            root, found = parse.parse_file(path, shown, max_size=16 * MIB, advice=_ADVICE, merges=True)
        except DataError as error:
            package.diagnostics.extend(error.diagnostics)
            return planned
        reader = _Reader(package.path, shown, dict(problem.constants), found)
        if isinstance(root, parse.Mapping):
            reader.read(root)
        elif root is not None and not is_null(root):
            reader.report(root, f"expected the keys `solution`, `generators` and `data`, found {describe(root)}")
        package.diagnostics.extend(sorted(found, key=lambda each: (each.line, each.column)))
        is_complete = all(each.severity is not Severity.ERROR for each in found)
        return cls(package, path, planned.has_answers, tuple(reader.cases.values()), reader.groups, is_complete)

    def folders(self, name: str) -> Iterable[str]:
        """Return the names of the folders in a folder."""
        return self._folders.get(name, ())

    def missing(self, folder: str, present: Collection[str]) -> dict[str, PlannedCase]:
        """Return the cases of a folder of which no input is in data/, by name."""
        return {name: case for name, case in self._cases.get(folder, {}).items() if name not in present}

    def unlisted(self, folder: str, names: Iterable[str]) -> list[str]:
        """Return the cases in a folder of data/ that are not in the file, if it has any of the same top folder.

        BAPCtools removes them ("all test cases in data/{sample,secret,...} must be generated by it",
        doc/generators.md): they are left over from rules that were changed.
        """
        complete = {group.partition("/")[0] for group in self._cases}
        if not self.is_complete or folder.partition("/")[0] not in complete:
            return []
        return sorted(set(names) - self._cases.get(folder, {}).keys())

    def find_input(self, case: PlannedCase) -> InputSource | None:
        """Return where the input of a case comes from; None if there is none, which is reported where it is wrong.

        In BAPCtools a text replaces a file that is copied, and that one replaces what a generator makes
        (`generate_from_rule` in bapctools/generate.py). A sample may have nothing but texts for the statement.
        """
        source = self.given(case, ".in") or case.command
        if source is None and case.copy:
            self.report(case, f"`copy`: there is no file {case.copy}.in")
        elif source is None and case.is_given:
            self.report(case, f"has no rule, and there is no file data/{case.id}.in")
        return source

    def find_answer(self, case: PlannedCase) -> tuple[AnswerSource | None, bool]:
        """Return where the answer of a case comes from, and whether that is known: a generator may write one, too."""
        if (given := self.given(case, ".ans")) is not None:
            return given, True
        is_produced = case.command is not None
        if not self.has_answers:
            return (None, True) if is_produced else (Inline(b""), True)
        solution = None if case.solution is None else self._default
        if case.solution:
            path = self.package.path / case.solution
            if path.exists() and not self.package.leads_out(path):
                solution = path
            else:
                message = f"`solution`: there is no file {case.solution} in the package"
                self.report(case, message, severity=Severity.WARNING)
        if solution is None and not is_produced:
            why = "`solution` is empty" if case.solution is None else "there is no accepted submission to compute it"
            self.report(case, f"has no answer, so it is not judged: {why}", fix="add `ans`, or a `solution`")
            return None, False
        return None if solution is None else Computed(solution), True

    def given(self, case: PlannedCase, suffix: str) -> Inline | InFile | None:
        """Return a file of a case that is written in its rule, or copied; None if there is none."""
        if (text := case.texts.get(suffix[1:])) is not None:
            return Inline(text.encode())
        path = self.copied(case, suffix)
        return None if path is None else InFile(path)

    def copied(self, case: PlannedCase, suffix: str) -> Path | None:
        """Return a file that is copied for a case, or None if there is none."""
        if not case.copy:
            return None
        bases = dict.fromkeys((case.copy, case.copy.removesuffix(".in")))  # both are written
        return next(filter(self.package.has_file, (self.package.path / f"{base}{suffix}" for base in bases)), None)

    @cached_property
    def _default(self) -> Path | None:
        """An accepted submission, of a fast language if possible; BAPCtools takes any."""
        found = [
            Path(entry.path)
            for entry in self.package.scan(self.package.path / "submissions" / "accepted")
            if is_folder(entry) or Path(entry.name).suffix.lower() in SUFFIXES
        ]
        return min(found, key=lambda path: (path.suffix.lower() in _SLOW or path.is_dir(), path.name), default=None)

    def report(self, case: PlannedCase, message: str, *, fix: str = "", severity: Severity = Severity.ERROR) -> None:
        """Report what is wrong with a case, at its rule."""
        message = f"case {case.id}: {message}"
        place = Diagnostic(path=self.package.show(self.path), line=case.line, column=1, message=message)
        self.package.diagnostics.append(replace(place, severity=severity, fix=fix))


# ---- reading -------------------------------------------------------------------------------------------------------


class _RuleError(Exception):
    """A rule that cannot be carried out; the message is complete."""


class _Inherited(Struct, frozen=True):
    """What folders pass on to what is in them."""

    solution: str | None = ""
    random_salt: str = ""
    attempts: int = 1


class _Reader:
    """Reads one file."""

    def __init__(self, package: Path, shown: Path, constants: dict[str, str], diagnostics: list[Diagnostic]) -> None:
        self.groups: dict[str, AnyNode] = {}
        self.cases: dict[str, PlannedCase] = {}  # by id
        self._package = package
        self._shown = shown
        self._constants = constants
        self._diagnostics = diagnostics
        self._programs: dict[str, tuple[str, ...]] = {}  # by the path that commands call them by
        self._by_key: dict[str, list[list[PlannedCase]]] = {}  # what `include` may name
        self._is_full = False
        self._width = 1
        self._numbers = itertools.count(1)

    def read(self, root: parse.Mapping) -> None:
        self._read_programs(_get(root, "generators"))
        self._width = len(str(_count_numbered(root)))
        config = self._read_config(root, _Inherited())
        data = _get(root, "data")
        if data is None:
            return
        if not isinstance(data, parse.Mapping):
            expected = f"expected the folders {quote_all(ROOT_FOLDERS[:2])} of data/"
            self.report(data, f"{expected}, found {describe(data)}")
            return
        self._read_group_file(root, "")
        for key in data.keys.values():
            if key.text not in ROOT_FOLDERS:
                self._warn(key, describe_unknown("folder", key.text, ROOT_FOLDERS, of="data"))
        for name in ROOT_FOLDERS:
            node = _get(data, name)
            if node is not None and _is_folder(node):
                self._read_folder(name, name, node, config)
            elif node is not None:
                self.report(node, f"expected a folder (`data: ...`), found {describe(node)}")

    # ---- folders ----

    def _read_folder(self, key: str, path: str, node: parse.Mapping, inherited: _Inherited) -> list[PlannedCase]:
        """Read a folder; return the cases in it and below, and those that are included there."""
        found: list[PlannedCase] = []
        self._by_key.setdefault(key, []).append(found)
        config = self._read_config(node, inherited)
        self._read_group_file(node, path)
        self._check_keys(node, (*_FOLDER_KEYS, *_CONFIG_KEYS), only_similar=True)
        if not node.values.keys() & {"data", "include"}:
            self._warn(node, f"the folder {quote(path)} has neither `data` nor `include`, so no cases come from it")
        included = list(self._read_includes(_get(node, "include")))
        data = _get(node, "data")
        if isinstance(data, parse.Sequence):
            self._read_list(path, data, config, found)
        elif isinstance(data, parse.Mapping):
            for child in sorted(data.keys.values(), key=lambda each: each.text):
                if is_null(child) or not child.text:
                    self.report(child, "a case or folder that is not in a list needs a name")
                else:
                    names = itertools.repeat(child.text)
                    found += self._read_child(path, names, data.values[child.text], child, config)
        elif data is not None:
            self.report(data, f"`data`: expected a mapping or a list of cases, found {describe(data)}")
        own, found[:] = tuple(found), ()  # after those that are included
        for case in included:
            known, copy = self.cases.get(f"{path}/{case.name}"), replace(case, group=path)
            if known is None and self._add(copy, node):
                found.append(copy)
            elif known is not None and known != copy:
                self.report(node, f"`include`: {quote(case.id)} conflicts with another case of this name")
        found += own
        return found

    def _read_list(self, path: str, data: parse.Sequence, config: _Inherited, found: list[PlannedCase]) -> None:
        """Add the cases of a list: they are numbered through the whole file, and its folders in themselves."""
        mappings = [entry for entry in data.items if isinstance(entry, parse.Mapping)]
        width = len(str(sum(_is_folder(value) for entry in mappings for value in entry.values.values())))
        numbers = itertools.count(1)
        for entry in data.items:
            if not isinstance(entry, parse.Mapping) or len(entry.values) != 1:
                self.report(entry, "expected one case or folder, `- name: ...`; indent its own keys below the name")
                continue
            ((text, node),) = entry.values.items()
            key = entry.keys[text]
            rest = "" if is_null(key) or not text else f"-{text}"
            counter, digits = (numbers, width) if _is_folder(node) else (self._numbers, self._width)
            names = (f"{number:0{digits}}{rest}" for number in counter)  # `07-name`, or `07`
            found += self._read_child(path, names, node, key, config)

    def _read_child(
        self, path: str, names: Iterator[str], node: AnyNode, at: Scalar, config: _Inherited
    ) -> Sequence[PlannedCase]:
        """Read a case or a folder; `at` is its key, and `names` has the names of the cases that it stands for."""
        key = "" if is_null(at) else at.text
        if _is_folder(node):
            name = next(names)
            if NAME.fullmatch(name):
                return self._read_folder(key, f"{path}/{name}", node, config)
            self.report(at, _describe_name("folder", name))
        elif isinstance(node, parse.Sequence):
            self.report(node, "expected a case or a folder, found a list")
        found = []
        is_rule = not _is_folder(node) and not isinstance(node, parse.Sequence) and not self._is_full
        for case in self._read_rule(path, names, node, at, config) if is_rule else ():
            if case.id in self.cases:
                first = self.cases[case.id].line
                self.report(at, f"duplicate case {quote(case.id)}: already on line {first}, rename one of them")
            elif self._add(case, at):
                found.append(case)
                self._by_key.setdefault(key, []).append([case])
            else:
                break
        return found

    def _add(self, case: PlannedCase, at: AnyNode) -> bool:
        if len(self.cases) < MAX_CASES:
            self.cases[case.id] = case
            return True
        if not self._is_full:
            self._is_full = True
            self.report(at, f"more than {MAX_CASES:,} cases: the others are left out")
        return False

    def _read_group_file(self, node: parse.Mapping, path: str) -> None:
        for key in ("test_group.yaml", "testdata.yaml"):
            if (content := _get(node, key)) is not None:
                self.groups[path] = content

    def _read_includes(self, node: AnyNode | None) -> Iterator[PlannedCase]:
        """Yield the cases that a folder takes from those before it."""
        seen: set[str] = set()
        items = node.items if isinstance(node, parse.Sequence) else [node] if node else []
        for item in items if not self._is_full else ():
            if not isinstance(item, Scalar):
                self.report(item, f"`include`: expected the name of a case or folder, found {describe(item)}")
                continue
            found = [] if item.text in seen else self._by_key.get(item.text, [])
            if len(found) == 1:
                yield from found[0]
            elif found:
                self.report(item, f"`include`: {quote(item.text)} is the name of {len(found)} cases or folders")
            elif item.text not in seen:
                hint = ", not a path" if "/" in item.text else ""
                self.report(item, f"`include`: no case or folder above has the name {quote(item.text)}{hint}")
            seen.add(item.text)

    # ---- cases ----

    def _read_rule(
        self, group: str, names: Iterator[str], node: AnyNode, at: Scalar, config: _Inherited
    ) -> Iterator[PlannedCase]:
        place: AnyNode = at
        if not isinstance(node, parse.Mapping):  # a command, or a file that is copied
            place, node = node, parse.Mapping({}, {_OLD_INPUT: node}, node.start)
        config = self._read_config(node, config)
        self._check_keys(node, (*_CASE_KEYS, _OLD_INPUT, *_CONFIG_KEYS))
        counts: tuple[int, ...] | None = None  # the rule is not repeated
        if (count_node := _get(node, "count")) is not None:
            with self._reports(count_node, "`count`: "):
                counts = _parse_count(count_node)
        is_row = counts is not None and max(counts) - min(counts) == len(counts) - 1
        width = max(len(str(each)) for each in counts or ()) if is_row else 0
        for count in counts or (1,):
            name = next(names) + (f"-{count:0{width}}" if counts else "")
            if name.endswith(".in"):
                self._warn(at, f"the name of a case does not end with `.in`: read as {quote(name[:-3])}")
                name = name[:-3]
            if not NAME.fullmatch(name + ".in") or name == "test_group":
                self.report(at, _describe_name("case", name))
                continue
            case = PlannedCase(group=group, name=name, line=at.location.line, solution=config.solution)
            with self._reports(place):
                yield self._read_case(case, node, count if counts else None, config)

    def _read_case(self, case: PlannedCase, node: parse.Mapping, count: int | None, config: _Inherited) -> PlannedCase:
        copy, command = "", None
        generate, old = _get(node, "generate"), node.values.get(_OLD_INPUT)
        if generate is None and old is not None:
            if is_null(old):
                return replace(case, is_given=True)
            if isinstance(old, Scalar) and old.text.endswith(".in"):  # before there was `copy`
                copy = _resolve(old.text.removesuffix(".in"))
            else:
                generate = old
        if generate is not None:
            text = self._read_text(generate, "generate" if "generate" in node.values else "")
            if "{count}" in text and count is None:
                self._warn(generate, "`{count}` is not replaced: the case has no `count`")
            command = self._read_command(text, generate, count, config)
        if (source := _get(node, "copy")) is not None:
            copy = _resolve(self._read_text(source, "copy"))
        texts = {}
        for key in _TEXTS:
            if (value := _get(node, key)) is not None and not isinstance(value, parse.Mapping):
                text = self._read_text(value, key)
                texts[key] = text if not text or text.endswith("\n") else text + "\n"
        is_shown_only = case.group == "sample" and texts.keys() & {"in.statement", "interaction"}
        if not (command or copy or "in" in texts or is_shown_only):
            raise _RuleError("the case has no input: add `generate`, `copy` or `in`")
        return replace(case, texts=texts, config=_get(node, "yaml"), copy=copy, command=command)

    def _read_command(self, text: str, node: AnyNode, count: int | None, config: _Inherited) -> Produced:
        """Return the command in a text, with its seed.

        The seed is a hash of the salt, the count and the text as it is written, with its spaces.
        """
        text = substitute(text, self._constants)
        text = text if count is None else text.replace("{count}", str(count))
        try:
            words = shlex.split(text)
        except ValueError:  # documented: words are separated by spaces, and quotes mean nothing
            words = text.split()
            self._warn(node, "a quotation mark is not closed: the words are separated at spaces only")
        if not words:
            raise _RuleError("expected the name of a generator with its arguments, found no word")
        program, *args = words
        if sum(len(_SEED.findall(each)) for each in args) > 1:
            raise _RuleError("`{seed}` occurs more than once: BAPCtools allows one")
        marker = f":{count - 1}" if count not in (None, 1) else ""
        digest = hashlib.sha512((config.random_salt + marker + text.strip()).encode()).hexdigest()
        path = _resolve(program)
        return Produced(
            sources=tuple(self._package / name for name in self._programs.get(path, (path,))),
            args=tuple(_SEED.sub(SEED, each.replace("{name}", "testcase")) for each in args),
            seed=int(digest, 16) % SEEDS,
            attempts=config.attempts,
        )

    # ---- values ----

    def _read_programs(self, node: AnyNode | None) -> None:
        """Read the files of the generators that are named at the top, relative to the package; the first one runs."""
        if node is not None and not isinstance(node, parse.Mapping):
            self.report(node, f"`generators`: expected a mapping of names to lists of files, found {describe(node)}")
            return
        for name, value in node.values.items() if node else ():
            files = value.items if isinstance(value, parse.Sequence) else []
            if not files or not all(isinstance(each, Scalar) and each.text for each in files):
                self.report(value, f"{quote(name)}: expected a list of files, found {describe(value)}")
                continue
            with self._reports(value, f"{quote(name)}: "):
                sources = tuple(_resolve(each.text) for each in files if isinstance(each, Scalar))
                self._programs[_resolve(name)] = sources

    def _read_config(self, node: parse.Mapping, config: _Inherited) -> _Inherited:
        if (solution := node.values.get("solution")) is not None:
            config = replace(config, solution=self._read_solution(solution, config.solution))
        if (salt := _get(node, "random_salt")) is not None:
            with self._reports(salt):
                config = replace(config, random_salt=self._read_text(salt, "random_salt"))
        if (retries := _get(node, "retries")) is not None:
            number = _whole(retries)
            if number is not None and number > 0:
                config = replace(config, attempts=number)
            else:
                self._warn(retries, f"`retries`: expected a positive number, found {describe(retries)}; ignored")
        return config

    def _read_solution(self, node: AnyNode, inherited: str | None) -> str | None:
        """Return the path of a solution relative to the package; None for an empty value: there is none."""
        if is_null(node):
            return None
        expected = "a path in the package that starts with `/`, as in `/submissions/accepted/fast.cpp`"
        problem = f"expected {expected}, found {describe(node)}"
        if isinstance(node, Scalar) and node.text.startswith("/") and (path := node.text.strip("/ ")):
            try:
                return _normalize(path)
            except _RuleError as error:
                problem = str(error)
        self._warn(node, f"`solution`: {problem}; ignored")
        return inherited

    def _read_text(self, node: AnyNode, key: str) -> str:
        """Return a string; one that YAML reads as a number or a boolean is taken as it is written."""
        place = f"{quote(key)}: " if key else ""
        if not isinstance(node, Scalar):
            raise _RuleError(f"{place}expected a string, found {describe(node)}")
        resolved = resolve(node.text) if node.is_plain else None
        if resolved and resolved.value is not AMBIGUOUS:
            self._warn(node, f'{place}expected a string, found {resolved.found}: quote it, `"{node.text}"`')
        return node.text

    def _check_keys(self, node: parse.Mapping, known: Sequence[str], *, only_similar: bool = False) -> None:
        """Warn of unknown keys; in folders they are allowed (doc/generators.yaml), unless they look like a mistake."""
        for key in node.keys.values():
            if key.text not in known and key.text not in _OLD_KEYS and (not only_similar or nearest(key.text, known)):
                self._warn(key, describe_unknown("key", key.text, known))

    @contextmanager
    def _reports(self, node: AnyNode, of: str = "") -> Iterator[None]:
        try:
            yield
        except _RuleError as error:
            self.report(node, f"{of}{error}")

    def report(self, node: AnyNode, message: str, severity: Severity = Severity.ERROR) -> None:
        found = parse.diagnostic_at(self._shown, node.location, message)
        self._diagnostics.append(replace(found, severity=severity))

    def _warn(self, node: AnyNode, message: str) -> None:
        self.report(node, message, Severity.WARNING)


def _get(node: parse.Mapping, key: str) -> AnyNode | None:
    """Return the value of a key; None if it is not given, or null."""
    value = node.values.get(key)
    return None if value is None or is_null(value) else value


def _is_folder(node: AnyNode) -> TypeGuard[parse.Mapping]:
    if not isinstance(node, parse.Mapping) or (_OLD_INPUT in node.values and "data" not in node.values):
        return False
    return not any(key in node.values for key in _CASE_KEYS)


def _count_numbered(folder: parse.Mapping) -> int:
    """Return the number of cases that are numbered in a folder and below; wrong values count as in BAPCtools."""
    data = folder.values.get("data")
    is_list = isinstance(data, parse.Sequence)
    entries = data.items if isinstance(data, parse.Sequence) else [data]
    total = 0
    for value in (each for entry in entries if isinstance(entry, parse.Mapping) for each in entry.values.values()):
        if _is_folder(value):
            total += _count_numbered(value)
        elif is_list and not isinstance(value, parse.Sequence):
            count = _get(value, "count") if isinstance(value, parse.Mapping) else None
            try:
                total += 1 if count is None else len(_parse_count(count))
            except _RuleError:
                total += 1
    return total


def _whole(node: AnyNode) -> int | None:
    resolved = resolve(node.text) if isinstance(node, Scalar) and node.is_plain else None
    return resolved.value if resolved and type(resolved.value) is int else None


def _parse_count(node: AnyNode) -> tuple[int, ...]:
    """Return the numbers of `count: 3`, `count: [2, 3, 5]` or `count: 1..=3`."""
    numbers: Sequence[int]
    if isinstance(node, parse.Sequence):
        found = [_whole(each) for each in node.items]
        numbers = [each for each in found if each is not None]
        if not numbers or len(numbers) < len(found):
            raise _RuleError("expected a list of whole numbers")
        if len(set(numbers)) < len(numbers):
            raise _RuleError("a number occurs twice")
    elif isinstance(node, Scalar) and (match := _RANGE.fullmatch(node.text)):
        numbers = range(int(match[1]), int(match[2]) + 1)
        if not numbers:
            raise _RuleError(f"expected the smaller number first, found {quote(node.text)}")
    else:
        numbers = range(1, (_whole(node) or 0) + 1)
        if not numbers:
            raise _RuleError(f"expected a number, a list of numbers or a range `1..=3`, found {describe(node)}")
    if len(numbers[: _MAX_COUNT + 1]) > _MAX_COUNT:
        raise _RuleError(f"more than {_MAX_COUNT} cases of one rule")
    return tuple(numbers)


def _resolve(path: str) -> str:
    """Return the path of a file in the package that is written relative to the folder generators/."""
    if path.startswith("/"):
        raise _RuleError(f"expected a path relative to generators/, found {quote(path)}")
    return _normalize(f"generators/{path}")


def _normalize(path: str) -> str:
    """Return a path relative to the package without `..`, `.` and empty parts."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                raise _RuleError(f"{quote(path)} leads out of the package")
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if "\0" in path:
        raise _RuleError(f"{quote(path)} is not a path")
    return "/".join(parts)


def _describe_name(kind: str, name: str) -> str:
    return f"{quote(name)} cannot be the name of a {kind}: use letters, digits, `_`, `-` and `.`"
