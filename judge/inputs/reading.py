"""Programs that read an input: what a solution begins with. Python reads line by line, C++ and Java token by token.

A table says what each language writes for a form. Where it has nothing simple for an expression, a comment says so.
"""

import ast
import json
import keyword
import re
from collections import Counter
from collections.abc import Sequence
from math import inf

from judge.inputs import forms
from judge.inputs.blocks import Repeat
from judge.inputs.domains import Integer, Kind, ListRules, Member, Scalar, Word
from judge.inputs.edges import Graph
from judge.inputs.expressions import Expression
from judge.inputs.intervals import Interval, values_of
from judge.inputs.patterns import parse_pattern
from judge.inputs.read import Description

LANGUAGES = ("python3", "cpp", "java")

# What the languages write for each form. Of a value: its type, how a token becomes one, and how a row becomes a list.
_TEMPLATES = """
int      | ; int({}); list(map(int, input().split())) | int;; \
| int; Integer.parseInt({}); mapToInt(Integer::parseInt).toArray()
long     | ; int({}); list(map(int, input().split())) | long long;; \
| long; Long.parseLong({}); mapToLong(Long::parseLong).toArray()
real     | ; float({}); list(map(float, input().split())) \
| double;; | double; Double.parseDouble({}); mapToDouble(Double::parseDouble).toArray()
word     | ; {}; input().split() | string;; | String; {}; toArray(String[]::new)
token    | next(tokens) | | token()
row      | tokens = iter(input().split({split})) | |
open row | tokens = iter(input().split()) \
| string {last}_row; getline(cin >> ws, {last}_row); istringstream {last}_tokens({last}_row); |
scalar   | {name} = {read} | {type} {name}; {source} >> {name}; | {type} {name} = {read};
list     | {name} = [{read} for _ in range({count})] \
| vector<{type}> {name}({count}); for (auto& each : {name}) {source} >> each; \
| {type}[] {name} = new {type}[(int) ({count})]; for (int at = 0; at < {name}.length; at++) {name}[at] = {read};
rest     | {name} = [{each} for token in tokens] \
| vector<{type}> {name}; for ({type} each; {source} >> each;) {name}.push_back(each); \
| {type}[] {name} = Arrays.stream(restOfLine().split(" +")).{list};
text     | {name} = next(tokens) | string {name}; getline(cin >> ws, {name}); | String {name} = restOfLine();
skip     | input() | {{ string row; getline(cin >> ws, row); }} | restOfLine();
edges    | {name} = [tuple(map(int, input().split())) for _ in range({count})] \
| vector<array<{type}, {width}>> {name}({count}); for (auto& edge : {name}) for (auto& each : edge) cin >> each; \
| long[][] {name} = new long[(int) ({count})][{width}]; \
for (long[] edge : {name}) for (int at = 0; at < {width}; at++) edge[at] = Long.parseLong(token());
file     | for line in sys.stdin: | while ((cin >> ws).peek() != EOF) {{ | while (hasNext()) {{
until    | while (line := input()) != {end}: | while (true) {{ | while (true) {{
for      | for {at} in range({count}): \
| for (long {at} = 0; {at} < {count}; {at}++) {{ | for (long {at} = 0; {at} < {count}; {at}++) {{
numbered | for {at} in range(1, ({count}) + 1): \
| for (long {at} = 1; {at} <= {count}; {at}++) {{ | for (long {at} = 1; {at} <= {count}; {at}++) {{
if       | if {count}: | if ({count}) {{ | if ({count}) {{
break    | | if ({count}) break; | if ({count}) break;
pass     | pass | |
end      | | }} | }}
comment  | # {text} | // {text} | // {text}
not      | not ({}) | !({}) | !({})
same     | {name} == {text} | {name} == {text} | {name}.equals({text})
"""
_ROWS = (re.split(r" \|(?= |$)", row) for row in _TEMPLATES.strip().splitlines())
_TABLE = {name.strip(): [cell.strip() for cell in cells] for name, *cells in _ROWS}
_EXPRESSIONS = (
    ((r"_item\((\w+), (.+?)\)", r"\1[\2 - 1]"), ("_power", "pow"), (r"\blength\(", "len(")),
    ((r"_item\((\w+), (.+?)\)", r"\1[\2 - 1]"), ("_power", "(long long) pow"), ("//", "/")),
    ((r"_item\((\w+), (.+?)\)", r"\1[(int) (\2) - 1]"), ("_power", "(long) Math.pow"), ("//", "/")),
)
_TYPED = ((r"\band\b", "&&"), (r"\bor\b", "||"), (r"\b(\d{10,})\b", r"\1L"))
_START = (
    "",
    """\
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
""",
    """\
import java.io.*;
import java.util.*;

public class Main {
    static BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static StringTokenizer tokens = new StringTokenizer("");

    /** Moves to the next line that is not blank, unless tokens are left; false at the end of the input. */
    static boolean hasNext() throws IOException {
        for (String row; !tokens.hasMoreTokens(); tokens = new StringTokenizer(row))
            if ((row = in.readLine()) == null) return false;
        return true;
    }

    static String token() throws IOException {
        return hasNext() ? tokens.nextToken() : null;
    }

    static String restOfLine() throws IOException {
        return hasNext() ? tokens.nextToken("\\n").trim() : "";
    }

    public static void main(String[] args) throws IOException {
""",
)
_FINISH = ("", "}\n", "    }\n}\n")
_INT = 2**31 - 1
# Keywords, and names that the programs use themselves.
_RESERVED = """
abstract all array asm auto bool boolean byte case catch char cin const default delete do double each edge edges enum
export extends extern false final float friend goto hasNext i ii iii iiii implements in inline input instanceof int
interface iter kind line list long map namespace native new next null one operator other package private protected
public range register restOfLine row short signed sizeof static std string struct super switch synchronized sys template
this throw throws token tokens transient true tuple typedef typename union unsigned using vector virtual void volatile
"""
_NAMES = frozenset((*keyword.kwlist, *_RESERVED.split()))

