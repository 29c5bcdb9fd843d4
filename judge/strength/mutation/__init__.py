"""Mutants: a source with one small mistake of the kind that people make. Pure functions from text to text."""
