"""Other builds and runs of accepted programs, under which mistakes show that happen to do no harm otherwise.

| what is wrong | what shows it |
|---|---|
| out of bounds, dangling, overflow, shift, no return (C++) | the sanitizers |
| no return (C), where all calls use the value | the sanitizer of C++, for the same source |
| iterators, algorithms on wrong ranges | the debug mode of libstdc++, in the same build |
| references to what was removed | containers that say so, and deques with one element in each block |
| not initialized | the pattern on the stack, noise on the heap, GCC's warning |
| order of evaluation | GCC's warning, Clang, which evaluates arguments from left to right |
| order of sets, identity and hashes of values (Python) | the run that chooses them |
"""

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from judge.base.units import Bytes


class Variant(Struct, frozen=True, kw_only=True):
    """Another build or run of an accepted program.

    Attributes:
        name: as it is shown after `with`.
        flags: more flags of the compiler.
        language: compiles the source as that of another language, whose sanitizer finds functions that return nothing.
        header: a file beside this module that the compiler includes first, with the variables as macros.
        run: the run command, if it is not that of the language.
        variables: for the runs.
        tools: others than those of the language, where they are installed. They may lack something, so that only a
            wrong answer counts.
        least_input, largest_input: it runs only on cases whose input has so many bytes; 0 for any.
        pattern: a regular expression that the source matches if the variant has a chance.
        mistakes: flags with which the compiler rejects what is a mistake in any program.
    """

    name: str
    flags: tuple[str, ...] = ()
    language: str = ""
    header: str = ""
    run: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    least_input: Bytes = Bytes(0)
    largest_input: Bytes = Bytes(0)
    pattern: bytes = b""
    mistakes: tuple[str, ...] = ()


