"""One grammar of an input: what is valid, random and smallest inputs, simpler ones, neighbours, and how to read them.

Pure: bytes and values in, bytes and values out. docs/input-grammar.md describes the notation.

    forms, expressions, patterns    what a grammar consists of
    read                            the value of the key `input:` to forms
    intervals                       rules that no input can meet; relations as limits of fields
    parse, accept, graphs           is an input valid? the first fault with its place; the same, fast
    build, choose, domains          from choices to an input
    propose, tighten                inputs for a search, also by size; rules that known inputs meet
    characters, render              counted characters of words; the text of an input
    mutate, shrink, scale           the parts of an input and its neighbours; simpler inputs, large ones
    statement, reading              the section of the statement; programs that read an input
    notation                        the notation as YAML
    grammar                         all of it; several tests in one input
"""

from judge.inputs.choose import GrammarError
from judge.inputs.grammar import Grammar, read_json
from judge.inputs.parse import Fault

__all__ = ["Fault", "Grammar", "GrammarError", "read_json"]
