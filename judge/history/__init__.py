"""What the judge remembers between runs, in SQLite files of the folder `.judge`: results by content, and history.

Nothing here decides a verdict or prints. A file that cannot be used costs what it remembers, never a run. One table is
an exception: without that of submissions nothing is submitted, for nobody would notice what is sent twice.
"""