# Sanitizers stop at the first undefined behaviour and print where it is. Memory that is never freed is usual here, and
# gdb does not go together with the search for it.
SANITIZERS = ("-g", "-O0", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "detect_leaks=0:handle_abort=1:print_legend=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}

_SANITIZED = Variant(
    name="sanitizers",
    flags=(
        *(*SANITIZERS, "-O1", "-fsanitize=float-cast-overflow", "-ftrivial-auto-var-init=pattern"),
        "-DMORE_CHECKS",  # for the header
    ),
    header="sanitizer_options.h",
    variables={
        **SANITIZER_OPTIONS,
        "ASAN_OPTIONS": f"{SANITIZER_OPTIONS['ASAN_OPTIONS']}:detect_stack_use_after_return=1",
    },
    mistakes=(
        *("-Werror=sequence-point", "-Werror=uninitialized", "-Wno-maybe-uninitialized"),
        "-Wno-sometimes-uninitialized",  # of Clang
    ),
)
# Only what leads to a crash: an overflow before it may be harmless.
OF_C_CRASH = Variant(
    name="AddressSanitizer",
    flags=("-g", "-O1", "-fno-omit-frame-pointer", "-fsanitize=address"),
    variables={"ASAN_OPTIONS": f"{SANITIZER_OPTIONS['ASAN_OPTIONS']}:handle_sigill=1"},
    header="sanitizer_options.h",
)
# A function without arguments is called twice in one statement: it may read, and the order of the calls is open.
_CALLED_TWICE = rb"(?<![\w.>])(\w+)\(\)[^;{}]{0,500}(?<![\w.>])\1\(\)"
OF_C = (
    _SANITIZED,
    Variant(name="Clang", tools={"cc": "clang"}, pattern=_CALLED_TWICE),
    Variant(
        name="a check of returns",
        language="cpp",
        flags=("-g", "-O0", "-fpermissive", "-fsanitize=return", "-fno-sanitize-recover=all"),
        header=_SANITIZED.header,
        variables=SANITIZER_OPTIONS,
        mistakes=("-Werror=return-type",),
    ),
)
# The memory of an element that is removed first is free then, and a sanitizer knows how much of a vector is in use.
_CONTAINERS = ("-D_GLIBCXX_DEQUE_BUF_SIZE=1", "-D_GLIBCXX_SANITIZE_STD_ALLOCATOR", "-D_GLIBCXX_SANITIZE_VECTOR")
# A program that sorts takes 19 times as long with the debug mode, and twice as long with the assertions.
OF_CPP = (
    replace(
        _SANITIZED,
        flags=(*_SANITIZED.flags, *_CONTAINERS, "-O0", "-D_GLIBCXX_DEBUG"),  # compiles four times as fast as with -O1
        largest_input=Bytes(4096),
    ),
    replace(
        _SANITIZED,
        name="sanitizers for large inputs",
        flags=(*_SANITIZED.flags, *_CONTAINERS, "-D_GLIBCXX_ASSERTIONS"),
        least_input=Bytes(4097),
    ),
    Variant(name="Clang", tools={"cxx": "clang++"}, pattern=_CALLED_TWICE),
)

# Runs the source with the sets in an order of its own wherever the program may see it. CPython has small integers in
# ascending order, PyPy everything in that of insertion; strings are in another order in each run. Or with hashes of
# strings whose last bits are 0, and small integers that are not the same object as others of their value.
_CHOOSING = r"""
import ast, builtins, sys, types
mode, path = sys.argv[1:3]
del sys.argv[:2]
if sys.path[:1] == [""]:
    sys.path[0] = path.rpartition("/")[0]
def order(values):
    if type(values) not in (set, frozenset) or not 1 < len(values) <= 1000:
        return values
    try:
        return sorted(values, reverse=mode == "descending")
    except TypeError:
        return sorted(values, key=repr, reverse=mode == "descending")
def pop(values):
    if type(values) is not set or not 1 < len(values) <= 1000:
        return values.pop()
    value = order(values)[0]
    values.remove(value)
    return value
def same(a, b):
    return a is b and not (type(a) is type(b) is int and -5 <= a <= 256)  # of which CPython has one object each
if mode == "values":
    original = hash
    builtins.hash = lambda value: original(value) << 16 if type(value) in (str, bytes) else original(value)
builtins._judge_order, builtins._judge_pop, builtins._judge_same = order, pop, same
def call(name, *arguments):
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
functions = {"list", "tuple", "iter", "enumerate", "map", "filter", "zip", "sum", "min", "max", "sorted", "deque"}
methods = {"join", "extend", "fromkeys"}
class Choosing(ast.NodeTransformer):
    def visit_For(self, node):
        self.generic_visit(node)
        if mode != "values":
            node.iter = call("_judge_order", node.iter)
        return node
    visit_comprehension = visit_For
    def visit_Starred(self, node):
        self.generic_visit(node)
        if mode != "values" and type(node.ctx) is ast.Load:
            node.value = call("_judge_order", node.value)
        return node
    def visit_Assign(self, node):
        self.generic_visit(node)
        if mode != "values" and any(type(target) in (ast.Tuple, ast.List) for target in node.targets):
            node.value = call("_judge_order", node.value)
        return node
    def visit_Call(self, node):
        self.generic_visit(node)
        if mode == "values":
            return node
        function = node.func
        if type(function) is ast.Attribute and function.attr == "pop" and not (node.args or node.keywords):
            return call("_judge_pop", function.value)
        name = getattr(function, "id", "") if type(function) is ast.Name else getattr(function, "attr", "")
        if name in (functions if type(function) is ast.Name else methods) and name not in own:
            node.args = [each if type(each) is ast.Starred else call("_judge_order", each) for each in node.args]
        return node
    def visit_Compare(self, node):
        self.generic_visit(node)
        if mode != "values" or len(node.ops) > 1 or type(node.ops[0]) not in (ast.Is, ast.IsNot):
            return node
        found = call("_judge_same", node.left, node.comparators[0])
        return found if type(node.ops[0]) is ast.Is else ast.UnaryOp(ast.Not(), found)
with open(path, "rb") as file:
    tree = ast.parse(file.read(), path)
own = set()
for node in ast.walk(tree):
    if type(node) in (ast.FunctionDef, ast.ClassDef):
        own.add(node.name)
    elif type(node) is ast.Name and type(node.ctx) is ast.Store:
        own.add(node.id)
    elif type(node) is ast.arg:
        own.add(node.arg)
tree = Choosing().visit(tree)
ast.fix_missing_locations(tree)
code = compile(tree, path, "exec", dont_inherit=True)
main = types.ModuleType("__main__")
main.__file__ = path
former, sys.modules["__main__"] = sys.modules["__main__"], main
sys.setrecursionlimit(sys.getrecursionlimit() + 10)
exec(code, main.__dict__)
"""
_HAS_SET = (
    rb"\b(?:set|frozenset)\b|(?:keys|items)\(\)\s*[-&|^]|[-&|^]\s*[\w.\[\]]+\.(?:keys|items)\(\)"
    rb"|(?<![\"'\w}])\{\s*[^\s{}:][^{}:]*(?:\}|\bfor\b)"
)


def of_python(tool: str) -> tuple[Variant, ...]:
    """Return the variants of programs that an interpreter runs."""
    run = (tool, "{isolation}", "-c", _CHOOSING)
    return (
        *(
            Variant(name=f"sets in {order} order", run=(*run, order, "{source}"), pattern=_HAS_SET)
            for order in ("ascending", "descending")
        ),
        Variant(
            name="other hashes and identities of values",
            run=(*run, "values", "{source}"),
            pattern=rb"\bhash\(|\bis\b(?!\s+(?:not\s+)?(?:None|True|False)\b)",
        ),
    )
