"""How large the judge is, how its packages depend on each other, and how much of it two commands need.

    python -m bench.bench_structure

Most figures are counted in the files of this checkout, except for judge/scaffold, which are files for users:

- Lines: a docstring counts with its blank lines, an import statement with all of its lines.
- Rooms are the packages and modules at the top of judge/, except for `__main__`. Floors are the rooms of the longest
  chain in which each imports the next one; imports inside functions and for types count, as in tests/test_layers.py.
- Structs are classes with `Struct` as a base, and dataclasses.
- Numeric constants are upper-case names of a module whose value is a number, an expression with a number as an
  operand, or a call with one of these as its only argument, such as `Seconds(1.5)`.
- Private functions called once are functions of a module, with a leading underscore, that it names once.
- The files for a new optional key are those that name `checker_limits` of problem.yaml.

The others follow from two commands on a solution with two cases beside it. The solution that `judge hack` gets is wrong
for negative numbers. Only functions with a name count: no lambdas and comprehensions. Threads and time decide some
branches, so these figures vary by a few percent.
"""

import ast
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from msgspec import Struct

from bench.measure import ROOT, Executed, executed
from tests.test_layers import LAYER_OF, PACKAGE, imported_parts, modules

COMMAND = "python -m bench.bench_structure"
KEY = "checker_limits"
RIGHT = "print(max(list(map(int, open(0).read().split()))[1:]))\n"
WRONG = """\
best = 0
for number in list(map(int, open(0).read().split()))[1:]:
    best = max(best, number)
print(best)
"""
FILES = {
    "a.py": WRONG,
    "brute.py": RIGHT,
    "1.in": "3\n1 2 3\n",
    "1.ans": "3\n",
    "2.in": "4\n-5 2 9 1\n",
    "2.ans": "9\n",
}
RUN = ("run", "a.py")
HACK = ("hack", "a.py", "--reference", "brute.py", "--jobs", "1")


class Row(Struct, frozen=True):
    """A figure, and what it should become."""

    figure: str
    now: str
    goal: str = ""
    command: str = COMMAND


def main() -> None:
    """Count and print."""
    print_row(Row("figure", "now", "goal", "command"))
    sources = {path: path.read_text(encoding="utf-8") for path in python_files(PACKAGE) if "scaffold" not in path.parts}
    trees = {path: ast.parse(text) for path, text in sources.items()}
    for row in (*size_rows(sources, trees), *room_rows(trees), *code_rows(trees), key_row()):
        print_row(row)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text)
        environment = {**os.environ, "XDG_CACHE_HOME": name, "PYTHONPATH": str(ROOT)}
        run = execute(RUN, folder, environment, status=0)
        print_row(Row("modules that a run imports", f"{len(run.modules)}", "55", "judge run a.py"))
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in run.modules)
        print_row(Row("lines of these modules", f"{lines:,}", "10,000", "judge run a.py"))
        hack = execute(HACK, folder, environment, status=1)
        command = f"judge {' '.join(HACK)}"
        functions = [name for _, name, _ in hack.functions if not name.endswith(">")]  # <lambda>, <listcomp>
        print_row(Row("functions that a hack executes", f"{len(functions)}", "300", command))
        print_row(Row("files of these functions", f"{len(hack.files)}", "50", command))


def print_row(row: Row) -> None:
    """Print one line of the table."""
    print(f"{row.figure:<46} {row.now:>8}  {row.goal:>8}  {row.command}", flush=True)


def python_files(folder: Path) -> list[Path]:
    """Return the Python files below a folder."""
    return sorted(folder.rglob("*.py"))


def execute(words: Sequence[str], folder: Path, environment: dict[str, str], *, status: int) -> Executed:
    """Run a command of the judge and return what it executed; its second run, which creates no environments.

    Raises:
        RuntimeError: it ends with another exit status, so the figures would be those of an error.
    """
    executed(words, folder, environment)
    found = executed(words, folder, environment)
    if found.status != status:
        raise RuntimeError(f"judge {' '.join(words)}: exit status {found.status}, expected {status}")
    return found


