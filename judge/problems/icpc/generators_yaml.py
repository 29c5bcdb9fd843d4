"""BAPCtools' generators/generators.yaml: which cases a package has, and how each of them is made.

Nothing is run and no other file is read here: a plan says what to do. Names, numbers and seeds are those of BAPCtools
(its doc/generators.md, and `bapctools/generate.py` where the documentation is silent), so that a case has the same name
and the same bytes as after `bt generate`. Keys of older versions that change nothing are ignored.
"""

import hashlib
import itertools
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeGuard

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.errors import DataError, Diagnostic, Severity
from judge.base.units import MIB
from judge.model import Produced
from judge.problems.file_format import MAX_CASES
from judge.problems.icpc.files import NAME
from judge.problems.icpc.sections import substitute
from judge.problems.yaml import parse
from judge.problems.yaml.parse import AnyNode, Scalar
from judge.problems.yaml.scalars import AMBIGUOUS, resolve
from judge.problems.yaml.text import describe_unknown, nearest, quote, quote_all
from judge.problems.yaml.types import describe

FILE = "generators/generators.yaml"

_MAX_SIZE = 16 * MIB
_ADVICE = ": put large inputs into files and name them with `copy`"
_MAX_COUNT = 100  # cases of one rule (BAPCtools, `parse_count`)

# In this order BAPCtools makes them, and numbers them.
ROOT_FOLDERS = (
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
)

