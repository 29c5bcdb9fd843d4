"""Many mutants of a source in C, C++ or Java in one copy of it, each behind a switch that is read at start.

A syntax tree gives the smallest expression around a change; `(JUDGE_IS(7) ? (changed) : (original))` takes its place.
Where a change is not part of an expression, or the two have no common type, the statement or block around it has both
forms: `if (JUDGE_IS(7)) {changed} else {original}`. Only the original contains the switches of what is inside. So no
operator needs a rule of its own, and the compiler decides what is possible: each changed text is on lines of its own,
which the errors name.
"""

import importlib
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from judge.strength.mutation.mutant import Mutant

if TYPE_CHECKING:
    from tree_sitter import Node

VARIABLE = "JUDGE_MUTANT"
"""The environment variable that a program with switches reads: the number of a mutant, or 0 for none."""

_READ = b"""extern %bchar **environ;
static signed judge_mutant;
__attribute__((constructor(101))) static void judge_read_mutant(void) {
    for (char **each = environ; *each; each++)
        if (!__builtin_strncmp(*each, "JUDGE_MUTANT=", 13))
            for (char *digit = *each + 13; *digit; digit++) judge_mutant = 10 * judge_mutant + *digit - '0';
}
#define JUDGE_IS(number) __builtin_expect(judge_mutant == (number), 0)
"""
_JAVA_READ = b"""
class JudgeSwitch {
    static final int MUTANT = Integer.parseInt(System.getenv("JUDGE_MUTANT"));
    static void use(long value) {}
    static void use(double value) {}
    static void use(Object value) {}
}
"""
SWITCHES = {"c": (_READ % b"", b""), "cpp": (_READ % b'"C" ', b""), "java": (b"", _JAVA_READ)}
"""What a source with switches needs at its beginning and its end, by the id of a language."""

# Types of nodes of the grammars of C++ and Java. What is an operation extends to the whole formula, since a change may
# have another precedence.
_OPERATIONS = {
    *("binary_expression", "unary_expression", "conditional_expression", "ternary_expression", "assignment_expression"),
    *("update_expression", "cast_expression", "comma_expression", "pointer_expression", "field_expression"),
    *("call_expression", "method_invocation", "field_access", "instanceof_expression"),
}
_LITERALS = {"number_literal", "decimal_integer_literal", "true", "false"}
_VALUES = {
    *(*_OPERATIONS, *_LITERALS, "condition_clause", "parenthesized_expression"),
    *("subscript_expression", "array_access", "object_creation_expression"),
}
_STATEMENTS = {
    *("expression_statement", "if_statement", "for_statement", "for_range_loop", "enhanced_for_statement"),
    *("while_statement", "do_statement", "return_statement", "break_statement", "continue_statement"),
    *("try_statement", "try_with_resources_statement", "throw_statement", "labeled_statement"),
}
_LOOPS = {"while_statement", "do_statement", "for_statement", "enhanced_for_statement"}
_ENDLESS = (b"true", b"(true)")
_TRIES = {"try_statement", "try_with_resources_statement"}
_SWITCHES = {"switch_statement", "switch_expression"}
_BLOCKS = {"compound_statement", "block"}
_SCOPES = {*_BLOCKS, "case_statement", "switch_block_statement_group"}
_DECLARATIONS = {"declaration", "local_variable_declaration", "alias_declaration", "type_definition"}
_STATIC = {  # where the compiler needs the value or the type
    *("array_declarator", "template_argument_list", "bitfield_clause", "enumerator", "case_statement", "switch_label"),
    *("static_assert_declaration", "sizeof_expression", "decltype", "type_descriptor", "annotation", "ERROR"),
}
_NAMED = {"primitive_type", "sized_type_specifier"}  # types that are no expressions, either
_TRUTHS = {b"<", b"<=", b">", b">=", b"==", b"!=", b"&&", b"||"}
_TYPES = (b"int", b"int32_t", b"short", b"char", b"float")
_FIXED = (b"const", b"constexpr", b"consteval", b"constinit")


class Place(Struct, frozen=True):
    """What a switch replaces, and which of `_FORMS` it gets."""

    start: int
    end: int
    form: str


_FORMS = {  # with the condition: before a changed text, after it; before the original, and after it for each mutant
    "value": (b"(%b ?\n(", b")\n:\n", b"(", b")", b")"),
    "condition": (b"(%b ?\n!!(", b")\n:\n", b"!!(", b")", b")"),
    "unused": (b"JudgeSwitch.use(%b ?\n(", b")\n:\n", b"(", b")", b")"),
    "statement": (b"{ if (%b)\n{", b"}\nelse\n", b"{", b"}", b"}"),
}


class Region(Struct, frozen=True):
    """Lines of a source with switches, from 1, and the mutants that they are about.

    `is_changed` if they are the text of a mutant alone, so that it is to blame for any error there.
    """

    lines: range
    mutants: tuple[int, ...]
    is_changed: bool


