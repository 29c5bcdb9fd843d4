"""Tests: a test's name is the law that it states."""
