"""Programs that read an input: what a solution begins with, in Python, C++ and Java."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.grammar.forms import (
    END_OF_FILE,
    Body,
    Either,
    Graph,
    Integer,
    Item,
    Kind,
    Line,
    Listed,
    Permutation,
    Real,
    Relation,
    Repeat,
    Text,
    Word,
    first_text,
)
from judge.grammar.patterns import parse_pattern
from judge.grammar.read import Description

LANGUAGES = ("python3", "cpp", "java")

_INT = 2**31 - 1
_ANY = parse_pattern(".")
# Of the three languages, and names that the programs use themselves.
_RESERVED = """
abstract and asm assert auto bool boolean break byte case catch char class const continue data default delete
do double each edge edges else enum explicit export extends extern false final finally float for friend goto
if implements import in inline input instanceof int interface is kind lambda lines long main map native new
next not null one operator or other out package pass place print private protected public register rest return
row scanner short signed sizeof static std string struct super switch synchronized sys template this throw
throws token tokens transient true try typedef typename union unsigned using var vector virtual void volatile
weight while yield
"""
_KEYWORDS = frozenset(_RESERVED.split())


def write_reading_code(description: Description, language: str) -> str:
    """Return a program that reads an input and does nothing else.

    Raises:
        ValueError: it is not one of `LANGUAGES`.
    """
    match language:
        case "python3":
            writer: _Writer = _Python()
        case "cpp":
            writer = _Cpp()
        case "java":
            writer = _Java()
        case _:
            raise ValueError(f"there is no reading code for {language}: expected one of {', '.join(LANGUAGES)}")
    writer.body(description.body)
    return writer.finish()


def _identifier(name: str) -> str:
    return f"{name}_" if name in _KEYWORDS else name


def _is_open(kind: Kind) -> bool:
    """Return whether only the end of the line says where a field ends."""
    if isinstance(kind, Listed):
        return not kind.count.is_exact
    return isinstance(kind, Word) and " " in kind.pattern.alphabet


def _is_large(kind: Kind) -> bool:
    """Return whether integers may not fit into 32 bits."""
    match kind:
        case Integer(ranges=ranges):
            ends = [end.constant for each in ranges for end in (each.low, each.high)]
            return any(end is not None and not -_INT <= end <= _INT for end in ends)
        case Listed(item=item):
            return _is_large(item)
        case _:
            return False


@dataclass(slots=True)
class _Writer:
    """Writes one program."""

    lines: list[str] = field(default_factory=list)
    depth: int = 0
    used: set[str] = field(default_factory=set)

    def emit(self, text: str) -> None:
        self.lines.append("    " * self.depth + text if text else "")

    def body(self, body: Body) -> None:
        for item in body.items:
            self.item(item)

    def item(self, item: Item) -> None:
        match item:
            case Line():
                self.line(item)
            case Text():
                self.skip_line()
            case Relation():
                return
            case Repeat():
                self.repeat(item)
            case Graph():
                self.graph(item)
            case Either(options):
                self.either(options)

    def line(self, line: Line) -> None:
        raise NotImplementedError

    def skip_line(self) -> None:
        raise NotImplementedError

    def repeat(self, block: Repeat) -> None:
        raise NotImplementedError

    def graph(self, graph: Graph) -> None:
        raise NotImplementedError

    def either(self, options: Sequence[Line]) -> None:
        raise NotImplementedError

    def finish(self) -> str:
        raise NotImplementedError


class _Python(_Writer):
    """Reads line by line: the lines of an input say as much as its tokens."""

    def line(self, line: Line) -> None:
        names = [_identifier(name) for name, _ in line.fields]
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
                return (
                    "input().split()" if isinstance(item, Word) else f"list(map({_python_type(item)}, input().split()))"
                )
            case Real():
                return "float(input())"
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
                if not isinstance(kind, Listed | Permutation | Word):
                    self.emit(f"{name} = {_python_type(kind)}({name})")
                elif isinstance(kind, Permutation) or (isinstance(kind, Listed) and not isinstance(kind.item, Word)):
                    number = "int" if isinstance(kind, Permutation) else _python_type(kind.item)
                    self.emit(f"{name} = list(map({number}, {name}))")
            return
        self.emit("tokens = iter(input().split())")
        for name, kind in zip(names, kinds, strict=True):
            match kind:
                case Permutation(count=count):
                    self.emit(f"{name} = [int(next(tokens)) for _ in range({_python(count.source)})]")
                case Listed(item=item, count=count) if count.is_exact:
                    read = "next(tokens)" if isinstance(item, Word) else f"{_python_type(item)}(next(tokens))"
                    self.emit(f"{name} = [{read} for _ in range({_python(count.low.source)})]")
                case Listed(item=item):
                    left = "tokens" if isinstance(item, Word) else f"map({_python_type(item)}, tokens)"
                    self.emit(f"{name} = list({left})")
                case Word():
                    self.emit(f"{name} = next(tokens)")
                case _:
                    self.emit(f"{name} = {_python_type(kind)}(next(tokens))")

    def skip_line(self) -> None:
        self.emit("input()")

    def repeat(self, block: Repeat) -> None:
        if block.until == END_OF_FILE:
            self.used.add("sys")
            self.emit("for line in sys.stdin:")
            self.depth += 1
            start = len(self.lines)
            self.body(block.body)
            self._use_line(start)
        elif block.until:
            self.emit(f"while (line := input()) != {block.until!r}:")
            self.depth += 1
            start = len(self.lines)
            self.body(block.body)
            self._use_line(start)
        else:
            self.emit(f"for _ in range({_python(block.count.low.source)}):")
            self.depth += 1
            self.body(block.body)
        self.emit("# solve" if block.is_tests or block.until == END_OF_FILE else "pass")
        if block.is_tests or block.until == END_OF_FILE:
            self.emit("pass")
        self.depth -= 1

    def _use_line(self, start: int) -> None:
        """Let the first line that is read be the one that the loop has read."""
        for at in range(start, len(self.lines)):
            if "input()" in self.lines[at]:
                self.lines[at] = self.lines[at].replace("input()", "line", 1)
                return

    def graph(self, graph: Graph) -> None:
        fields = "one, other" + (", weight" if graph.weight else "")
        self.emit("edges = []")
        self.emit(f"for _ in range({_python(graph.edges.source)}):")
        self.emit(f"    {fields} = map(int, input().split())")
        self.emit(f"    edges.append(({fields}))")

    def either(self, options: Sequence[Line]) -> None:
        self.emit("row = input().split()")
        for at, line in enumerate(options):
            self.emit(f"{'elif' if at else 'if'} row[0] == {first_text(line)!r}:")
            names = ", ".join(_identifier(name) for name, _ in line.fields[1:])
            self.emit(f"    {names}{',' if len(line.fields) == 2 else ''} = row[1:]" if names else "    pass")

    def finish(self) -> str:
        head = ["import sys", ""] if "sys" in self.used else []
        return "\n".join([*head, *self.lines, ""])


def _python_type(kind: object) -> str:
    return "float" if isinstance(kind, Real) else "int"


def _python(source: str) -> str:
    return source.replace("_power(", "pow(")


class _Typed(_Writer):
    """What C++ and Java have in common: they read token by token."""

    def line(self, line: Line) -> None:
        fields = line.fields
        if _is_open(fields[-1][1]):
            self.read_open(fields)
            return
        for name, kind in fields:
            self.read(_identifier(name), kind)

    def read(self, name: str, kind: Kind) -> None:
        match kind:
            case Listed(item=item, count=count):
                self.read_list(name, item, _c(count.low.source))
            case Permutation(count=count):
                self.read_list(name, None, _c(count.source))
            case _:
                self.read_scalar(name, kind)

    def read_scalar(self, name: str, kind: Kind) -> None:
        raise NotImplementedError

    def read_list(self, name: str, item: Integer | Real | Word | None, count: str) -> None:
        raise NotImplementedError

    def read_open(self, fields: Sequence[tuple[str, Kind]]) -> None:
        raise NotImplementedError

    def loop(self, count: str) -> None:
        at = "i" * self.depth
        self.emit(f"for (long {at} = 0; {at} < {count}; {at}++) {{")

    def repeat(self, block: Repeat) -> None:
        if block.until:
            self.begin_until(block)
        else:
            self.loop(_c(block.count.low.source))
            self.depth += 1
        self.body(block.body)
        if block.is_tests or block.until == END_OF_FILE:
            self.emit("// solve")
        self.depth -= 1
        self.emit("}")

    def begin_until(self, block: Repeat) -> None:
        raise NotImplementedError

    def either(self, options: Sequence[Line]) -> None:
        self.read_scalar("kind", Word(pattern=_ANY))
        for at, line in enumerate(options):
            text = first_text(line)
            condition = self.equals("kind", text or "")
            self.emit(f"{'} else ' if at else ''}if ({condition}) {{")
            self.depth += 1
            for name, kind in line.fields[1:]:
                self.read(_identifier(name), kind)
            self.depth -= 1
        self.emit("}")

    def equals(self, name: str, text: str) -> str:
        raise NotImplementedError


def _c(source: str) -> str:
    return source.replace("//", "/")


class _Cpp(_Typed):
    def __init__(self) -> None:
        super().__init__(depth=1)
        self.end: list[str] = []  # the line that ends the block whose first line is read next

    def read_scalar(self, name: str, kind: Kind) -> None:
        if isinstance(kind, Word) and " " in kind.pattern.alphabet:
            self.emit(f"string {name}; getline(cin, {name});")
        else:
            self.emit(f"{_cpp_type(kind)} {name}; cin >> {name};")

    def read_list(self, name: str, item: Integer | Real | Word | None, count: str) -> None:
        self.emit(f"vector<{_cpp_type(item)}> {name}({count});")
        self.emit(f"for (auto& each : {name}) cin >> each;")

    def read_open(self, fields: Sequence[tuple[str, Kind]]) -> None:
        self.emit("string row; getline(cin >> ws, row);")
        self.emit("istringstream rest(row);")
        *before, (name, kind) = fields
        for other, each in before:
            self.emit(f"{_cpp_type(each)} {_identifier(other)}; rest >> {_identifier(other)};")
        if isinstance(kind, Listed):
            self.emit(f"vector<{_cpp_type(kind.item)}> {_identifier(name)};")
            self.emit(f"for ({_cpp_type(kind.item)} each; rest >> each;) {_identifier(name)}.push_back(each);")
        else:
            self.emit(f"string {_identifier(name)}; getline(rest >> ws, {_identifier(name)});")

    def skip_line(self) -> None:
        self.emit("{ string row; getline(cin >> ws, row); }")

    def begin_until(self, block: Repeat) -> None:
        if block.until == END_OF_FILE:
            self.emit("while ((cin >> ws).peek() != EOF) {")
            self.depth += 1
            return
        self.emit("while (true) {")
        self.depth += 1

    def repeat(self, block: Repeat) -> None:
        self.end = block.until.split(" ") if block.until not in ("", END_OF_FILE) else []
        super().repeat(block)

    def line(self, line: Line) -> None:
        end, self.end = self.end, []
        if not end or len(end) > len(line.fields):
            super().line(line)
            return
        first = Line(fields=line.fields[: len(end)])
        super().line(first)
        tests = [
            f"{_identifier(name)} == {_quoted(kind, token)}"
            for (name, kind), token in zip(first.fields, end, strict=True)
        ]
        self.emit(f"if ({' && '.join(tests)}) break;")
        if line.fields[len(end) :]:
            super().line(Line(fields=line.fields[len(end) :]))

    def graph(self, graph: Graph) -> None:
        weight = f", {_cpp_type(graph.weight)}" if graph.weight else ""
        self.emit(f"vector<tuple<int, int{weight}>> edges;")
        self.loop(_c(graph.edges.source))
        names = "one, other" + (", weight" if graph.weight else "")
        self.emit("    int one, other; cin >> one >> other;")
        if graph.weight:
            self.emit(f"    {_cpp_type(graph.weight)} weight; cin >> weight;")
        self.emit(f"    edges.emplace_back({names});")
        self.emit("}")

    def equals(self, name: str, text: str) -> str:
        return f'{name} == "{_escape(text)}"'

    def finish(self) -> str:
        head = ["#include <bits/stdc++.h>", "using namespace std;", "", "int main() {"]
        fast = ["    ios::sync_with_stdio(false);", "    cin.tie(nullptr);"]
        return "\n".join([*head, *fast, *self.lines, "}", ""])


def _quoted(kind: Kind, token: str) -> str:
    return f'"{_escape(token)}"' if isinstance(kind, Word) else token


def _cpp_type(kind: object) -> str:
    match kind:
        case Word():
            return "string"
        case Real():
            return "double"
        case Integer() as integer if _is_large(integer):
            return "long long"
        case _:
            return "int"


class _Java(_Typed):
    def __init__(self) -> None:
        super().__init__(depth=2)

    def loop(self, count: str) -> None:
        name = "i" * (self.depth - 1)
        self.emit(f"for (long {name} = 0; {name} < {count}; {name}++) {{")

    def read_scalar(self, name: str, kind: Kind) -> None:
        if isinstance(kind, Word) and " " in kind.pattern.alphabet:
            self.emit(f"String {name} = in.readLine();")
        else:
            self.emit(f"{_java_type(kind)} {name} = {_java_read(kind)};")

    def read_list(self, name: str, item: Integer | Real | Word | None, count: str) -> None:
        self.emit(f"{_java_type(item)}[] {name} = new {_java_type(item)}[(int) ({count})];")
        self.emit(f"for (int at = 0; at < {name}.length; at++) {name}[at] = {_java_read(item)};")

    def read_open(self, fields: Sequence[tuple[str, Kind]]) -> None:
        *before, (name, kind) = fields
        for other, each in before:
            self.read_scalar(_identifier(other), each)
        rest = "restOfLine()"
        if isinstance(kind, Listed):
            self.emit(f'String[] {_identifier(name)} = {rest}.trim().split(" +");')
        else:
            self.emit(f"String {_identifier(name)} = {rest};")

    def skip_line(self) -> None:
        self.emit("in.readLine();")

    def begin_until(self, block: Repeat) -> None:
        if block.until == END_OF_FILE:
            self.emit("while (hasNext()) {")
            self.depth += 1
            return
        self.emit(f'while (!nextLine().equals("{_escape(block.until)}")) {{')
        self.depth += 1

    def graph(self, graph: Graph) -> None:
        width = 3 if graph.weight else 2
        self.emit(f"long[][] edges = new long[(int) ({_c(graph.edges.source)})][{width}];")
        self.emit(f"for (long[] edge : edges) for (int at = 0; at < {width}; at++) edge[at] = Long.parseLong(token());")

    def equals(self, name: str, text: str) -> str:
        return f'{name}.equals("{_escape(text)}")'

    def finish(self) -> str:
        return _JAVA_HEAD + "\n".join([*self.lines, "    }", "}", ""])


_JAVA_HEAD = """\
import java.io.*;
import java.util.*;

