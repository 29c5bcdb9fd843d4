"""Formulas of statements: LaTeX to MathML, by latex2mathml."""

from html import unescape
from xml.etree import ElementTree as ET

_MAX_LENGTH = 4_000  # characters of a formula
_ATTRIBUTES = frozenset(
    ("display", "columnalign", "fence", "form", "linethickness", "mathvariant", "stretchy", "width")
)


def to_mathml(formula: str, *, is_block: bool = False) -> ET.Element | None:
    """Return a formula as MathML; None if it has a command that is not known, or is malformed."""
    from latex2mathml.converter import convert_to_element  # few commands need it

    if len(formula) > _MAX_LENGTH:
        return None
    try:
        element: ET.Element = convert_to_element(formula, display="block" if is_block else "inline")
    except Exception:  # noqa: BLE001 - it raises IndexError, KeyError and others, besides its own errors
        return None
    for each in element.iter():
        each.text = unescape(each.text) if each.text else each.text  # it writes references, such as `&#x02264;`
        each.attrib = {name: value for name, value in each.attrib.items() if name in _ATTRIBUTES}
    return None if "\\" in "".join(element.itertext()) else element
