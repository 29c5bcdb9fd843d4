"""Checks whether a file is ready to submit: finds what an online judge would reject.

    check           the entry point: check a text, run it on its problem's cases, return a report
    judges          the table of online judges
    requirements    what a source requires of its Python, guards, and what a judge lacks
    syntax          requirements of the language
    library         requirements of the standard library
    call_rules      requirements of how old names are used
    symbol_table    what names refer to
    inference       the types of expressions
    restrictions    what judges reject whatever their Python: the file, imports, access to files and networks
    dry_run         the runs on the problem's cases

Only `dry_run` runs the solution; all other modules read its text. A new judge is a row of `judges`. A new rule about
versions is a row of `library`, or a function of `call_rules` or `syntax`. `symbol_table` and `inference` report only
what is certain, so that the rules raise no false alarms.
"""