public class Main {
    static BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static String row = null;
    static StringTokenizer tokens = new StringTokenizer("");

    /** Moves to the next line that is not blank, unless tokens are left; false at the end of the input. */
    static boolean hasNext() throws IOException {
        while (!tokens.hasMoreTokens()) {
            row = in.readLine();
            if (row == null) return false;
            tokens = new StringTokenizer(row);
        }
        return true;
    }

    static String token() throws IOException {
        return hasNext() ? tokens.nextToken() : null;
    }

    /** The line that is read next, without reading it. */
    static String nextLine() throws IOException {
        return hasNext() ? row : "";
    }

    static String restOfLine() throws IOException {
        hasNext();
        return tokens.hasMoreTokens() ? tokens.nextToken("\\n") : "";
    }

    public static void main(String[] args) throws IOException {
"""


def _java_type(kind: object) -> str:
    match kind:
        case Word():
            return "String"
        case Real():
            return "double"
        case Integer() as integer if _is_large(integer):
            return "long"
        case _:
            return "int"


def _java_read(kind: object) -> str:
    match _java_type(kind):
        case "String":
            return "token()"
        case "double":
            return "Double.parseDouble(token())"
        case "long":
            return "Long.parseLong(token())"
        case _:
            return "Integer.parseInt(token())"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
