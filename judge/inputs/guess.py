"""What inputs look like where nothing says what is valid: grammars of some samples, each of which accepts more."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from judge.inputs.blocks import Repeat
from judge.inputs.choose import Chooser, GrammarError, Guided, Rejected
from judge.inputs.domains import Scalar
from judge.inputs.edges import Graph
from judge.inputs.forms import Body, Listed, Relation, walk
from judge.inputs.grammar import Grammar
from judge.inputs.infer import guess_grammars
from judge.inputs.mutate import edit, get
from judge.inputs.observe import observe
from judge.inputs.parse import Tree
from judge.inputs.sites import put

Span = tuple[int, int]


class Guess:
    """The format of some samples: a grammar for each of `RINGS`, and notation without rules that may hold by chance."""

    def __init__(self, notations: Sequence[Any], notation: Any) -> None:
        self.grammars = tuple(map(Grammar.from_yaml, notations))
        self.notation = notation

    @classmethod
    def of(cls, samples: Sequence[bytes]) -> "Guess | None":
        """Return the format of some samples; None if none is recognized."""
        observed = observe(samples)
        found = guess_grammars(observed, samples) if observed is not None else []
        return cls(found[:-1], found[-1]) if found else None

    def outline(self) -> str:
        """Return the format in a line, such as `n: 1.., a: n integers`."""
        return Grammar.from_yaml(self.notation).outline()

    def ring(self, data: bytes) -> int:
        """Return the first of `RINGS` of whose grammar an input is; one more than the last if it is of none."""
        return next((at for at, each in enumerate(self.grammars) if each.check(data) is None), len(self.grammars))

    def distance(self, data: bytes) -> tuple[int, int]:
        """Return how far an input is from the samples: its ring, and by how much its fields exceed what they show."""
        return self.ring(data), sum(level for level, _ in self._levels(data).values())

    def describe_difference(self, data: bytes) -> list[str]:
        """Return what an input has that the samples do not show, such as `n = 1`, or which rule it breaks."""
        levels = self._levels(data)
        found = [f"{name} = {value}" for name, (level, value) in levels.items() if level]
        ring = self.ring(data)
        if 0 < ring <= len(self.grammars) and ring > max((level for level, _ in levels.values()), default=0):
            fault = self.grammars[ring - 1].check(data)
            found.append(f"line {fault.line}: {fault.found} (expected {fault.expected})" if fault else "")
        return found

    def shrinks(self, data: bytes, is_over: Callable[[], bool] = bool) -> Iterator[bytes]:
        """Yield simpler inputs, the most promising ones first: those nearer to the samples, then those of its ring."""
        ring = self.ring(data)
        if ring < len(self.grammars):
            for narrower in self.grammars[:ring]:
                if (near := _nearest(data, self.grammars[ring], narrower)) is not None:
                    yield near
            yield from filter(self.grammars[-1].accepts, self._with_shown_values(data, self.grammars[ring]))
            yield from self.grammars[ring].shrinks(data, is_over)

    def _with_shown_values(self, data: bytes, grammar: Grammar) -> Iterator[bytes]:
        """Yield what an input becomes if the numbers of one of its fields are those of the samples; it may be wrong."""
        tree = grammar.parse(data)
        assert tree is not None
        scalars = grammar.description.body.find_sites(tree).scalars
        for name, (low, high) in self._spans[0].items():
            values = {each.path: get(tree, each.path) for each in scalars if each.name == name}
            nearest = {path: min(max(value, low), high) for path, value in values.items() if isinstance(value, int)}
            changed = edit(tree, {path: put(value) for path, value in nearest.items()})
            if changed != tree:
                yield grammar.description.body.render(changed)

    @cached_property
    def _spans(self) -> list[dict[str, Span]]:
        """The ranges of all fields in each grammar, as far as they do not depend on others."""
        return [_spans_of(each.description.body) for each in self.grammars]

    def _levels(self, data: bytes) -> dict[str, tuple[int, Any]]:
        """Return for each field the first ring that allows its values, and the value that needs it."""
        ring = self.ring(data)
        grammar = self.grammars[min(ring, len(self.grammars) - 1)]
        tree = grammar.parse(data)
        found: dict[str, tuple[int, Any]] = {}
        if tree is None:
            return found
        for site in grammar.description.body.find_sites(tree).scalars:
            name, value = site.name, get(tree, site.path)
            if not isinstance(value, int | str):
                continue
            size = value if isinstance(value, int) else len(value)
            spans = [each[name] for each in self._spans if name in each]
            level = next((at for at, (low, high) in enumerate(spans) if low <= size <= high), 0)
            shown = value if isinstance(value, int) else f"a word of length {size}"
            found[name] = max(found.get(name, (0, shown)), (level, shown), key=lambda each: each[0])
        return found


def _spans_of(body: Body) -> dict[str, Span]:
    found: dict[str, Span] = {}
    for name, kind in (each for item in walk(body) for each in item.fields):
        inner = kind.item if isinstance(kind, Listed) else kind
        limits = inner.limits if isinstance(inner, Scalar) else None
        if limits is not None and limits.low.constant is not None and limits.high.constant is not None:
            found[name] = limits.low.constant, limits.high.constant
    return found


def _nearest(data: bytes, grammar: Grammar, other: Grammar) -> bytes | None:
    """Return the input of another grammar that is most like one; None if none is found."""
    tree = grammar.parse(data)
    if tree is None:
        return None
    body = other.description.body
    guide = _convert(tree, grammar.description.body, body)
    try:
        return body.render(body.build(Guided(Chooser()), guide))
    except (Rejected, GrammarError):
        return None


def _convert(tree: Tree, body: Body, other: Body) -> Tree:
    """Return a tree for another body, which differs in rules and ranges only, and in what is the edges of a graph."""
    nodes = iter([pair for pair in zip(body.items, tree, strict=True) if not isinstance(pair[0], Relation)])
    found: Tree = []
    for item in other.items:
        if isinstance(item, Relation):
            found.append(None)
            continue
        same, node = next(nodes)
        if isinstance(item, Repeat) and isinstance(same, Repeat):
            node = [_convert(each, same.body, item.body) for each in node]
        elif isinstance(item, Graph) and isinstance(same, Repeat):
            node = [(*line[:2], line[2] if len(line) > 2 else None) for line, *_ in node]
        found.append(node)
    return found
