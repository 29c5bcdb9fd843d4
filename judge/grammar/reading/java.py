"""Reading code in Java."""

from collections.abc import Sequence
from functools import reduce

from judge.grammar.forms import END_OF_FILE, Graph, Kind, Listed, Repeat
from judge.grammar.reading.writer import Typed, escape, identifier, type_of

_HEAD = """\
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

_PARSERS = {"int": "Integer.parseInt", "long": "Long.parseLong", "double": "Double.parseDouble"}


class Java(Typed):
    """Writes one program."""

    def __init__(self) -> None:
        super().__init__(depth=2)
        self._words: set[str] = set()  # variables that are a text

    def call(self, name: str, arguments: list[str]) -> str:  # noqa: PLR0911 - one for each function
        match name, arguments:
            case "_item", [values, at]:
                return f"{values}[(int) ({at}) - 1]"
            case "_power", [base, exponent]:
                return f"(long) Math.pow({base}, {exponent})"
            case "length", [values]:
                return f"{values}.length()" if values in self._words else f"{values}.length"
            case "sum", [values]:
                return f"Arrays.stream({values}).sum()"
            case "min" | "max", [values]:
                return f"Arrays.stream({values}).{name}().getAsInt()"
            case "min" | "max", _:
                return reduce(lambda one, other: f"Math.{name}({one}, {other})", arguments)
            case _:
                return f"Math.{name}({', '.join(arguments)})"

    def read_scalar(self, name: str, kind: Kind) -> None:
        if _type(kind) == "String":
            self._words.add(name)
        self.emit(f"{_type(kind)} {name} = {_read(kind)};")

    def read_list(self, name: str, item: object, count: str) -> None:
        self.emit(f"{_type(item)}[] {name} = new {_type(item)}[(int) ({count})];")
        self.emit(f"for (int at = 0; at < {name}.length; at++) {name}[at] = {_read(item)};")

    def read_open(self, fields: Sequence[tuple[str, Kind]]) -> None:
        *before, (name, kind) = fields
        for other, each in before:
            self.read_scalar(identifier(other), each)
        name = identifier(name)
        if not isinstance(kind, Listed):
            self._words.add(name)
            self.emit(f"String {name} = restOfLine();")
        elif (item := _type(kind.item)) == "String":
            self.emit(f'String[] {name} = restOfLine().trim().split(" +");')
        else:
            numbers = f'Arrays.stream(restOfLine().trim().split(" +")).mapTo{item.capitalize()}({_parser(item)})'
            self.emit(f"{item}[] {name} = {numbers}.toArray();")

    def skip_line(self) -> None:
        self.emit("restOfLine();")

    def until(self, block: Repeat) -> str:
        return "hasNext()" if block.until == END_OF_FILE else f'!nextLine().equals("{escape(block.until)}")'

    def end_until(self) -> None:
        self.emit("restOfLine();")

    def graph(self, graph: Graph) -> None:
        edges, width = self.fresh("edges"), 3 if graph.weight else 2
        self.emit(f"long[][] {edges} = new long[(int) ({self.text(graph.edges)})][{width}];")
        read = f"for (int at = 0; at < {width}; at++) edge[at] = Long.parseLong(token());"
        self.emit(f"for (long[] edge : {edges}) {read}")

    def begin_column(self, name: str, kind: object) -> None:
        boxed = {"int": "Integer", "long": "Long", "double": "Double"}.get(_type(kind), "String")
        self.emit(f"List<{boxed}> all_{name} = new ArrayList<>();")

    def add_to_column(self, name: str) -> None:
        self.emit(f"all_{name}.add({identifier(name)});")

    def end_column(self, name: str, kind: object) -> None:
        item = _type(kind)
        values = f"all_{name}.toArray(new String[0])"
        if item != "String":
            values = f"all_{name}.stream().mapTo{item.capitalize()}(each -> each).toArray()"
        self.emit(f"{item}[] {identifier(name)} = {values};")

    def equals(self, name: str, text: str) -> str:
        return f'{name}.equals("{escape(text)}")'

    def finish(self) -> str:
        return _HEAD + "\n".join([*self.lines, "    }", "}", ""])


def _type(kind: object) -> str:
    return type_of(kind, word="String", large="long")


def _read(kind: object) -> str:
    item = _type(kind)
    return "token()" if item == "String" else f"{_PARSERS[item]}(token())"


def _parser(item: str) -> str:
    return _PARSERS[item].replace(".", "::")
