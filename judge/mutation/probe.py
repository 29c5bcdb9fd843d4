"""Probes: a source that behaves as before, and reports on standard error whether a mutant would have mattered.

A probe evaluates the mutated expression beside the original one, once more and without using its value. A mutant of a
statement only has a mark in front of that statement. What a probe reports is a hint for people: a program can forge it.
"""

import ast

from judge.mutation.mutant import Mutant

REACHED, INFECTED = b"<judge: reached>", b"<judge: infected>"
"""What a probe writes: the changed place was executed; the changed expression had another value."""

PROBES_VERSION = 1
"""Changes whenever the probe of a mutant says something else: results that were stored before are then dropped."""

_MOST_EVALUATIONS = 100_000  # of one run; the values after them are not compared
_PROLOGUE = f"""\
class _JudgeProbe:
    left, busy = {_MOST_EVALUATIONS}, False
    def reach(self):
        if self.left == {_MOST_EVALUATIONS}:
            __import__("os").write(2, {REACHED!r})
            self.left -= 1
    def compare(self, value, change):
        if self.busy or self.left <= 0:
            return value
        self.reach()
        self.left -= 1
        self.busy = True
        try:
            other = change()
            is_same = hasattr(value, "__next__") or (type(other) is type(value) and bool(other == value))
        except BaseException:
            is_same = False
        self.busy = False
        if not is_same:
            self.left = 0
            __import__("os").write(2, {INFECTED!r})
        return value
_judge_probe = _JudgeProbe()
"""


def python_probe(text: bytes, mutant: Mutant) -> bytes | None:
    """Return the probe of a mutant of a Python source; None if there is none."""
    tree = ast.parse(text)
    at = _prologue_place(tree, text)
    if mutant.has_probe:
        original = text[mutant.probe_start : mutant.probe_end]
        changed = text[mutant.probe_start : mutant.start] + mutant.replacement + text[mutant.end : mutant.probe_end]
        call = b"_judge_probe.compare((%s), lambda: (%s))" % (original, changed)
        body = text[: mutant.probe_start] + call + text[mutant.probe_end :]
    elif mutant.statement >= 0:
        line = text.rfind(b"\n", 0, mutant.statement) + 1
        indent = text[line : mutant.statement]
        body = text[: mutant.statement] + b"_judge_probe.reach()\n" + indent + text[mutant.statement :]
    else:
        return None
    if min(mutant.probe_start if mutant.has_probe else mutant.statement, mutant.start) < at:
        return None
    probe = body[:at] + _PROLOGUE.encode() + body[at:]
    try:
        ast.parse(probe)
    except SyntaxError:
        return None
    return probe


def _prologue_place(tree: ast.Module, text: bytes) -> int:
    """Return where a program may define something: behind its docstring and its imports from `__future__`."""
    line = 1
    for node in tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not (is_docstring or is_future):
            decorators = getattr(node, "decorator_list", [])
            line = min([node.lineno, *(each.lineno for each in decorators)])
            break
    at = 0
    for _ in range(line - 1):
        at = text.find(b"\n", at) + 1
    return at
