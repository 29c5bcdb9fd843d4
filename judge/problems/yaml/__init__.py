"""YAML files read strictly: every value has its place, and every mistake of a file is reported at once.

This package knows YAML and msgspec's type descriptions, but nothing of problems or cases:

    words        quoting what was found, and the nearest valid word
    nodes        what a file says, with places
    syntax       bytes to nodes, and PyYAML's complaints in plain words
    compose      events to nodes: duplicate keys, tags, aliases, depth
    scalars      what a plain scalar means, where readers of YAML 1.1 and 1.2 disagree
    reader       a node and the type that it should have, to a value and mistakes
    one_scalar   readers of texts, words, numbers and truth values
    containers   readers of lists and free mappings
    structs      readers of Structs, and which type has which reader
    rules        keys that exclude or need each other
    document     one file: its value, its places, its findings
"""