Fields = Sequence[tuple[str, Kind]]


def write_reading_code(description: Description, language: str) -> str:
    """Return a program that reads an input and does nothing else. Raises ValueError for an unknown language."""
    if language not in LANGUAGES:
        raise ValueError(f"{language}: expected one of {', '.join(LANGUAGES)}")
    number = LANGUAGES.index(language)
    writer = _Writer(number)
    writer.body(description.body)
    text = _START[number] + "".join(f"{line}\n" for line in writer.lines) + _FINISH[number]
    return f"import sys\n\n{text}" if " in sys.stdin:" in text else text


class _Writer:
    def __init__(self, language: int) -> None:
        self.lines: list[str] = []
        self._language = language  # its number
        self._is_python = language == 0
        self._depth = language
        self._known: dict[str, Interval] = {}  # the values of the fields so far
        self._lists: set[str] = set()  # fields of earlier blocks: lists in expressions, but not in the program
        self._own: Counter[str] = Counter()  # variables of the program
        self._end: list[str] = []  # the tokens of the line that ends the block whose first line is read next

    def body(self, body: forms.Body) -> None:
        """Write what reads the items of a body."""
        for item in body.items:
            match item:
                case forms.Line(fields=fields):
                    self._line(fields)
                case forms.Text(text) if text or self._is_python:  # the other languages skip blank lines
                    self._emit("skip")
                case Repeat():
                    self._block(item)
                case Graph(weight=weight):
                    words, width = self._words(self._sort(weight) if weight else "int"), 3 if weight else 2
                    self._emit("edges", self._own_name("edges"), count=self._text(item.edges), width=width, **words)
                case forms.Either(options):
                    kind, word = self._own_name("kind"), Word(pattern=parse_pattern("."))
                    self._emit("row", split="")
                    self._emit("scalar", kind, source="cin", **self._words("word"))
                    for line in options:
                        self._emit("if", count=self._same(kind, word, line.first_text or ""))
                        self._depth += 1
                        self._fields(line.fields[1:], "cin")
                        self._leave()
                case forms.Text() | forms.Relation():
                    pass
                case _:
                    self._emit("comment", text=f"read this here: {', '.join(item.outline())}")

    def _template(self, name: str) -> str:
        return _TABLE[name][self._language]

    def _emit(self, template: str, name: str = "", **values: object) -> None:
        if text := self._template(template).format(name=name, **values):
            self.lines += ["    " * self._depth + line for line in text.replace("; for (", ";\nfor (").split("\n")]

    def _leave(self) -> None:
        self._emit("pass")
        self._depth -= 1
        self._emit("end")

    def _own_name(self, name: str) -> str:
        self._own[name] += 1
        return name if self._own[name] == 1 else f"{name}{self._own[name]}"

    def _sort(self, kind: Kind) -> str:
        match kind:
            case ListRules(item=item) | Member(item=item):
                return self._sort(item)
            case Integer():
                low, high = values_of(kind, self._known)
                return "long" if any(_INT < abs(end) < inf for end in (low, high)) else "int"
        return kind.sort if isinstance(kind, Scalar) else "int"

    def _words(self, sort: str) -> dict[str, str]:
        kind, value, row = map(str.strip, self._template(sort).split(";"))
        reads = {"read": self._template("token"), "each": "token", "line": "input()"}
        return {"type": kind, "list": row, **{name: value.format(token) for name, token in reads.items()}}

    def _line(self, fields: Fields) -> None:
        end, self._end = self._end, []
        names = [_identifier(name) for name, _ in fields]
        kind = fields[-1][1]
        is_list = isinstance(kind, forms.Several) and kind.is_open
        if self._is_python and (len(fields) == 1 or all(isinstance(kind, Integer) for _, kind in fields)):
            self._known |= {name: values_of(kind, self._known) for name, kind in fields}
            self._emit("scalar", ", ".join(names), read=self._whole_line(kind, len(fields)))
            return
        split = f'" ", {len(fields) - 1}' if kind.is_open and not is_list else ""
        self._emit("open row" if is_list else "row", last=names[-1], split=split)
        self._fields(fields[: len(end)], "cin")
        if end:
            tests = [self._same(name, kind, token) for name, (_, kind), token in zip(names, fields, end, strict=False)]
            self._emit("break", count=" && ".join(tests))
        self._fields(fields[len(end) :], f"{names[-1]}_tokens" if is_list else "cin")

    def _whole_line(self, kind: Kind, count: int) -> str:
        """Return what reads a line of integers, or of one field, in Python."""
        if count > 1:
            return "map(int, input().split())"
        words = self._words(self._sort(kind))
        if isinstance(kind, forms.Several):
            return words["list"]
        return words["line"] if kind.is_open or words["line"] != "input()" else "input().strip()"

    def _fields(self, fields: Fields, source: str) -> None:
        for name, kind in fields:
            self._known[name] = values_of(kind, self._known)
            template, count = "scalar", ""
            if kind.is_open:
                template = "rest" if isinstance(kind, forms.Several) else "text"
            elif isinstance(kind, forms.Several):
                template, count = "list", self._text(kind.size.low)
            self._emit(template, _identifier(name), source=source, count=count, **self._words(self._sort(kind)))

    def _same(self, name: str, kind: Kind, token: str) -> str:
        is_word = isinstance(kind, Word)
        return self._template("same").format(name=name, text=json.dumps(token)) if is_word else f"{name} == {token}"

    def _block(self, block: Repeat) -> None:
        is_file = block.until == forms.END_OF_FILE
        loop = "file" if is_file else "until" if block.until else "numbered" if block.index else "for"
        at = _identifier(block.index) or ("_" if self._is_python else "i" * self._depth)
        count = "" if block.until else self._text(block.count.low)
        self._emit("if" if block.is_condition else loop, count=count, at=at, end=json.dumps(block.until))
        start = len(self.lines)
        self._depth += 1
        if block.until and block.index:
            self._emit("comment", text=f"{at} is the number of the repetition, from 1")
        if block.has_end_line and not self._is_python:
            self._end = block.until.split(" ") if isinstance(block.body.items[0], forms.Line) else []
            if not self._end:
                self._emit("comment", text=f"the line `{block.until}` ends the loop")
        self.body(block.body)
        if block.until and self._is_python:  # the loop has read the first line
            read = next((number for number in range(start, len(self.lines)) if "input()" in self.lines[number]), start)
            line = "line.rstrip('\\n')" if self.lines[read].endswith("= input()") else "line"
            self.lines[read] = self.lines[read].replace("input()", line, 1)
        if block.is_tests or is_file:
            self._emit("comment", text="solve")
        self._leave()
        self._lists.update(block.columns)

    def _text(self, expression: Expression) -> str:
        """Return an expression; 0, with a comment before it, where the language has nothing simple for it."""
        tree = ast.parse(expression.source, mode="eval").body
        test = tree.test if isinstance(tree, ast.IfExp) else tree
        if not all(map(self._is_simple, ast.walk(test))):
            self._emit("comment", text=f"write this instead of 0: {expression.text}")
            return "0"
        text = ast.unparse(test)
        for name in expression.names:
            text = re.sub(rf"\b{name}\b", _identifier(name), text)
        for pattern, new in (*_EXPRESSIONS[self._language], *(() if self._is_python else _TYPED)):
            text = re.sub(pattern, new, text)
        is_negated = isinstance(tree, ast.IfExp) and ast.unparse(tree.body) == "0"
        return self._template("not").format(text) if is_negated else text

    def _is_simple(self, node: ast.AST) -> bool:
        match node:
            case ast.Compare(ops=[ast.Is()]) | ast.Call(func=ast.Name(id="distinct")) | ast.Call(args=[ast.Call(), *_]):
                return False
            case ast.Name(id=name):
                return name not in self._lists
            case ast.Compare(ops=[_, _, *_]) | ast.UnaryOp(op=ast.Not()):
                return self._is_python
            case ast.BinOp(left=left, right=right):
                return self._is_python or (not isinstance(left, ast.Compare) and not isinstance(right, ast.Compare))
            case ast.Call(func=ast.Name(id=name)):
                return self._is_python or name in ("_item", "_power")
        return True


def _identifier(name: str) -> str:
    return f"{name}_" if name in _NAMES else name
