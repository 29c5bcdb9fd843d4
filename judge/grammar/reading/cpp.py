"""Reading code in C++."""

from collections.abc import Sequence

from judge.grammar.forms import END_OF_FILE, Graph, Item, Kind, Line, Listed, Repeat, Word
from judge.grammar.reading.writer import Typed, escape, identifier, type_of

_HEAD = """\
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
"""


class Cpp(Typed):
    """Writes one program."""

    def __init__(self) -> None:
        super().__init__(depth=1)
        self._end: list[str] = []  # the tokens of the line that ends the block whose first line is read next

    def call(self, name: str, arguments: list[str]) -> str:  # noqa: PLR0911 - one for each function
        match name, arguments:
            case "_item", [values, at]:
                return f"{values}[{at} - 1]"
            case "_power", [base, exponent]:
                return f"(long long) pow({base}, {exponent})"
            case "length", [values]:
                return f"(long long) {values}.size()"
            case "sum", [values]:
                return f"accumulate({values}.begin(), {values}.end(), 0LL)"
            case "min" | "max", [values]:
                return f"*{name}_element({values}.begin(), {values}.end())"
            case "min" | "max", _:
                return f"{name}<long long>({{{', '.join(arguments)}}})"
            case _:
                return f"{name}({', '.join(arguments)})"

    def item(self, item: Item) -> None:
        if not isinstance(item, Line):
            self._end = []
        super().item(item)

    def read_scalar(self, name: str, kind: Kind) -> None:
        self.emit(f"{_type(kind)} {name}; cin >> {name};")

    def read_list(self, name: str, item: object, count: str) -> None:
        self.emit(f"vector<{_type(item)}> {name}({count});")
        self.emit(f"for (auto& each : {name}) cin >> each;")

    def read_open(self, fields: Sequence[tuple[str, Kind]]) -> None:
        row, rest = self.fresh("row"), self.fresh("rest")
        self.emit(f"string {row}; getline(cin >> ws, {row});")
        self.emit(f"istringstream {rest}({row});")
        *before, (name, kind) = fields
        for other, each in before:
            self.emit(f"{_type(each)} {identifier(other)}; {rest} >> {identifier(other)};")
        if isinstance(kind, Listed):
            self.emit(f"vector<{_type(kind.item)}> {identifier(name)};")
            self.emit(f"for ({_type(kind.item)} each; {rest} >> each;) {identifier(name)}.push_back(each);")
        else:
            self.emit(f"string {identifier(name)}; getline({rest} >> ws, {identifier(name)});")

    def skip_line(self) -> None:
        self.emit("{ string row; getline(cin >> ws, row); }")

    def until(self, block: Repeat) -> str:
        if block.until == END_OF_FILE:
            return "(cin >> ws).peek() != EOF"
        self._end = block.until.split(" ")
        return "cin"

    def line(self, line: Line) -> None:
        """Read the fields of a line; leave the block if it is the line that ends it."""
        end, self._end = self._end, []
        if not end or len(end) > len(line.fields):
            super().line(line)
            return
        first = Line(fields=line.fields[: len(end)])
        super().line(first)
        tests = [
            f"{identifier(name)} == {_quoted(kind, token)}"
            for (name, kind), token in zip(first.fields, end, strict=True)
        ]
        self.emit(f"if ({' && '.join(tests)}) break;")
        if rest := line.fields[len(end) :]:
            super().line(Line(fields=rest))

    def graph(self, graph: Graph) -> None:
        edges = self.fresh("edges")
        weight = f", {_type(graph.weight)}" if graph.weight else ""
        self.emit(f"vector<tuple<int, int{weight}>> {edges};")
        self.emit(f"for (long at = 0; at < {self.text(graph.edges)}; at++) {{")
        self.emit("    int one, other; cin >> one >> other;")
        if graph.weight:
            self.emit(f"    {_type(graph.weight)} weight; cin >> weight;")
        self.emit(f"    {edges}.emplace_back(one, other{', weight' if graph.weight else ''});")
        self.emit("}")

    def begin_column(self, name: str, kind: object) -> None:
        self.emit(f"vector<{_type(kind)}> all_{name};")

    def add_to_column(self, name: str) -> None:
        self.emit(f"all_{name}.push_back({identifier(name)});")

    def end_column(self, name: str, kind: object) -> None:
        del kind
        self.emit(f"auto& {identifier(name)} = all_{name};")

    def equals(self, name: str, text: str) -> str:
        return f'{name} == "{escape(text)}"'

    def finish(self) -> str:
        return _HEAD + "\n".join([*self.lines, "}", ""])


def _quoted(kind: Kind, token: str) -> str:
    return f'"{escape(token)}"' if isinstance(kind, Word) else token


def _type(kind: object) -> str:
    return type_of(kind, word="string", large="long long")
