"""Executors: where runs happen. The local one distributes them over worker threads, each with its own box."""

from judge.executors.local import Interrupted, LocalExecutor, default_workers

__all__ = ["Interrupted", "LocalExecutor", "default_workers"]
