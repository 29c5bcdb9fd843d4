"""Strict YAML: every value has a position, and all errors of a file are reported at once.

This package knows YAML and JSON Schema, but nothing of problems or cases:

    text        quoted values and lists of valid words for messages
    scalars     what a plain scalar means, where readers of YAML 1.1 and 1.2 disagree; values that all of them leave
    parse       bytes to nodes with positions, and PyYAML's errors in plain words
    types       descriptions of expected values: a node to a value, and to a JSON Schema
    document    one file: its value, the positions of its parts, its diagnostics
"""
