"""One grammar of an input: what is valid, random and smallest inputs, simpler ones, neighbours, and how to read them.

Pure: bytes and values in, bytes and values out. docs/input-grammar.md describes the notation.

    forms, blocks, edges            what an input consists of: lines, blocks, graphs; all about each
    domains, expressions, patterns  kinds of value; bounds and relations; patterns of words
    read                            the value of the key `input:` to forms
    intervals                       ranges of expressions; relations as limits of fields
    parse, graphs                   the tokens of an input, the first fault with its place; rules of graphs
    build, choose                   from choices to an input
    propose, tighten                inputs for a search, also by size; rules that known inputs meet
    structure, observe, infer       what some inputs show, as notation; also as validators correct it (probe)
    guess, constraints              where nothing says what is valid; what a statement says
    sites, mutate, shrink, scale    the parts of an input and its neighbours; simpler inputs, large ones
    pictures                        what of an input can be drawn
    reading                         programs that read an input
    notation                        the fields of a notation, with their ranges
    grammar                         all of it; several tests in one input
"""

from judge.inputs.choose import GrammarError
from judge.inputs.grammar import Grammar, read_json
from judge.inputs.parse import Fault

__all__ = ["Fault", "Grammar", "GrammarError", "read_json"]
