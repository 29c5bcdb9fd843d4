"""What the judge keeps between runs: cached results, the history of runs, baselines and submissions.

`.judge/results.sqlite` is a cache and safe to delete. `.judge/history.sqlite` and `.judge/submissions.sqlite` are not:
past runs cannot be made again, and the table of submissions is the only guard against submitting a source twice.
Nothing in this package decides a verdict or prints.
"""
