"""Formulas of statements: LaTeX to MathML, by latex2mathml."""

import re
from html import unescape
from xml.etree import ElementTree as ET

_MAX_LENGTH = 4_000  # characters of a formula
_ATTRIBUTES = frozenset(
    ("display", "displaystyle", "columnalign", "fence", "form", "linethickness", "mathvariant", "stretchy", "width")
)
_LINES = (  # environments that it does not know, as those that it does
    (re.compile(r"\\(begin|end)\{aligned(?:at\}(?:\{\d+\})?|\})(?:\[\w\])?"), r"\\\1{split}"),
    (re.compile(r"\\begin\{gather(ed|\*)?\}(\[\w\])?"), r"\\displaylines{"),
    (re.compile(r"\\end\{gather(ed|\*)?\}"), "}"),
)


def to_mathml(formula: str, *, is_block: bool = False) -> ET.Element | None:
    """Return a formula as MathML; None if it has a command that is not known, or is malformed."""
    from latex2mathml.converter import convert_to_element  # few commands need it

    if len(formula) > _MAX_LENGTH:
        return None
    for lines, known in _LINES:
        formula = lines.sub(known, formula)
    try:
        element: ET.Element = convert_to_element(formula, display="block" if is_block else "inline")
    except Exception:  # noqa: BLE001 - it raises IndexError, KeyError and others, besides its own errors
        return None
    for each in element.iter():
        if (each.tag == "mi" and each.text == "&") or "linebreak" in each.attrib:  # not `\&`, which is a reference
            return None
        each.text = unescape(each.text) if each.text else each.text  # it writes references, such as `&#x02264;`
        each.attrib = {name: value for name, value in each.attrib.items() if name in _ATTRIBUTES}
    return None if "\\" in "".join(element.itertext()) else element