def size_rows(sources: dict[Path, str], trees: dict[Path, ast.Module]) -> Iterator[Row]:
    """Yield the sizes of judge/ and of tests/."""
    kinds: Counter[str] = Counter()
    for path, text in sources.items():
        kinds.update(kinds_of_lines(text, trees[path]))
    yield Row("lines of judge/", f"{kinds.total():,}", "64,000")
    for kind in ("code", "docstrings", "blank", "comments", "imports"):
        yield Row(f"  {kind}", f"{kinds[kind]:,}")
    yield Row("files of judge/", f"{len(sources)}")
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(ROOT / "tests"))
    yield Row("lines of tests/", f"{lines:,}")


def kinds_of_lines(text: str, tree: ast.Module) -> Iterator[str]:
    """Yield the kind of each line of a file: docstrings, imports, blank, comments, or code."""
    kinds: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                kinds.update(dict.fromkeys(lines_of(node.body[0]), "docstrings"))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            kinds.update(dict.fromkeys(lines_of(node), "imports"))
        elif isinstance(node, ast.Constant | ast.JoinedStr):
            kinds.update(dict.fromkeys(set(lines_of(node)) - kinds.keys(), "code"))  # with its blank lines and `#`
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        yield kinds.get(number) or ("blank" if not bare else "comments" if bare.startswith("#") else "code")


def lines_of(node: ast.stmt | ast.expr) -> range:
    """Return the numbers of the lines of a node."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def room_rows(trees: dict[Path, ast.Module]) -> Iterator[Row]:
    """Yield how many packages and modules are at the top of judge/, and how they depend on each other."""
    imports: dict[str, set[str]] = defaultdict(set)
    for room, path in modules():
        imports[room] |= imported_parts(trees[path]) - {room, "__version__"}
    upward = sum(LAYER_OF[each] >= LAYER_OF[room] for room, others in imports.items() for each in others)
    del imports["__main__"]
    yield Row("packages and modules at the top of judge/", f"{len(imports)}", "24")
    try:
        order = list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        yield Row("floors", "-", "13")
        yield Row("circles", " -> ".join(reversed(error.args[1])), "0")
    else:
        floors: dict[str, int] = {}
        for room in order:
            floors[room] = 1 + max((floors[each] for each in imports[room]), default=0)
        yield Row("floors", f"{max(floors.values())}", "13")
        yield Row("circles", "0", "0")
    yield Row("imports that lead upward", f"{upward}", "0")


def code_rows(trees: dict[Path, ast.Module]) -> Iterator[Row]:
    """Yield how many structs, numeric constants and private functions called once there are."""
    structs = sum(is_struct(node) for tree in trees.values() for node in ast.walk(tree))
    yield Row("structs", f"{structs}", "320")
    constants = Counter(
        path.relative_to(PACKAGE).parts[0]
        for path, tree in trees.items()
        for statement in tree.body
        if is_numeric_constant(statement)
    )
    yield Row("numeric constants", f"{constants.total()}", "400")
    for room in ("hack", "inputs"):
        yield Row(f"  in {room}", f"{constants[room]}")
    yield Row("private functions called once", f"{sum(map(called_once, trees.values())):,}", "600")


def is_struct(node: ast.AST) -> bool:
    """Return whether a node is the class of a struct or a dataclass."""
    return isinstance(node, ast.ClassDef) and (
        any(ast.unparse(base).split(".")[-1] == "Struct" for base in node.bases)
        or any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list)
    )


def is_numeric_constant(node: ast.stmt) -> bool:
    """Return whether a statement of a module defines a numeric constant."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            return name.isupper() and has_number(value)
    return False


def has_number(node: ast.expr | None) -> bool:
    """Return whether an expression is a number, arithmetic with one, or a call with one as its only argument."""
    match node:
        case ast.Constant(value=value):
            return type(value) in (int, float)
        case ast.UnaryOp(operand=operand):
            return has_number(operand)
        case ast.BinOp(left=left, right=right):
            return has_number(left) or has_number(right)
        case ast.Call(args=[argument], keywords=[]):
            return has_number(argument)
    return False


def called_once(tree: ast.Module) -> int:
    """Return how many private functions of a module it names once."""
    names = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return sum(name.startswith("_") and names[name] == 1 for name in functions)


def key_row() -> Row:
    """Return how many files of judge/ name an optional key, its schema included."""
    files = [*python_files(PACKAGE), *PACKAGE.glob("schemas/*.json")]
    found = sum(KEY in path.read_text(encoding="utf-8") for path in files)
    return Row(f"files that name {KEY}", f"{found}", "4", f"grep -rl {KEY} judge --include=*.py --include=*.json")


if __name__ == "__main__":
    main()
