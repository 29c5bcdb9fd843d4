"""Watches a repository: notices changes, schedules what they affect, and judges it in batches. It prints nothing."""
