"""Reading code in Python: line by line, because the lines of an input say as much as its tokens."""

import ast
from collections.abc import Sequence

from judge.grammar.expressions import Expression
from judge.grammar.forms import (
    END_OF_FILE,
    Graph,
    Integer,
    Kind,
    Line,
    Listed,
    Permutation,
    Real,
    Repeat,
    Word,
    first_text,
)
from judge.grammar.reading.writer import Writer, identifier, is_text, plain, python_text


class Python(Writer):
    """Writes one program."""

    def line(self, line: Line) -> None:
        names = [identifier(name) for name, _ in line.fields]
        kinds = [kind for _, kind in line.fields]
        if all(isinstance(kind, Integer) for kind in kinds):
            pattern = f"{names[0]}" if len(names) == 1 else ", ".join(names)
            source = "int(input())" if len(names) == 1 else "map(int, input().split())"
            self.emit(f"{pattern} = {source}")
        elif len(kinds) == 1:
            self.emit(f"{names[0]} = {self._whole_line(kinds[0])}")
        else:
            self._tokens(names, kinds)

    def _whole_line(self, kind: Kind) -> str:
        match kind:
            case Permutation():
                return "list(map(int, input().split()))"
            case Listed(item=item):
                return "input().split()" if is_text(item) else f"list(map({_type(item)}, input().split()))"
            case kind if not is_text(kind):
                return f"{_type(kind)}(input())"
            case Word(pattern=pattern) if " " in pattern.alphabet:
                return "input()"
            case _:
                return "input().strip()"

    def _tokens(self, names: Sequence[str], kinds: Sequence[Kind]) -> None:
        lists = [at for at, kind in enumerate(kinds) if isinstance(kind, Listed | Permutation)]
        if len(lists) <= 1:
            starred = [f"*{name}" if at in lists else name for at, name in enumerate(names)]
            self.emit(f"{', '.join(starred)} = input().split()")
            for name, kind in zip(names, kinds, strict=True):
                if not isinstance(kind, Listed | Permutation) and not is_text(kind):
                    self.emit(f"{name} = {_type(kind)}({name})")
                elif isinstance(kind, Permutation) or (isinstance(kind, Listed) and not is_text(kind.item)):
                    number = "int" if isinstance(kind, Permutation) else _type(kind.item)
                    self.emit(f"{name} = list(map({number}, {name}))")
            return
        self.emit("tokens = iter(input().split())")
        for name, kind in zip(names, kinds, strict=True):
            match kind:
                case Permutation(count=count):
                    self.emit(f"{name} = [int(next(tokens)) for _ in range({_python(count)})]")
                case Listed(item=item, count=count) if count.is_exact:
                    read = "next(tokens)" if is_text(item) else f"{_type(item)}(next(tokens))"
                    self.emit(f"{name} = [{read} for _ in range({_python(count.low)})]")
                case Listed(item=item):
                    left = "tokens" if is_text(item) else f"map({_type(item)}, tokens)"
                    self.emit(f"{name} = list({left})")
                case Word():
                    self.emit(f"{name} = next(tokens)")
                case _:
                    self.emit(f"{name} = {_type(kind)}(next(tokens))")

    def skip_line(self) -> None:
        self.emit("input()")

    def condition(self, block: Repeat) -> None:
        condition = ast.parse(block.count.low.source, mode="eval").body
        assert isinstance(condition, ast.IfExp)
        test = python_text(ast.unparse(condition.test))
        self.emit(f"if {test}:" if ast.unparse(condition.body) == "1" else f"if not ({test}):")
        self.depth += 1
        self.body(block.body)
        self.emit("pass")
        self.depth -= 1

    def repeat(self, block: Repeat) -> None:
        for name in block.columns:
            self.emit(f"all_{name} = []")
        start = len(self.lines) + 1
        if block.until == END_OF_FILE:
            self.used.add("sys")
            rows = "enumerate(sys.stdin, 1)" if block.index else "sys.stdin"
            self.emit(f"for {identifier(block.index)}, line in {rows}:" if block.index else f"for line in {rows}:")
        elif block.until:
            self.emit(f"while (line := input()) != {block.until!r}:")
        else:
            count = _python(block.count.low)
            rows = f"range(1, ({count}) + 1)" if block.index else f"range({count})"
            self.emit(f"for {identifier(block.index) or '_'} in {rows}:")
        self.depth += 1
        self.body(block.body)
        if block.until:
            self._use_line(start)
        for name in block.columns:
            self.emit(f"all_{name}.append({identifier(name)})")
        is_test = block.is_tests or block.until == END_OF_FILE
        if is_test:
            self.emit("# solve")
        self.emit("pass")
        self.depth -= 1
        for name in block.columns:
            self.emit(f"{identifier(name)} = all_{name}")

    def _use_line(self, start: int) -> None:
        """Let the first line that is read be the one that the loop has read."""
        for at in range(start, len(self.lines)):
            if "input()" in self.lines[at]:
                self.lines[at] = self.lines[at].replace("input()", "line", 1)
                return

    def graph(self, graph: Graph) -> None:
        fields = "one, other" + (", weight" if graph.weight else "")
        edges = self.fresh("edges")
        self.emit(f"{edges} = []")
        self.emit(f"for _ in range({_python(graph.edges)}):")
        self.emit(f"    {fields} = map(int, input().split())")
        self.emit(f"    {edges}.append(({fields}))")

    def either(self, options: Sequence[Line]) -> None:
        self.emit("row = input().split()")
        for at, line in enumerate(options):
            self.emit(f"{'elif' if at else 'if'} row[0] == {first_text(line)!r}:")
            names = ", ".join(identifier(name) for name, _ in line.fields[1:])
            self.emit(f"    {names}{',' if len(line.fields) == 2 else ''} = row[1:]" if names else "    pass")

    def finish(self) -> str:
        head = ["import sys", ""] if "sys" in self.used else []
        return "\n".join([*head, *self.lines, ""])


def _type(kind: object) -> str:
    return "float" if isinstance(plain(kind), Real) else "int"


def _python(count: Expression) -> str:
    return python_text(count.source)
