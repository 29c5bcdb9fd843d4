"""Watching a repository: noticing saves, deciding what they affect, and judging that in rounds. It prints nothing."""
