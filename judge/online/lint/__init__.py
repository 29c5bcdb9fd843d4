"""Checks whether a file is ready to submit: finds what an online judge would reject.

    check           the entry point: check a text, run it on its problem's cases, return a report
    judges          the table of online judges
    requirements    what names refer to, guards of what a source requires of its Python, and what a judge lacks
    versions        what a source requires of its Python: syntax, modules, members
    restrictions    what judges reject whatever their Python: the file, imports, access to files and networks
    dry_run         the runs on the problem's cases

Only `dry_run` runs the solution; all other modules read its text. A new judge is a row of `judges`, a new rule about
versions a row of a table of `versions`. `Names` knows only what is certain, so that the rules raise no false alarms.
"""