_TEXTS = (
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "hint",  # until 2025
    "desc",
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
        group: its folder below data/.
        name: the name of its files.
        line: 1-based line of its rule.
        texts: the contents of its files, by extension without the dot; they replace what is made otherwise.
        config: the content of its `.yaml` file.
        copy: the files to copy, without extension, relative to the package; "" for none.
        command: makes its other files.
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


class Plan(Struct, frozen=True, kw_only=True):
    """What a generators.yaml says.

    Attributes:
        cases: in the order of the file; included ones come after those of their folder.
        groups: the contents of `test_group.yaml` (before 2025: `testdata.yaml`), by folder below data/.
        is_complete: no rule is missing because it is wrong.
    """

    cases: Sequence[PlannedCase] = ()
    groups: Mapping[str, AnyNode] = field(default_factory=dict)
    is_complete: bool = True


def read_plan(path: Path, shown: Path, constants: dict[str, str], diagnostics: list[Diagnostic]) -> Plan:
    """Return the plan of a file, without what is wrong, which is added to the diagnostics; messages show it as `shown`.

    `constants` replace `{{name}}` in the commands.
    """
    try:
        root, found = parse.parse_file(path, shown, max_size=_MAX_SIZE, advice=_ADVICE, merges=True)
    except DataError as error:
        diagnostics.extend(error.diagnostics)
        return Plan()
    reader = _Reader(path.parents[1], shown, constants)
    reader.diagnostics.extend(found)
    plan = reader.read(root)
    diagnostics.extend(sorted(reader.diagnostics, key=lambda each: (each.line, each.column)))
    is_complete = all(each.severity is not Severity.ERROR for each in reader.diagnostics)
    return replace(plan, is_complete=is_complete)


class _RuleError(Exception):
    """A rule that cannot be carried out; the message is complete."""


class _Inherited(Struct, frozen=True):
    """What folders pass on to what is in them."""

    solution: str | None = ""
    random_salt: str = ""
    attempts: int = 1


class _Folder(Struct):
    """A folder while it is read; `included` are cases of other folders, by name."""

    path: str
    cases: list[PlannedCase] = field(default_factory=list)
    folders: "list[_Folder]" = field(default_factory=list)
    included: dict[str, PlannedCase] = field(default_factory=dict)

    def walk(self) -> Iterator[PlannedCase]:
        """Yield the cases in it and below, and those that are included there."""
        yield from self.included.values()
        yield from self.cases
        for folder in self.folders:
            yield from folder.walk()


class _Reader:
    """Reads one file."""

    def __init__(self, package: Path, shown: Path, constants: dict[str, str]) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._package = package
        self._shown = shown
        self._programs: dict[str, tuple[str, ...]] = {}  # by the path that commands call them by
        self._constants = constants
        self._groups: dict[str, AnyNode] = {}
        self._cases: dict[str, PlannedCase] = {}  # by id
        self._by_key: dict[str, list[PlannedCase | _Folder]] = {}  # what `include` may name
        self._is_full = False
        self._width = 1
        self._numbers = itertools.count(1)

    def read(self, root: AnyNode | None) -> Plan:
        if root is None or _is_null(root):
            return Plan()
        if not isinstance(root, parse.Mapping):
            self._error(root, f"expected the keys `solution`, `generators` and `data`, found {describe(root)}")
            return Plan()
        self._programs = self._read_programs(_get(root, "generators"))
        self._width = len(str(_count_numbered(root)))
        data = _get(root, "data")
        config = self._read_config(root, _Inherited())
        if isinstance(data, parse.Mapping):
            self._read_root_folders(root, data, config)
        elif data is not None:
            self._error(data, f"expected the folders {quote_all(ROOT_FOLDERS[:2])} of data/, found {describe(data)}")
        return Plan(cases=tuple(self._cases.values()), groups=self._groups)

    def _read_root_folders(self, root: parse.Mapping, data: parse.Mapping, config: _Inherited) -> None:
        self._read_group_file(root, "")
        for key in data.keys.values():
            if key.text not in ROOT_FOLDERS:
                self._warn(key, describe_unknown("folder", key.text, ROOT_FOLDERS, of="data"))
        for name in ROOT_FOLDERS:
            if (node := data.values.get(name)) is None:
                continue
            if _is_folder(node):
                self._read_folder(name, name, node, config)
            elif not _is_null(node):
                self._error(node, f"expected a folder (`data: ...`), found {describe(node)}")

    # ---- folders ----

    def _read_folder(self, key: str, path: str, node: parse.Mapping, inherited: _Inherited) -> _Folder:
        folder = _Folder(path)
        self._by_key.setdefault(key, []).append(folder)
        config = self._read_config(node, inherited)
        self._read_group_file(node, path)
        self._check_keys(node, (*_FOLDER_KEYS, *_CONFIG_KEYS), only_similar=True)
        if not node.values.keys() & {"data", "include"}:
            self._warn(node, f"the folder {quote(path)} has neither `data` nor `include`, so no cases come from it")
        included = list(self._read_includes(_get(node, "include")))
        data = _get(node, "data")
        if isinstance(data, parse.Sequence):
            self._read_list(folder, data, config)
        elif isinstance(data, parse.Mapping):
            for child in sorted(data.keys.values(), key=lambda each: each.text):
                name = "" if _is_null(child) else child.text
                if not name:
                    self._error(child, "a case or folder that is not in a list needs a name")
                else:
                    self._read_child(folder, itertools.repeat(name), data.values[child.text], child, config)
        elif data is not None:
            self._error(data, f"`data`: expected a mapping or a list of cases, found {describe(data)}")
        self._add_included(folder, included, node)
        return folder

    def _read_list(self, folder: _Folder, data: parse.Sequence, config: _Inherited) -> None:
        """Read a list: its cases are numbered through the whole file, and its folders in themselves."""
        folders = sum(
            _is_folder(value)
            for entry in data.items
            if isinstance(entry, parse.Mapping)
            for value in entry.values.values()
        )
        numbers = itertools.count(1)
        for entry in data.items:
            if not isinstance(entry, parse.Mapping) or len(entry.values) != 1:
                self._error(entry, "expected one case or folder, `- name: ...`; indent its own keys below the name")
                continue
            ((text, node),) = entry.values.items()
            key = entry.keys[text]
            name = "" if _is_null(key) else text
            counter, width = (numbers, len(str(folders))) if _is_folder(node) else (self._numbers, self._width)
            self._read_child(folder, _number(name, counter, width), node, key, config)

    def _read_child(self, folder: _Folder, names: Iterator[str], node: AnyNode, at: Scalar, config: _Inherited) -> None:
        """Read a case or a folder; `at` is its key, and `names` has the names of the cases that it stands for."""
        key = "" if _is_null(at) else at.text
        if _is_folder(node):
            name = next(names)
            if NAME.fullmatch(name):
                folder.folders.append(self._read_folder(key, f"{folder.path}/{name}", node, config))
            else:
                self._error(at, _describe_name("folder", name))
        elif isinstance(node, parse.Sequence):
            self._error(node, "expected a case or a folder, found a list")
        elif not self._is_full:
            for case in self._read_rule(folder.path, names, node, at, config):
                if case.id in self._cases:
                    first = self._cases[case.id].line
                    self._error(at, f"duplicate case {quote(case.id)}: already on line {first}, rename one of them")
                elif self._add(case, at):
                    folder.cases.append(case)
                    self._by_key.setdefault(key, []).append(case)
                else:
                    return

    def _add(self, case: PlannedCase, at: AnyNode) -> bool:
        """Add a case, unless there are too many."""
        if len(self._cases) < MAX_CASES:
            self._cases[case.id] = case
            return True
        if not self._is_full:
            self._is_full = True
            self._error(at, f"more than {MAX_CASES:,} cases: the others are left out")
        return False

    def _read_group_file(self, node: parse.Mapping, path: str) -> None:
        for key in ("test_group.yaml", "testdata.yaml"):
            if (content := _get(node, key)) is not None:
                self._groups[path] = content

    def _read_includes(self, node: AnyNode | None) -> Iterator[PlannedCase]:
        """Yield the cases that a folder takes from those before it."""
        if node is None:
            return
        seen: set[str] = set()
        for item in node.items if isinstance(node, parse.Sequence) else [node]:
            if self._is_full or (isinstance(item, Scalar) and item.text in seen):
                continue
            if not isinstance(item, Scalar):
                self._error(item, f"`include`: expected the name of a case or folder, found {describe(item)}")
                continue
            seen.add(item.text)
            found = self._by_key.get(item.text, [])
            if len(found) == 1:
                (target,) = found
                yield from [target] if isinstance(target, PlannedCase) else target.walk()
            elif found:
                self._error(item, f"`include`: {quote(item.text)} is the name of {len(found)} cases or folders")
            else:
                hint = ", not a path" if "/" in item.text else ""
                self._error(item, f"`include`: no case or folder above has the name {quote(item.text)}{hint}")

    def _add_included(self, folder: _Folder, included: Sequence[PlannedCase], at: AnyNode) -> None:
        for case in included:
            known = self._cases.get(f"{folder.path}/{case.name}")
            copy = replace(case, group=folder.path)
            if known is None:
                if self._add(copy, at):
                    folder.included[case.name] = copy
            elif known != copy:
                self._error(at, f"`include`: {quote(case.id)} conflicts with another case of this name")

    # ---- cases ----

    def _read_rule(
        self, group: str, names: Iterator[str], node: AnyNode, at: Scalar, config: _Inherited
    ) -> Iterator[PlannedCase]:
        """Yield the cases of a rule."""
        line = at.location.line
        if not isinstance(node, parse.Mapping):
            if (name := self._check_case_name(next(names), at)) is None:
                return
            case = PlannedCase(group=group, name=name, line=line, solution=config.solution)
            with self._reports(node):
                if _is_null(node):
                    yield replace(case, is_given=True)
                elif (text := self._read_text(node, "")).endswith(".in"):  # before there was `copy`
                    yield replace(case, copy=_resolve(text.removesuffix(".in")))
                else:
                    yield replace(case, command=self._read_command(text, node, 1, config))
            return
        config = self._read_config(node, config)
        self._check_keys(node, (*_CASE_KEYS, _OLD_INPUT, *_CONFIG_KEYS))
        counts: tuple[int, ...] | None = None  # the rule is not repeated
        if (count_node := _get(node, "count")) is not None:
            with self._reports(count_node, "`count`: "):
                counts = _parse_count(count_node)
        is_row = counts is not None and max(counts) - min(counts) == len(counts) - 1
        width = max(len(str(each)) for each in counts or ()) if is_row else 0
        for count in counts or (1,):
            suffix = f"-{count:0{width}}" if counts else ""
            name = self._check_case_name(next(names) + suffix, at)
            if name is None:
                continue
            with self._reports(at):
                case = PlannedCase(group=group, name=name, line=line, solution=config.solution)
                yield self._read_case(case, node, None if counts is None else count, config)

    def _read_case(self, case: PlannedCase, node: parse.Mapping, count: int | None, config: _Inherited) -> PlannedCase:
        """Return a case with what its keys say."""
        copy, command = "", None
        generate = _get(node, "generate")
        if generate is None and (old := _get(node, _OLD_INPUT)) is not None:
            if isinstance(old, Scalar) and old.text.endswith(".in"):
                copy = _resolve(old.text.removesuffix(".in"))
            else:
                generate = old
        if generate is not None:
            text = self._read_text(generate, "generate")
            if "{count}" in text:
                if count is None:
                    self._warn(generate, "`{count}` is not replaced: the case has no `count`")
                else:
                    text = substitute(text, self._constants).replace("{count}", str(count))
            command = self._read_command(text, generate, 1 if count is None else count, config)
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

    def _read_command(self, text: str, node: AnyNode, count: int, config: _Inherited) -> Produced:
        """Return the command in a text, with its seed.

        The seed is a hash of the salt, the count and the text as it is written, with its spaces.
        """
        text = substitute(text, self._constants)
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
        marker = f":{count - 1}" if count != 1 else ""
        digest = hashlib.sha512((config.random_salt + marker + text.strip()).encode()).hexdigest()
        path = _resolve(program)
        return Produced(
            sources=tuple(self._package / name for name in self._programs.get(path, (path,))),
            args=tuple(_SEED.sub(SEED, each.replace("{name}", "testcase")) for each in args),
            seed=int(digest, 16) % SEEDS,
            attempts=config.attempts,
        )

    # ---- values ----

    def _read_programs(self, node: AnyNode | None) -> dict[str, tuple[str, ...]]:
        """Return the files of the generators that are named at the top, relative to the package; the first one runs."""
        if node is None:
            return {}
        if not isinstance(node, parse.Mapping):
            self._error(node, f"`generators`: expected a mapping of names to lists of files, found {describe(node)}")
            return {}
        programs = {}
        for name, value in node.values.items():
            files = value.items if isinstance(value, parse.Sequence) else []
            if not files or not all(isinstance(each, Scalar) and each.text for each in files):
                self._error(value, f"{quote(name)}: expected a list of files, found {describe(value)}")
                continue
            with self._reports(value, f"{quote(name)}: "):
                programs[_resolve(name)] = tuple(_resolve(each.text) for each in files if isinstance(each, Scalar))
        return programs

    def _read_config(self, node: parse.Mapping, inherited: _Inherited) -> _Inherited:
        config = inherited
        if (solution := node.values.get("solution")) is not None:
            config = replace(config, solution=self._read_solution(solution, inherited.solution))
        if (salt := _get(node, "random_salt")) is not None:
            with self._reports(salt):
                config = replace(config, random_salt=self._read_text(salt, "random_salt"))
        if (retries := _get(node, "retries")) is not None:
            number = resolve(retries.text) if isinstance(retries, Scalar) and retries.is_plain else None
            if number and isinstance(number.value, int) and number.value > 0:
                config = replace(config, attempts=number.value)
            else:
                self._warn(retries, f"`retries`: expected a positive number, found {describe(retries)}; ignored")
        return config

    def _read_solution(self, node: AnyNode, inherited: str | None) -> str | None:
        """Return the path of a solution relative to the package; None for an empty value: there is none."""
        if _is_null(node):
            return None
        if isinstance(node, Scalar) and node.text.startswith("/") and (path := node.text.strip("/ ")):
            try:
                return _normalize(path)
            except _RuleError as error:
                self._warn(node, f"`solution`: {error}; ignored")
                return inherited
        expected = "a path in the package that starts with `/`, as in `/submissions/accepted/fast.cpp`"
        self._warn(node, f"`solution`: expected {expected}, found {describe(node)}; ignored")
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

    def _check_case_name(self, name: str, at: Scalar) -> str | None:
        if name.endswith(".in"):
            self._warn(at, f"the name of a case does not end with `.in`: read as {quote(name[:-3])}")
            name = name[:-3]
        if NAME.fullmatch(name + ".in") and name != "test_group":
            return name
        self._error(at, _describe_name("case", name))
        return None

    def _check_keys(self, node: parse.Mapping, known: Sequence[str], *, only_similar: bool = False) -> None:
        """Warn of unknown keys; in folders they are allowed (doc/generators.yaml), unless they look like a mistake."""
        for key in node.keys.values():
            if key.text not in known and key.text not in _OLD_KEYS and (not only_similar or nearest(key.text, known)):
                self._warn(key, describe_unknown("key", key.text, known))

    @contextmanager
    def _reports(self, node: AnyNode, of: str = "") -> Iterator[None]:
        """Report what is wrong with a rule at a node."""
        try:
            yield
        except _RuleError as error:
            self._error(node, f"{of}{error}")

    def _error(self, node: AnyNode, message: str) -> None:
        self.diagnostics.append(parse.diagnostic_at(self._shown, node.location, message))

    def _warn(self, node: AnyNode, message: str) -> None:
        found = parse.diagnostic_at(self._shown, node.location, message)
        self.diagnostics.append(replace(found, severity=Severity.WARNING))


def _is_null(node: AnyNode) -> bool:
    return isinstance(node, Scalar) and node.is_plain and node.text in ("", "~", "null", "Null", "NULL")


def _get(node: parse.Mapping, key: str) -> AnyNode | None:
    """Return the value of a key; None if it is not given, or null."""
    value = node.values.get(key)
    return None if value is None or _is_null(value) else value


def _is_folder(node: AnyNode) -> TypeGuard[parse.Mapping]:
    if not isinstance(node, parse.Mapping) or (_OLD_INPUT in node.values and "data" not in node.values):
        return False
    return not any(key in node.values for key in _CASE_KEYS)


def _count_numbered(folder: parse.Mapping) -> int:
    """Return the number of cases that are numbered in a folder and below; wrong values count as in BAPCtools."""
    data = folder.values.get("data")
    entries = data.items if isinstance(data, parse.Sequence) else [data]
    total = 0
    for entry in entries:
        for value in entry.values.values() if isinstance(entry, parse.Mapping) else ():
            if _is_folder(value):
                total += _count_numbered(value)
            elif isinstance(data, parse.Sequence) and not isinstance(value, parse.Sequence):
                count = _get(value, "count") if isinstance(value, parse.Mapping) else None
                try:
                    total += 1 if count is None else len(_parse_count(count))
                except _RuleError:
                    total += 1
    return total


def _parse_count(node: AnyNode) -> tuple[int, ...]:
    """Return the numbers of `count: 3`, `count: [2, 3, 5]` or `count: 1..=3`."""
    if isinstance(node, parse.Sequence):
        resolved = [resolve(each.text) if isinstance(each, Scalar) and each.is_plain else None for each in node.items]
        numbers = [each.value for each in resolved if each and type(each.value) is int]
        if not numbers or len(numbers) < len(resolved):
            raise _RuleError("expected a list of whole numbers")
        if len(set(numbers)) < len(numbers):
            raise _RuleError("a number occurs twice")
    elif isinstance(node, Scalar) and (match := _RANGE.fullmatch(node.text)):
        low, high = int(match[1]), int(match[2])
        if low > high:
            raise _RuleError(f"expected the smaller number first, found {quote(node.text)}")
        numbers = list(range(low, min(high, low + _MAX_COUNT) + 1))
    else:
        number = resolve(node.text) if isinstance(node, Scalar) and node.is_plain else None
        if not number or type(number.value) is not int or number.value < 1:
            raise _RuleError(f"expected a number, a list of numbers or a range `1..=3`, found {describe(node)}")
        numbers = list(range(1, min(number.value, _MAX_COUNT + 1) + 1))
    if len(numbers) > _MAX_COUNT:
        raise _RuleError(f"more than {_MAX_COUNT} cases of one rule")
    return tuple(numbers)


def _number(name: str, numbers: Iterator[int], width: int) -> Iterator[str]:
    """Yield names that start with the next number: `07-name`, or `07`."""
    for number in numbers:
        yield f"{number:0{width}}-{name}" if name else f"{number:0{width}}"


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
