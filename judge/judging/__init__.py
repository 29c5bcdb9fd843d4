"""Judging: from a run's measurements and a checker's answer to one verdict."""
