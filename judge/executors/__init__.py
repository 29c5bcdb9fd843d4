"""Executors: where runs happen. The local one maps them over worker threads, each with a box of its own."""

from judge.executors.local import Interrupted, LocalExecutor, default_workers

__all__ = ["Interrupted", "LocalExecutor", "default_workers"]
