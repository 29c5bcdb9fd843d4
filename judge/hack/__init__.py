"""Counterexamples: inputs on which a solution fails, searched for, shrunk and confirmed.

A search runs a submission beside a reference on inputs that its sources propose (`sources`), in the boxes of the
workers. Only inputs that the validator or the grammar accepts count, and only those on which the reference ends well.
"""
