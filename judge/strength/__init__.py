"""Strength: how many small mistakes in a solution the cases of a problem notice."""
