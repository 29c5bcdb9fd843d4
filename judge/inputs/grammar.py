"""The grammar of an input, with everything that follows from it; inputs of several tests are split and joined."""

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from judge.base.errors import DataError, Diagnostic
from judge.inputs.blocks import Repeat
from judge.inputs.choose import MAX_VALUES, Chooser, GrammarError, Random, Rejected
from judge.inputs.forms import END_OF_FILE, Body, Line, walk
from judge.inputs.parse import Fault, FaultError, Tree
from judge.inputs.read import Description, read_description

if TYPE_CHECKING:
    from judge.inputs.scale import Dominant

_ATTEMPTS = 200
_BUDGETS = (0.5, 0.1, 0.01)  # of the values that an input may have: counts of each other multiply


@lru_cache(maxsize=100)
def read_json(text: str) -> "Grammar":
    """Return the grammar that a value in JSON describes.

    Raises:
        DataError: it is not a grammar.
    """
    return Grammar.from_yaml(json.loads(text))


@dataclass(frozen=True)
class Grammar:
    """What the inputs of a problem look like.

    An input is valid if `check` finds no fault. All inputs that the other methods return are valid.
    """

    description: Description

    @property
    def _body(self) -> Body:
        return self.description.body

    @classmethod
    def from_yaml(cls, value: object) -> "Grammar":
        """Read the value of the key `input:` of problem.yaml, as lists, dicts, strings and numbers.

        Raises:
            DataError: it is not a grammar; carries all errors.
        """
        diagnostics: list[Diagnostic] = []

        def report(message: str, *path: str | int, **_: object) -> None:
            where = "".join(f"[{step!r}]" for step in path)
            text = f"`input{where}`: {message}" if where else message
            diagnostics.append(Diagnostic(path=Path("problem.yaml"), message=text))

        description = read_description(value, report)
        if description is None:
            raise DataError(diagnostics)
        return cls(description)

    def check(self, data: bytes) -> Fault | None:
        """Return the first fault of an input, or None if it is valid."""
        try:
            self._body.parse(data)
        except FaultError as error:
            return error.fault
        return None

    def accepts(self, data: bytes) -> bool:
        """Return whether an input is valid."""
        return self.check(data) is None

    def generate(self, rng: random.Random, *, size: float | None = None, **parameters: Any) -> bytes:
        """Return a random input; the same random numbers give the same bytes.

        Args:
            rng: the source of all choices.
            size: from 0 to 1: counts and ranges from the smallest to the largest. None draws them, mostly small, and
                favours boundaries.
            parameters: values of fields by name; of lists and words whose length is open, the length; and `tests` or
                `repeat`, the number of repetitions of a block whose count is open.

        Raises:
            GrammarError: there is no such parameter, or no input was found.
        """
        unknown = [name for name in parameters if name not in self.parameters]
        if unknown:
            known = ", ".join(self.parameters)
            raise GrammarError(f"there is no parameter `{unknown[0]}`: expected one of {known}")
        return self.make(lambda number: Random(rng, size, number), fixed=parameters)

    def propose(
        self,
        rng: random.Random,
        hints: Sequence[int],
        *,
        size: float | None = None,
        is_single: bool = False,
        most: int = MAX_VALUES,
        is_over: Callable[[], bool] = lambda: False,
    ) -> bytes:
        """Return a random input for a search, in which values also come in groups.

        Unlike `generate`, it may return other inputs for the same random numbers in another version.

        Args:
            rng: the source of all choices.
            hints: numbers at which programs may fail; counts and values take them where they may.
            size: as in `generate`.
            is_single: of the tests of an input, make only one.
            most: how many values an input has, rows and the elements of lists, at most.
            is_over: called repeatedly while the input is made; whether the time is over.

        Raises:
            TooLargeError: the inputs have more values.
            GrammarError: no input was found, or not in time.
        """
        from judge.inputs.propose import Proposer

        failure = GrammarError("the time is over")
        for part in _BUDGETS:
            choose = partial(Proposer, rng, size, hints=hints, most=part * most, is_over=is_over)
            try:
                return self.make(choose, most, is_single=is_single)
            except GrammarError as error:
                failure = error
            if is_over():
                break
        raise failure

    def make(
        self,
        choose: Callable[[int], Chooser],
        most: int = MAX_VALUES,
        *,
        is_single: bool = False,
        fixed: Mapping[str, Any] = MappingProxyType({}),
    ) -> bytes:
        """Return the first input that is not rejected; `choose` gets the number of the attempt, from 0.

        The input has `most` values at most; `is_single` makes only one of its tests. For `fixed`, see `Body.build`.

        Raises:
            TooLargeError: the input has more values.
            GrammarError: there is none.
        """
        if is_single and (name := name_of_count(self._body)) is not None:
            fixed = {name: 1}
        for number in range(_ATTEMPTS):
            try:
                tree = self._body.build(choose(number), fixed=fixed, most=most)
            except Rejected:
                continue
            return self._body.render(tree)
        raise GrammarError(
            f"no input was found in {_ATTEMPTS} attempts: the rules contradict each other, or are met too rarely by "
            "chance; write bounds such as `b: a..n` in place of relations"
        )

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of all parameters of `generate`."""
        names: dict[str, None] = {}
        for item in walk(self._body):
            if isinstance(item, Repeat) and not item.count.is_exact:
                names["tests" if item.is_tests else "repeat"] = None
            names.update(dict.fromkeys(name for name, _ in item.fields))
        return tuple(names)

    def smallest(self, is_over: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """Yield different inputs by growing size, lazily and mostly without end, while there is time.

        No input has more than 2,000 values.
        """
        from judge.inputs.propose import smallest_trees

        seen = set()
        for tree in smallest_trees(self._body, is_over):
            data = self._body.render(tree)
            if data not in seen:
                seen.add(data)
                yield data

    def shrinks(self, data: bytes, is_over: Callable[[], bool] = bool) -> Iterator[bytes]:
        """Yield simpler inputs, the most promising ones first, while there is time; none for one that is not valid."""
        from judge.inputs.shrink import measure, simpler_trees

        tree = self.parse(data)
        if tree is None:
            return
        limit = measure(data)
        seen = {data}
        for each in simpler_trees(self._body, tree, is_over):
            simpler = self._body.render(each)
            if simpler not in seen and measure(simpler) < limit and self.check(simpler) is None:
                seen.add(simpler)
                yield simpler

    def mutations(self, data: bytes, rng: random.Random) -> Iterator[bytes]:
        """Yield neighbours of an input, without end unless there are none; none for an input that is not valid."""
        from judge.inputs.mutate import neighbours

        return self._changed(data, lambda tree: neighbours(self._body, tree, rng))

    def single_changes(self, data: bytes) -> Iterator[bytes]:
        """Yield inputs that differ in one field or count; none for an input that is not valid."""
        from judge.inputs.mutate import single_changes

        yield from dict.fromkeys(self._changed(data, lambda tree: single_changes(self._body, tree)))

    def _changed(self, data: bytes, change: Callable[[Tree], Iterator[Tree]]) -> Iterator[bytes]:
        tree = self.parse(data)
        for each in change(tree) if tree is not None else ():
            changed = self._body.render(each)
            if changed != data and self.check(changed) is None:
                yield changed

    @property
    def has_tests(self) -> bool:
        """Whether it says that an input consists of tests which are on their own."""
        return any(isinstance(item, Repeat) and item.is_tests for item in self._body.items)

    def split(self, data: bytes) -> list[bytes] | None:
        """Return one input for each test in an input.

        None if the format has one test only, if the input is not valid, or if a test alone is not.
        """
        at, tree = find_tests(self._body), self.parse(data)
        if at is None or tree is None:
            return None
        found = []
        for test in tree[at]:
            alone = with_tests(self._body, at, tree, [test])
            text = None if alone is None else self._body.render(alone)
            if text is None or self.check(text) is not None:
                return None
            found.append(text)
        return found

    def join(self, inputs: Sequence[bytes]) -> bytes | None:
        """Return one input with the tests of several.

        None if the format has one test only, an input is not valid, they differ in more than their tests, or together
        they exceed a limit.
        """
        at = find_tests(self._body)
        trees = [tree for data in inputs if (tree := self.parse(data)) is not None]
        if at is None or not trees or len(trees) < len(inputs):
            return None
        whole = with_tests(self._body, at, trees[0], [test for tree in trees for test in tree[at]])
        if whole is None or any(with_tests(self._body, at, tree, trees[0][at]) != trees[0] for tree in trees):
            return None
        joined = self._body.render(whole)
        return joined if self.check(joined) is None else None

    @property
    def size_name(self) -> str:
        """The parameter of `generate` that decides most how large an input is; "" if all are of the same size."""
        return self._dominant.name

    @property
    def max_size(self) -> int:
        """The highest value of `size_name`, as far as that is known without an input."""
        return self._dominant.highest

    def scale(self, n: int, rng: random.Random) -> bytes:
        """Return an input in which `size_name` is `n`, and other counts are as large in proportion.

        Raises:
            GrammarError: no input was found.
        """
        dominant = self._dominant
        fixed = {dominant.name: n} if dominant.name else {}
        part = n / max(1, dominant.highest)
        return self.make(lambda number: Random(rng, 1.0, number, part=part, lowest=dominant.lowest), fixed=fixed)

    @cached_property
    def _dominant(self) -> "Dominant":
        from judge.inputs.scale import find_dominant

        return find_dominant(self._body)

    def statement(self) -> str:
        """Return the section of the statement about the input, as Markdown."""
        also = [f"{rule[0].upper()}{rule[1:].rstrip('.')}." for rule in self.description.also]
        return "\n".join(["## Input", "", *self._body.sentences(), *([""] if also else []), *also, ""])

    def outline(self) -> str:
        """Return the format in a line, such as `n: 1.., a: n integers`; the largest values are left out."""
        return self._body.outline()

    def reading_code(self, language: str) -> str:
        """Return a program that reads an input: in `python3`, `cpp` or `java`.

        Raises:
            ValueError: another language.
        """
        from judge.inputs.reading import write_reading_code

        return write_reading_code(self.description, language)

    def parse(self, data: bytes) -> Tree | None:
        """Return the values of an input, a node for each item of the body; None if it is not valid."""
        try:
            return self._body.parse(data)
        except FaultError:
            return None


def find_tests(body: Body) -> int | None:
    """Return the item whose repetitions are tests: one with `tests`, or the only item, up to the end of the file."""
    for at, item in enumerate(body.items):
        if isinstance(item, Repeat) and item.is_tests:
            return at
    only = body.items[0]
    return 0 if len(body.items) == 1 and isinstance(only, Repeat) and only.until == END_OF_FILE else None


def with_tests(body: Body, at: int, tree: Tree, tests: Sequence[Tree]) -> Tree | None:
    """Return a tree with other tests, and their number where it is; None if that is not a field of its own."""
    block = body.items[at]
    assert isinstance(block, Repeat)
    changed = list(tree)
    changed[at] = list(tests)
    if not block.count.is_exact:
        return changed
    if block.count.low.constant is not None:
        return changed if block.count.low.constant == len(tests) else None
    for number, item in enumerate(body.items[:at]):
        names = [name for name, _ in item.fields] if isinstance(item, Line) else []
        if block.count.low.text in names:
            line = list(tree[number])
            line[names.index(block.count.low.text)] = len(tests)
            changed[number] = line
            return changed
    return None


def name_of_count(body: Body) -> str | None:
    """Return the parameter of `Grammar.generate` that decides how many tests there are; None if there is none."""
    at = find_tests(body)
    if at is None:
        return None
    block = body.items[at]
    assert isinstance(block, Repeat)
    if block.count.is_exact:
        lines = [item for item in body.items[:at] if isinstance(item, Line)]
        return next((name for line in lines for name, _ in line.fields if name == block.count.low.text), None)
    return "tests" if block.is_tests else "repeat"