class Switches:
    """Puts mutants of a source behind switches.

    Raises:
        ImportError: the parser is not installed.
    """

    def __init__(self, text: bytes, language: str) -> None:
        from tree_sitter import Language, Parser  # of the extra `mutants`

        grammar = importlib.import_module("tree_sitter_java" if language == "java" else "tree_sitter_cpp")
        self._text, self._language = text, language
        self._parser = Parser(Language(grammar.language()))
        self._root = self._parse(text)
        self.has_error = bool(self._root.has_error)

    def is_possible(self, mutant: Mutant) -> bool:
        """Return whether a change may compile, as far as the syntax shows: errors in it hide others."""
        node = self._root.descendant_for_byte_range(mutant.start, mutant.end)
        if self._language == "java":
            is_kept = node.type not in _DECLARATIONS or mutant.replacement != b";"
            return is_kept and (self.has_error or not self._parse(mutant.apply(self._text)).has_error)
        if node.type not in ("<", ">"):
            return True
        around = node.parent
        if around.type == "template_argument_list":  # the parser takes `a < b && c > (d)` for a call of `a<...>`
            has_type = any(
                each.type == "type_descriptor" and each.children[0].type in _NAMED for each in around.children
            )
            return not has_type and around.parent.type != "template_type"
        return bool(around.type != "template_parameter_list")

    def _parse(self, text: bytes) -> "Node":
        return self._parser.parse(text).root_node

    def places(self, mutant: Mutant) -> list[Place]:
        """Return where a switch may be, smallest first; nothing if the change concerns the whole program."""
        chain: list[Node] = []
        node = self._root.descendant_for_byte_range(mutant.start, mutant.end)
        while node is not None:
            chain.append(node)
            node = node.parent
        if any(it.type == "function_definition" and self._is_fixed(it, _FIXED[1:]) for it in chain):
            return []
        found = [place] if (place := self._value_place(chain, mutant)) else []
        nodes = [] if b"goto" in self._text else list(self._statements(chain))
        found += [Place(each.start_byte, each.end_byte, "statement") for each in nodes]
        return self._java_places(chain, mutant, found) if self._language == "java" else found

    def _java_places(self, chain: "list[Node]", mutant: Mutant, found: list[Place]) -> list[Place]:
        """Return those places where the compiler concludes the same about what is reached and what is initialized."""
        is_exit = mutant.replacement in (b"break", b"continue")  # perhaps of a loop farther out, which a label names
        for loop in (it for it in chain if it.type in _LOOPS):
            condition = loop.child_by_field_name("condition")
            is_condition = condition is not None and condition.start_byte <= mutant.start < condition.end_byte
            is_endless = condition is None or condition.text in _ENDLESS
            if is_endless and loop.type != "enhanced_for_statement" and (is_condition or is_exit):
                return found[-1:]
        if mutant.replacement != b";":
            return found
        for node in chain:  # what is caught must be thrown somewhere
            if node.type in _TRIES and any(each.type == "catch_clause" for each in node.children):
                found = [place for place in found if place.start <= node.start_byte]
        assigned = re.match(rb"(\w+)\s*=[^=]", self._text[mutant.start : mutant.end])
        method = next((it for it in chain if it.type == "method_declaration"), None)
        if assigned and method is not None:
            is_in_case = any(it.type == "switch_block_statement_group" for it in chain)  # another one may initialize it
            declared = re.compile(rb"(?:[\w>\]]\s+|,\s*)%b\s*(?:\[\s*\]\s*)*[,;%b]" % (assigned[1], b"=" * is_in_case))
            for each in declared.finditer(self._text, method.start_byte, mutant.start):
                found = [place for place in found if place.start <= each.start() < place.end]
        return found

    def _value_place(self, chain: "list[Node]", mutant: Mutant) -> Place | None:
        """Return the expression around a change whose type stays the same."""
        inner = chain[: next((at for at, it in enumerate(chain) if it.type in _STATEMENTS | _BLOCKS), len(chain))]
        if len(inner) == len(chain) and self._language == "c":
            return None
        has_type = mutant.replacement in _TYPES or (
            mutant.replacement.isdigit() and int(mutant.replacement) in (2**31 - 1, 2**31)
        )
        static = max((at for at, it in enumerate(inner) if self._is_static(it)), default=-1)
        for at, node in enumerate(inner[:-1] if inner == chain else inner):
            parent = chain[at + 1]
            is_whole = (
                not at and node.type in _LITERALS and (node.start_byte, node.end_byte) == (mutant.start, mutant.end)
            )
            if node.type not in _VALUES or (parent.type in _OPERATIONS and not is_whole) or at <= static:
                continue
            if parent.type == "expression_statement":
                return None
            form = self._form(node, parent)
            operator = node.child_by_field_name("operator")
            is_truth = form == "condition" or (operator is not None and operator.text in _TRUTHS)
            if (static >= 0 or has_type) and not is_truth:
                continue
            return Place(node.start_byte, node.end_byte, form)
        return None

    def _form(self, node: "Node", parent: "Node") -> str:
        is_condition = parent.type == "for_statement" and node == parent.child_by_field_name("condition")
        if self._language == "java":
            return "unused" if parent.type == "for_statement" and not is_condition else "value"
        clause, above = (node, parent) if node.type == "condition_clause" else (parent, parent.parent)
        is_condition |= clause.type == "condition_clause" and above is not None and above.type not in _SWITCHES
        return "condition" if is_condition or parent.type == "do_statement" else "value"

    def _statements(self, chain: "list[Node]") -> "Iterator[Node]":
        """Yield the smallest statement around a change that declares nothing for others, and the block around it."""
        found: list[Node] = []
        declares = False
        for node, parent in pairwise(chain):
            declares |= node.type in _DECLARATIONS and parent.type in _SCOPES
            is_closed = node.type in _SWITCHES or (node.type in _BLOCKS and parent.type not in _SWITCHES)
            declares &= not is_closed
            if (is_closed or node.type in _STATEMENTS) and not declares and parent.type != "labeled_statement":
                found.append(node)
            if node.type in ("lambda_expression", "function_definition") and self._deduces(node):
                found = [each for each in found if b"return" not in (each.text or b"")]
            if node.type in ("function_definition", "method_declaration"):
                break
        blocks = [each for each in found[1:] if each.type in _BLOCKS]
        yield from [*found[:1], *(blocks if self._language == "java" else blocks[:1])]

    def _deduces(self, node: "Node") -> bool:
        """Return whether the type of a function follows from what it returns."""
        if self._language == "java" or any(it.type == "trailing_return_type" for it in _descend(node)):
            return False
        kind = node.child_by_field_name("type")
        return node.type == "lambda_expression" or (kind is not None and kind.type == "placeholder_type_specifier")

    def _is_static(self, node: "Node") -> bool:
        return node.type in _STATIC or (node.type in _DECLARATIONS | {"field_declaration"} and self._is_fixed(node))

    def _is_fixed(self, node: "Node", words: tuple[bytes, ...] = _FIXED) -> bool:
        return self._language != "java" and any(it.text in words for it in node.children)

    def write(self, mutants: Mapping[int, tuple[Mutant, Place]]) -> tuple[bytes, list[Region]]:
        """Return the source with mutants behind switches, by their numbers, and whose its lines are."""
        at_place: dict[Place, list[int]] = {}
        for number, (_, place) in mutants.items():
            at_place.setdefault(place, []).append(number)
        parts: list[bytes] = []
        regions: list[Region] = []
        condition = b"JudgeSwitch.MUTANT == %d" if self._language == "java" else b"JUDGE_IS(%d)"
        line = 1

        def put(text: bytes) -> None:
            nonlocal line
            parts.append(text)
            line += text.count(b"\n")

        def put_all(start: int, end: int, places: list[Place]) -> None:
            while places:
                place, numbers = places[0], at_place[places[0]]
                inside = [each for each in places[1:] if each.start < place.end]
                places = places[1 + len(inside) :]
                before, after, *original, close = _FORMS[place.form]
                put(self._text[start : place.start] + b"\n")
                first = line
                for number in numbers:
                    head = line
                    put(before % (condition % number))
                    changed = line
                    mutant = mutants[number][0]
                    put(self._text[place.start : mutant.start] + mutant.replacement)
                    put(self._text[mutant.end : place.end])
                    is_alone = place.form == "statement" or self._language != "java"  # there, types are inferred
                    regions.append(Region(range(changed, line + 1), (number,), is_alone))
                    regions.append(Region(range(head, line + 1), (number,), False))
                    put(after)
                put(original[0])
                put_all(place.start, place.end, inside)
                put(original[1] + close * len(numbers) + b"\n")
                regions.append(Region(range(first, line), tuple(numbers), False))
                start = place.end
            put(self._text[start:end])

        put_all(0, len(self._text), sorted(at_place, key=lambda it: (it.start, -it.end)))
        return b"".join(parts), regions


def _descend(node: "Node") -> "list[Node]":
    """Return the parts of a declarator, down to the function's."""
    declarator = node.child_by_field_name("declarator")
    return [*node.children, *(_descend(declarator) if declarator is not None else ())]


_MESSAGE = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:\d+:)?\s*"
    r"(?P<kind>(?:fatal )?error:|required from|in .constexpr. expansion|note: in (?:instantiation|expansion of macro))",
    re.MULTILINE,
)


def error_lines(messages: str, name: str) -> list[tuple[list[int], list[int]]]:
    """Return the lines of a source that have each error of a compiler, and those that use what has it, innermost first.

    The error may be in a macro or in a header. Of headers, GCC says "required from" before the error, Clang "in
    instantiation" after it.
    """
    errors: list[tuple[list[int], list[int]]] = []
    before: list[int] = []
    for found in _MESSAGE.finditer(messages):
        lines = [int(found["line"])] if found["file"].endswith(name) else []
        kind = found["kind"]
        if "error" in kind:
            errors.append((lines, before))
            before = []
        elif "note" not in kind:
            before += lines
        elif errors:
            errors[-1]["instantiation" in kind].extend(lines)
    return errors
